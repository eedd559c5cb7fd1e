//! A temporary folder. It is removed when its value is dropped. If the process was killed, the next process
//! that creates one removes it.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

/// Prefix of the names of temporary folders.
const PREFIX: &str = "dehusk-compare.";
/// Name of the lock file, which is locked while the folder is in use. The lock distinguishes a used folder
/// from an abandoned folder.
const LOCK: &str = "lock";

/// A temporary folder in use.
pub(crate) struct Scratch {
    // Declared first, so that it is dropped first: some systems cannot remove open files.
    _lock: File,
    folder: TempDir,
}

impl Scratch {
    /// Creates a folder in the system's folder for temporary files. Removes the folders that killed
    /// processes left there.
    pub(crate) fn new() -> io::Result<Scratch> {
        Scratch::in_folder(&env::temp_dir())
    }

    /// Creates a folder in `parent`.
    fn in_folder(parent: &Path) -> io::Result<Scratch> {
        remove_left(parent);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = File::create(folder.path().join(LOCK))?;
        // On a file system without locks this fails. Then no folder counts as abandoned either.
        let _ = lock.try_lock();
        Ok(Scratch { _lock: lock, folder })
    }

    /// Path of the folder.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes abandoned folders. Folders that cannot be removed stay.
fn remove_left(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let lock = File::options().write(true).open(entry.path().join(LOCK));
            if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]

    use super::*;

    #[test]
    fn what_was_left_behind_is_removed_and_what_is_used_stays() {
        let parent = tempfile::tempdir().unwrap();
        let left = parent.path().join("dehusk-compare.killed");
        fs::create_dir(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        fs::write(left.join("raw.jsonl"), "{}").unwrap();
        let foreign = parent.path().join("dehusk-compare.notours");
        fs::create_dir(&foreign).unwrap();
        let first = Scratch::in_folder(parent.path()).unwrap();
        let second = Scratch::in_folder(parent.path()).unwrap();
        assert!(!left.exists() && foreign.exists() && first.path().exists());
        let paths = [first.path().to_owned(), second.path().to_owned()];
        drop((first, second));
        assert!(paths.iter().all(|path| !path.exists()));
    }
}
