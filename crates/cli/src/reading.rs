//! Files besides the inputs that the command line names and a verb reads, such as a configuration. No
//! output may replace them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dehusk_pipeline::Cancel;

/// Each file with its role for messages. A global, since a process reads one command line.
static NOTED: Mutex<Vec<(&str, PathBuf)>> = Mutex::new(Vec::new());

/// Notes a file that is read. Call it before the work begins: [`cancel`] passes on only files noted so far.
pub(crate) fn note(what: &'static str, path: &Path) {
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    noted.push((what, path.to_owned()));
}

/// Returns a new switch for a job, which knows all noted files.
pub(crate) fn cancel() -> Cancel {
    let cancel = Cancel::new();
    for (what, path) in &*NOTED.lock().unwrap_or_else(PoisonError::into_inner) {
        cancel.reads(what, path);
    }
    cancel
}
