//! How much of planted passages each unit and each minimum length of runs finds: recall by length, and
//! precision.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use dehusk_pipeline::settings::{PassageUnit, PassageUnitName, RunLength};
use dehusk_pipeline::verbs::passages::{Making, passages};
use dehusk_pipeline::{Cancel, Error, FolderFormats, Job, OutFolder, RecordKind};
use serde::{Deserialize, Serialize};

use crate::scratch::Scratch;

/// Lengths in tokens at which the classes of planted parts begin. A class ends before the next one.
const CLASSES: [u32; 13] = [1, 5, 8, 13, 20, 30, 49, 50, 51, 70, 100, 150, 200];

/// Bytes of punctuation and white space beside or between units that count as a part of them: a full stop
/// and line ends.
const MARKS: usize = 3;

/// A comparison of searches for passages on a set of [`generate::passages`](crate::generate::passages).
///
/// ```
/// use dehusk_lab::PassageStudy;
/// use dehusk_lab::generate::{self, Passages};
/// use dehusk_pipeline::{Cancel, Job, Settings};
///
/// let (folder, cancel) = (tempfile::tempdir()?, Cancel::new());
/// let mut set = Passages::default();
/// (set.documents, set.runs) = (40, 24);
/// generate::passages(&set, &folder.path().join("set"), &cancel)?;
///
/// let (inputs, settings) = ([folder.path().join("set/corpus.jsonl").display().to_string()], Settings::default());
/// let mut study = PassageStudy::default();
/// study.min_runs = vec![13, 50];
/// let results = study.run(&Job::new(&inputs, &settings, &cancel), &folder.path().join("set/planted.jsonl"))?;
/// let of_13 = results.rows.iter().find(|row| row.min_run == Some(13)).unwrap();
/// assert_eq!(of_13.precision, Some(1.0));
/// assert!(of_13.classes.iter().filter(|class| class.least >= 13).all(|class| class.recall == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PassageStudy {
    /// Units to compare, by default all.
    pub units: Vec<PassageUnit>,
    /// Minimum lengths of runs of tokens to compare, by default 13, 25, 50 and 100.
    pub min_runs: Vec<u32>,
}

impl Default for PassageStudy {
    fn default() -> Self {
        use PassageUnit as U;
        Self {
            units: vec![U::Line, U::Sentence, U::Paragraph, U::Tokens],
            min_runs: vec![13, 25, 50, 100],
        }
    }
}

/// Results of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct PassageResults {
    /// Number of documents.
    pub documents: u64,
    /// Number of planted parts.
    pub planted: u64,
    /// A row for each search.
    pub rows: Vec<PassageScore>,
}

/// The results of a search.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct PassageScore {
    /// Unit of passages.
    pub unit: String,
    /// Minimum length of runs; `None` for other units.
    pub min_run: Option<u32>,
    /// Number of occurrences of passages.
    pub occurrences: u64,
    /// Share of the found bytes that are planted; `None` if nothing was found.
    pub precision: Option<f64>,
    /// Planted parts by their length, in ascending order; classes without parts are left out.
    pub classes: Vec<LengthClass>,
}

/// Planted parts of similar length.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct LengthClass {
    /// Tokens of the shortest part of the class.
    pub least: u32,
    /// Tokens of its longest part.
    pub most: u32,
    /// Number of parts.
    pub parts: u64,
    /// Share of the parts that were found as a whole.
    pub recall: f64,
    /// Share of their bytes that was found.
    pub covered: f64,
}

/// A row of `planted.jsonl`.
#[derive(Deserialize)]
struct PlantedRow {
    document: String,
    start: usize,
    end: usize,
    tokens: u32,
}

/// The fields of a row of `occurrences.jsonl` that are compared.
#[derive(Deserialize)]
struct OccurrenceRow {
    document: String,
    start: usize,
    end: usize,
}

impl PassageStudy {
    /// Searches the documents of the job with each unit and length. Compares the results with `planted`, a
    /// file that [`generate::passages`](crate::generate::passages) has written.
    ///
    /// # Errors
    /// If an input or the file is missing or malformed, if nothing is to be compared, or if the job was cancelled.
    pub fn run(&self, job: &Job<'_>, planted: &Path) -> Result<PassageResults, Error> {
        job.cancel.reads("the planted passages", planted);
        // Opened first, so that a missing input is reported before the file of passages is read.
        job.open(RecordKind::Documents)?;
        let mut parts: Vec<PlantedRow> = Vec::new();
        each_row(planted, |row| parts.push(row))?;
        let scratch = Scratch::new()
            .map_err(|error| Error::failed(format!("cannot make a temporary folder: {error}")))?;
        let mut results = PassageResults {
            documents: 0,
            planted: parts.len() as u64,
            rows: Vec::new(),
        };
        for (number, (unit, min_run)) in self.searches().into_iter().enumerate() {
            // Each search has settings and an output folder of its own.
            let mut settings = job.settings.clone();
            settings.min_run = min_run.map(RunLength);
            let making = Making::of(&settings, unit, settings.profile())?;
            let job = Job {
                settings: &settings,
                ..*job
            };
            let out = scratch.path().join(number.to_string());
            let done = passages(&job, &making, &out, FolderFormats::default())?;
            results.documents = done.summary.counts.kept;
            let mut found: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
            let mut occurrences = 0;
            each_row(&out.join("occurrences.jsonl"), |row: OccurrenceRow| {
                occurrences += 1;
                found.entry(row.document).or_default().push(row.start..row.end);
            })?;
            results
                .rows
                .push(score(unit, min_run, occurrences, &parts, found));
        }
        Ok(results)
    }

    /// The searches to compare: each unit, and runs of tokens with each length.
    fn searches(&self) -> Vec<(PassageUnit, Option<u32>)> {
        let of_unit = |unit: &PassageUnit| match unit {
            PassageUnit::Tokens => self.min_runs.iter().map(|least| (*unit, Some(*least))).collect(),
            _ => vec![(*unit, None)],
        };
        self.units.iter().flat_map(of_unit).collect()
    }
}

impl PassageResults {
    /// Writes `results.json` and `passages.csv` to a folder. The files appear together when both are complete.
    ///
    /// # Errors
    /// If the folder holds other files or cannot be written to.
    pub fn write(&self, out: &Path, cancel: &Cancel) -> Result<(), Error> {
        let failed =
            |error: &dyn std::fmt::Display| Error::failed(format!("cannot write the results: {error}"));
        let folder = OutFolder::open(out, "compare", cancel)?;
        let mut json = serde_json::to_vec_pretty(self).map_err(|error| failed(&error))?;
        json.push(b'\n');
        let files = [
            ("results.json", json),
            ("passages.csv", self.table().map_err(|error| failed(&error))?),
        ];
        let mut finished = Vec::new();
        for (name, bytes) in files {
            let mut file = folder.file(name)?;
            file.write(&bytes)?;
            finished.push(file.finish()?);
        }
        folder.commit(finished)
    }

    /// The table: a line for each search and each class of lengths.
    fn table(&self) -> Result<Vec<u8>, csv::Error> {
        let mut lines = csv::Writer::from_writer(Vec::new());
        lines.write_record([
            "unit",
            "min_run",
            "precision",
            "least_tokens",
            "most_tokens",
            "parts",
            "recall",
            "covered",
        ])?;
        let figure = |value: f64| format!("{value:.6}");
        for row in &self.rows {
            for class in &row.classes {
                lines.write_record([
                    row.unit.clone(),
                    row.min_run.map_or_else(String::new, |least| least.to_string()),
                    row.precision.map_or_else(String::new, figure),
                    class.least.to_string(),
                    class.most.to_string(),
                    class.parts.to_string(),
                    figure(class.recall),
                    figure(class.covered),
                ])?;
            }
        }
        lines.into_inner().map_err(|error| error.into_error().into())
    }
}

/// Reads a file of JSON Lines, and calls `visit` for each line.
fn each_row<T: for<'de> Deserialize<'de>>(path: &Path, mut visit: impl FnMut(T)) -> Result<(), Error> {
    let file = File::open(path).map_err(|error| Error::input(path, error))?;
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.map_err(|error| Error::input(path, error))?;
        let row = serde_json::from_str(&line).map_err(|error| {
            Error::usage(format!("`{}`, line {number}: {error}", path.display())).with_path(path)
        })?;
        visit(row);
    }
    Ok(())
}

/// Compares planted parts with the ranges found in each document.
fn score(
    unit: PassageUnit,
    min_run: Option<u32>,
    occurrences: u64,
    parts: &[PlantedRow],
    mut found: BTreeMap<String, Vec<Range<usize>>>,
) -> PassageScore {
    let mut planted: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    for part in parts {
        // A unit includes the punctuation at its end, which is not planted. It does not count as wrong.
        let with_marks = part.start.saturating_sub(MARKS)..part.end + MARKS;
        planted.entry(&part.document).or_default().push(with_marks);
    }
    // Successive units are joined, so that a part that spans several is found as a whole.
    found.values_mut().for_each(|ranges| unite(ranges, MARKS));
    planted.values_mut().for_each(|ranges| unite(ranges, 0));
    // Number of bytes of `part` inside of `ranges`, which ascend without overlaps.
    let within = |ranges: Option<&Vec<Range<usize>>>, part: &Range<usize>| -> usize {
        let all = ranges.map_or(&[][..], Vec::as_slice);
        // The ranges ascend, so those that end before the part are skipped by a binary search.
        let first = all.partition_point(|range| range.end <= part.start);
        let touching = all[first..].iter().take_while(|range| range.start < part.end);
        touching
            .map(|range| range.end.min(part.end) - range.start.max(part.start))
            .sum()
    };
    let (mut bytes, mut right) = (0, 0);
    for (document, ranges) in &found {
        for range in ranges {
            bytes += range.len();
            right += within(planted.get(document.as_str()), range);
        }
    }
    let mut classes: BTreeMap<usize, (LengthClass, usize, usize)> = BTreeMap::new();
    for part in parts {
        // The class is the last one that begins at or below the length.
        let class = CLASSES
            .partition_point(|least| *least <= part.tokens)
            .saturating_sub(1);
        let (class, of_found, of_all) = classes.entry(class).or_insert_with(|| {
            let class = LengthClass {
                least: part.tokens,
                most: part.tokens,
                parts: 0,
                recall: 0.0,
                covered: 0.0,
            };
            (class, 0, 0)
        });
        let range = part.start..part.end;
        let covered = within(found.get(&part.document), &range);
        (class.least, class.most) = (class.least.min(part.tokens), class.most.max(part.tokens));
        class.parts += 1;
        // A count of found parts, which is divided at the end.
        class.recall += f64::from(u8::from(covered == range.len()));
        *of_found += covered;
        *of_all += range.len();
    }
    let classes = classes
        .into_values()
        .map(|(class, of_found, of_all)| LengthClass {
            recall: class.recall / class.parts.max(1) as f64,
            covered: of_found as f64 / of_all.max(1) as f64,
            ..class
        });
    PassageScore {
        unit: PassageUnitName(unit).to_string(),
        min_run,
        occurrences,
        precision: (bytes > 0).then(|| right as f64 / bytes as f64),
        classes: classes.collect(),
    }
}

/// Sorts ranges, and joins those with at most `gap` bytes between them.
fn unite(ranges: &mut Vec<Range<usize>>, gap: usize) {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    ranges.dedup_by(|next, last| {
        let touches = next.start <= last.end + gap;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_count_by_length_and_places_beside_them_against_precision() {
        let part = |start, end, tokens| PlantedRow {
            document: "a".to_owned(),
            start,
            end,
            tokens,
        };
        let parts = [part(10, 20, 5), part(40, 60, 6), part(100, 200, 60)];
        // A full stop counts with a part, and so does a line end between two units.
        let found = BTreeMap::from([("a".to_owned(), vec![45..61, 87..150, 152..200, 10..20])]);
        let score = score(PassageUnit::Tokens, Some(4), 4, &parts, found);
        let of = |class: &LengthClass| (class.least, class.most, class.parts, class.recall, class.covered);
        let classes: Vec<_> = score.classes.iter().map(of).collect();
        assert_eq!(classes, [(5, 6, 2, 0.5, 25.0 / 30.0), (60, 60, 1, 1.0, 1.0)]);
        assert_eq!(score.precision, Some(129.0 / 139.0));
        assert_eq!((score.unit.as_str(), score.min_run), ("tokens", Some(4)));
    }
}
