//! What travels in JSON Lines: pages in, documents, pairs, clusters and rejected records out.
//!
//! One object a line, UTF-8. Fields of an input page that we do not know are carried to the document under `extra`, byte
//! for byte.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(crate) mod date;
mod json;

pub use json::{Content, DocumentRecord, PageRecord, Ranking};
pub(crate) use json::{Id, document, page, with_id};

/// A document: the main text of one page and what is known about it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Document<'a> {
    /// Name of the document, unique in its file.
    pub id: &'a str,
    /// Address of the page.
    pub url: Option<&'a str>,
    /// Main text.
    pub text: &'a str,
    /// Title.
    pub title: Option<&'a str>,
    /// Author or authors.
    pub author: Option<&'a str>,
    /// Date given with the page, else the date that it states.
    pub date: Option<&'a str>,
    /// Language as a code such as `en`.
    pub language: Option<&'a str>,
    /// Name of the site.
    pub site_name: Option<&'a str>,
    /// Description of the page by its author.
    pub description: Option<&'a str>,
    /// Date of the last change that the page states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<&'a str>,
    /// Address that the page calls its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<&'a str>,
    /// Address of the image that stands for the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<&'a str>,
    /// Subjects that the page names.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub tags: &'a [String],
    /// What kind of page it says it is, such as `article`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'a str>,
    /// Charset the bytes were decoded from.
    pub charset: &'a str,
    /// Extractor that gave the text.
    pub method: &'a str,
    /// Estimated quality of the text, 0 to 1, four decimals.
    pub confidence: f64,
    /// Characters kept.
    pub kept_chars: usize,
    /// Characters of the page.
    pub all_chars: usize,
    /// Limits hit, fallbacks taken, damage seen.
    pub warnings: Vec<Warning<'a>>,
    /// Main text as Markdown, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<&'a str>,
    /// Main text as HTML of structure alone, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<&'a str>,
    /// Main content as typed elements, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<&'a [dehusk_extract::content::Element]>,
    /// Data tables of the main content, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<&'a [dehusk_extract::content::Table]>,
    /// Readers' comments, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<&'a [dehusk_extract::label::comments::Comment]>,
    /// What became of each block, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<Block<'a>>>,
    /// The page as it is shown, if asked for; not written to records.
    #[serde(skip)]
    pub parts: Option<&'a [dehusk_extract::VisibleNode]>,
    /// Processor microseconds of the extraction, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub us: Option<u64>,
    /// Popularity given with the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub popularity: Option<f64>,
    /// Fields of the input page that we do not know.
    #[serde(skip_serializing_if = "Extra::is_empty")]
    pub extra: Extra<'a>,
}

/// One remark about a page.
#[derive(Clone, Debug, Serialize)]
pub struct Warning<'a> {
    /// Kind, such as `depth-limit`.
    pub code: &'a str,
    /// The figures of this page.
    pub message: &'a str,
}

/// What became of one block of a page, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Block<'a> {
    /// Number in document order, from 0.
    pub i: usize,
    /// Kind, such as `paragraph`.
    pub kind: &'a str,
    /// Tags from the root with ids and classes.
    pub path: &'a str,
    /// First byte of the block in the decoded source.
    pub start: Option<usize>,
    /// Byte after its last one.
    pub end: Option<usize>,
    /// Text.
    pub text: &'a str,
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Why.
    pub reason: &'a str,
    /// Figures the decision rests on.
    pub scores: Scores<'a>,
    /// What each method makes of it.
    pub votes: Votes<'a>,
}

/// Figures by name, in a fixed order.
#[derive(Clone, Copy, Debug)]
pub struct Scores<'a>(pub &'a [(&'static str, f64)]);

impl Serialize for Scores<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, round(*value))))
    }
}

/// Whether each method keeps a block, in a fixed order.
#[derive(Clone, Copy, Debug)]
pub struct Votes<'a>(pub &'a [(&'static str, bool)]);

impl Serialize for Votes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// Fields we do not know, with their values as they were written.
#[derive(Clone, Debug, Default)]
pub struct Extra<'a>(pub Vec<(Cow<'a, str>, Cow<'a, RawValue>)>);

impl Extra<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Extra<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value.as_ref())))
    }
}

/// Four decimals: enough to compare, short enough to read.
pub(crate) fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// A verified pair of near-duplicates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRow<'a> {
    /// Smaller id.
    #[serde(borrow)]
    pub a: Cow<'a, str>,
    /// Larger id.
    #[serde(borrow)]
    pub b: Cow<'a, str>,
    /// Similarity, 0 to 1.
    pub similarity: f64,
    /// What the signatures, or the keys that candidates are found by, said of it, if they say anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// `exact` for equal texts, else the similarity measured, such as `jaccard`.
    #[serde(borrow)]
    pub method: Cow<'a, str>,
}

/// What became of one document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClusterRow<'a> {
    /// The document.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// Smallest id of its cluster; its own if it is alone.
    #[serde(borrow)]
    pub cluster: Cow<'a, str>,
    /// Member of the cluster that stands for it.
    #[serde(borrow)]
    pub representative: Cow<'a, str>,
    /// Whether the document is in `kept.jsonl`.
    pub kept: bool,
    /// Why it was kept or dropped.
    #[serde(borrow)]
    pub reason: Cow<'a, str>,
}

/// A record that could not be used, with the place where it stands.
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

/// A record that could not be used, before it is told where it stands.
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

/// Where the page of a record lies when it is a file of its own.
pub(crate) fn joined(base: Option<&std::path::Path>, path: &str) -> PathBuf {
    base.map_or_else(|| PathBuf::from(path), |base| base.join(path))
}

#[cfg(test)]
mod tests;
