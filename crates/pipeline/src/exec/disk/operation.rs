//! What happens to a disk, and where.

use std::path::Path;
#[cfg(feature = "failing-disk")]
use std::path::PathBuf;

/// What can fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(
    not(feature = "failing-disk"),
    allow(unreachable_pub, reason = "only tests see it")
)]
pub enum Operation {
    /// A file or folder is created, or a file is opened to be written.
    Create,
    /// Bytes are written, or a file is cut.
    Write,
    /// A temporary file is read again.
    Read,
    /// A file is made safe on disk.
    Sync,
    /// A file gets its name.
    Rename,
    /// The names of a folder are made safe on disk.
    SyncFolder,
    /// A file is removed.
    Remove,
}

/// Whether an operation happens, and how.
pub(super) enum Turn {
    /// It happens.
    Go,
    /// A test looks at the disk, and syncs of the system would only take time.
    #[cfg_attr(not(feature = "failing-disk"), allow(dead_code, reason = "no test"))]
    Pretend,
}

/// Where a file lies. Only faults ask for it.
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
