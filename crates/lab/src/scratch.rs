//! A temporary folder that is gone when it is dropped, and else, after a kill, when the next one is made.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

const PREFIX: &str = "dehusk-compare.";
/// Locked as long as the folder is used, which tells it from one that was left behind.
const LOCK: &str = "lock";

/// A temporary folder that is being used.
pub(crate) struct Scratch {
    // Dropped first, since some systems do not remove a file that is open.
    _lock: File,
    folder: TempDir,
}

impl Scratch {
    /// Makes a folder in that for temporary files, and removes there what killed processes left.
    pub(crate) fn new() -> io::Result<Scratch> {
        Scratch::in_folder(&env::temp_dir())
    }

    fn in_folder(parent: &Path) -> io::Result<Scratch> {
        remove_left(parent);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = File::create(folder.path().join(LOCK))?;
        // Where files cannot be locked, nothing is taken for left behind either.
        let _ = lock.try_lock();
        Ok(Scratch { _lock: lock, folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders that nobody uses. What cannot be removed stays.
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
