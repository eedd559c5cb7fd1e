//! Results of a comparison as files: a page for readers, JSON, and tables.
//!
//! All files are computed from [`Results`] only, so equal results give equal files.

mod cells;
mod page;
mod sections;
mod tables;

use std::path::Path;

use dehusk_pipeline::OutFolder;
use dehusk_pipeline::{Cancel, Error, Job, RecordKind};

use crate::compare::Results;

pub use page::render;

/// Checks before the comparison that its results can be written to a folder.
///
/// # Errors
/// If an input is missing, or if the folder holds other files, an input or the truth.
pub fn check(job: &Job<'_>, truth: &Path, out: &Path) -> Result<(), Error> {
    job.cancel.reads("the truth", truth);
    job.open(RecordKind::Documents)
        .or_else(|_| job.open(RecordKind::Pages))?;
    OutFolder::check(out, "compare", job.cancel)
}

/// Writes `report.html`, `results.json` and tables to a folder. The files appear together when all are complete.
///
/// # Errors
/// If the folder holds other files or cannot be written to.
pub fn write(results: &Results, out: &Path, cancel: &Cancel) -> Result<(), Error> {
    let folder = OutFolder::open(out, "compare", cancel)?;
    let mut json = serde_json::to_vec_pretty(results)
        .map_err(|error| Error::failed(format!("cannot write the results as JSON: {error}")))?;
    json.push(b'\n');
    let mut files = vec![
        ("report.html", render(results).into_bytes()),
        ("results.json", json),
    ];
    let tables = tables::tables(results)
        .map_err(|error| Error::failed(format!("cannot write the results as CSV: {error}")))?;
    files.extend(tables);
    let mut finished = Vec::new();
    for (name, bytes) in files {
        let mut file = folder.file(name)?;
        file.write(&bytes)?;
        finished.push(file.finish()?);
    }
    folder.commit(finished)
}

#[cfg(test)]
mod tests;
