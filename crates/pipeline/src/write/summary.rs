//! `summary.json`: what a run read, wrote and dropped, and the header of all its files.
//!
//! JSON Lines files carry no header line, so that every tool can read them; what a header would say stands in the summary
//! beside them: program, version, format version, settings, and the rows and bytes of each file. Readers of our own files
//! look for it there, and refuse what does not match.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::error::Error;
use crate::read::inputs::{Inputs, Skipped};
use crate::record::{Reason, Rejected};
use crate::settings::numbers::MaxBad;
use crate::settings::table::Settings;
use crate::site::SiteCounts;
use crate::write::file::Finished;
use crate::write::folder::SUMMARY;

/// Name of the program in headers.
pub const TOOL: &str = "dehusk";
/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Version of the files: raised when a reader of the old ones would misread the new ones.
pub const FORMAT_VERSION: u32 = 1;

/// What a run did.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// [`TOOL`].
    pub tool: &'static str,
    /// [`VERSION`].
    pub version: &'static str,
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// Name of the verb.
    pub verb: &'static str,
    /// Inputs as the user named them.
    pub inputs: Vec<String>,
    /// Settings in force that decide the results.
    pub settings: EffectiveSettings,
    /// What became of the records.
    pub counts: Counts,
    /// Files below input folders that are no input, by reason.
    pub skipped_files: BTreeMap<&'static str, u64>,
    /// Documents whose id another one had already, so that they got a number behind it.
    pub repeated_ids: u64,
    /// What the search for duplicates did, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<Duplicates>,
    /// What rules and templates of sites did, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sites: Option<SiteCounts>,
    /// Files written, by name.
    pub files: BTreeMap<&'static str, FileFacts>,
    /// Whether too many records were rejected.
    pub damaged: bool,
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

/// What became of the records: `read = kept + the sum of dropped`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Records read.
    pub read: u64,
    /// Documents written, or for verbs that drop duplicates those that stay.
    pub kept: u64,
    /// The others by reason.
    pub dropped: BTreeMap<&'static str, u64>,
    /// How many of the dropped ones could not be used and are in quarantine.
    pub quarantined: u64,
}

impl Counts {
    /// Whether every record is accounted for.
    pub fn add_up(&self) -> bool {
        self.read == self.kept + self.dropped.values().sum::<u64>()
    }
}

/// What the search for duplicates did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Duplicates {
    /// Documents compared with identical ones only, because they are short.
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
    /// Clusters of two documents and more.
    pub clusters: u64,
    /// Documents in them.
    pub clustered: u64,
    /// Documents kept, but marked as demoted.
    pub demoted: u64,
    /// The largest clusters from 100 documents on, to be looked at.
    pub large_clusters: Vec<LargeCluster>,
}

/// A cluster that may be a chain of documents of which each is like the next one, and no more.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LargeCluster {
    /// Smallest id in it.
    pub cluster: String,
    /// Documents.
    pub size: u64,
    /// Texts that differ.
    pub texts: u64,
    /// Share of the pairs of texts that were found to be similar, 0 to 1; small in chains.
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

/// Size of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileFacts {
    /// Lines, in files of lines.
    pub rows: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Summary {
    pub(crate) fn new(verb: &'static str, inputs: &Inputs, settings: Vec<(&'static str, Value)>) -> Summary {
        Summary {
            tool: TOOL,
            version: VERSION,
            format_version: FORMAT_VERSION,
            verb,
            inputs: inputs.names().map(str::to_owned).collect(),
            settings: EffectiveSettings(settings),
            counts: Counts::default(),
            skipped_files: BTreeMap::new(),
            repeated_ids: 0,
            duplicates: None,
            sites: None,
            files: BTreeMap::new(),
            damaged: false,
        }
    }

    pub(crate) fn skipped(&mut self, skipped: &Skipped) {
        self.skipped_files = skipped.iter().map(|(reason, count, _)| (reason, count)).collect();
    }

    pub(crate) fn file(&mut self, file: &Finished) {
        self.files.insert(
            file.name,
            FileFacts {
                rows: file.rows,
                bytes: file.bytes,
            },
        );
    }
}

/// Counts records as they are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) read: u64,
    rejected: BTreeMap<Reason, u64>,
}

impl Tally {
    pub(crate) fn accept(&mut self) {
        self.read += 1;
    }

    pub(crate) fn reject(&mut self, rejected: &Rejected) {
        self.read += 1;
        *self.rejected.entry(rejected.reason).or_insert(0) += 1;
    }

    pub(crate) fn rejected(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// Counts what was rejected as dropped.
    pub(crate) fn settle(&self, counts: &mut Counts) {
        counts.read = self.read;
        counts.quarantined = self.rejected();
        counts.dropped.extend(
            self.rejected
                .iter()
                .map(|(reason, count)| (reason.name(), *count)),
        );
    }

    /// Whether so many records were rejected that the run counts as damaged. Unless set, that is more than 1% of them, or
    /// any that was cut off: then an input is incomplete.
    pub(crate) fn damaged(&self, settings: &Settings) -> bool {
        match settings.max_bad {
            Some(most) => most.exceeded(self.rejected(), self.read),
            None => {
                self.rejected.contains_key(&Reason::Truncated)
                    || MaxBad::Share(0.01).exceeded(self.rejected(), self.read)
            }
        }
    }
}

/// What `summary.json` says about the files beside it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Header {
    tool: String,
    version: String,
    format_version: u32,
    pub(crate) verb: String,
    #[serde(default)]
    files: BTreeMap<String, FileFacts>,
}

impl Header {
    /// The summary in that file, if it is one of ours.
    pub(crate) fn beside(summary: &Path) -> Option<Header> {
        let header: Header = serde_json::from_slice(&fs::read(summary).ok()?).ok()?;
        (header.tool == TOOL).then_some(header)
    }

    /// Refuses a file of ours that is not what its header says, or holds no documents.
    pub(crate) fn check(file: &Path) -> Result<(), Error> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let (Some(name), Some(header)) = (file.file_name(), Header::beside(&folder.join(SUMMARY))) else {
            return Ok(());
        };
        let name = name.to_string_lossy();
        let Some(facts) = header.files.get(name.as_ref()) else {
            return Ok(());
        };
        let refuse = |message: String| Err(Error::usage(message).with_path(file));
        let shown = file.display();
        if header.format_version != FORMAT_VERSION {
            return refuse(format!(
                "`{shown}` has format version {}, written by {TOOL} {}; this is {TOOL} {VERSION} with format version {FORMAT_VERSION}",
                header.format_version, header.version
            ))
            .map_err(|e| e.with_help("make the file again with this version, or read it with the other"));
        }
        if !matches!(name.as_ref(), "documents.jsonl" | "kept.jsonl") {
            return refuse(format!(
                "`{shown}` is the list of {} of an earlier run, not of documents",
                name.trim_end_matches(".jsonl")
            ))
            .map_err(|e| e.with_help("name documents.jsonl or kept.jsonl of the same folder"));
        }
        let bytes = fs::metadata(file).map_err(|e| Error::input(file, e))?.len();
        if bytes != facts.bytes {
            return refuse(format!("`{shown}` has {bytes} bytes, but {SUMMARY} beside it says {}", facts.bytes)).map_err(|e| {
                e.with_help("it is incomplete or was changed: run the first step again, or move the file away from its summary")
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(read: u64, rejected: &[(Reason, u64)]) -> Tally {
        Tally {
            read,
            rejected: rejected.iter().copied().collect(),
        }
    }

    #[test]
    fn one_bad_record_in_a_hundred_is_forgiven_and_a_cut_one_is_not() {
        let usual = Settings::default();
        assert!(!tally(100, &[(Reason::BadJson, 1)]).damaged(&usual));
        assert!(tally(100, &[(Reason::BadJson, 2)]).damaged(&usual));
        assert!(tally(1000, &[(Reason::Truncated, 1)]).damaged(&usual));
        assert!(!tally(0, &[]).damaged(&usual));
        let with = |max_bad| Settings {
            max_bad: Some(max_bad),
            ..Settings::default()
        };
        assert!(!tally(10, &[(Reason::Truncated, 5)]).damaged(&with(MaxBad::Count(5))));
        assert!(tally(10, &[(Reason::Truncated, 6)]).damaged(&with(MaxBad::Count(5))));
        assert!(!tally(10, &[(Reason::Panic, 10)]).damaged(&with(MaxBad::Share(1.0))));
        assert!(tally(10, &[(Reason::Panic, 1)]).damaged(&with(MaxBad::Count(0))));
    }

    #[test]
    fn a_file_of_ours_must_be_what_its_summary_says() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
        let check = |name: &str| Header::check(&dir.path().join(name)).map_err(|e| e.to_string());
        write("documents.jsonl", "{}\n");
        assert_eq!(check("documents.jsonl"), Ok(()));
        let summary = |format: u32, bytes: u64| {
            let text = format!(
                r#"{{"tool":"dehusk","version":"9.1.0","format_version":{format},"verb":"run","settings":{{}},
                "files":{{"documents.jsonl":{{"rows":1,"bytes":{bytes}}},"pairs.jsonl":{{"rows":0,"bytes":0}}}}}}"#
            );
            write(SUMMARY, &text);
        };
        summary(FORMAT_VERSION, 3);
        assert_eq!(check("documents.jsonl"), Ok(()));
        assert_eq!(check("other.jsonl"), Ok(()));
        assert!(check("pairs.jsonl").unwrap_err().contains("the list of pairs"));
        summary(FORMAT_VERSION, 4);
        assert!(
            check("documents.jsonl")
                .unwrap_err()
                .contains("has 3 bytes, but summary.json beside it says 4")
        );
        summary(77, 3);
        let rejection = check("documents.jsonl").unwrap_err();
        assert!(
            rejection.contains("format version 77, written by dehusk 9.1.0"),
            "{rejection}"
        );
        assert!(
            rejection.contains(&format!("format version {FORMAT_VERSION}")),
            "{rejection}"
        );
    }
}
