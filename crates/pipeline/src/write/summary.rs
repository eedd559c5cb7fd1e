//! `summary.json`: what a run read, wrote and dropped, and the header of all its files.
//!
//! JSON Lines files of folders have no header line, so that every tool can read them. The summary beside
//! them is the header: program, version, format version, settings, and the rows and bytes of each file.
//! Readers of our own files look it up there, and refuse files that do not match.

use std::collections::BTreeMap;

use dehusk_extract::WarningKind;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

pub use crate::read::crawl_index::IndexCounts;
use crate::read::inputs::Inputs;
pub use crate::read::line::LineFacts;
use crate::read::pass::Origin;
use crate::read::records::SkippedRecords;
use crate::read::walk::{ChangedFiles, Skipped, SkippedFiles};
use crate::record::header::{FORMAT_VERSION, FileFacts, KEPT, REJECTED, TOOL, VERSION, list_of};
use crate::record::{NO_LAYOUT, Rejected, RejectedCounts};
use crate::settings::table::Settings;
pub use crate::write::counts::{Counts, FileCounts, InputCounts};
use crate::write::counts::{FileTallies, by_input, settle};
use crate::write::file::Finished;
use crate::write::row_format::FileHeader;

/// Record of a run: its inputs, settings, counts and files.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Name of this program: `dehusk`.
    pub tool: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Version of the formats of all files, raised when a reader of old files would misread new ones.
    pub format_version: u32,
    /// Name of the verb.
    pub verb: &'static str,
    /// Hash of everything that decides the results of a run, in hexadecimal digits: settings, names and
    /// sizes of inputs, rules and templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// Inputs as the user named them.
    pub inputs: Vec<String>,
    /// Effective settings that decide the results.
    pub settings: EffectiveSettings,
    /// Counts of the records.
    pub counts: Counts,
    /// Numbers of files below input folders that are not read as inputs, by reason.
    pub skipped_files: BTreeMap<&'static str, u64>,
    /// The skipped files by reason and extension, with an example of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<SkippedFiles>,
    /// Input files that changed while they were read, so that their records may be of two versions; left
    /// out without such files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_files: Option<ChangedFiles>,
    /// Valid records of kinds that are not read, such as requests in archives, by kind. `counts` does not
    /// include them.
    pub skipped_records: BTreeMap<&'static str, u64>,
    /// Facts about the lines of records: `mended` and `missing_columns`.
    #[serde(flatten)]
    pub lines: LineFacts,
    /// Documents whose id an earlier document has. A number is appended to their id.
    pub repeated_ids: u64,
    /// The field that the setting `keep` names, if no document has it. Then the first document in the input
    /// is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_field: Option<String>,
    /// Documents that share a key with more documents of the index than they were compared with; `None` without an index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capped_lookups: Option<u64>,
    /// Documents without text; `None` for verbs that do not write documents unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_text: Option<u64>,
    /// Results of the search for duplicates; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<Duplicates>,
    /// Counts of passages; `None` if the run did not search for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<PassageCounts>,
    /// Counts of items of a test set; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<ItemCounts>,
    /// Counts of documents added to an index; `None` if none were to be added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<Added>,
    /// Counts of layouts; `None` if the run had none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<LayoutCounts>,
    /// Counts of rules and templates of sites; `None` if the run had none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sites: Option<SiteCounts>,
    /// Templates learnt of sites; `None` unless the run learnt templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learnt: Option<LearntSites>,
    /// Numbers of captures that the indexes list and that are fetched; `None` if the inputs are not indexes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<IndexCounts>,
    /// Files written, by name.
    pub files: BTreeMap<String, FileFacts>,
    /// Whether too many records were rejected.
    pub damaged: bool,
    /// Counts by input, in the order in which the user named the inputs.
    pub by_input: Vec<InputCounts>,
    /// Counts by file: all files that the user named, and of the files found in folders the first
    /// [`LISTED`](crate::write::counts::LISTED). The other files of a folder are one row, which has their
    /// number as `files`.
    pub by_file: Vec<FileCounts>,
}

/// Settings with their values, in the order of the help text.
#[derive(Clone, Debug, Default)]
pub struct EffectiveSettings(pub Vec<(&'static str, Value)>);

impl Serialize for EffectiveSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Results of the search for duplicates.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Duplicates {
    /// Short documents, which are compared only with documents of the same words.
    pub short: u64,
    /// Number of candidate pairs that were compared.
    pub candidates: u64,
    /// Number of buckets (groups of documents with a common key) that were too large to compare all of their pairs.
    pub capped_buckets: u64,
    /// Number of shingles whose document frequency exceeds `max_df`; they were ignored.
    pub cut_shingles: u64,
    /// Bands and rows of signatures, and the resulting recall; `None` unless candidates come from banding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banding: Option<SCurve>,
    /// Pairs of duplicates, including exact duplicates: the rows of `pairs.jsonl`.
    pub pairs: u64,
    /// Rows of `pairs` that represent several pairs: their rows have a `link`.
    pub linked_pairs: u64,
    /// All pairs of duplicates: the number of rows that `--all-pairs` writes.
    pub all_pairs: u64,
    /// Clusters of two documents and more.
    pub clusters: u64,
    /// Documents in these clusters.
    pub clustered: u64,
    /// Documents kept, but marked as demoted.
    pub demoted: u64,
    /// Whether the last search in large groups still found pairs. Then some kept documents may be similar
    /// to each other.
    pub unsettled: bool,
    /// Similarities of removed near-duplicates to the documents that are kept for them.
    pub deleted: DeletedSimilarity,
    /// The largest clusters of at least 100 documents. A person should check them.
    pub large_clusters: Vec<LargeCluster>,
}

/// Removed near-duplicates by their similarity to the documents that are kept for them.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DeletedSimilarity {
    /// Documents whose similarity to every kept document is below the threshold. 0 unless the run uses
    /// `--delete transitive`.
    pub below_threshold: u64,
    /// The smallest similarity; `None` if no near-duplicate was removed.
    pub least: Option<f64>,
    /// Number of documents in each step of 0.05 of similarity, from the first step with a document. The
    /// last step includes 1.
    pub histogram: Vec<SimilarityStep>,
}

/// A step of the histogram of similarities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SimilarityStep {
    /// Smallest similarity of the step.
    pub from: f64,
    /// Smallest similarity of the next step.
    pub to: f64,
    /// Number of documents.
    pub documents: u64,
}

/// Number of equal steps from similarity 0 to 1.
const STEPS: u32 = 20;

impl DeletedSimilarity {
    /// Counts a removed near-duplicate.
    pub(crate) fn add(&mut self, similarity: f64, threshold: f64) {
        self.below_threshold += u64::from(similarity < threshold);
        self.least = Some(self.least.map_or(similarity, |least| least.min(similarity)));
        // The epsilon keeps a similarity of .85 in its step despite rounding.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the value is from 0 to the last step"
        )]
        // The epsilon keeps a similarity such as 0.85 in its step despite rounding.
        let step = (similarity * f64::from(STEPS) + 1e-9)
            .floor()
            .clamp(0.0, f64::from(STEPS - 1)) as usize;
        #[expect(clippy::cast_possible_truncation, reason = "a step that was multiplied out")]
        // The histogram begins at the smallest step so far. It is empty at first, which counts as after
        // the last step.
        let first = (self.histogram.first()).map_or(STEPS as usize, |first| {
            (first.from * f64::from(STEPS)).round() as usize
        });
        if step < first {
            let missing = (step..first).map(|step| SimilarityStep {
                from: step as f64 / f64::from(STEPS),
                to: (step + 1) as f64 / f64::from(STEPS),
                documents: 0,
            });
            self.histogram.splice(0..0, missing);
        }
        // After the splice, the histogram begins at `min(step, first)`.
        self.histogram[step - step.min(first)].documents += 1;
    }
}

/// Counts of pages by the source of their main text. Counts of rules are `None` without rules, those of templates `None` without templates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SiteCounts {
    /// Pages whose main text was given by a manual rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled: Option<u64>,
    /// Pages from whose main text a manual rule removed parts. Another source gave the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<u64>,
    /// Pages with a matching rule that found nothing or was given up, so that another source was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<u64>,
    /// Pages whose main text was given by a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired: Option<u64>,
    /// Pages of a site that has templates but none that fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<u64>,
    /// Pages of sites without templates, and pages without an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<u64>,
}

/// Counts of pages by the use of their layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayoutCounts {
    /// Pages extracted with their layout.
    pub used: u64,
    /// Pages without an entry in the file of layouts.
    pub missing: u64,
    /// Pages whose layout belongs to another page, or to another version of the page.
    pub unfit: u64,
}

impl LayoutCounts {
    /// Counts a page, given the codes of its warnings.
    pub(crate) fn count<'w>(&mut self, mut codes: impl Iterator<Item = &'w str>) {
        // The first warning about the layout decides.
        let mismatch = WarningKind::LayoutMismatch.name();
        *match codes.find(|code| [NO_LAYOUT, mismatch].contains(code)) {
            None => &mut self.used,
            Some(NO_LAYOUT) => &mut self.missing,
            Some(_) => &mut self.unfit,
        } += 1;
    }

    /// Adds the counts of other pages.
    pub(crate) fn add(&mut self, other: LayoutCounts) {
        self.used += other.used;
        self.missing += other.missing;
        self.unfit += other.unfit;
    }
}

/// Results of learning the sites of a crawl.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LearntSites {
    /// The templates, in the order of their file names.
    pub templates: Vec<LearntTemplate>,
    /// Pages that were compared with other pages of their host.
    pub looked_at: u64,
    /// Pages that were not compared, since enough pages of their host had been seen.
    pub passed_over: u64,
    /// Pages that count only once because they are copies of other pages.
    pub copies: u64,
    /// Pages from which no template was learnt because no other page had their layout.
    pub alone: u64,
}

impl LearntSites {
    /// First page of a layout of a site, if the host had a template before that page.
    pub(crate) fn since(&self, site: &str, layout: u32) -> Option<&LayoutStart> {
        let mut found = self.templates.iter();
        let template = found.find(|template| template.site == site && template.layout == layout);
        template.and_then(|template| template.since.as_ref())
    }
}

/// A learnt template.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LearntTemplate {
    /// Name of its file in the folder `templates`.
    pub file: String,
    /// Key of the part of the site.
    pub site: String,
    /// Number of the layout within the part, from 1.
    pub layout: u32,
    /// Number of pages it was learnt from.
    pub pages: u32,
    /// The first page of its layout, if the host had a template before that page: the site may have been redesigned then.
    pub since: Option<LayoutStart>,
}

/// The first page of a layout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LayoutStart {
    /// Number of the record in the inputs, from 1.
    pub record: u64,
    /// The file that it was read from.
    pub file: String,
    /// Its URL.
    pub url: String,
    /// Its date, such as `2024-05-01`; `None` if unknown.
    pub date: Option<String>,
}

/// A large cluster. It may be a chain, in which each document is similar to the next but not to the others.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LargeCluster {
    /// Smallest id in the cluster, which names it.
    pub cluster: String,
    /// Number of documents.
    pub size: u64,
    /// Number of distinct texts.
    pub texts: u64,
    /// Share of the pairs of texts that are similar, from 0 to 1; small in chains.
    ///
    /// Pairs that were not compared because their bucket was too large are left out.
    pub density: f64,
    /// Smallest similarity of a text to the representative, among the texts that were compared with it; `None` if no text was.
    pub least_similarity: Option<f64>,
}

/// Probability that banding finds a pair, as a function of its similarity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SCurve {
    /// Number of bands of a signature.
    pub bands: u32,
    /// Number of values in a band.
    pub rows: u32,
    /// Similarity at which about half of the pairs are found: the steepest point of the curve.
    pub steepest: f64,
    /// Pairs of similarity and probability, in steps of 0.05.
    pub recall: Vec<(f64, f64)>,
}

impl SCurve {
    /// The curve of a banding, rounded to six decimals.
    pub(crate) fn of(banding: dehusk_dedup::Banding) -> Self {
        // Rounding hides differences in the last bits between platforms.
        let round = |value: f64| (value * 1e6).round() / 1e6;
        let at = |step: u32| {
            let similarity = f64::from(step) / 20.0;
            (similarity, round(banding.recall_at(similarity)))
        };
        SCurve {
            bands: banding.bands,
            rows: banding.rows,
            steepest: round(dehusk_dedup::steepest(banding.bands, banding.rows)),
            recall: (1..=20).map(at).collect(),
        }
    }
}

/// Counts of passages of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct PassageCounts {
    /// Tokens, or lines, sentences or paragraphs, of all documents.
    pub units: u64,
    /// Passages: the rows of `passages.jsonl`.
    pub passages: u64,
    /// Passages that occur in one document only.
    pub of_document: u64,
    /// Passages that occur in several documents of one host.
    pub of_host: u64,
    /// Passages that occur on several hosts.
    pub of_hosts: u64,
    /// Passages that occur in several documents of unknown hosts.
    pub of_unknown: u64,
    /// Passages in documents: the rows of `occurrences.jsonl`.
    pub occurrences: u64,
    /// Positions with equal hashes and different texts. They count nowhere else.
    pub unverified: u64,
    /// Documents with a passage.
    pub documents: u64,
    /// Characters of all documents.
    pub chars: u64,
    /// Characters that are part of a passage.
    pub repeated_chars: u64,
    /// Characters that were cut from kept documents.
    pub cut_chars: u64,
    /// Characters in passages of three and more documents of one host and of no other: boilerplate that
    /// extraction left, or text that the site repeats.
    pub site_chars: u64,
    /// Documents that are contained in another one.
    pub contained: u64,
    /// Documents of an index with passages, whose positions count, too; left out without such an index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_documents: Option<u64>,
}

/// Counts of items of a test set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ItemCounts {
    /// Items of the test set.
    pub items: u64,
    /// Items that were too short to be searched; `items.jsonl` lists them.
    pub too_short: u64,
    /// Items that a document contains.
    pub found: u64,
    /// Documents that contain an item.
    pub documents: u64,
    /// Items in documents: the rows of `matches.jsonl`.
    pub matches: u64,
    /// Characters that were cut from documents.
    pub cut_chars: u64,
}

/// Counts of documents that were to be added to an index.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Added {
    /// Records read.
    pub read: u64,
    /// Documents added.
    pub added: u64,
    /// Documents whose text the index already has. Each adds to the count of the document with that text.
    pub copies: u64,
    /// Documents whose id the index already has with another text.
    pub known_ids: u64,
    /// Documents that are not added because a document of the index represents them. Each adds to the count of that document.
    pub counted: u64,
    /// Documents without words.
    pub empty: u64,
    /// Records that could not be used.
    pub rejected: u64,
    /// Facts about the lines of all records read.
    #[serde(flatten)]
    pub lines: LineFacts,
}

/// Result of a job.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Counts, settings and files.
    pub summary: Summary,
    /// The first few records that could not be used.
    pub rejected: Vec<Rejected>,
}

impl Outcome {
    /// Exit code of a program that did the job: 0; 1 if all files and records were skipped; or 3 if too
    /// many records were rejected.
    pub fn exit_code(&self) -> u8 {
        self.summary.exit_code()
    }
}

impl Summary {
    /// Exit code of a program that did the job: see [`Outcome::exit_code`].
    pub fn exit_code(&self) -> u8 {
        match (self.damaged, self.read_nothing()) {
            (true, _) => 3,
            (false, true) => 1,
            (false, false) => 0,
        }
    }

    /// Whether files or records were given, and all of them were skipped.
    pub fn read_nothing(&self) -> bool {
        self.counts.read == 0 && !(self.skipped_files.is_empty() && self.skipped_records.is_empty())
    }

    /// A summary without counts.
    pub(crate) fn new(verb: &'static str, inputs: &Inputs, settings: Vec<(&'static str, Value)>) -> Summary {
        Summary {
            tool: TOOL,
            version: VERSION,
            format_version: FORMAT_VERSION,
            verb,
            identity: None,
            inputs: inputs.names().map(str::to_owned).collect(),
            settings: EffectiveSettings(settings),
            counts: Counts::default(),
            skipped_files: BTreeMap::new(),
            passed_over: Vec::new(),
            changed_files: None,
            skipped_records: BTreeMap::new(),
            lines: LineFacts::default(),
            repeated_ids: 0,
            missing_field: None,
            capped_lookups: None,
            without_text: None,
            duplicates: None,
            passages: None,
            items: None,
            added: None,
            layouts: None,
            sites: None,
            learnt: None,
            index: inputs.index_counts().cloned(),
            files: BTreeMap::new(),
            damaged: false,
            by_input: Vec::new(),
            by_file: Vec::new(),
        }
    }

    /// Name of the file with the kept documents, or of the first of several.
    pub fn kept_file(&self) -> &str {
        self.first_file(KEPT)
    }

    /// Name of the file with the rejected records, or of the first of several.
    pub fn quarantine_file(&self) -> &str {
        self.first_file(REJECTED)
    }

    /// Name of the first file of a list; the name of the list if it has no file.
    fn first_file(&self, list: &'static str) -> &str {
        // Names are sorted, so the first shard comes first.
        let first = self.files.keys().find(|name| list_of(name) == list);
        first.map_or(list, String::as_str)
    }

    /// Header of the files: program, versions and the settings that decide their contents.
    pub(crate) fn header(&self) -> FileHeader {
        let mut told = FileHeader::new();
        told.insert("tool".to_owned(), self.tool.into());
        told.insert("version".to_owned(), self.version.into());
        told.insert("format_version".to_owned(), self.format_version.into());
        for (name, value) in &self.settings.0 {
            told.insert((*name).to_owned(), value.clone());
        }
        told
    }

    /// Recounts the kept documents of each file. `fate` is called with the number of each document, and
    /// returns the reason of a document that is dropped.
    pub(crate) fn settle_files(&mut self, fate: impl FnMut(u32) -> Result<(), &'static str>) {
        settle(&mut self.by_file, fate);
        self.by_input = by_input(&self.inputs, &self.by_file);
        debug_assert!(self.adds_up(), "{self:?}");
    }

    /// Whether every record is accounted for: in total, by input and by file.
    pub(crate) fn adds_up(&self) -> bool {
        let sum = |rows: &mut dyn Iterator<Item = &Counts>| {
            let mut sum = Counts::default();
            let each = rows.fold(true, |each, row| {
                sum.add(row);
                each && row.add_up()
            });
            // The totals also list reasons with a count of 0.
            let reasons = self.counts.dropped.iter().filter(|(_, count)| **count > 0);
            each && (sum.read, sum.kept, sum.quarantined)
                == (self.counts.read, self.counts.kept, self.counts.quarantined)
                && sum.dropped.iter().eq(reasons)
        };
        self.counts.add_up()
            && sum(&mut self.by_input.iter().map(|row| &row.counts))
            && sum(&mut self.by_file.iter().map(|row| &row.counts))
    }

    /// Adds the facts of a written file.
    pub(crate) fn file(&mut self, file: &Finished) {
        self.files.insert(file.name(), file.facts());
    }
}

/// Maximum number of rejected records that an outcome has in full.
const SHOWN: usize = 5;

/// Counts records as they are read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    read: u64,
    rejected: RejectedCounts,
    first: Vec<Rejected>,
    files: FileTallies,
}

/// Counts the records of a chunk.
pub(crate) struct ChunkTally<'t>(&'t mut Tally);

impl ChunkTally<'_> {
    /// Counts a record and returns it.
    pub(crate) fn count<T>(&mut self, row: Result<T, Rejected>) -> Result<T, Rejected> {
        let tally = &mut *self.0;
        tally.read += 1;
        tally
            .files
            .count(row.as_ref().err().map(|rejected| rejected.reason));
        if let Err(rejected) = &row {
            tally.rejected.add(rejected.reason);
            // Messages show the first ones. The list of rejected records has all.
            if tally.first.len() < SHOWN {
                tally.first.push(rejected.clone());
            }
        }
        row
    }

    /// Counts all records of the chunk, and calls `on_rejected` with the rejected ones.
    pub(crate) fn count_all<T>(
        &mut self,
        rows: Vec<Result<T, Rejected>>,
        on_rejected: &mut dyn FnMut(&Rejected),
    ) {
        for row in rows {
            if let Err(rejected) = self.count(row) {
                on_rejected(&rejected);
            }
        }
    }
}

impl Tally {
    /// Selects the file `origin`, from which a chunk was read, and counts its skipped records.
    pub(crate) fn chunk(&mut self, origin: &Origin, skipped: &SkippedRecords) -> ChunkTally<'_> {
        self.files.go_to(origin, skipped);
        ChunkTally(self)
    }

    /// Writes the counts to a summary, in which all usable documents count as kept. Returns the first
    /// rejected records.
    pub(crate) fn write_to(
        self,
        summary: &mut Summary,
        settings: &Settings,
        skipped: &Skipped,
    ) -> Vec<Rejected> {
        summary.damaged = settings.is_damaged(&self.rejected, self.read);
        summary.skipped_files = skipped.by_reason();
        summary.passed_over = skipped.files();
        summary.changed_files = skipped.changed().cloned();
        summary.skipped_records = skipped.records().collect();
        summary.lines = LineFacts::of(settings.column.as_ref(), skipped.lines(), self.read);
        summary.counts = Counts::kept_but(self.read, &self.rejected);
        summary.by_file = self.files.counts(&summary.inputs);
        summary.by_input = by_input(&summary.inputs, &summary.by_file);
        debug_assert!(summary.adds_up(), "{summary:?}");
        self.first
    }

    /// The outcome of a run that keeps every usable record.
    pub(crate) fn outcome(self, mut summary: Summary, settings: &Settings, skipped: &Skipped) -> Outcome {
        let rejected = self.write_to(&mut summary, settings, skipped);
        Outcome { summary, rejected }
    }
}
