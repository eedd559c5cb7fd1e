//! Rows of outputs: documents, normalized texts, signatures, verified pairs, decisions on documents, matches in an index, rejected records.
//! Sinks choose the file formats that write them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::record::document::Document;
use crate::record::rejected::Rejected;

/// A row of any kind, as passed to a sink.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Row<'a> {
    /// A document: the main text of a page with its metadata.
    Document(&'a Document),
    /// The row for a record that could not be used, in place of its document.
    Failure(&'a FailureRow<'a>),
    /// The normalized text, the tokens or the sentences of a document.
    Normalized(&'a NormalizedRow<'a>),
    /// The signature of a document.
    Signature(&'a SignatureRow<'a>),
    /// A verified pair.
    Pair(&'a PairRow<'a>),
    /// The decision on one document.
    Decision(&'a ClusterRow<'a>),
    /// A document of an index that is similar to a new one.
    Match(&'a MatchRow<'a>),
    /// All matches of a new document.
    Matches(&'a MatchesRow<'a>),
    /// The main text of a page by a method that compares all pages of its site.
    SiteText(&'a SiteTextRow<'a>),
    /// Positions of the texts and boxes of a rendered page.
    Layout(&'a LayoutRow<'a>),
    /// A passage: a text that occurs at several places.
    Passage(&'a PassageRow<'a>),
    /// A passage in a document.
    Occurrence(&'a OccurrenceRow<'a>),
    /// A document that lies mostly inside another document.
    Contained(&'a ContainedRow<'a>),
    /// The repeated parts of a document, and the decision on it.
    Repeated(&'a RepeatedRow<'a>),
    /// An item of a test set in a document.
    ItemMatch(&'a ItemMatchRow<'a>),
    /// An item of a test set.
    Item(&'a ItemRow<'a>),
    /// A rejected record with its place.
    Rejected(&'a Rejected),
}

/// The kinds of [`Row`]s. All rows of a file are of one kind, except that failures may occur between documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RowKind {
    /// [`Row::Document`]
    Document,
    /// [`Row::Failure`]
    Failure,
    /// [`Row::Normalized`]
    Normalized,
    /// [`Row::Signature`]
    Signature,
    /// [`Row::Pair`]
    Pair,
    /// [`Row::Decision`]
    Decision,
    /// [`Row::Match`]
    Match,
    /// [`Row::Matches`]
    Matches,
    /// [`Row::SiteText`]
    SiteText,
    /// [`Row::Layout`]
    Layout,
    /// [`Row::Passage`]
    Passage,
    /// [`Row::Occurrence`]
    Occurrence,
    /// [`Row::Contained`]
    Contained,
    /// [`Row::Repeated`]
    Repeated,
    /// [`Row::ItemMatch`]
    ItemMatch,
    /// [`Row::Item`]
    Item,
    /// [`Row::Rejected`]
    Rejected,
}

impl Row<'_> {
    /// Returns the kind of the row.
    pub fn kind(&self) -> RowKind {
        match self {
            Row::Document(_) => RowKind::Document,
            Row::Failure(_) => RowKind::Failure,
            Row::Normalized(_) => RowKind::Normalized,
            Row::Signature(_) => RowKind::Signature,
            Row::Pair(_) => RowKind::Pair,
            Row::Decision(_) => RowKind::Decision,
            Row::Match(_) => RowKind::Match,
            Row::Matches(_) => RowKind::Matches,
            Row::SiteText(_) => RowKind::SiteText,
            Row::Layout(_) => RowKind::Layout,
            Row::Passage(_) => RowKind::Passage,
            Row::Occurrence(_) => RowKind::Occurrence,
            Row::Contained(_) => RowKind::Contained,
            Row::Repeated(_) => RowKind::Repeated,
            Row::ItemMatch(_) => RowKind::ItemMatch,
            Row::Item(_) => RowKind::Item,
            Row::Rejected(_) => RowKind::Rejected,
        }
    }
}

impl RowKind {
    /// Returns the name of a list of such rows, as in file headers.
    pub fn name(self) -> &'static str {
        match self {
            RowKind::Document => "documents",
            RowKind::Failure => "failures",
            RowKind::Normalized => "normalized",
            RowKind::Signature => "signatures",
            RowKind::Pair => "pairs",
            RowKind::Decision => "clusters",
            RowKind::Match | RowKind::Matches | RowKind::ItemMatch => "matches",
            RowKind::Item => "items",
            RowKind::SiteText => "texts",
            RowKind::Layout => "layouts",
            RowKind::Passage => "passages",
            RowKind::Occurrence => "occurrences",
            RowKind::Contained => "contained",
            RowKind::Repeated => "documents",
            RowKind::Rejected => "quarantine",
        }
    }
}

/// The row for a record that could not be used: `{"id","url","error":{"reason","message"}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FailureRow<'a> {
    /// Its id, or its line number.
    pub id: &'a str,
    /// Its address, if known.
    pub url: Option<&'a str>,
    /// Reason and details.
    pub error: Failure<'a>,
}

/// Reason why a record could not be used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure<'a> {
    /// Name of the reason, such as `bad-json`.
    pub reason: &'a str,
    /// Details.
    pub message: &'a str,
}

impl<'a> From<&'a Rejected> for FailureRow<'a> {
    fn from(rejected: &'a Rejected) -> Self {
        FailureRow {
            id: &rejected.id,
            url: rejected.url.as_deref(),
            error: Failure {
                reason: rejected.reason.name(),
                message: &rejected.message,
            },
        }
    }
}

/// Normalization result of one document.
///
/// Byte offsets refer to the UTF-8 form of the original text and begin at 0. For a plain text they are offsets in the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct NormalizedRow<'a> {
    /// Id of the document.
    pub id: &'a str,
    /// Normalized text; `None` if tokens or sentences are requested instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// Tokens, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Vec<Cow<'a, str>>>,
    /// Range of each token in the original: first byte, and byte after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offsets: Option<Vec<(usize, usize)>>,
    /// Sentences, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentences: Option<Vec<Sentence<'a>>>,
}

/// A sentence of the original text, trimmed of white space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sentence<'a> {
    /// Offset of its first byte.
    pub start: usize,
    /// Offset of the byte after its last.
    pub end: usize,
    /// Its text.
    pub text: &'a str,
}

/// A verified pair of duplicates.
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
    /// Similarity as estimated from the signatures, or from the keys by which candidates were found; `None` if they allow no estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// `exact` for exact duplicates, else the measured similarity, such as `jaccard`.
    #[serde(borrow)]
    pub method: Cow<'a, str>,
    /// For the similarity `containment`, the id of the document that is contained in the other. `None` if each contains the other.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub contained: Option<Cow<'a, str>>,
    /// Number of pairs that the row represents; `None` if it represents only itself.
    ///
    /// These are the pairs of copies of its two texts, and the pairs of a text in a cluster of more than 100 texts. Summed over all rows
    /// (with `None` as 1), this is the number of all pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<u64>,
}

/// The decision on one document.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClusterRow<'a> {
    /// Id of the document.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// Smallest id of its cluster; its own id if it is alone.
    #[serde(borrow)]
    pub cluster: Cow<'a, str>,
    /// Id of the document that is kept in its place; its own id if it is kept itself.
    #[serde(borrow)]
    pub representative: Cow<'a, str>,
    /// Similarity to the representative, from 0 to 1; `None` if it is its own or the two were not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Number of documents in its cluster, including itself; 1 if it is alone.
    pub cluster_size: u64,
    /// `true` if the document is in `kept.jsonl`.
    pub kept: bool,
    /// Reason of the decision.
    #[serde(borrow)]
    pub reason: Cow<'a, str>,
}

/// A document of an index that is similar to a new one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Match {
    /// Id of the document of the index.
    pub id: String,
    /// Similarity, 0 to 1.
    pub similarity: f64,
    /// Similarity as estimated from the number of equal keys; `None` if keys allow no estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Number of common shingles, if shingles are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_shingles: Option<u64>,
    /// `exact` for exact duplicates, else the measured similarity, such as `jaccard`.
    pub method: &'static str,
    /// For the similarity `containment`, the id of the document that is contained in the other: the new document or the document of the
    /// index. `None` if each contains the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contained: Option<String>,
}

impl Match {
    /// Returns `true` if the document of the index has the same text.
    pub(crate) fn is_exact(&self) -> bool {
        self.method == "exact"
    }
}

/// A [`Match`] with the id of the new document.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchRow<'a> {
    /// Id of the new document.
    pub a: &'a str,
    /// Id of the document of the index.
    pub b: &'a str,
    /// Similarity, 0 to 1.
    pub similarity: f64,
    /// Similarity as estimated from the number of equal keys; `None` if keys allow no estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Number of common shingles, if shingles are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_shingles: Option<u64>,
    /// `exact` for exact duplicates, else the measured similarity, such as `jaccard`.
    pub method: &'a str,
    /// For the similarity `containment`, the id of the document that is contained in the other. `None` if each contains the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contained: Option<&'a str>,
}

/// A new document with the documents of an index that are similar to it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchesRow<'a> {
    /// Id of the new document.
    pub id: &'a str,
    /// Matches, most similar first, then by id.
    pub matches: &'a [Match],
    /// Number of keys of the new document that are shared with more documents of the index than were compared (`max_bucket`). Matches may
    /// be missing then. Omitted if 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub capped: u32,
}

/// Returns `true` for counts that are not written.
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Positions of the texts and boxes of a rendered page, see docs/layout.md.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LayoutRow<'a> {
    /// Version of the row format.
    pub version: u32,
    /// Id of the page.
    pub id: &'a str,
    /// Address under which the browser loaded the page.
    pub url: &'a str,
    /// Hash of the decoded page.
    pub source_hash: &'a str,
    /// Measurements of the browser.
    #[serde(flatten)]
    pub rendered: &'a serde_json::Value,
}

/// The main text of a page by a method that compares all pages of its site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SiteTextRow<'a> {
    /// Address of the page.
    pub id: &'a str,
    /// Number of the layout within the part of the site, from 1.
    pub layout: u32,
    /// Name of the method.
    pub method: &'a str,
    /// Key of the part of the site.
    pub site: &'a str,
    /// Main text.
    pub text: &'a str,
    /// Address of the page.
    pub url: &'a str,
}

/// The signature of a document, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SignatureRow<'a> {
    /// Id of the document.
    pub id: &'a str,
    /// Signature words, each as 16 hexadecimal digits, separated by spaces.
    pub signature: &'a str,
}

/// A passage: a text that occurs at several places of a collection. Byte offsets refer to the UTF-8 text of
/// a document and begin at 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PassageRow<'a> {
    /// Sixteen hexadecimal digits that depend only on the normalized text of the passage.
    pub id: &'a str,
    /// Unit of the passage: `line`, `sentence`, `paragraph`, or `tokens`.
    pub unit: &'a str,
    /// Text of the first occurrence, up to 10,000 characters.
    pub text: &'a str,
    /// Number of tokens; 1 for units other than `tokens`.
    pub tokens: u32,
    /// Number of occurrences, including those inside of longer passages.
    pub places: u32,
    /// Number of documents with an occurrence.
    pub documents: u32,
    /// Number of known hosts with an occurrence.
    pub hosts: u32,
    /// Spread: `document` for one document, `host` for documents of one host, `hosts` for several, or
    /// `unknown` if no host is known.
    pub scope: &'a str,
    /// Id of the document with the first occurrence.
    pub document: &'a str,
    /// Offset of the first byte of that occurrence.
    pub start: u64,
    /// Offset of the byte after it.
    pub end: u64,
    /// Id of a longer passage that contains the first occurrence. Left out if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<&'a str>,
    /// Number of occurrences in documents of an index. Left out without an index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<u32>,
}

/// An occurrence of a passage in a document that is not part of a longer passage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OccurrenceRow<'a> {
    /// Id of the document.
    pub document: &'a str,
    /// Offset of the first byte in its text.
    pub start: u64,
    /// Offset of the byte after the last.
    pub end: u64,
    /// Id of the passage.
    pub passage: &'a str,
}

/// A document whose runs in common with another document cover most of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ContainedRow<'a> {
    /// Id of the document.
    pub document: &'a str,
    /// Id of the document that contains it.
    pub within: &'a str,
    /// Number of tokens of `document`, or other units, that occur in `within`.
    pub tokens: u32,
    /// Their share of all tokens of `document`, above 0 and up to 1.
    pub share: f64,
}

/// Shares of the characters of a text that repeat other parts of it, 0 to 1 (Rae et al. 2021, *Scaling Language Models: Methods, Analysis &
/// Insights from Training Gopher*, table A1).
///
/// Differs from the paper in the definition of a word: words are found by the rules of Unicode, so that
/// texts without spaces have words too. White space and marks between the words of an n-gram count as its
/// characters.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Repetition {
    /// Lines that occur earlier in the text.
    pub duplicate_lines: f64,
    /// Paragraphs that occur earlier in the text.
    pub duplicate_paragraphs: f64,
    /// All places of the most frequent run of 2 words. Of equally frequent ones, the one with the most characters counts.
    pub top_2_grams: f64,
    /// All places of the most frequent run of 3 words.
    pub top_3_grams: f64,
    /// All places of the most frequent run of 4 words.
    pub top_4_grams: f64,
    /// All runs of 5 words that occur at least twice. Characters of several runs count once.
    pub duplicate_5_grams: f64,
    /// All runs of 6 words that occur at least twice.
    pub duplicate_6_grams: f64,
    /// All runs of 7 words that occur at least twice.
    pub duplicate_7_grams: f64,
    /// All runs of 8 words that occur at least twice.
    pub duplicate_8_grams: f64,
    /// All runs of 9 words that occur at least twice.
    pub duplicate_9_grams: f64,
    /// All runs of 10 words that occur at least twice.
    pub duplicate_10_grams: f64,
}

/// The repeated parts of a document, and the decision on it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RepeatedRow<'a> {
    /// Id of the document.
    pub id: &'a str,
    /// Number of characters of its text.
    pub chars: u64,
    /// Share of them that are part of a passage, 0 to 1.
    pub repeated_share: f64,
    /// Shares of characters that repeat other parts of the same text.
    pub repetition: Repetition,
    /// Byte ranges that are parts of passages: first byte, and byte after the last. Ascending, without
    /// overlaps.
    pub repeated: &'a [(u64, u64)],
    /// Byte ranges that were cut out of the text, or are to be cut.
    pub cut: &'a [(u64, u64)],
    /// `true` if the document is kept.
    pub kept: bool,
    /// Reason of the decision. For kept documents: `unique`; `repeated` if it has passages and is
    /// unchanged; `cut`; `demoted` if it is contained in another one. For others: `too-much-repeated` or
    /// `contained`.
    pub reason: &'a str,
}

/// An item of a test set in a document.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ItemMatchRow<'a> {
    /// Id of the document.
    pub document: &'a str,
    /// Id of the item.
    pub item: &'a str,
    /// Field of the test set that the item is from.
    pub field: &'a str,
    /// Offset of the first byte of the first run of the item in the text of the document.
    pub start: u64,
    /// Offset of the byte after that run.
    pub end: u64,
    /// Number of tokens of the item in all of its runs in the document.
    pub tokens: u32,
    /// Their share of all tokens of the item, above 0 and up to 1.
    pub share: f64,
}

/// An item of a test set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ItemRow<'a> {
    /// Its `id` in the test set, else its file and line.
    pub id: &'a str,
    /// Field that it is from.
    pub field: &'a str,
    /// Number of its tokens.
    pub tokens: u32,
    /// Number of documents that hold enough of it.
    pub documents: u64,
    /// `true` if it was searched. Items below the least length are not.
    pub searched: bool,
}
