//! Counts of records: in total, of each input and of each file.
//!
//! Files that users name are all listed. Of the files found in folders, the first [`LISTED`] are listed one
//! by one, in the order of reading. The other files of a folder are one row with their number. So the size
//! of a summary is bounded for millions of files.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::read::pass::Origin;
use crate::read::records::SkippedRecords;
use crate::record::{Reason, RejectedCounts};
use crate::write::report::run::data::{DAMAGED_FILES, INPUTS, InputRow, InputRows};

/// Counts of records by result: `read` is the sum of `kept` and all `dropped`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Records read.
    pub read: u64,
    /// Documents written. For verbs that drop duplicates, documents that are kept.
    pub kept: u64,
    /// Records not kept, by reason.
    pub dropped: BTreeMap<&'static str, u64>,
    /// Records that could not be used and are listed in quarantine. `dropped` includes them.
    pub quarantined: u64,
}

impl Counts {
    /// Counts of a run that keeps every record except the rejected ones.
    pub(crate) fn kept_but(read: u64, rejected: &RejectedCounts) -> Counts {
        Counts {
            read,
            // Every rejected record was read.
            kept: read - rejected.total(),
            dropped: rejected
                .iter()
                .map(|(reason, count)| (reason.name(), count))
                .collect(),
            quarantined: rejected.total(),
        }
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.read += other.read;
        self.kept += other.kept;
        self.quarantined += other.quarantined;
        for (reason, count) in &other.dropped {
            *self.dropped.entry(reason).or_default() += count;
        }
    }

    /// Whether every record is accounted for.
    pub fn add_up(&self) -> bool {
        self.read == self.kept + self.dropped.values().sum::<u64>()
    }
}

/// Maximum number of files found in folders that a run lists one by one.
pub const LISTED: u64 = 10_000;

/// Counts of the records of one input, a file or a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct InputCounts {
    /// Input as the user named it.
    pub input: String,
    /// Counts of its records.
    #[serde(flatten)]
    pub counts: Counts,
    /// Valid records of kinds that are not read, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped_records: BTreeMap<String, u64>,
}

/// Counts of the records of one file, or of the files of a folder that are not listed one by one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct FileCounts {
    /// Index of its input among the inputs.
    #[serde(skip)]
    pub place: usize,
    /// Its input, as the user named it.
    pub input: String,
    /// Name of the file in messages; `None` for files that are summed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Number of files that are summed up; `None` for a single file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Counts of its records.
    #[serde(flatten)]
    pub counts: Counts,
    /// Valid records of kinds that are not read, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped_records: BTreeMap<String, u64>,
}

/// Counts records by file while they are read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FileTallies {
    /// Rows sorted by input, and within an input by `Place`: in the order of reading.
    rows: Vec<FileTally>,
    /// Index of the row of the last record.
    #[serde(skip)]
    last: usize,
}

/// The row in which a record counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
enum Place {
    /// An input that is a file or a stream.
    Named,
    /// A file of a folder, by its number among all files found.
    Listed(u64),
    /// The other files of the folder, in one row.
    Others,
}

/// Counts of the records of a file, or of the other files of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct FileTally {
    input: usize,
    place: Place,
    /// Name of the first file of the row.
    name: String,
    /// Numbers of the first and the last file that the row counts.
    numbers: (u64, u64),
    read: u64,
    rejected: RejectedCounts,
    skipped: BTreeMap<String, u64>,
}

impl FileTallies {
    /// Selects the row of the file that the next records come from, and adds its skipped records.
    pub(crate) fn go_to(&mut self, origin: &Origin, skipped: &SkippedRecords) {
        let number = origin.place.file.unwrap_or(0);
        let place = match origin.place.file {
            None => Place::Named,
            Some(file) if file < LISTED => Place::Listed(file),
            Some(_) => Place::Others,
        };
        let key = (origin.place.input, place);
        let is_last = |row: &FileTally| (row.input, row.place) == key;
        // Successive chunks mostly come from one file, so the last row is tried before the search.
        if !self.rows.get(self.last).is_some_and(is_last) {
            let found = self.rows.binary_search_by_key(&key, |row| (row.input, row.place));
            self.last = found.unwrap_or_else(|at| {
                self.rows.insert(
                    at,
                    FileTally {
                        input: key.0,
                        place,
                        name: origin.name.clone(),
                        numbers: (number, number),
                        read: 0,
                        rejected: RejectedCounts::default(),
                        skipped: BTreeMap::new(),
                    },
                );
                at
            });
        }
        let row = &mut self.rows[self.last];
        // In an unordered pass, the files of a folder arrive in any order, hence both bounds.
        row.numbers = (row.numbers.0.min(number), row.numbers.1.max(number));
        for (kind, count) in skipped {
            *row.skipped.entry((*kind).to_owned()).or_default() += count;
        }
    }

    /// Counts a record of the selected file.
    pub(crate) fn count(&mut self, rejected: Option<Reason>) {
        if let Some(row) = self.rows.get_mut(self.last) {
            row.read += 1;
            if let Some(reason) = rejected {
                row.rejected.add(reason);
            }
        }
    }

    /// Counts of each file, with every record kept that was not rejected.
    pub(crate) fn counts(self, inputs: &[String]) -> Vec<FileCounts> {
        let row = |row: FileTally| {
            let listed = row.place != Place::Others;
            debug_assert!(row.input < inputs.len(), "a file comes from one of the inputs");
            FileCounts {
                place: row.input,
                input: inputs.get(row.input).cloned().unwrap_or_default(),
                file: listed.then_some(row.name),
                files: (!listed).then_some(row.numbers.1 - row.numbers.0 + 1),
                counts: Counts::kept_but(row.read, &row.rejected),
                skipped_records: row.skipped,
            }
        };
        self.rows.into_iter().map(row).collect()
    }
}

/// Recounts the kept documents of each file. `fate` is called with the number of each document, and returns
/// the reason of a document that is dropped.
///
/// Documents are numbered in the order of input, so that the documents of a file have consecutive numbers.
pub(crate) fn settle(files: &mut [FileCounts], mut fate: impl FnMut(u32) -> Result<(), &'static str>) {
    let mut next = 0;
    for file in files {
        let documents = std::mem::take(&mut file.counts.kept);
        // A short list is searched faster than a map: there are few reasons and many documents.
        let mut dropped: Vec<(&str, u64)> = Vec::new();
        for _ in 0..documents {
            match fate(next) {
                Ok(()) => file.counts.kept += 1,
                Err(reason) => match dropped.iter_mut().find(|(known, _)| *known == reason) {
                    Some((_, documents)) => *documents += 1,
                    None => dropped.push((reason, 1)),
                },
            }
            next += 1;
        }
        for (reason, documents) in dropped {
            *file.counts.dropped.entry(reason).or_default() += documents;
        }
    }
}

/// Sums of the counts of the files of each input.
pub(crate) fn by_input(inputs: &[String], files: &[FileCounts]) -> Vec<InputCounts> {
    let named = |name: &String| InputCounts {
        input: name.clone(),
        ..InputCounts::default()
    };
    let mut rows: Vec<InputCounts> = inputs.iter().map(named).collect();
    for file in files {
        let Some(row) = rows.get_mut(file.place) else {
            debug_assert!(false, "a file comes from one of the inputs");
            continue;
        };
        row.counts.add(&file.counts);
        for (kind, count) in &file.skipped_records {
            *row.skipped_records.entry(kind.clone()).or_default() += count;
        }
    }
    rows
}

/// Rows of the report for the inputs. Empty if there is only one input.
pub(crate) fn shown_inputs(inputs: &[InputCounts]) -> InputRows {
    match inputs {
        [_] => InputRows::default(),
        several => InputRows {
            rows: several
                .iter()
                .take(INPUTS)
                .map(|row| shown(&row.input, &row.counts))
                .collect(),
            more: several.len().saturating_sub(INPUTS) as u64,
        },
    }
}

/// Rows of the report for the files with the most rejected records. Empty if there is only one file.
pub(crate) fn damaged_files(files: &[FileCounts]) -> InputRows {
    let several = files.len() > 1;
    let mut damaged: Vec<&FileCounts> = files
        .iter()
        .filter(|row| several && row.counts.quarantined > 0)
        .collect();
    // The sort is stable, so files with equal numbers stay in the order of reading.
    damaged.sort_by_key(|row| Reverse(row.counts.quarantined));
    let name = |row: &FileCounts| match (&row.file, row.files) {
        (Some(name), _) => name.clone(),
        (None, files) => format!("{} ({} more files)", row.input, files.unwrap_or_default()),
    };
    InputRows {
        rows: damaged
            .iter()
            .take(DAMAGED_FILES)
            .map(|row| shown(&name(row), &row.counts))
            .collect(),
        more: damaged.len().saturating_sub(DAMAGED_FILES) as u64,
    }
}

/// A row of the report with these counts.
fn shown(name: &str, counts: &Counts) -> InputRow {
    InputRow {
        name: name.to_owned(),
        read: counts.read,
        kept: counts.kept,
        // Rejected records are a column of their own.
        dropped: counts.read - counts.kept - counts.quarantined,
        rejected: counts.quarantined,
    }
}

#[cfg(test)]
mod tests;
