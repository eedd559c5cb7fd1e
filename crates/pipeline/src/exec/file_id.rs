//! Identity of a file, independent of the names that lead to it.

use std::fs::Metadata;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Device and inode number of a file: equal for all names and links of the file, while it exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct FileId {
    device: u64,
    number: u64,
}

impl FileId {
    /// Returns the ID of the file with this metadata. `None` on systems without such IDs.
    #[cfg(unix)]
    pub(crate) fn of(meta: &Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;
        Some(FileId {
            device: meta.dev(),
            number: meta.ino(),
        })
    }

    /// Returns `None`: this system has no such IDs.
    #[cfg(not(unix))]
    pub(crate) fn of(_: &Metadata) -> Option<FileId> {
        None
    }

    /// Returns the ID of the regular file that a path leads to, after links are resolved. `None` if there
    /// is not a regular file.
    ///
    /// On systems without such ids, a hash of the resolved path is used instead. Hard links then count as different files.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the halves of the hash are the two numbers"
    )]
    pub(crate) fn of_path(path: &Path) -> Option<FileId> {
        let meta = std::fs::metadata(path).ok().filter(Metadata::is_file)?;
        FileId::of(&meta).or_else(|| {
            let resolved = std::fs::canonicalize(path).ok()?;
            let hash = xxhash_rust::xxh3::xxh3_128(resolved.as_os_str().as_encoded_bytes());
            Some(FileId {
                device: (hash >> 64) as u64,
                number: hash as u64,
            })
        })
    }

    /// Returns the ID of standard input, or `None` if it is not a regular file.
    #[cfg(unix)]
    pub(crate) fn of_stdin() -> Option<FileId> {
        use std::os::fd::AsFd;
        let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
        let meta = std::fs::File::from(stdin).metadata().ok()?;
        FileId::of(&meta).filter(|_| meta.is_file())
    }

    /// Returns `None`: standard input has no ID on this system.
    #[cfg(not(unix))]
    pub(crate) fn of_stdin() -> Option<FileId> {
        None
    }
}
