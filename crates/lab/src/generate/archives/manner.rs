//! Manners of writing archives. Each format has a table of them.

use dehusk_pipeline::Error;

use super::capture::Capture;

/// An archive, and the pages that a reader must find in it.
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    /// Addresses of the pages, in the order of the archive.
    pub(super) pages: Vec<String>,
}

/// Writes captures as an archive.
pub(super) type Write = Box<dyn Fn(&[Capture]) -> Result<Made, Error>>;

/// A manner of writing archives.
pub(super) struct Manner {
    /// Name of the file, unique in the set.
    pub(super) file: String,
    /// What is special about the manner, in a few words.
    pub(super) what: &'static str,
    pub(super) write: Write,
}
