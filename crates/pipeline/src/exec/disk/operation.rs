//! File operations and their paths.

use std::path::Path;
#[cfg(feature = "failing-disk")]
use std::path::PathBuf;

/// An operation that can be made to fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(
    not(feature = "failing-disk"),
    allow(unreachable_pub, reason = "only tests see it")
)]
pub enum Operation {
    /// A file or folder is created, or a file is opened for writing.
    Create,
    /// Bytes are written, or a file is truncated.
    Write,
    /// A temporary file is read back.
    Read,
    /// A file is synced to disk.
    Sync,
    /// A file is renamed.
    Rename,
    /// The names in a folder are synced to disk.
    SyncFolder,
    /// A file is removed.
    Remove,
}

/// Treatment of an operation.
pub(super) enum Turn {
    /// It is performed.
    Go,
    /// A test watches the disk; syncs are skipped to save time.
    #[cfg_attr(not(feature = "failing-disk"), allow(dead_code, reason = "no test"))]
    Pretend,
}

/// Path of a file. Only fault injection uses it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    #[cfg(feature = "failing-disk")]
    pub(super) path: PathBuf,
}

impl Place {
    #[cfg_attr(not(feature = "failing-disk"), allow(unused_variables))]
    pub(super) fn new(path: &Path) -> Self {
        Place {
            #[cfg(feature = "failing-disk")]
            path: path.to_owned(),
        }
    }
}
