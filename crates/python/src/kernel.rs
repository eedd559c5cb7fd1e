//! Pages to documents on any thread, and documents as dictionaries of Python.

use dehusk_pipeline::extract::Options;
use dehusk_pipeline::extract::site::Template;
use dehusk_pipeline::kernel;
use dehusk_pipeline::record::{Document, PageRecord, Reason, Rejection};
use dehusk_pipeline::site::{Store, rules};
use dehusk_pipeline::{Error, Settings, catch_panic};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::to_python::to_python;

/// What threads share.
pub(crate) struct Kernel {
    pub(crate) options: Options,
    /// Templates and rules of sites.
    store: Option<Store>,
}

impl Kernel {
    /// Options, with the templates and rules that the settings name; `templates` take the place of those.
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
        Ok(Kernel { options, store })
    }

    /// The document of a page. A panic costs the page alone.
    pub(crate) fn extract(&self, page: &PageRecord<'_>) -> Result<Document, Rejection> {
        self.extract_by(page, &self.options)
    }

    /// The same with other options.
    pub(crate) fn extract_by(&self, page: &PageRecord<'_>, options: &Options) -> Result<Document, Rejection> {
        let work = || match &self.store {
            None => kernel::Extractor::new(options.clone()).extract(page),
            Some(store) => {
                kernel::Extractor::with(options.clone(), &|page, options| store.extract(page, options))
                    .extract(page)
            }
        };
        catch_panic(work).unwrap_or_else(|message| {
            Err(Rejection {
                id: page.id.as_deref().map(str::to_owned),
                url: page.url.as_deref().map(str::to_owned),
                reason: Reason::Panic,
                message,
            })
        })
    }
}

/// The record of a document as a dictionary: what is a line of JSON of the command line.
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
