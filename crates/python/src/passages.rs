//! Passages that several documents share, and items of test sets in documents.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use dehusk_pipeline::batch;
use dehusk_pipeline::catch_panic;
use dehusk_pipeline::settings::{OnMatchPolicy, PassageUnitName, Policy, RepeatPolicy, profile};
use dehusk_pipeline::verbs::passages::Making;
use dehusk_pipeline::verbs::passages::against::{self, Against};
use dehusk_pipeline::{Error, FolderFormats, Job, Settings, verbs};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrow::{self, Table};
use crate::error::{self, About};
use crate::options::{ITEMS, PASSAGES, SPARK_PASSAGES, Taker, checked};
use crate::to_python::to_python;
use crate::work::interruptible;

/// Reads the options of a search.
fn read(
    taker: &Taker,
    unit: &str,
    profile_name: &str,
    options: &Bound<'_, PyDict>,
) -> PyResult<(Settings, Making)> {
    let py = options.py();
    let settings = taker.read(options)?;
    let unit: PassageUnitName = unit
        .parse()
        .map_err(|wrong: String| error::option(py, "unit", &format!("`unit`: {wrong}"), None))?;
    let making = profile(profile_name, None).and_then(|profile| Making::of(&settings, unit.0, profile));
    Ok((settings, checked(py, making)?))
}

/// Finds passages, and writes them, their places and the documents without them to a folder. Returns the summary.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "arguments of Python by name")]
pub(crate) fn passages<'py>(
    py: Python<'py>,
    inputs: Vec<String>,
    out: &str,
    unit: &str,
    profile_name: &str,
    against_index: Option<PathBuf>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let (mut settings, making) = read(&PASSAGES, unit, profile_name, options)?;
    settings.against = against_index;
    let done = interruptible(py, About::Work, |cancel| {
        let job = Job::new(&inputs, &settings, cancel);
        verbs::passages::passages(&job, &making, Path::new(out), FolderFormats::default())
    })?;
    to_python(py, &done.summary)
}

/// Finds documents that hold items of a test set, and writes the matches, the items and the documents to a folder. Returns the summary.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "arguments of Python by name")]
pub(crate) fn passages_against<'py>(
    py: Python<'py>,
    inputs: Vec<String>,
    out: &str,
    files: Vec<PathBuf>,
    fields: Vec<String>,
    min_item: u32,
    on_match: &str,
    profile_name: &str,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = ITEMS.read(options)?;
    let on_match: OnMatchPolicy = on_match
        .parse()
        .map_err(|wrong: String| error::option(py, "on_match", &format!("`on_match`: {wrong}"), None))?;
    let profile = checked(py, profile(profile_name, None))?;
    let making = Against {
        files,
        fields,
        min_run: settings.min_run.map_or(against::MIN_RUN, |length| length.0),
        min_item,
        profile,
        on_match: on_match.0,
        cut: settings.cut.unwrap_or_default().0,
    };
    let done = interruptible(py, About::Work, |cancel| {
        let job = Job::new(&inputs, &settings, cancel);
        against::against(&job, &making, Path::new(out), FolderFormats::default())
    })?;
    to_python(py, &done.summary)
}

/// The search for passages, step by step, for engines that join on many machines; see [`batch::PassageSearch`].
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct PassageSearch(batch::PassageSearch);

#[pymethods]
impl PassageSearch {
    #[new]
    fn new(unit: &str, profile_name: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let (_, making) = read(&SPARK_PASSAGES, unit, profile_name, options)?;
        Ok(PassageSearch(batch::PassageSearch::new(making)))
    }

    #[getter]
    fn min_documents(&self) -> u32 {
        self.0.making().min_documents
    }

    #[getter]
    fn min_hosts(&self) -> u32 {
        self.0.making().min_hosts
    }

    #[getter]
    fn min_contained(&self) -> f64 {
        self.0.making().min_contained
    }

    #[getter]
    fn min_host_share(&self) -> f64 {
        self.0.making().min_host_share
    }

    #[getter]
    fn repeat(&self) -> String {
        RepeatPolicy(self.0.making().repeat).to_string()
    }

    #[getter]
    fn on_contained(&self) -> String {
        Policy(self.0.making().on_contained).to_string()
    }

    /// The units of documents.
    fn units(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        mapped(py, documents, |batch| self.0.units(batch))
    }

    /// Samples of documents, where runs of tokens can be common.
    fn samples(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        mapped(py, documents, |batch| self.0.samples(batch))
    }

    /// Windows of documents around frequent samples.
    fn windows(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        mapped(py, documents, |batch| self.0.windows(batch))
    }

    /// Runs that documents ask for, or their occurrences.
    fn search(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        mapped(py, documents, |batch| self.0.search(batch))
    }

    /// The runs that documents have at given places.
    fn places(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        mapped(py, documents, |batch| self.0.places(batch))
    }

    /// Occurrences and passages with their places in texts.
    fn placed(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        mapped(py, documents, |batch| self.0.placed(batch))
    }

    /// Rows of documents, and the texts that are left.
    fn treated(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        mapped(py, documents, |batch| self.0.treated(batch))
    }
}

/// Returns the table of the rows made of each batch.
fn mapped(
    py: Python<'_>,
    rows: &Bound<'_, PyAny>,
    make: impl Fn(&RecordBatch) -> Result<RecordBatch, Error> + Sync,
) -> PyResult<Table> {
    let input = arrow::read(rows)?;
    // A panic is a defect, but must not end the process of an executor.
    let made = py.detach(|| catch_panic(|| input.map(&make)));
    checked(py, made.map_err(|message| error::panic(py, &message))?)
}
