//! Where reading begins in the middle of a file.

use serde::{Deserialize, Serialize};

/// The place of a record at which reading begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartAt {
    /// Byte of the file.
    pub offset: u64,
    /// Its line, from 1, in formats with lines.
    pub line: u64,
}

impl StartAt {
    /// The beginning of the file.
    pub(crate) const FIRST: StartAt = StartAt { offset: 0, line: 1 };
}
