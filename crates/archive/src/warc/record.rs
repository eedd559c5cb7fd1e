//! Records and events returned by a reader.

use super::head::Head;
use crate::damage::{Damage, Place};

/// Evidence that the bytes of a record are those that were written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Integrity {
    /// No evidence: the member has no checksum that could be awaited, and the record no known digest.
    Unknown,
    /// The checksums of all members that the record lies in are correct. Its digest is unknown or was not computed.
    Checksum,
    /// The digest of the block is correct.
    Digest,
    /// The digest of the payload is correct, but not that of the block: the HTTP header was changed.
    Payload,
    /// The digest of the block is wrong, and that of the payload is wrong or unknown.
    Wrong,
}

/// A record, borrowed from the reader.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Record<'a> {
    /// Header of the record.
    pub head: &'a Head,
    /// Block, up to [`Limits::block`](crate::Limits::block) bytes.
    pub block: &'a [u8],
    /// Number of bytes dropped from a block beyond that limit.
    pub dropped: u64,
    /// Start of the record.
    pub place: Place,
    /// Evidence that the block is intact.
    pub integrity: Integrity,
    /// Damage of the record; empty if it is intact.
    pub damage: &'a [Damage],
}

/// An event of a reader, in the order of the file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A record, damaged or not.
    Record(Record<'a>),
    /// Damage that belongs to no returned record.
    Damage(&'a Damage),
}
