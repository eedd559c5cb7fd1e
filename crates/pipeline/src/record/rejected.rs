//! Records that could not be used, with the reasons.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A record that could not be used, with its position in the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rejected {
    /// File as the user named it, or `-`.
    pub input: String,
    /// Offset of the record in the stored file, in bytes. For a record in an archive, the offset of the compressed member that contains it.
    pub offset: u64,
    /// Offset of the record in the inflated archive, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain_offset: Option<u64>,
    /// `WARC-Record-ID`, if it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The id that the document would have had: the id or else the address of the record, if it could be read; else its line or offset.
    pub id: String,
    /// Its address, if it could be read.
    pub url: Option<String>,
    /// The reason.
    pub reason: Reason,
    /// Details, in a sentence without a full stop.
    pub message: String,
}

impl Rejected {
    /// Returns the record as JSON, for messages in the binary format, which does not support fields that
    /// are left out.
    pub(crate) fn to_json(&self) -> String {
        let json = serde_json::to_string(self);
        debug_assert!(json.is_ok(), "names and texts always serialize");
        json.unwrap_or_default()
    }
}

/// Reason why a record could not be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// The file could not be opened or read.
    Unreadable,
    /// The content is compressed with an unsupported method.
    Compressed,
    /// The input ends within the record.
    Truncated,
    /// The line is longer than any page may be.
    LineTooLong,
    /// The line is not a JSON object of the expected form.
    BadJson,
    /// The file is not XML of the expected form, or a document in it has no end.
    BadXml,
    /// `html_base64`, or the `content` of an XML document, is not base64.
    BadBase64,
    /// A member or a record of an archive is damaged.
    BadArchive,
    /// A row of an index does not say where a capture lies.
    BadIndex,
    /// A page without `html`, `html_base64` and `path`, or a document without `text`.
    MissingContent,
    /// `path` names a file outside of the folder of its list and of the folders in the setting
    /// `allow-paths`. Or a row of an index names an archive outside of `base`, or of the folder of the
    /// index.
    PathNotAllowed,
    /// The code panicked on this record: a defect worth a report.
    Panic,
    /// Two processes died while processing this page: a defect worth a report, or too little memory.
    Killed,
    /// The browser could not render the page within its limits.
    Unrendered,
}

impl Reason {
    /// All reasons.
    pub const ALL: &[Reason] = &[
        Reason::Unreadable,
        Reason::Compressed,
        Reason::Truncated,
        Reason::LineTooLong,
        Reason::BadJson,
        Reason::BadXml,
        Reason::BadBase64,
        Reason::BadArchive,
        Reason::BadIndex,
        Reason::MissingContent,
        Reason::PathNotAllowed,
        Reason::Panic,
        Reason::Killed,
        Reason::Unrendered,
    ];

    /// Returns the name in records and reports, such as `bad-json`.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Unreadable => "unreadable",
            Reason::Compressed => "compressed",
            Reason::Truncated => "truncated",
            Reason::LineTooLong => "line-too-long",
            Reason::BadJson => "bad-json",
            Reason::BadXml => "bad-xml",
            Reason::BadBase64 => "bad-base64",
            Reason::BadArchive => "bad-archive",
            Reason::BadIndex => "bad-index",
            Reason::MissingContent => "missing-content",
            Reason::PathNotAllowed => "path-not-allowed",
            Reason::Panic => "panic",
            Reason::Killed => "killed",
            Reason::Unrendered => "unrendered",
        }
    }
}

/// Numbers of rejected records by reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RejectedCounts(BTreeMap<Reason, u64>);

impl RejectedCounts {
    /// Counts a rejected record.
    pub fn add(&mut self, reason: Reason) {
        *self.0.entry(reason).or_insert(0) += 1;
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &RejectedCounts) {
        for (reason, count) in &other.0 {
            *self.0.entry(*reason).or_insert(0) += count;
        }
    }

    /// Returns the number of records rejected for this reason.
    pub fn of(&self, reason: Reason) -> u64 {
        self.0.get(&reason).copied().unwrap_or(0)
    }

    /// Returns the number of rejected records.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Returns the reasons that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Reason, u64)> {
        self.0.iter().map(|(reason, count)| (*reason, *count))
    }
}

impl FromIterator<Reason> for RejectedCounts {
    fn from_iter<I: IntoIterator<Item = Reason>>(reasons: I) -> Self {
        let mut counts = RejectedCounts::default();
        reasons.into_iter().for_each(|reason| counts.add(reason));
        counts
    }
}

/// Reason of a rejection, before the position of the record is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rejection {
    /// Its id, if it could be read.
    pub id: Option<String>,
    /// Its address, if it could be read.
    pub url: Option<String>,
    /// The reason.
    pub reason: Reason,
    /// Details, in a sentence without a full stop.
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
