//! The lock of a folder: one process at a time writes to it.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::record::header::MARKER;

/// A folder that no other process writes to meanwhile.
pub(crate) struct FolderLock(File);

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
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        // A link in place of the lock would have its target overwritten.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NOFOLLOW.bits() as i32,
        );
        let mut file = options.open(folder.join(MARKER)).map_err(LockError::Failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut owner = String::new();
                let told = (&file).take(200).read_to_string(&mut owner).is_ok() && !owner.trim().is_empty();
                let owner = if told { owner.trim() } else { "another process" };
                return Err(LockError::Held(owner.to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(LockError::Failed(error)),
        }
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "`{owner}`, process {}", std::process::id())
        };
        write(&mut file).map_err(LockError::Failed)?;
        Ok(Self(file))
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Nobody is left to tell of a failure here; the system frees the lock when the process ends.
        let _ = self.0.set_len(0);
        let _ = self.0.unlock();
    }
}
