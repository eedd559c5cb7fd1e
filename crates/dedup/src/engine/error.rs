//! What can go wrong with documents: only that they are too many.

use std::fmt;

/// More documents than have numbers: a collection holds at most 2^32 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyDocuments;

impl fmt::Display for TooManyDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a collection holds at most 4294967295 documents; split the input")
    }
}

impl std::error::Error for TooManyDocuments {}
