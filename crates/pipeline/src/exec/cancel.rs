//! Shared state of a run and its caller: the switch that stops the run, the files it writes, and the files it reads.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::error::{Error, Interrupt};
use crate::exec::disk;
use crate::exec::file_id::FileId;
use crate::exec::read_files::{ReadFiles, VisitFiles};

/// A switch that ends a run at the next record. Clones share one switch. Signal handlers and other threads may turn it on.
///
/// Every output of the run is opened with it. It therefore also knows the files that the run reads, and refuses an output that would
/// replace one of them.
///
/// ```
/// use dehusk_pipeline::{Cancel, ErrorKind, Interrupt};
///
/// let cancel = Cancel::new();
/// let of_handler = cancel.clone();
/// assert!(cancel.check().is_ok());
/// of_handler.request(Interrupt::Keyboard);
/// assert_eq!(cancel.check().unwrap_err().kind(), ErrorKind::Interrupted(Interrupt::Keyboard));
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<Inner>);

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cancel").field(&self.requested()).finish()
    }
}

#[derive(Default)]
struct Inner {
    signal: AtomicU8,
    /// Files that are being written.
    unfinished: Mutex<Vec<PathBuf>>,
    read: Mutex<ReadFiles>,
    /// Advice for the message after the run was stopped.
    advice: OnceLock<&'static str>,
}

impl Cancel {
    /// Creates a switch that is off.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Requests the end of the run. The run removes its unfinished files and returns [`ErrorKind::Interrupted`](crate::ErrorKind).
    pub fn request(&self, signal: Interrupt) {
        // Signal handlers may call this, so it only stores to an atomic.
        self.0.signal.store(signal.exit_code(), Ordering::Relaxed);
    }

    /// Returns the signal that requested the end, or `None`.
    pub fn requested(&self) -> Option<Interrupt> {
        // Exit codes of signals are 128 plus the number of the signal.
        match self.0.signal.load(Ordering::Relaxed) {
            0 => None,
            129 => Some(Interrupt::Hangup),
            143 => Some(Interrupt::Terminate),
            _ => Some(Interrupt::Keyboard),
        }
    }

    /// Removes the unfinished files of the run. For a program that exits at once because the run may be blocked, for example on input.
    pub fn abandon(&self) {
        for path in self.unfinished().drain(..) {
            // The file is already gone or cannot be removed; the next run removes it.
            let _ = disk::remove(&path);
        }
    }

    /// Returns an error if the end was requested.
    ///
    /// # Errors
    /// The interruption, with its signal.
    pub fn check(&self) -> Result<(), Error> {
        match self.requested() {
            None => Ok(()),
            Some(signal) => {
                let error = Error::interrupted(signal);
                Err(match self.0.advice.get() {
                    Some(advice) => error.with_help(*advice),
                    None => error,
                })
            }
        }
    }

    /// Sets the advice for the message after the run was stopped. The first advice wins.
    pub fn advise(&self, advice: &'static str) {
        // A verb called by another one does not override its advice.
        let _ = self.0.advice.set(advice);
    }

    /// Registers a file that is being written.
    pub(crate) fn begin(&self, path: &Path) {
        self.unfinished().push(path.to_owned());
    }

    /// Removes a file that is finished or gone from the list.
    pub(crate) fn end(&self, path: &Path) {
        self.unfinished().retain(|other| other != path);
    }

    /// Registers a file that the run reads in addition to its inputs, which [`Job::open`](crate::Job::open) registers.
    /// From now on no output may replace it.
    ///
    /// `what` names it in messages, such as `the configuration`. Paths that do not lead to a regular file are ignored.
    pub fn reads(&self, what: &str, path: &Path) {
        if let Some(id) = FileId::of_path(path) {
            self.read_files().add(id, format!("{what} `{}`", path.display()));
        }
    }

    /// Registers standard input, which may be a file.
    pub(crate) fn reads_stdin(&self) {
        if let Some(id) = FileId::of_stdin() {
            self.read_files()
                .add(id, "the file that is standard input".to_owned());
        }
    }

    /// Registers the files below the folder `path` that `visit` visits, as files that the run reads.
    pub(crate) fn reads_folder(&self, what: &'static str, path: &Path, visit: Box<VisitFiles>) {
        self.read_files().add_folder(what, path, visit);
    }

    /// Refuses an output that is one of the files that the run reads, under any name or link.
    ///
    /// # Errors
    /// If it is one of them.
    pub(crate) fn refuse_read(&self, output: &Path) -> Result<(), Error> {
        self.read_files().refuse(output)
    }

    fn read_files(&self) -> MutexGuard<'_, ReadFiles> {
        self.0.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unfinished(&self) -> MutexGuard<'_, Vec<PathBuf>> {
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
