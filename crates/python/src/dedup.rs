//! Near-duplicates among documents in files, and indexes of documents.

use std::path::Path;

use dehusk_pipeline::output_format::Jsonl;
use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::{FolderFormats, Job, Settings, index, verbs};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::error::{self, About};
use crate::options::{DEDUP, INDEX, checked};
use crate::to_python::to_python;
use crate::work::interruptible;

/// Finds the documents that stay, and writes pairs, clusters and kept documents to a folder. Returns the summary.
#[pyfunction]
pub(crate) fn dedup<'py>(
    py: Python<'py>,
    inputs: Vec<String>,
    out: &str,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = DEDUP.read(options)?;
    let formats = FolderFormats {
        format: &Jsonl,
        tsv: false,
    };
    let done = interruptible(py, About::Work, |cancel| {
        verbs::dedup::dedup(&Job::new(&inputs, &settings, cancel), Path::new(out), formats)
    })?;
    to_python(py, &done.summary)
}

/// The field of documents that the keeper reads, if it reads one.
#[pyfunction]
pub(crate) fn field_of_keep(options: &Bound<'_, PyDict>) -> PyResult<Option<String>> {
    Ok(DEDUP.read(options)?.field_of_keep())
}

/// Returns the result of a change of an index, with the records that could not be used.
fn with_rejected<'py, T: Serialize>(
    py: Python<'py>,
    done: &T,
    rejected: &[Rejected],
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    Ok((to_python(py, done)?, to_python(py, rejected)?))
}

/// Checks options for an index.
#[pyfunction]
pub(crate) fn index_options(options: &Bound<'_, PyDict>) -> PyResult<()> {
    INDEX.read(options).map(drop)
}

/// Adds documents to an index, and makes it if need be: one that holds `passages` of a unit, if one is given.
#[pyfunction]
pub(crate) fn index_add<'py>(
    py: Python<'py>,
    folder: &str,
    inputs: Vec<String>,
    passages: Option<&str>,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let mut settings = INDEX.read(options)?;
    settings.passages = passages
        .map(str::parse)
        .transpose()
        .map_err(|wrong: String| error::option(py, "passages", &format!("`passages`: {wrong}"), None))?;
    // Rejected records are returned, not raised: the others were added.
    let mut rejected = Vec::new();
    let done = interruptible(py, About::Work, |cancel| {
        let job = Job::new(&inputs, &settings, cancel);
        index::add(&job, Path::new(folder), &mut |row| rejected.push(row.clone()))
    })?;
    with_rejected(py, &done, &rejected)
}

/// What an index has of documents: counts, lines of JSON, and records that could not be used.
#[pyfunction]
pub(crate) fn index_query<'py>(
    py: Python<'py>,
    folder: &str,
    inputs: Vec<String>,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyAny>, Vec<u8>, Bound<'py, PyAny>)> {
    let settings = INDEX.read(options)?;
    let (mut rejected, mut lines) = (Vec::new(), Vec::new());
    let done = interruptible(py, About::Work, |cancel| {
        let found = index::Index::open(Path::new(folder), &settings)?;
        let job = Job::new(&inputs, found.settings(), cancel);
        index::query(&job, &found, &mut lines, &mut |row| rejected.push(row.clone()))
    })?;
    let (counts, rejected) = with_rejected(py, &done, &rejected)?;
    Ok((counts, lines, rejected))
}

/// Removes documents from an index. Returns how many there were.
#[pyfunction]
pub(crate) fn index_remove(py: Python<'_>, folder: &str, ids: Vec<String>) -> PyResult<u64> {
    interruptible(py, About::Work, |_| {
        index::remove(Path::new(folder), ids.iter().map(String::as_str)).map(|removed| removed.documents)
    })
}

/// Takes over the documents of other indexes.
#[pyfunction]
pub(crate) fn index_merge(
    py: Python<'_>,
    folder: &str,
    others: Vec<String>,
    options: &Bound<'_, PyDict>,
) -> PyResult<(u64, u64)> {
    let settings = INDEX.read(options)?;
    let merged = interruptible(py, About::Work, |_| {
        let others: Vec<&Path> = others.iter().map(Path::new).collect();
        index::merge(Path::new(folder), &others, &settings)
    })?;
    Ok((merged.added, merged.known))
}

/// Writes the documents of an index anew, without those that were removed.
#[pyfunction]
pub(crate) fn index_compact(py: Python<'_>, folder: &str, options: &Bound<'_, PyDict>) -> PyResult<()> {
    let settings = INDEX.read(options)?;
    interruptible(py, About::Work, |_| index::compact(Path::new(folder), &settings))
}

/// The documents of an index: id, cluster size and copies.
#[pyfunction]
pub(crate) fn index_rows(
    py: Python<'_>,
    folder: &str,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<(String, u64, u64)>> {
    let settings = INDEX.read(options)?;
    interruptible(py, About::Work, |_| {
        let found = index::Index::open(Path::new(folder), &settings)?;
        let mut rows = Vec::new();
        // Collected first, since rows of Python can only be made with the interpreter.
        index::rows(&found, &mut |row| {
            rows.push((row.id, row.cluster_size, row.copies));
            Ok(())
        })?;
        Ok(rows)
    })
}

/// Figures of an index.
#[pyfunction]
pub(crate) fn index_stats<'py>(
    py: Python<'py>,
    folder: &str,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings: Settings = INDEX.read(options)?;
    let opened = py.detach(|| index::Index::open(Path::new(folder), &settings));
    to_python(py, &checked(py, opened)?.stats())
}
