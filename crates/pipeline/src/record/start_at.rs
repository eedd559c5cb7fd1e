//! Positions at which reading starts within a file.

use serde::{Deserialize, Serialize};

/// Position of a record at which reading starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartAt {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Line number, from 1, in formats with lines.
    pub line: u64,
}

impl StartAt {
    /// Start of the file.
    pub(crate) const FIRST: StartAt = StartAt { offset: 0, line: 1 };
}
