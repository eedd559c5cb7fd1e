//! Pages to documents, one at a time.

use std::sync::Arc;

use dehusk_pipeline::extract::layout::Layout;
use dehusk_pipeline::format::Columns;
use dehusk_pipeline::record::PageRecord;
use dehusk_pipeline::verbs::explain::{explain_document, explained};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arrow::{self, Table};
use crate::documents::Documents;
use crate::error::{self, About};
use crate::kernel::{Kernel, record};
use crate::options::EXTRACTOR;
use crate::page::{Known, OwnedPage};
use crate::work::interruptible;

/// Returns the layout that a record of `dehusk render` holds.
fn layout_of(py: Python<'_>, record: &str) -> PyResult<Layout> {
    serde_json::from_str(record).map_err(|error| {
        let help = "give a line of a file that `dehusk render` wrote, or that line as a mapping";
        let message = format!("`layout` is no layout: {error}");
        error::option(py, "layout", &message, Some(help))
    })
}

/// Makes documents of pages; `dehusk.Extractor` is its public form.
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Extractor {
    kernel: Arc<Kernel>,
    threads: usize,
    columns: Columns,
}

#[pymethods]
impl Extractor {
    /// Options as keyword arguments, and templates as the texts of their files.
    #[new]
    fn new(py: Python<'_>, options: &Bound<'_, PyDict>, templates: Vec<String>) -> PyResult<Self> {
        let settings = EXTRACTOR.read(options)?;
        let templates = templates.iter().map(|text| crate::sites::template(py, text));
        let templates = templates.collect::<PyResult<Vec<_>>>()?;
        // Models and rules are loaded here, which needs no interpreter.
        let kernel = py
            .detach(|| Kernel::new(settings.extraction(), &settings, templates))
            .map_err(|error| error::exception(py, &error, About::Sites))?;
        Ok(Extractor {
            kernel: Arc::new(kernel),
            threads: settings.threads(),
            columns: settings.column.unwrap_or_default(),
        })
    }

    /// The record of the document of a page.
    #[allow(
        clippy::too_many_arguments,
        reason = "keyword arguments of one method of Python"
    )]
    #[pyo3(signature = (html, url, id, content_type, charset, date, layout))]
    fn document<'py>(
        &self,
        py: Python<'py>,
        html: &Bound<'py, PyAny>,
        url: Option<String>,
        id: Option<String>,
        content_type: Option<String>,
        charset: Option<String>,
        date: Option<String>,
        layout: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let layout = layout.map(|record| layout_of(py, record)).transpose()?;
        let known = Known {
            url,
            id,
            content_type,
            charset,
            date,
        };
        let page = OwnedPage::of_html(html)?.with(known);
        let done = py.detach(|| self.kernel.extract_given(page.record(), layout.as_ref()));
        record(py, done.map_err(|rejected| error::rejection(py, &rejected))?)
    }

    /// The record of the document of a page with its blocks, and the page of HTML that explains it.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        html: &Bound<'py, PyAny>,
        url: Option<String>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyString>)> {
        let known = Known {
            url,
            ..Known::default()
        };
        let page = OwnedPage::of_html(html)?.with(known);
        let done = py.detach(|| {
            let document = self
                .kernel
                .extract_by(&page.record(), None, &explained(&self.kernel.options))?;
            let shown = explain_document(&document);
            // The dictionary is made with the interpreter; all work before it is done without.
            Ok((document, shown))
        });
        let (document, shown) = done.map_err(|rejected| error::rejection(py, &rejected))?;
        Ok((record(py, document)?, PyString::new(py, &shown)))
    }

    /// An iterator over the records of the documents of pages.
    fn documents(&self, pages: &Bound<'_, PyAny>) -> PyResult<Documents> {
        Documents::new(Arc::clone(&self.kernel), self.threads, pages)
    }

    /// The documents of a batch of pages, or of the batches of a stream.
    fn batch(&self, py: Python<'_>, pages: &Bound<'_, PyAny>) -> PyResult<Table> {
        let (kernel, columns, threads) = (&self.kernel, &self.columns, self.threads);
        let extract = |page: &PageRecord<'_>| kernel.extract(page);
        let input = arrow::read(pages)?;
        interruptible(py, About::Work, |cancel| {
            input.map(|batch| {
                dehusk_pipeline::batch::extract(
                    batch,
                    columns,
                    threads,
                    cancel,
                    kernel.page_bytes(),
                    &extract,
                )
            })
        })
    }
}
