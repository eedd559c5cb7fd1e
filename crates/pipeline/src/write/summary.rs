//! `summary.json`: what a run read, wrote and dropped, and the header of all its files.
//!
//! JSON Lines files of folders carry no header line, so that every tool can read them; what a header would say stands in the summary
//! beside them: program, version, format version, settings, and the rows and bytes of each file. Readers of our own files
//! look for it there, and refuse what does not match.

use std::collections::BTreeMap;

use dehusk_extract::WarningKind;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::read::inputs::Inputs;
pub use crate::read::line::LineFacts;
use crate::read::pass::Origin;
use crate::read::records::SkippedRecords;
use crate::read::walk::{Skipped, SkippedFiles};
use crate::record::header::{FORMAT_VERSION, FileFacts, KEPT, REJECTED, TOOL, VERSION, list_of};
use crate::record::{NO_LAYOUT, Rejected, RejectedCounts};
use crate::settings::table::Settings;
pub use crate::write::counts::{Counts, FileCounts, InputCounts};
use crate::write::counts::{FileTallies, by_input, settle};
use crate::write::file::Finished;
use crate::write::row_format::FileHeader;

/// What a run did.
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
    /// A hash of all that decides the results of a run, in hexadecimal digits: settings, names and sizes of inputs, rules and templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// Inputs as the user named them.
    pub inputs: Vec<String>,
    /// Settings in force that decide the results.
    pub settings: EffectiveSettings,
    /// What became of the records.
    pub counts: Counts,
    /// Files below input folders that are no input, by reason.
    pub skipped_files: BTreeMap<&'static str, u64>,
    /// The same by reason and extension, with an example of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<SkippedFiles>,
    /// Sound records of other kinds than are read, such as requests in archives, by kind; `counts` knows nothing of them.
    pub skipped_records: BTreeMap<&'static str, u64>,
    /// What is known of the lines of records: `mended` and `missing_columns`.
    #[serde(flatten)]
    pub lines: LineFacts,
    /// Documents whose id another one had already, so that they got a number behind it.
    pub repeated_ids: u64,
    /// The field that `keep` names, if no document has it: then the first in the input stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_field: Option<String>,
    /// Documents that share a key with more documents of the index than were compared with them, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capped_lookups: Option<u64>,
    /// Documents without text, where documents are written as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_text: Option<u64>,
    /// What the search for duplicates did, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<Duplicates>,
    /// What came of the documents that were added to an index, if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<Added>,
    /// What became of layouts, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<LayoutCounts>,
    /// What rules and templates of sites did, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sites: Option<SiteCounts>,
    /// What was learnt of sites, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learnt: Option<LearntSites>,
    /// Files written, by name.
    pub files: BTreeMap<String, FileFacts>,
    /// Whether too many records were rejected.
    pub damaged: bool,
    /// The same counts by input, in the order in which the user named them.
    pub by_input: Vec<InputCounts>,
    /// The same counts by file: those that the user named, and of those found in folders the first
    /// [`LISTED`](crate::write::counts::LISTED); the others of a folder are summed up in one row, which tells their number as `files`.
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

/// What the search for duplicates did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Duplicates {
    /// Documents compared with those of the same words only, because they are short.
    pub short: u64,
    /// Pairs of documents that were compared.
    pub candidates: u64,
    /// Groups of documents with a common key that were too large to compare all pairs within.
    pub capped_buckets: u64,
    /// Shingles in more documents than `max_df`, which were not counted.
    pub cut_shingles: u64,
    /// How signatures were cut, and what that finds, where candidates come from banding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub banding: Option<SCurve>,
    /// Pairs of duplicates, exact ones among them: the rows of `pairs.jsonl`.
    pub pairs: u64,
    /// Those of them that stand for others, too: their rows have a `link`.
    pub linked_pairs: u64,
    /// All pairs of duplicates: as many as `--all-pairs` writes.
    pub all_pairs: u64,
    /// Clusters of two documents and more.
    pub clusters: u64,
    /// Documents in them.
    pub clustered: u64,
    /// Documents kept, but marked as demoted.
    pub demoted: u64,
    /// Whether the last of the searches in large groups still found pairs, so that some documents that stay may be similar.
    pub unsettled: bool,
    /// How similar the near-duplicates that went are to what stays for them.
    pub deleted: DeletedSimilarity,
    /// The largest clusters of at least 100 documents, which a person should check.
    pub large_clusters: Vec<LargeCluster>,
}

/// Near-duplicates that went, by their similarity to the documents that stay for them.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DeletedSimilarity {
    /// Documents below the threshold to every document that stays: none but with `--delete transitive`.
    pub below_threshold: u64,
    /// The smallest similarity, if any document went.
    pub least: Option<f64>,
    /// Numbers of documents in steps of .05 of similarity, from the first step that has any; the last step includes 1.
    pub histogram: Vec<SimilarityStep>,
}

/// A step of similarity.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SimilarityStep {
    /// Smallest similarity.
    pub from: f64,
    /// Similarity of the next step.
    pub to: f64,
    /// Documents.
    pub documents: u64,
}

/// Steps of similarity from 0 to 1.
const STEPS: u32 = 20;

impl DeletedSimilarity {
    /// Counts a document that went.
    pub(crate) fn add(&mut self, similarity: f64, threshold: f64) {
        self.below_threshold += u64::from(similarity < threshold);
        self.least = Some(self.least.map_or(similarity, |least| least.min(similarity)));
        // Rounding must not put a similarity of .85 below its step.
        let step = (similarity * f64::from(STEPS) + 1e-9)
            .floor()
            .clamp(0.0, f64::from(STEPS - 1)) as usize;
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
        self.histogram[step - step.min(first)].documents += 1;
    }
}

/// Counts of pages by what answered. Without rules, or without templates, there are no counts of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SiteCounts {
    /// Pages whose main text a rule by hand gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled: Option<u64>,
    /// Pages with a rule that found nothing or was given up, so that something else answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<u64>,
    /// Pages whose main text a template gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired: Option<u64>,
    /// Pages of a site with templates, none of which fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<u64>,
    /// Pages of sites without templates, or without an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<u64>,
}

/// Counts of pages by what became of their layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayoutCounts {
    /// Pages that were extracted with their layout.
    pub used: u64,
    /// Pages that the file of layouts has none of.
    pub missing: u64,
    /// Pages whose layout is of another page, or of another version of it.
    pub unfit: u64,
}

impl LayoutCounts {
    /// Counts a page by the codes of its warnings.
    pub(crate) fn count<'w>(&mut self, mut codes: impl Iterator<Item = &'w str>) {
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

/// What was learnt of the sites of a crawl.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LearntSites {
    /// The templates, by the names of their files.
    pub templates: Vec<LearntTemplate>,
    /// Pages that were compared with those of their host.
    pub looked_at: u64,
    /// Pages that were not, since enough was known of their host.
    pub passed_over: u64,
    /// Pages that count no more than once, as copies of others.
    pub copies: u64,
    /// Pages that no template was learnt from, as no other page had their layout.
    pub alone: u64,
}

impl LearntSites {
    /// Since when a layout of a site was met, if the host had a template before.
    pub(crate) fn since(&self, site: &str, layout: u32) -> Option<&LayoutStart> {
        let mut found = self.templates.iter();
        let template = found.find(|template| template.site == site && template.layout == layout);
        template.and_then(|template| template.since.as_ref())
    }
}

/// A template that was learnt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LearntTemplate {
    /// Its file, in the folder `templates`.
    pub file: String,
    /// Key of the part of the site.
    pub site: String,
    /// Number of the layout within the part, from 1.
    pub layout: u32,
    /// Pages it was learnt from.
    pub pages: u32,
    /// The first page of its layout, if the host had a template before that page: the site may have changed then.
    pub since: Option<LayoutStart>,
}

/// The first page of a layout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LayoutStart {
    /// Number of the record in the inputs, from 1.
    pub record: u64,
    /// The file that it was read from.
    pub file: String,
    /// Its address.
    pub url: String,
    /// Its date, as `2024-05-01`, if it tells one.
    pub date: Option<String>,
}

/// A large cluster. It may be a chain: each document is similar to the next, but not to the others.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LargeCluster {
    /// Smallest id in it.
    pub cluster: String,
    /// Documents.
    pub size: u64,
    /// Texts that differ.
    pub texts: u64,
    /// Share of the pairs of texts that were found to be similar, 0 to 1; small in chains. Pairs that were not compared, because
    /// they are in groups that are too large, do not count.
    pub density: f64,
    /// Smallest similarity of a text and the representative, among those that are a pair.
    pub least_similarity: Option<f64>,
}

/// The probability that banding finds a pair, by its similarity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SCurve {
    /// Bands of a signature.
    pub bands: u32,
    /// Values in a band.
    pub rows: u32,
    /// Similarity at which about half of the pairs are found.
    pub steepest: f64,
    /// Similarity and probability, in steps of .05.
    pub recall: Vec<(f64, f64)>,
}

impl SCurve {
    pub(crate) fn of(banding: dehusk_dedup::Banding) -> Self {
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

/// What came of documents that were to be added to an index.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Added {
    /// Records read.
    pub read: u64,
    /// Documents added.
    pub added: u64,
    /// Documents whose text the index has already. They count for the document that has it.
    pub copies: u64,
    /// Documents whose id the index has already, with another text.
    pub known_ids: u64,
    /// Documents that one of the index stands for: they are not added, and count for that.
    pub counted: u64,
    /// Documents without words.
    pub empty: u64,
    /// Records that could not be used.
    pub rejected: u64,
    /// What is known of the lines of all records read.
    #[serde(flatten)]
    pub lines: LineFacts,
}

/// What came of a job.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Counts, settings and files.
    pub summary: Summary,
    /// The first few records that could not be used.
    pub rejected: Vec<Rejected>,
}

impl Outcome {
    /// Exit code of a program that did the job: 0; 1 if nothing was read of what was given; or 3 if too many records were rejected.
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

    /// Whether files or records were given, and all of them passed over.
    pub fn read_nothing(&self) -> bool {
        self.counts.read == 0 && !(self.skipped_files.is_empty() && self.skipped_records.is_empty())
    }

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
            skipped_records: BTreeMap::new(),
            lines: LineFacts::default(),
            repeated_ids: 0,
            missing_field: None,
            capped_lookups: None,
            without_text: None,
            duplicates: None,
            added: None,
            layouts: None,
            sites: None,
            learnt: None,
            files: BTreeMap::new(),
            damaged: false,
            by_input: Vec::new(),
            by_file: Vec::new(),
        }
    }

    /// The file with the documents that stay, or the first of several.
    pub fn kept_file(&self) -> &str {
        self.first_file(KEPT)
    }

    /// The file with the rejected records.
    pub fn quarantine_file(&self) -> &str {
        self.first_file(REJECTED)
    }

    /// The first file of a list; the list itself if it has none.
    fn first_file(&self, list: &'static str) -> &str {
        let first = self.files.keys().find(|name| list_of(name) == list);
        first.map_or(list, String::as_str)
    }

    /// What files say of where they come from: program, versions and the settings that decide what they hold.
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

    /// Counts anew which documents of each file stay: `fate` tells it by the number of a document, with the reason of one that goes.
    pub(crate) fn settle_files(&mut self, fate: impl FnMut(u32) -> Result<(), &'static str>) {
        settle(&mut self.by_file, fate);
        self.by_input = by_input(&self.inputs, &self.by_file);
        debug_assert!(self.adds_up(), "{self:?}");
    }

    /// Whether every record is accounted for, in all and by input and file.
    pub(crate) fn adds_up(&self) -> bool {
        let sum = |rows: &mut dyn Iterator<Item = &Counts>| {
            let mut sum = Counts::default();
            let each = rows.fold(true, |each, row| {
                sum.add(row);
                each && row.add_up()
            });
            // Reasons of no record are listed in the whole alone.
            let reasons = self.counts.dropped.iter().filter(|(_, count)| **count > 0);
            each && (sum.read, sum.kept, sum.quarantined)
                == (self.counts.read, self.counts.kept, self.counts.quarantined)
                && sum.dropped.iter().eq(reasons)
        };
        self.counts.add_up()
            && sum(&mut self.by_input.iter().map(|row| &row.counts))
            && sum(&mut self.by_file.iter().map(|row| &row.counts))
    }

    /// Adds a file that was written.
    pub(crate) fn file(&mut self, file: &Finished) {
        self.files.insert(file.name(), file.facts());
    }
}

/// Rejected records that an outcome has in full.
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
    /// Counts a record, and hands it on.
    pub(crate) fn count<T>(&mut self, row: Result<T, Rejected>) -> Result<T, Rejected> {
        let tally = &mut *self.0;
        tally.read += 1;
        tally
            .files
            .count(row.as_ref().err().map(|rejected| rejected.reason));
        if let Err(rejected) = &row {
            tally.rejected.add(rejected.reason);
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
    /// Counts the records of a chunk that comes from `origin`, where these were passed over.
    pub(crate) fn chunk(&mut self, origin: &Origin, skipped: &SkippedRecords) -> ChunkTally<'_> {
        self.files.go_to(origin, skipped);
        ChunkTally(self)
    }

    /// Writes the counts to a summary, in which all documents stay, and returns the first of the rejected records.
    pub(crate) fn write_to(
        self,
        summary: &mut Summary,
        settings: &Settings,
        skipped: &Skipped,
    ) -> Vec<Rejected> {
        summary.damaged = settings.is_damaged(&self.rejected, self.read);
        summary.skipped_files = skipped.by_reason();
        summary.passed_over = skipped.files();
        summary.skipped_records = skipped.records().collect();
        summary.lines = LineFacts::of(settings.column.as_ref(), skipped.lines(), self.read);
        summary.counts = Counts::kept_but(self.read, &self.rejected);
        summary.by_file = self.files.counts(&summary.inputs);
        summary.by_input = by_input(&summary.inputs, &summary.by_file);
        debug_assert!(summary.adds_up(), "{summary:?}");
        self.first
    }

    /// The outcome of a run that keeps every record it could use.
    pub(crate) fn outcome(self, mut summary: Summary, settings: &Settings, skipped: &Skipped) -> Outcome {
        let rejected = self.write_to(&mut summary, settings, skipped);
        Outcome { summary, rejected }
    }
}
