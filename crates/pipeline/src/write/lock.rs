//! The lock of a folder: one process at a time writes to it.

use std::fs::TryLockError;
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::exec::disk::DiskFile;
use crate::record::header::MARKER;

/// A folder that no other process writes to meanwhile.
pub(crate) struct FolderLock(DiskFile);

/// Why a lock was not taken.
pub(crate) enum LockError {
    /// This process has it.
    Held(String),
    /// The file of the lock cannot be used.
    Failed(io::Error),
}

impl FolderLock {
    /// Takes the lock, and writes down who has it: the command `owner` of this process.
    pub(crate) fn take(folder: &Path, owner: &str) -> Result<Self, LockError> {
        let mut file = DiskFile::open_lock(&folder.join(MARKER)).map_err(LockError::Failed)?;
        match try_for_a_while(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
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

/// Tries to take the lock, for a fifth of a second at most. A process that is killed in the instant in which it starts another one
/// leaves the lock with that one until the system has loaded its program.
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
        // Nobody is left to tell of a failure here; the system frees the lock when the process ends.
        let _ = self.0.clear();
        let _ = self.0.file().unlock();
    }
}
