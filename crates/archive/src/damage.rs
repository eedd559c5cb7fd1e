//! What is wrong in an archive, and where.

use std::fmt;

/// What is wrong. Names are stable: reports and statistics may rest on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Bytes between members are no member and no record: they are skipped.
    NoMember,
    /// Compressed data break the rules of their format: the rest of the member is lost.
    BadData,
    /// The checksum or the length at the end of a member is not that of its bytes.
    Checksum,
    /// The input ends inside a member.
    CutMember,
    /// A member inflates to more than 1,000 times its size: the rest of it is skipped.
    Ratio,
    /// A zstd frame asks for a larger window than is allowed.
    Window,
    /// Zstd frames need a dictionary that the archive does not have: told once, at the first of them.
    NoDictionary,
    /// The dictionary frame cannot be read.
    BadDictionary,
    /// Zstd frames, but the feature `zstd` is off: told once.
    NoZstd,
    /// Bytes between records are no record: they are skipped.
    NoRecord,
    /// The head of a record has lines that are no fields, or no `WARC-Type`.
    BadHead,
    /// The head of a record ends too early.
    CutHead,
    /// The head of a record is too long: the record is skipped.
    HeadTooLarge,
    /// A line of a head is longer than 64 KiB: its value is cut.
    LineTooLong,
    /// A record has no `Content-Length`, or one that is no number: it ends where the next one begins.
    NoLength,
    /// No record follows where the length says: the record ends where the next one begins.
    WrongLength,
    /// A record has fewer bytes than its length says.
    CutRecord,
    /// The block of a record is longer than is kept.
    TooLarge,
    /// The digest of a record is not that of its block.
    Digest,
}

impl Reason {
    /// Every reason.
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

    /// Its name, in lower case with hyphens.
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

    /// What it means, as the part of a sentence behind its name.
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

/// Where something begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Offset, in the file, of the compressed member that holds it. Of what is not compressed, its own offset.
    pub member: u64,
    /// Plain bytes between the beginning of that member and it.
    pub in_member: u64,
    /// Plain bytes of all members, and of what is not compressed, between the place where the reader began and it. What is skipped
    /// between members is no part of them.
    pub plain: u64,
}

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Damage {
    /// What is wrong.
    pub reason: Reason,
    /// Where the record begins that is concerned, or else the member, or what is skipped.
    pub place: Place,
    /// Bytes that are lost, where they are counted: skipped between members (compressed) or records (plain), missing or dropped of a
    /// block; else 0.
    pub bytes: u64,
    /// `WARC-Record-ID` of the record, where it is known.
    pub id: Option<String>,
    /// `WARC-Target-URI` of the record, where it is known.
    pub uri: Option<String>,
}

impl Place {
    /// The beginning of a member, behind so many plain bytes.
    pub(crate) fn of_member(member: u64, plain: u64) -> Self {
        Place {
            member,
            in_member: 0,
            plain,
        }
    }
}

impl Damage {
    /// Damage of what no head names.
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
