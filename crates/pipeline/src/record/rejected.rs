//! Records that could not be used, and why.

use serde::{Deserialize, Serialize};

/// A rejected record: one that could not be used, with its place in the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rejected {
    /// File as the user named it, or `-`.
    pub input: String,
    /// Byte in that file at which the record begins.
    pub offset: u64,
    /// Its id, if that much could be read; else its line as `line 17`.
    pub id: String,
    /// Its address, if that much could be read.
    pub url: Option<String>,
    /// Why.
    pub reason: Reason,
    /// The details, in a sentence without a full stop.
    pub message: String,
}

/// Why a record could not be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// The file could not be opened or read.
    Unreadable,
    /// The input ends within the record.
    Truncated,
    /// The line is longer than any page may be.
    LineTooLong,
    /// The line is no JSON object of the expected form.
    BadJson,
    /// The file is no XML of the expected form, or a document in it has no end.
    BadXml,
    /// `html_base64`, or the `content` of an XML document, is not base64.
    BadBase64,
    /// A page without `html`, `html_base64` and `path`, or a document without `text`.
    MissingContent,
    /// The code failed on this record; a defect worth a report.
    Panic,
}

impl Reason {
    /// All reasons.
    pub const ALL: &[Reason] = &[
        Reason::Unreadable,
        Reason::Truncated,
        Reason::LineTooLong,
        Reason::BadJson,
        Reason::BadXml,
        Reason::BadBase64,
        Reason::MissingContent,
        Reason::Panic,
    ];

    /// Name in records and reports, such as `bad-json`.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Unreadable => "unreadable",
            Reason::Truncated => "truncated",
            Reason::LineTooLong => "line-too-long",
            Reason::BadJson => "bad-json",
            Reason::BadXml => "bad-xml",
            Reason::BadBase64 => "bad-base64",
            Reason::MissingContent => "missing-content",
            Reason::Panic => "panic",
        }
    }
}

/// Why a record was rejected, before its place in the input is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// Its id, if that much could be read.
    pub id: Option<String>,
    /// Its address, if that much could be read.
    pub url: Option<String>,
    /// Why.
    pub reason: Reason,
    /// The details, in a sentence without a full stop.
    pub message: String,
}

impl Rejection {
    pub(crate) fn new(reason: Reason, message: impl Into<String>) -> Self {
        Rejection {
            id: None,
            url: None,
            reason,
            message: message.into(),
        }
    }
}
