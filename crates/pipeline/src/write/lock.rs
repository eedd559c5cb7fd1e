//! The lock of a folder, which at most one process can hold.

use std::fs::TryLockError;
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::exec::disk::DiskFile;
use crate::record::header::MARKER;

/// The lock of a folder. No other process takes it while this value exists.
pub(crate) struct FolderLock(DiskFile);

/// Reason for which a lock was not taken.
pub(crate) enum LockError {
    /// Another process holds it: its command and id, or `another process`.
    Held(String),
    /// The lock file cannot be used.
    Failed(io::Error),
}

impl FolderLock {
    /// Takes the lock, and writes its owner to the lock file: the command `owner` and the id of this process.
    pub(crate) fn take(folder: &Path, owner: &str) -> Result<Self, LockError> {
        let mut file = DiskFile::open_lock(&folder.join(MARKER)).map_err(LockError::Failed)?;
        match try_for_a_while(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                // The owner is written after the lock is taken, so it may be missing for a moment.
                let mut owner = String::new();
                let told =
                    file.file().take(200).read_to_string(&mut owner).is_ok() && !owner.trim().is_empty();
                let owner = if told { owner.trim() } else { "another process" };
                return Err(LockError::Held(owner.to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(LockError::Failed(error)),
        }
        let owner = format!("`{owner}`, process {}\n", std::process::id());
        let told = file.clear().and_then(|()| file.write_all(owner.as_bytes()));
        told.map_err(LockError::Failed)?;
        Ok(Self(file))
    }
}

/// Tries to take the lock, for a fifth of a second at most.
///
/// A process that is killed while it starts a child leaves the lock to the child until the program of the
/// child is loaded. The retries cover that time.
fn try_for_a_while(file: &DiskFile) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match file.file().try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(20)),
            tried => return tried,
        }
    }
    file.file().try_lock()
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A destructor cannot report a failure. The system frees the lock when the process ends.
        let _ = self.0.clear();
        let _ = self.0.file().unlock();
    }
}
