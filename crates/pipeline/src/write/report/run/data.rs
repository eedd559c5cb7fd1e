//! What the page `report.html` shows: plain figures, gathered while the chain runs, equal for equal input.
//!
//! Every list is bounded, so that the page of ten million documents is no larger than that of a thousand. All text comes
//! from the web: it is escaped where it is written out, not here.

use serde::{Deserialize, Serialize};

/// Bins of [`ReportData::kept_share`].
pub const KEPT_SHARE_BINS: usize = 20;
/// Clusters shown one by one.
pub const LARGEST_CLUSTERS: usize = 10;
/// Members shown of each of them.
pub const CLUSTER_MEMBERS: usize = 50;
/// Inputs shown one by one.
pub const INPUTS: usize = 50;
/// Files with rejected records shown one by one.
pub const DAMAGED_FILES: usize = 20;
/// Sites shown one by one.
pub const SITES: usize = 20;
/// Parts shown of each of them that templates cut.
pub const CUTS: usize = 3;
/// Pages shown for their low confidence.
pub const LEAST_CONFIDENT: usize = 20;
/// Characters of [`PageRow::excerpt`] at most.
pub const EXCERPT_CHARS: usize = 240;
/// Names listed in each of the tables of languages and charsets; the rest is summed under `other`.
pub const MAX_NAMES: usize = 30;

/// All figures of one run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ReportData {
    /// Name and version of the program: `dehusk 0.1.0`.
    pub tool: String,
    /// Inputs as the user named them.
    pub inputs: Vec<String>,
    /// Settings in force, defaults among them, in the order of the help text.
    pub settings: Vec<Setting>,
    /// How many records came in, and what became of them.
    pub counts: Counts,
    /// The first [`INPUTS`] inputs, where there are several.
    pub by_input: InputRows,
    /// The [`DAMAGED_FILES`] files with the most rejected records, where there are several files; then by place.
    pub damaged_files: InputRows,
    /// The [`SITES`] sites with templates that have the most pages.
    pub sites: SiteRows,
    /// Pages by the share of their characters that was kept: bin `i` holds shares from `i / 20` to below `(i + 1) / 20`,
    /// the last one 1 as well. Pages without any text are in none.
    pub kept_share: Vec<u64>,
    /// Clusters by size, singletons first. Without gaps: a bin of no clusters is listed up to the largest one.
    pub cluster_sizes: Vec<SizeBin>,
    /// Near-duplicates that went, by their similarity to the documents that stay for them, in equal steps without gaps.
    pub deleted: Vec<SimilarityBin>,
    /// Those of them that are below the threshold to every document that stays.
    pub deleted_below_threshold: u64,
    /// The [`LARGEST_CLUSTERS`] largest clusters of two members and more, largest first, then by id.
    pub largest_clusters: Vec<ClusterRow>,
    /// The [`LEAST_CONFIDENT`] pages with text whose confidence is lowest, lowest first, then by id.
    pub least_confident: Vec<PageRow>,
    /// Warnings by kind, most frequent first, then by name.
    pub warnings: Vec<WarningRow>,
    /// Extractors by the number of pages they answered for, most frequent first, then by name.
    pub methods: Vec<Count>,
    /// Languages of the documents as codes (`und` if unknown), ordered in the same way.
    pub languages: Vec<Count>,
    /// Charsets of the pages, ordered in the same way.
    pub charsets: Vec<Count>,
}

/// One setting in force.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setting {
    /// Name as on the command line, without dashes.
    pub name: String,
    /// Value as it would be typed.
    pub value: String,
}

/// A name and how often it occurred.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Count {
    /// What was counted.
    pub name: String,
    /// How often.
    pub count: u64,
}

/// How many records came in, and what became of them: `read = kept + sum of dropped`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Records read.
    pub read: u64,
    /// Documents that are in `kept.jsonl`.
    pub kept: u64,
    /// The others by reason, in the order in which the stages drop them. Reasons of no record are not listed.
    pub dropped: Vec<Dropped>,
    /// Files of the input folders that hold no page, by reason; they are no records.
    pub skipped_files: Vec<Count>,
    /// Sound records of archives that are no pages, by kind; they are not counted as read.
    pub skipped_records: Vec<Count>,
    /// Records that had something that is not UTF-8 or no JSON, by what it was.
    #[serde(default)]
    pub mended: Vec<Count>,
    /// Pairs of near-duplicates found, exact ones not counted.
    pub pairs: u64,
    /// Clusters of two members and more.
    pub clusters: u64,
}

/// Inputs or files, and how many more there are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct InputRows {
    /// Those that are shown.
    pub rows: Vec<InputRow>,
    /// How many are not.
    pub more: u64,
}

/// What became of the records of one input or file: `read = kept + dropped + rejected`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct InputRow {
    /// As the user named it, or found below a folder.
    pub name: String,
    /// Records read.
    pub read: u64,
    /// Documents kept.
    pub kept: u64,
    /// Documents that are empty or duplicates.
    pub dropped: u64,
    /// Records that could not be used.
    pub rejected: u64,
}

/// Sites, and how many more there are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteRows {
    /// Those that are shown.
    pub rows: Vec<SiteRow>,
    /// How many are not.
    pub more: u64,
}

/// What the templates of one part of a site did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteRow {
    /// Key of the part: an address that ends with a slash.
    pub site: String,
    /// Its templates.
    pub layouts: u64,
    /// Pages that a template answered for.
    pub fired: u64,
    /// Pages that none fits.
    pub unknown: u64,
    /// The [`CUTS`] parts with the most words that were cut.
    pub cuts: Vec<CutRow>,
}

/// A part of pages that a template cut.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CutRow {
    /// Its path, such as `body/div.menu`.
    pub part: String,
    /// Why.
    pub reason: String,
    /// Pages that it was cut of.
    pub pages: u64,
    /// Words that went.
    pub words: u64,
    /// A line of it, if it repeats.
    pub example: Option<String>,
}

/// Records dropped for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Dropped {
    /// `read` (never became a page), `extract` (quarantined), or `dedup`.
    pub stage: String,
    /// `empty`, `exact-duplicate`, `near-duplicate`, or the reason of the quarantine such as `bad-json`, `panic`.
    pub reason: String,
    /// How many.
    pub count: u64,
}

/// Clusters of `from` to `to` members; bins double: 1, 2, 3-4, 5-8, 9-16, ...
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SizeBin {
    /// Smallest size.
    pub from: u64,
    /// Largest size.
    pub to: u64,
    /// Clusters of these sizes.
    pub clusters: u64,
    /// Documents in them.
    pub documents: u64,
}

/// Documents of a step of similarity.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SimilarityBin {
    /// Smallest similarity, 0 to 1.
    pub from: f64,
    /// Where the next step begins; the last one includes 1.
    pub to: f64,
    /// Documents.
    pub documents: u64,
}

/// One cluster with its members.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ClusterRow {
    /// Its name: the smallest id among its members.
    pub id: String,
    /// Number of members, all of them.
    pub size: u64,
    /// The representative first, then by falling similarity, then by id; [`CLUSTER_MEMBERS`] at most.
    pub members: Vec<MemberRow>,
}

/// One document of a cluster.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MemberRow {
    /// Id of the document.
    pub id: String,
    /// Its address, if known. Written by others: any scheme may stand here.
    pub url: Option<String>,
    /// Its title, if known.
    pub title: Option<String>,
    /// Similarity to the representative, 0 to 1; 1 for the representative and for exact duplicates; `None` if the two
    /// were not compared because others connect them.
    pub similarity: Option<f64>,
    /// Whether it stays.
    pub kept: bool,
    /// Why: `representative`, `exact-duplicate`, `near-duplicate` and the like.
    pub reason: String,
}

/// One page with its figures.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PageRow {
    /// Id of the page.
    pub id: String,
    /// Its address, if known. Written by others: any scheme may stand here.
    pub url: Option<String>,
    /// Its title, if known.
    pub title: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// Extractor that answered.
    pub method: String,
    /// Characters kept.
    pub kept_chars: u64,
    /// Characters of the page.
    pub all_chars: u64,
    /// Codes of its warnings, such as `depth-limit`.
    pub warnings: Vec<String>,
    /// Start of its text, lines joined by spaces.
    pub excerpt: String,
}

/// Warnings of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WarningRow {
    /// Code, such as `depth-limit`.
    pub code: String,
    /// Pages that have it.
    pub count: u64,
    /// Id of the first page that has it, in input order.
    pub example: String,
    /// What it said of that page.
    pub message: String,
}
