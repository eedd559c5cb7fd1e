//! What a reader hands out.

use super::head::Head;
use crate::damage::{Damage, Place};

/// Whether the bytes of a record are those that were written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Integrity {
    /// Nothing says so: the member has no checksum that could be waited for, and the record no digest that is known.
    Unknown,
    /// The checksum of its member, or of all members it lies in; its digest is not known, or was not asked for.
    Checksum,
    /// Its digest.
    Digest,
    /// The digest of its payload, though not that of its block: the HTTP head is another one than was digested.
    Payload,
    /// The digest of the block differs, and that of the payload does, or is not known.
    Wrong,
}

/// A record. It borrows from the reader.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Record<'a> {
    /// Its head.
    pub head: &'a Head,
    /// Its block, up to [`Limits::block`](crate::Limits::block) bytes.
    pub block: &'a [u8],
    /// Bytes of the block beyond that.
    pub dropped: u64,
    /// Where it begins.
    pub place: Place,
    /// Whether it is what was written.
    pub integrity: Integrity,
    /// What is wrong with it.
    pub damage: &'a [Damage],
}

/// What a reader tells, in the order of the file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A record, damaged or not.
    Record(Record<'a>),
    /// Something is wrong that belongs to no record that is handed out.
    Damage(&'a Damage),
}
