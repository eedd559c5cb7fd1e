//! Kinds of damage in an archive, and their places.

use std::fmt;

/// Kind of damage. Names are stable, so reports and statistics can rely on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Bytes between members are neither a member nor a record. They are skipped.
    NoMember,
    /// Compressed data violate their format. The rest of the member is lost.
    BadData,
    /// The checksum or length at the end of a member does not match its bytes.
    Checksum,
    /// The input ends inside a member.
    CutMember,
    /// A member inflates to more than 1,000 times its compressed size. The rest of it is skipped.
    Ratio,
    /// A zstd frame needs a larger window than [`Limits::window_log`](crate::Limits::window_log) allows.
    Window,
    /// Zstd frames need a dictionary that the archive does not hold. Reported once, at the first such frame.
    NoDictionary,
    /// The dictionary frame cannot be read.
    BadDictionary,
    /// The file has zstd frames, but the feature `zstd` is off. Reported once.
    NoZstd,
    /// Bytes between records are not a record. They are skipped.
    NoRecord,
    /// A member holds compressed data instead of records: the file was compressed twice. The data are
    /// skipped.
    PackedTwice,
    /// The header of a record has lines that are not fields, or has no `WARC-Type`.
    BadHead,
    /// The header of a record ends too early.
    CutHead,
    /// The header of a record is too long. The record is skipped.
    HeadTooLarge,
    /// A header line is longer than 64 KiB. Its value is cut.
    LineTooLong,
    /// A record has no numeric `Content-Length`. It ends where the next record begins.
    NoLength,
    /// No record follows at the end given by the length. The record ends where the next one begins.
    WrongLength,
    /// A record has fewer bytes than its `Content-Length`.
    CutRecord,
    /// The block of a record is longer than [`Limits::block`](crate::Limits::block). The surplus is dropped.
    TooLarge,
    /// The digest in the header does not match the block.
    Digest,
}

impl Reason {
    /// All reasons.
    pub const ALL: &[Reason] = &[
        Reason::NoMember,
        Reason::BadData,
        Reason::Checksum,
        Reason::CutMember,
        Reason::Ratio,
        Reason::Window,
        Reason::NoDictionary,
        Reason::BadDictionary,
        Reason::NoZstd,
        Reason::NoRecord,
        Reason::PackedTwice,
        Reason::BadHead,
        Reason::CutHead,
        Reason::HeadTooLarge,
        Reason::LineTooLong,
        Reason::NoLength,
        Reason::WrongLength,
        Reason::CutRecord,
        Reason::TooLarge,
        Reason::Digest,
    ];

    /// Returns the name, in lower case with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Reason::NoMember => "no-member",
            Reason::BadData => "bad-data",
            Reason::Checksum => "checksum",
            Reason::CutMember => "cut-member",
            Reason::Ratio => "ratio",
            Reason::Window => "window",
            Reason::NoDictionary => "no-dictionary",
            Reason::BadDictionary => "bad-dictionary",
            Reason::NoZstd => "no-zstd",
            Reason::NoRecord => "no-record",
            Reason::PackedTwice => "packed-twice",
            Reason::BadHead => "bad-head",
            Reason::CutHead => "cut-head",
            Reason::HeadTooLarge => "head-too-large",
            Reason::LineTooLong => "line-too-long",
            Reason::NoLength => "no-length",
            Reason::WrongLength => "wrong-length",
            Reason::CutRecord => "cut-record",
            Reason::TooLarge => "too-large",
            Reason::Digest => "digest",
        }
    }

    /// Returns a short explanation, which reports print after the name.
    pub fn description(self) -> &'static str {
        match self {
            Reason::NoMember => "bytes between members are no member and no record",
            Reason::BadData => "compressed data break the rules of their format",
            Reason::Checksum => "the checksum or length at the end of the member is not that of its bytes",
            Reason::CutMember => "the input ends inside the member",
            Reason::Ratio => "the member inflates to more than 1,000 times its size",
            Reason::Window => "the zstd frame asks for a larger window than is allowed",
            Reason::NoDictionary => "zstd frames need a dictionary that is not there",
            Reason::BadDictionary => "the dictionary frame cannot be read",
            Reason::NoZstd => "zstd is not compiled in",
            Reason::NoRecord => "bytes between records are no record",
            Reason::PackedTwice => {
                "the member holds compressed data, not records: the file was compressed twice, so decompress it once (`gzip -d` or `zstd -d`)"
            }
            Reason::BadHead => "the head has lines that are no fields, or no WARC-Type",
            Reason::CutHead => "the head ends too early",
            Reason::HeadTooLarge => "the head is too long",
            Reason::LineTooLong => "a line of the head is longer than 64 KiB",
            Reason::NoLength => "the head has no Content-Length that is a number",
            Reason::WrongLength => "no record follows where the length says",
            Reason::CutRecord => "the record has fewer bytes than its length says",
            Reason::TooLarge => "the block is longer than is kept",
            Reason::Digest => "the digest is not that of the block",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Position of a record or of damage in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Offset in the file of the compressed member, in bytes. In uncompressed data, the offset of the item itself.
    pub member: u64,
    /// Decompressed bytes between the start of the member and the item. 0 in uncompressed data.
    pub in_member: u64,
    /// Decompressed bytes between the place where the reader started and the item. Uncompressed records
    /// count; bytes skipped between members do not.
    pub plain: u64,
}

/// A damaged place of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Damage {
    /// Kind of damage.
    pub reason: Reason,
    /// Start of the damaged record; without a record, start of the member or of the skipped bytes.
    pub place: Place,
    /// Number of lost bytes: compressed bytes skipped between members, plain bytes skipped between records,
    /// or bytes of a block that are missing or dropped. 0 for all other damage.
    pub bytes: u64,
    /// `WARC-Record-ID` of the record, if known.
    pub id: Option<String>,
    /// `WARC-Target-URI` of the record, if known.
    pub uri: Option<String>,
}

impl Place {
    /// Returns the place of the start of a member that `plain` decompressed bytes precede.
    pub(crate) fn of_member(member: u64, plain: u64) -> Self {
        Place {
            member,
            in_member: 0,
            plain,
        }
    }
}

impl Damage {
    /// Creates damage without the ID and URI of a record.
    pub(crate) fn new(reason: Reason, place: Place, bytes: u64) -> Self {
        Damage {
            reason,
            place,
            bytes,
            id: None,
            uri: None,
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place {
            member, in_member, ..
        } = self.place;
        write!(f, "{} at {member} + {in_member}", self.reason)?;
        if self.bytes > 0 {
            write!(f, ", {} bytes", self.bytes)?;
        }
        if let Some(uri) = &self.uri {
            write!(f, ", {uri}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_kebab_case() {
        let mut names: Vec<&str> = Reason::ALL.iter().map(|reason| reason.name()).collect();
        assert!(
            names
                .iter()
                .all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
        );
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
