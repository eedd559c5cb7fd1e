//! Files that the command line names and that are read beside the inputs: no output may replace them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dehusk_pipeline::Cancel;

/// What each file is in messages, and where it is. One command line is read for each process.
static NOTED: Mutex<Vec<(&str, PathBuf)>> = Mutex::new(Vec::new());

/// Notes a file that is read. It must be noted before the work begins.
pub(crate) fn note(what: &'static str, path: &Path) {
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    noted.push((what, path.to_owned()));
}

/// The switch of a piece of work, which knows the files that were noted.
pub(crate) fn cancel() -> Cancel {
    let cancel = Cancel::new();
    for (what, path) in &*NOTED.lock().unwrap_or_else(PoisonError::into_inner) {
        cancel.reads(what, path);
    }
    cancel
}
