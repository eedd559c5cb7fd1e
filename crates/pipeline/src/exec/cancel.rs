//! Cancelling a run from outside.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Interrupt};
use crate::exec::disk;

/// A switch that ends a run at the next record. Clones share one switch; signal handlers and other threads may turn it on.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    signal: AtomicU8,
    /// Files that are being written.
    unfinished: Mutex<Vec<PathBuf>>,
}

impl Cancel {
    /// A switch that is off.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Asks the run to end; it removes its unfinished files and returns [`ErrorKind::Interrupted`](crate::ErrorKind).
    pub fn request(&self, signal: Interrupt) {
        self.0.signal.store(signal.exit_code(), Ordering::Relaxed);
    }

    /// The signal that asked for the end, if one did.
    pub fn requested(&self) -> Option<Interrupt> {
        match self.0.signal.load(Ordering::Relaxed) {
            0 => None,
            129 => Some(Interrupt::Hangup),
            143 => Some(Interrupt::Terminate),
            _ => Some(Interrupt::Keyboard),
        }
    }

    /// Removes the unfinished files of the run, for a program that is about to exit because the run cannot come to an end
    /// soon: it may be waiting for input.
    pub fn abandon(&self) {
        for path in self.unfinished().drain(..) {
            // Gone already, or beyond reach: the next run removes it.
            let _ = disk::remove(&path);
        }
    }

    /// Checks the switch.
    ///
    /// # Errors
    /// The signal that asked for the end, if one did.
    pub fn check(&self) -> Result<(), Error> {
        match self.requested() {
            None => Ok(()),
            Some(signal) => Err(Error::interrupted(signal)),
        }
    }

    /// Remembers a file that is being written.
    pub(crate) fn begin(&self, path: &Path) {
        self.unfinished().push(path.to_owned());
    }

    /// Forgets a file that is finished or gone.
    pub(crate) fn end(&self, path: &Path) {
        self.unfinished().retain(|other| other != path);
    }

    fn unfinished(&self) -> std::sync::MutexGuard<'_, Vec<PathBuf>> {
        self.0.unfinished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn abandoned_files_are_removed_and_finished_ones_stay() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        let cancel = Cancel::new();
        for path in [&a, &b] {
            fs::write(path, "").unwrap();
            cancel.begin(path);
        }
        cancel.end(&b);
        cancel.abandon();
        assert!(!a.exists() && b.exists());
    }
}
