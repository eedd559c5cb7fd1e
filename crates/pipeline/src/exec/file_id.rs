//! What tells one file from all others, whatever names lead to it.

use std::fs::Metadata;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Device and number of a file: equal for all names and links of one file, for as long as it exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct FileId {
    device: u64,
    number: u64,
}

impl FileId {
    /// The id of the file with this metadata; `None` where the system has no such ids.
    #[cfg(unix)]
    pub(crate) fn of(meta: &Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;
        Some(FileId {
            device: meta.dev(),
            number: meta.ino(),
        })
    }

    /// The id of the file with this metadata; `None` where the system has no such ids.
    #[cfg(not(unix))]
    pub(crate) fn of(_: &Metadata) -> Option<FileId> {
        None
    }

    /// The id of the regular file that a path leads to, links resolved. `None` if there is none.
    ///
    /// Where the system has no ids, a hash of the resolved path stands for one: hard links are then different files.
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

    /// The id of standard input, if it is a regular file.
    #[cfg(unix)]
    pub(crate) fn of_stdin() -> Option<FileId> {
        use std::os::fd::AsFd;
        let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
        let meta = std::fs::File::from(stdin).metadata().ok()?;
        FileId::of(&meta).filter(|_| meta.is_file())
    }

    /// The id of standard input, if it is a regular file.
    #[cfg(not(unix))]
    pub(crate) fn of_stdin() -> Option<FileId> {
        None
    }
}
