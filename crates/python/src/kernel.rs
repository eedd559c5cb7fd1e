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

/// Options, templates, rules and layouts of an extractor, shared by all threads.
pub(crate) struct Kernel {
    pub(crate) options: Options,
    /// Templates and rules of sites.
    store: Option<Store>,
    layouts: Option<Layouts>,
}

impl Kernel {
    /// Makes a kernel of options, with the templates, rules and layouts that the settings name.
    /// `templates`, if not empty, replace those of the settings.
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

    /// Extracts a page. A panic rejects this page only.
    pub(crate) fn extract(&self, page: &PageRecord<'_>) -> Result<Document, Rejection> {
        self.extract_by(page, None, &self.options)
    }

    /// Extracts a page of the caller, which may be compressed, as pages of files may be.
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

    /// Returns the maximum number of bytes of a page.
    pub(crate) fn page_bytes(&self) -> usize {
        self.options.limits().bytes()
    }

    /// Extracts a page with other options, and with the layout of the page if it is given; else the layout
    /// is looked up by the page's id.
    pub(crate) fn extract_by(
        &self,
        page: &PageRecord<'_>,
        layout: Option<&Layout>,
        options: &Options,
    ) -> Result<Document, Rejection> {
        let work = || {
            // Layouts are stored by id, or by address for pages without an id.
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
            // Layouts were asked for, and this page has none: the document says so.
            Ok(match self.layouts.is_some() && layout.is_none() {
                true => document.missing_layout(),
                false => document,
            })
        };
        catch_panic(work).unwrap_or_else(|message| Err(rejection(page, Reason::Panic, message)))
    }
}

/// Returns the rejection of a page.
fn rejection(page: &PageRecord<'_>, reason: Reason, message: String) -> Rejection {
    Rejection {
        id: page.id.as_deref().map(str::to_owned),
        url: page.url.as_deref().map(str::to_owned),
        reason,
        message,
    }
}

/// Returns the record of a document as a dictionary, with the fields that the command line writes as a line
/// of JSON.
pub(crate) fn record<'py>(py: Python<'py>, mut document: Document) -> PyResult<Bound<'py, PyAny>> {
    // Values of other fields are JSON text that was carried along unparsed.
    let extra = std::mem::take(&mut document.extra);
    let record = to_python(py, &document)?;
    if !extra.0.is_empty() {
        let fields = PyDict::new(py);
        let json = py.import("json")?;
        for (name, value) in &extra.0 {
            // Parsed by Python, so that numbers keep their digits and types.
            fields.set_item(name.as_ref(), json.call_method1("loads", (value.get(),))?)?;
        }
        record.set_item("extra", fields)?;
    }
    Ok(record)
}
