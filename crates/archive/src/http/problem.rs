//! Problems of HTTP messages.

use std::fmt;

/// A problem of an HTTP message. Names are stable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The block has no header; all of it is the body.
    NoHead,
    /// The header has fields, but no status line with a status.
    NoStatus,
    /// Header lines are not fields, or are too long.
    BadHead,
    /// The header does not end; there is no body.
    CutHead,
    /// The header is longer than [`Limits::head`](crate::Limits::head); there is no body.
    HeadTooLarge,
    /// The body is shorter than its length, its last chunk or its coding demands.
    CutBody,
    /// The body is longer than its length; all of it is kept.
    LongBody,
    /// A chunk is malformed; the body ends there.
    BadChunks,
    /// The body is not in the coding that the header names; its bytes are unchanged.
    FalseCoding,
    /// The coded bytes are malformed; the body ends there.
    BadCoding,
    /// The coding is unknown, or its feature is off; the bytes are unchanged.
    UnknownCoding,
    /// The body has more than four codings; its bytes are unchanged.
    TooManyCodings,
    /// The body is longer than [`Limits::block`](crate::Limits::block); the surplus is dropped.
    TooLarge,
    /// The body inflates to more than 1,000 times its size; it ends there.
    Ratio,
}

impl Problem {
    /// All problems.
    pub const ALL: &[Problem] = &[
        Problem::NoHead,
        Problem::NoStatus,
        Problem::BadHead,
        Problem::CutHead,
        Problem::HeadTooLarge,
        Problem::CutBody,
        Problem::LongBody,
        Problem::BadChunks,
        Problem::FalseCoding,
        Problem::BadCoding,
        Problem::UnknownCoding,
        Problem::TooManyCodings,
        Problem::TooLarge,
        Problem::Ratio,
    ];

    /// Returns the name, in lower case with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Problem::NoHead => "no-head",
            Problem::NoStatus => "no-status",
            Problem::BadHead => "bad-head",
            Problem::CutHead => "cut-head",
            Problem::HeadTooLarge => "head-too-large",
            Problem::CutBody => "cut-body",
            Problem::LongBody => "long-body",
            Problem::BadChunks => "bad-chunks",
            Problem::FalseCoding => "false-coding",
            Problem::BadCoding => "bad-coding",
            Problem::UnknownCoding => "unknown-coding",
            Problem::TooManyCodings => "too-many-codings",
            Problem::TooLarge => "too-large",
            Problem::Ratio => "ratio",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
