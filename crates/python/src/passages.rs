//! What stands in several documents, and items of test sets in documents.

use std::path::{Path, PathBuf};

use dehusk_pipeline::settings::{OnMatchPolicy, PassageUnitName, profile};
use dehusk_pipeline::verbs::passages::Making;
use dehusk_pipeline::verbs::passages::against::{self, Against};
use dehusk_pipeline::{FolderFormats, Job, verbs};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{self, About};
use crate::options::{ITEMS, PASSAGES, checked};
use crate::to_python::to_python;
use crate::work::interruptible;

/// Finds passages, and writes them, their places and the documents without them to a folder. Returns the summary.
#[pyfunction]
pub(crate) fn passages<'py>(
    py: Python<'py>,
    inputs: Vec<String>,
    out: &str,
    unit: &str,
    profile_name: &str,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = PASSAGES.read(options)?;
    let unit: PassageUnitName = unit
        .parse()
        .map_err(|wrong: String| error::option(py, "unit", &format!("`unit`: {wrong}"), None))?;
    let making = profile(profile_name, None).and_then(|profile| Making::of(&settings, unit.0, profile));
    let making = checked(py, making)?;
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
