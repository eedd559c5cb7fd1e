//! Data of the page `report.html`: figures gathered during the run, equal for equal input.
//!
//! Every list is bounded, so that the page of ten million documents is no larger than that of a thousand. Texts come from the web; they are
//! escaped when they are written, not here.

use serde::{Deserialize, Serialize};

/// Number of bins of [`ReportData::kept_share`].
pub const KEPT_SHARE_BINS: usize = 20;
/// Maximum number of clusters that are shown.
pub const LARGEST_CLUSTERS: usize = 10;
/// Maximum number of members that are shown of a cluster.
pub const CLUSTER_MEMBERS: usize = 50;
/// Maximum number of inputs that are shown.
pub const INPUTS: usize = 50;
/// Maximum number of files with rejected records that are shown.
pub const DAMAGED_FILES: usize = 20;
/// Maximum number of sites that are shown.
pub const SITES: usize = 20;
/// Maximum number of parts cut by templates that are shown of a site.
pub const CUTS: usize = 3;
/// Maximum number of pages that are shown for their missing text or low confidence.
pub const MAX_TO_CHECK: usize = 20;
/// Maximum length of [`PageRow::excerpt`] in characters.
pub const EXCERPT_CHARS: usize = 240;
/// Maximum number of names in each of the tables of languages and charsets. The other names are summed up as `other`.
pub const MAX_NAMES: usize = 30;

/// Maximum number of passages that are shown.
pub const SEEN_PASSAGES: usize = 20;
/// Maximum number of hosts that are shown of a passage.
pub const SEEN_HOSTS: usize = 5;
/// Maximum number of documents that are shown with their passages marked.
pub const REPEATED_DOCUMENTS: usize = 10;
/// Maximum number of sites with passages of their own that are shown.
pub const REPEATING_SITES: usize = 20;

/// All figures of one run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ReportData {
    /// Name and version of the program: `dehusk 0.1.0`.
    pub tool: String,
    /// Inputs as the user named them.
    pub inputs: Vec<String>,
    /// Settings in force, including defaults, in the order of the help text.
    pub settings: Vec<Setting>,
    /// Counts of the records.
    pub counts: Counts,
    /// The first [`INPUTS`] inputs. Empty if there is only one.
    pub by_input: InputRows,
    /// The [`DAMAGED_FILES`] files with the most rejected records, then in reading order. Empty if there is only one file.
    pub damaged_files: InputRows,
    /// The [`SITES`] sites with templates that have the most pages.
    pub sites: SiteRows,
    /// Pages by the share of their characters that was kept. Bin `i` holds shares from `i / 20` to below `(i + 1) / 20`; the last bin
    /// includes 1. Pages without text are not counted.
    pub kept_share: Vec<u64>,
    /// Clusters by size, singletons first. Every bin up to the largest cluster is listed, also empty bins.
    pub cluster_sizes: Vec<SizeBin>,
    /// Removed near-duplicates by their similarity to the documents that stay for them, in equal steps without gaps.
    pub deleted: Vec<SimilarityBin>,
    /// Removed near-duplicates whose similarity to every document that stays is below the threshold.
    pub deleted_below_threshold: u64,
    /// The [`LARGEST_CLUSTERS`] largest clusters with at least two members, by descending size, then by id.
    pub largest_clusters: Vec<ClusterRow>,
    /// Pages without text in the order of the input, then pages with text and a confidence below .9 in ascending order of confidence,
    /// then by id: [`MAX_TO_CHECK`] at most.
    pub least_confident: Vec<PageRow>,
    /// Warnings by kind, most frequent first, then by name.
    pub warnings: Vec<WarningRow>,
    /// Extractors by the number of pages whose main text they gave, most frequent first, then by name.
    pub methods: Vec<Count>,
    /// Languages of the documents as codes (`und` if unknown), most frequent first, then by name.
    pub languages: Vec<Count>,
    /// Charsets of the pages, most frequent first, then by name.
    pub charsets: Vec<Count>,
    /// Passages that stand at several places; `None` if they were not looked for.
    #[serde(default)]
    pub passages: Option<PassageReport>,
    /// Whether the run looked for passages alone: documents were neither extracted nor compared.
    #[serde(default)]
    pub only_passages: bool,
}

/// Figures of passages.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PassageReport {
    /// Unit of passages: `line`, `sentence`, `paragraph` or `tokens`.
    pub unit: String,
    /// Whether passages are cut from texts.
    pub cuts: bool,
    /// Number of passages.
    pub passages: u64,
    /// Number of places in documents that no longer passage contains.
    pub places: u64,
    /// Documents with a passage.
    pub documents: u64,
    /// Passages of one document.
    pub of_document: u64,
    /// Passages of several documents of one host.
    pub of_host: u64,
    /// Passages of several hosts.
    pub of_hosts: u64,
    /// Passages of several documents of unknown hosts.
    pub of_unknown: u64,
    /// Characters of all documents.
    pub chars: u64,
    /// Characters in passages.
    pub repeated_chars: u64,
    /// Characters that were cut.
    pub cut_chars: u64,
    /// Characters in passages of three and more documents of one host alone.
    pub site_chars: u64,
    /// Documents that are contained in another one.
    pub contained: u64,
    /// Documents with passages by the share of characters that was cut, or is repeated if nothing is cut. Bin `i` of `n` holds shares from
    /// `i / n` to below `(i + 1) / n`; the last bin includes 1.
    pub shares: Vec<u64>,
    /// The [`SEEN_PASSAGES`] passages of the most documents.
    pub most_frequent: Vec<PassageSeen>,
    /// [`REPEATED_DOCUMENTS`] documents with passages, at equal distances over the collection.
    pub marked: Vec<RepeatedSeen>,
    /// The [`REPEATING_SITES`] hosts with the most characters in passages of their own.
    pub sites: Vec<SiteRepeats>,
    /// Number of such hosts that are not shown.
    pub more_sites: u64,
}

/// A passage.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PassageSeen {
    /// Start of its text, on one line.
    pub text: String,
    /// Tokens, or 1 for other units.
    pub tokens: u64,
    /// Documents that have it.
    pub documents: u64,
    /// Hosts that have it.
    pub hosts: u64,
    /// The [`SEEN_HOSTS`] hosts with the most places outside of longer passages.
    pub by_host: Vec<Count>,
}

/// A document with its passages.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RepeatedSeen {
    /// Id of the document.
    pub id: String,
    /// Its address, if known. Untrusted: it may have any scheme.
    pub url: Option<String>,
    /// Share of its characters that was cut, or is repeated if nothing is cut.
    pub share: f64,
    /// The parts of its text.
    pub parts: Vec<TextPart>,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TextPart {
    /// `repeated`, `cut`, or empty for a part that is in no passage.
    pub kind: String,
    /// Its text on one line, without its middle if it is long.
    pub text: String,
}

/// A host with passages of its own.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteRepeats {
    /// The host.
    pub host: String,
    /// Its documents.
    pub documents: u64,
    /// Documents with such a passage.
    pub with: u64,
    /// Characters of its documents.
    pub chars: u64,
    /// Characters of them in such passages.
    pub repeated_chars: u64,
    /// The passage that most of its documents have.
    pub example: String,
    /// Documents that have it.
    pub example_documents: u64,
}

/// One setting in force.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setting {
    /// Name as on the command line, without dashes.
    pub name: String,
    /// Value as it would be typed.
    pub value: String,
}

/// A name with its number of occurrences.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Count {
    /// The counted name.
    pub name: String,
    /// Number of occurrences.
    pub count: u64,
}

/// Counts of the records: `read = kept + sum of dropped`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Records read.
    pub read: u64,
    /// Documents that are in `kept.jsonl`.
    pub kept: u64,
    /// Other records by reason, in the order in which the stages drop them. Reasons without records are not listed.
    pub dropped: Vec<Dropped>,
    /// Files of the input folders that hold no page, by reason. They are not counted as records.
    pub skipped_files: Vec<Count>,
    /// Valid records of archives that are not pages, by kind. They are not counted as read.
    pub skipped_records: Vec<Count>,
    /// Records in which invalid UTF-8 or JSON was repaired, by kind of repair.
    #[serde(default)]
    pub mended: Vec<Count>,
    /// Pairs of near-duplicates found, without exact duplicates.
    pub pairs: u64,
    /// Clusters with at least two members.
    pub clusters: u64,
}

/// Inputs or files, and the number of inputs or files that are not shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct InputRows {
    /// The rows that are shown.
    pub rows: Vec<InputRow>,
    /// Number of rows that are not shown.
    pub more: u64,
}

/// Counts of the records of one input or file: `read = kept + dropped + rejected`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct InputRow {
    /// Name, as given by the user or found below a folder.
    pub name: String,
    /// Records read.
    pub read: u64,
    /// Documents kept.
    pub kept: u64,
    /// Documents dropped as empty or as duplicates.
    pub dropped: u64,
    /// Records that could not be used.
    pub rejected: u64,
}

/// Sites, and the number of sites that are not shown.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteRows {
    /// The rows that are shown.
    pub rows: Vec<SiteRow>,
    /// Number of rows that are not shown.
    pub more: u64,
}

/// Use of the templates of one part of a site.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteRow {
    /// Key of the part: an address that ends with a slash.
    pub site: String,
    /// Number of its templates.
    pub layouts: u64,
    /// Pages whose main text a template gave.
    pub fired: u64,
    /// Pages that no template fits.
    pub unknown: u64,
    /// The [`CUTS`] cut parts with the most words.
    pub cuts: Vec<CutRow>,
}

/// A part of pages that a template cut.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CutRow {
    /// Its path, such as `body/div.menu`.
    pub part: String,
    /// Reason of the cut.
    pub reason: String,
    /// Number of pages from which it was cut.
    pub pages: u64,
    /// Number of words cut.
    pub words: u64,
    /// A line of the part, if the part repeats.
    pub example: Option<String>,
}

/// Records dropped for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Dropped {
    /// Stage: `read` (never became a page), `extract` (quarantined), `passages`, or `dedup`.
    pub stage: String,
    /// Reason: `empty`, `exact-duplicate`, `near-duplicate`, `too-much-repeated`, `contained`, or the reason of the quarantine such as `bad-json`, `panic`.
    pub reason: String,
    /// Number of records.
    pub count: u64,
}

/// Clusters of `from` to `to` members. Bins double in size: 1, 2, 3-4, 5-8, 9-16, ...
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SizeBin {
    /// Smallest size.
    pub from: u64,
    /// Largest size.
    pub to: u64,
    /// Number of clusters of these sizes.
    pub clusters: u64,
    /// Number of documents in them.
    pub documents: u64,
}

/// Documents in a step of similarity.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SimilarityBin {
    /// Smallest similarity of the step, from 0 to 1.
    pub from: f64,
    /// Start of the next step. The last step includes 1.
    pub to: f64,
    /// Number of documents.
    pub documents: u64,
}

/// One cluster with its members.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ClusterRow {
    /// Name of the cluster: the smallest id among its members.
    pub id: String,
    /// Number of all members.
    pub size: u64,
    /// Listed members, [`CLUSTER_MEMBERS`] at most: the representative first, then by descending similarity, then by id.
    pub members: Vec<MemberRow>,
}

/// One document of a cluster.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MemberRow {
    /// Id of the document.
    pub id: String,
    /// Its address, if known. Untrusted: it may have any scheme.
    pub url: Option<String>,
    /// Its title, if known.
    pub title: Option<String>,
    /// Similarity to the representative, from 0 to 1: 1 for the representative and for exact duplicates. `None` if the two were not
    /// compared because other documents connect them.
    pub similarity: Option<f64>,
    /// Whether the document stays.
    pub kept: bool,
    /// Reason: `representative`, `exact-duplicate`, `near-duplicate` and others.
    pub reason: String,
}

/// One page with its figures.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PageRow {
    /// Id of the page.
    pub id: String,
    /// Its address, if known. Untrusted: it may have any scheme.
    pub url: Option<String>,
    /// Its title, if known.
    pub title: Option<String>,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
    /// Extractor that gave the main text.
    pub method: String,
    /// Whether the page has main text. Otherwise its confidence is that of there being none.
    #[serde(default)]
    pub has_text: bool,
    /// Characters kept.
    pub kept_chars: u64,
    /// Characters of the page.
    pub all_chars: u64,
    /// Codes of its warnings, such as `depth-limit`.
    pub warnings: Vec<String>,
    /// Start of its text, with lines joined by spaces.
    pub excerpt: String,
}

/// Warnings of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WarningRow {
    /// Code, such as `depth-limit`.
    pub code: String,
    /// Number of pages with this warning.
    pub count: u64,
    /// Id of the first page with this warning, in input order.
    pub example: String,
    /// Message of the warning on that page.
    pub message: String,
}
