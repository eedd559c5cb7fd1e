//! The lock of a folder: one process at a time writes to it.

use std::fs::TryLockError;
use std::io::{self, Read, Write};
use std::path::Path;

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
        match file.file().try_lock() {
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

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Nobody is left to tell of a failure here; the system frees the lock when the process ends.
        let _ = self.0.clear();
        let _ = self.0.file().unlock();
    }
}
