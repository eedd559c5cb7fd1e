//! What a run shares with those who may stop it: the switch, the files that it writes, and the files that it reads.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::error::{Error, Interrupt};
use crate::exec::disk;
use crate::exec::file_id::FileId;
use crate::exec::read_files::{ReadFiles, VisitFiles};

/// A switch that ends a run at the next record. Clones share one switch; signal handlers and other threads may turn it on.
///
/// Every output of the run is opened with it. So it also knows the files that the run reads, and refuses an output that would replace one.
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
    /// What to do after the end, for messages.
    advice: OnceLock<&'static str>,
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
            Some(signal) => {
                let error = Error::interrupted(signal);
                Err(match self.0.advice.get() {
                    Some(advice) => error.with_help(*advice),
                    None => error,
                })
            }
        }
    }

    /// Says what to do after the run was ended, for the message of that; the first advice counts.
    pub fn advise(&self, advice: &'static str) {
        // A verb within another one gives no advice of its own.
        let _ = self.0.advice.set(advice);
    }

    /// Remembers a file that is being written.
    pub(crate) fn begin(&self, path: &Path) {
        self.unfinished().push(path.to_owned());
    }

    /// Forgets a file that is finished or gone.
    pub(crate) fn end(&self, path: &Path) {
        self.unfinished().retain(|other| other != path);
    }

    /// Notes a file that the run reads beside its inputs, which [`Job::open`](crate::Job::open) notes: from now on, no output may
    /// replace it. `what` says what it is in messages, such as `the configuration`. A path that leads to no regular file is not noted.
    pub fn reads(&self, what: &str, path: &Path) {
        if let Some(id) = FileId::of_path(path) {
            self.read_files().add(id, format!("{what} `{}`", path.display()));
        }
    }

    /// Notes that standard input is read, which may be a file.
    pub(crate) fn reads_stdin(&self) {
        if let Some(id) = FileId::of_stdin() {
            self.read_files()
                .add(id, "the file that is standard input".to_owned());
        }
    }

    /// Notes the files below the folder `path` that `visit` visits as files that the run reads.
    pub(crate) fn reads_folder(&self, what: &'static str, path: &Path, visit: Box<VisitFiles>) {
        self.read_files().add_folder(what, path, visit);
    }

    /// Refuses an output that is one of the files that the run reads, by any name or link.
    ///
    /// # Errors
    /// If it is one.
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
