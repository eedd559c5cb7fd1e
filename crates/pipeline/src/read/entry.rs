//! Entries of an archive of files, read but not parsed.

use crate::record::Rejection;

/// An entry, or a damaged place of the archive.
pub struct Entry {
    /// Offset of the entry in the decompressed archive.
    pub(crate) plain: u64,
    /// Offset in the file of the compressed member that holds the start of the entry; `None` if the file is not compressed.
    pub(crate) member: Option<u64>,
    pub(crate) content: EntryContent,
}

/// Content of an entry.
pub(crate) enum EntryContent {
    /// A page with its path.
    Page { name: String, bytes: Vec<u8> },
    /// Not a page, with the reason for skipping it.
    Skipped(&'static str),
    /// Unusable content.
    Rejected(Rejection),
}
