//! Entries of an archive of files, read and not looked at.

use crate::record::Rejection;

/// An entry, or what stands where one should.
pub struct Entry {
    /// Byte of the archive, inflated, at which it begins.
    pub(crate) plain: u64,
    /// Byte of the file at which the compressed member begins that holds that byte; none if the file is not compressed.
    pub(crate) member: Option<u64>,
    pub(crate) content: EntryContent,
}

/// What an entry holds.
pub(crate) enum EntryContent {
    /// A page that is named so.
    Page { name: String, bytes: Vec<u8> },
    /// No page; of what kind it is.
    Skipped(&'static str),
    /// Nothing that can be used.
    Rejected(Rejection),
}
