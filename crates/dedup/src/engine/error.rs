//! Errors about documents: too many, too large in total, or not readable again.

use std::error::Error;
use std::fmt;

use crate::candidates::join::spill::SpillError;

/// The reason why documents could not be added or compared. Invalid settings fail earlier, with a
/// [`BuildError`](crate::BuildError).
#[derive(Debug)]
#[non_exhaustive]
pub enum DedupError {
    /// The collection is full: documents are numbered with 32 bits, so it holds at most 2^32 - 1.
    TooManyDocuments,
    /// Temporary files could not be used, or the search needs more memory than allowed.
    Spill(SpillError),
    /// Too many pairs of documents would have to be compared by a method that promises all similar pairs.
    TooManyPairs {
        /// The largest number of pairs that such a method compares.
        most: u64,
    },
    /// A document that verification needs was not read again.
    Unread {
        /// The document's number.
        document: u32,
    },
    /// A document that was read again has another content than when it was added.
    Changed {
        /// The document's number.
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
            Self::TooManyPairs { most } => write!(
                f,
                "more than {most} pairs of documents may be similar, and the candidate method promises to compare them all; \
                 `lsh` compares a bounded number of pairs for each document"
            ),
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
