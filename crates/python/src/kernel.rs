//! Pages to documents on any thread, and documents as dictionaries of Python.

use dehusk_pipeline::extract::Options;
use dehusk_pipeline::extract::layout::Layout;
use dehusk_pipeline::extract::site::Template;
use dehusk_pipeline::kernel;
use dehusk_pipeline::record::{Document, PageRecord, Reason, Rejection};
use dehusk_pipeline::site::{Store, rules};
use dehusk_pipeline::{Error, Layouts, Settings, catch_panic, inflate};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::to_python::to_python;

/// What threads share.
pub(crate) struct Kernel {
    pub(crate) options: Options,
    /// Templates and rules of sites.
    store: Option<Store>,
    layouts: Option<Layouts>,
}

impl Kernel {
    /// Options, with the templates, rules and layouts that the settings name; `templates` take the place of those.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn new(
        options: Options,
        settings: &Settings,
        templates: Vec<Template>,
    ) -> Result<Self, Error> {
        let store = match templates.is_empty() {
            true => Store::of_settings(settings)?,
            false => {
                let rules = settings.rules.as_deref().map(rules).transpose()?;
                Some(Store::from_parts(templates, rules))
            }
        };
        let layouts = settings.layout.as_deref().map(Layouts::open).transpose()?;
        Ok(Kernel {
            options,
            store,
            layouts,
        })
    }

    /// The document of a page. A panic costs the page alone.
    pub(crate) fn extract(&self, page: &PageRecord<'_>) -> Result<Document, Rejection> {
        self.extract_by(page, None, &self.options)
    }

    /// The document of a page as somebody handed it in: it may be compressed, as pages of files may be.
    pub(crate) fn extract_given(
        &self,
        mut page: PageRecord<'_>,
        layout: Option<&Layout>,
    ) -> Result<Document, Rejection> {
        if let Err(unread) = inflate(&mut page.content, self.page_bytes()) {
            return Err(rejection(&page, unread.reason, unread.message));
        }
        self.extract_by(&page, layout, &self.options)
    }

    /// Most bytes of a page.
    pub(crate) fn page_bytes(&self) -> usize {
        self.options.limits().bytes()
    }

    /// Extracts a page with other options, and with the layout of the page if it is known; else it is looked for.
    pub(crate) fn extract_by(
        &self,
        page: &PageRecord<'_>,
        layout: Option<&Layout>,
        options: &Options,
    ) -> Result<Document, Rejection> {
        let work = || {
            let id = page.id.as_deref().or(page.url.as_deref()).unwrap_or_default();
            let unread = |error: Error| rejection(page, Reason::Unreadable, error.to_string());
            let found = match (&self.layouts, layout) {
                (Some(layouts), None) => layouts.of(id).map_err(unread)?,
                _ => None,
            };
            let layout = layout.or(found.as_ref());
            let document = match &self.store {
                None => kernel::Extractor::new(options.clone()).extract_laid_out(page, layout),
                Some(store) => {
                    kernel::Extractor::with(options.clone(), &|page, options| store.extract(page, options))
                        .extract_laid_out(page, layout)
                }
            }?;
            Ok(match self.layouts.is_some() && layout.is_none() {
                true => document.missing_layout(),
                false => document,
            })
        };
        catch_panic(work).unwrap_or_else(|message| Err(rejection(page, Reason::Panic, message)))
    }
}

fn rejection(page: &PageRecord<'_>, reason: Reason, message: String) -> Rejection {
    Rejection {
        id: page.id.as_deref().map(str::to_owned),
        url: page.url.as_deref().map(str::to_owned),
        reason,
        message,
    }
}

/// The record of a document as a dictionary, with the fields that the command line writes as a line of JSON.
pub(crate) fn record<'py>(py: Python<'py>, mut document: Document) -> PyResult<Bound<'py, PyAny>> {
    // Values of other fields are JSON that was not read.
    let extra = std::mem::take(&mut document.extra);
    let record = to_python(py, &document)?;
    if !extra.0.is_empty() {
        let fields = PyDict::new(py);
        let json = py.import("json")?;
        for (name, value) in &extra.0 {
            fields.set_item(name.as_ref(), json.call_method1("loads", (value.get(),))?)?;
        }
        record.set_item("extra", fields)?;
    }
    Ok(record)
}
