//! What is wrong with a message.

use std::fmt;

/// What is wrong. Names are stable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// There is no head: all is body.
    NoHead,
    /// There are fields, but no status line with a status.
    NoStatus,
    /// Lines of the head are no fields, or too long.
    BadHead,
    /// The head does not end: there is no body.
    CutHead,
    /// The head is longer than is allowed: there is no body.
    HeadTooLarge,
    /// The body is shorter than its length, its last chunk or its coding says.
    CutBody,
    /// The body is longer than its length says; all of it is kept.
    LongBody,
    /// Chunks are broken: the body ends there.
    BadChunks,
    /// The body is not in the coding that the head names: its bytes are as they were.
    FalseCoding,
    /// Coded bytes are broken: the body ends there.
    BadCoding,
    /// A coding that is not known, or whose feature is off: bytes are as they were.
    UnknownCoding,
    /// More than four codings: bytes are as they were.
    TooManyCodings,
    /// The body is longer than is kept.
    TooLarge,
    /// The body becomes more than 1,000 times larger when it is decoded: it ends there.
    Ratio,
}

impl Problem {
    /// Every problem.
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

    /// Its name, in lower case with hyphens.
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
