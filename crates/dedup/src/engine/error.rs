//! Errors about documents: too many, too large together, or not found again.

use std::error::Error;
use std::fmt;

use crate::candidates::join::spill::SpillError;

/// Why documents could not be added or compared. Settings fail earlier, with a [`BuildError`](crate::BuildError).
#[derive(Debug)]
#[non_exhaustive]
pub enum DedupError {
    /// There are as many documents as can be numbered: 2^32 - 1.
    TooManyDocuments,
    /// Temporary files could not be used, or more memory is needed than allowed.
    Spill(SpillError),
    /// A document that verification needs was not read again.
    Unread {
        /// Its number.
        document: u32,
    },
    /// A document has another content than when it was added.
    Changed {
        /// Its number.
        document: u32,
    },
}

impl From<SpillError> for DedupError {
    fn from(error: SpillError) -> Self {
        Self::Spill(error)
    }
}

impl fmt::Display for DedupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyDocuments => {
                f.write_str("a collection holds at most 4294967295 documents; split the input")
            }
            Self::Spill(error) => error.fmt(f),
            Self::Unread { document } => write!(f, "document {document} was not read again"),
            Self::Changed { document } => {
                write!(f, "document {document} has changed since it was read first")
            }
        }
    }
}

impl Error for DedupError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Spill(error) => Some(error),
            _ => None,
        }
    }
}
