//! Documents: extracted documents with their metadata, and document records to be compared.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dehusk_extract::analysis::metadata::candidate::Candidate;
use dehusk_extract::analysis::metadata::structured::StructuredData;
use dehusk_extract::document::{DataTable, Document as Content};
use dehusk_extract::label::comments::Comment;
use dehusk_extract::layout::PageLayout;
use dehusk_extract::{BlockRecord, VisibleNode};
use serde::{Serialize, Serializer};

use crate::record::page::{Extra, NO_LAYOUT, UrlSource};

/// A document: the main text of a page with its metadata.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Document {
    /// Name of the document, unique in its file.
    pub id: String,
    /// Address of the page.
    pub url: Option<String>,
    /// Source of the address, if the page came without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_source: Option<UrlSource>,
    /// Main text.
    pub text: String,
    /// Title.
    pub title: Option<String>,
    /// Author or authors.
    pub author: Option<String>,
    /// The authors as a list of persons; an organization if no person is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Date given with the page, else the date that it states.
    pub date: Option<String>,
    /// How much of the date is known: `year`, `month`, `day`, `minute` or `second`. `None` for a given date
    /// that is not in a form of ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_precision: Option<&'static str>,
    /// Language as a code such as `en`.
    pub language: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// Description of the page by its author.
    pub description: Option<String>,
    /// Date of the last change that the page states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Address that the page calls its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical_url: Option<String>,
    /// Address of the image that represents the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Subjects that the page names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Sections and categories of the site to which the page belongs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Publisher of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Licence of the text, such as `CC BY-SA 4.0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Kind of page that the page states, such as `article`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The source of each metadata field, by field name, with the member or mark that holds the value, such as `json-ld: datePublished`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata_sources: BTreeMap<&'static str, String>,
    /// All values found for metadata fields, including rejected ones; `None` unless blocks are requested.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "candidates")]
    pub metadata_candidates: Option<Vec<Candidate>>,
    /// Data in JSON-LD, microdata and RDFa, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<StructuredData>,
    /// Charset the bytes were decoded from.
    pub charset: &'static str,
    /// Extractor that gave the text.
    pub method: &'static str,
    /// Estimated quality of the text, 0 to 1, four decimals.
    pub confidence: f64,
    /// Number of characters kept.
    pub kept_chars: usize,
    /// Number of characters of the page.
    pub all_chars: usize,
    /// Limits hit, fallbacks used, damage found.
    pub warnings: Vec<Warning>,
    /// Main text as Markdown, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// Main text as structural HTML, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// Main content as typed blocks, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// Data tables of the main content, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<DataTable>>,
    /// Readers' comments, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<Vec<Comment>>,
    /// The decision on each block, if requested.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "blocks")]
    pub blocks: Option<Vec<BlockRecord>>,
    /// The visible nodes of the page, if requested. Not written to records.
    #[serde(skip)]
    pub visible_nodes: Option<Vec<VisibleNode>>,
    /// Positions of the rendered page, if a layout was given and it is requested.
    #[serde(skip)]
    pub layout: Option<PageLayout>,
    /// Size of the page in bytes.
    #[serde(skip)]
    pub source_bytes: usize,
    /// Processor time of the extraction in microseconds, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub us: Option<u64>,
    /// Name of the file that holds the page. `None` for a page from memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Offset of the record of the page in that file, as in [`RecordPlace`](crate::record::RecordPlace).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Offset of the record in the decompressed file, if the file is compressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plain_offset: Option<u64>,
    /// Popularity given with the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub popularity: Option<f64>,
    /// Unknown fields of the input page.
    #[serde(skip_serializing_if = "Extra::is_empty")]
    pub extra: Extra<'static>,
}

impl Document {
    /// Adds the warning that the file of layouts has no entry for the page.
    #[must_use]
    pub fn missing_layout(mut self) -> Document {
        self.warnings.push(Warning {
            code: NO_LAYOUT,
            message: "the file of layouts has none with the id of the page".to_owned(),
        });
        self
    }
}

/// A warning about a page.
#[derive(Clone, Debug, Serialize)]
pub struct Warning {
    /// Kind, such as `depth-limit`.
    pub code: &'static str,
    /// Details for this page.
    pub message: String,
}

/// A document to be compared with others.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DocumentRecord<'a> {
    /// Id of the document, if given.
    pub id: Option<Cow<'a, str>>,
    /// Address of its page.
    pub url: Option<Cow<'a, str>>,
    /// File of its page.
    pub path: Option<Cow<'a, str>>,
    /// Title.
    pub title: Option<Cow<'a, str>>,
    /// Text.
    pub text: Cow<'a, str>,
    /// Values by which the representative of a cluster is chosen.
    pub ranking: Ranking<'a>,
    /// Fields of an archive record.
    pub capture: Capture<'a>,
}

/// Fields of a text in an archive of texts.
#[derive(Clone, Debug, Default)]
pub struct Capture<'a> {
    /// `WARC-Record-ID`.
    pub warc_id: Option<Cow<'a, str>>,
    /// Languages that were identified in it, as the archive has them, such as `eng,fra`.
    pub language: Option<Cow<'a, str>>,
}

/// Values by which a keeper chooses the representative of a cluster.
#[derive(Clone, Debug, Default)]
pub struct Ranking<'a> {
    /// Date of the document.
    pub date: Option<Cow<'a, str>>,
    /// Popularity, in the user's own unit; larger is more popular.
    pub popularity: Option<f64>,
    /// Number of characters kept of the page.
    pub kept_chars: Option<u64>,
    /// Number of characters of the page.
    pub all_chars: Option<u64>,
}

/// A block in its serialized form.
#[derive(Clone, Debug, Serialize)]
struct Block<'a> {
    i: usize,
    kind: &'a str,
    class: &'a str,
    path: &'a str,
    start: Option<usize>,
    end: Option<usize>,
    text: &'a str,
    kept: bool,
    reason: &'a str,
    scores: Scores<'a>,
    votes: Votes<'a>,
}

/// Scores by name, in a fixed order.
#[derive(Clone, Copy, Debug)]
struct Scores<'a>(&'a [(&'static str, f64)]);

impl Serialize for Scores<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, round(*value))))
    }
}

/// Vote of each method on the block, in a fixed order.
#[derive(Clone, Copy, Debug)]
struct Votes<'a>(&'a [(&'static str, bool)]);

impl Serialize for Votes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// Serializes the decisions on blocks.
fn blocks<S: Serializer>(blocks: &Option<Vec<BlockRecord>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(blocks.iter().flatten().map(|block| Block {
        i: block.i,
        kind: block.kind,
        class: block.class,
        path: &block.path,
        start: block.range.as_ref().map(|range| range.start),
        end: block.range.as_ref().map(|range| range.end),
        text: &block.text,
        kept: block.kept,
        reason: block.reason,
        scores: Scores(&block.scores),
        votes: Votes(&block.votes),
    }))
}

/// A metadata candidate in its serialized form.
#[derive(Clone, Debug, Serialize)]
struct CandidateRow<'a> {
    field: &'a str,
    values: &'a [String],
    source: &'a str,
    told: &'a str,
    path: Option<&'a str>,
    distance: Option<u32>,
    confidence: f64,
    chosen: bool,
}

/// Serializes the candidates for metadata fields.
fn candidates<S: Serializer>(all: &Option<Vec<Candidate>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().flatten().map(|candidate| CandidateRow {
        field: candidate.field.name(),
        values: &candidate.values,
        source: candidate.source,
        told: candidate.told,
        path: candidate.path.as_deref(),
        distance: candidate.distance,
        confidence: round(candidate.confidence.into()),
        chosen: candidate.chosen,
    }))
}

/// Rounds to four decimals, the precision of records.
pub(crate) fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
