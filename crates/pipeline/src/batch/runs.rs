//! Common runs of tokens for engines that join: samples and windows to count, runs to look up, and places
//! in texts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;
use dehusk_dedup::{CountedWindow, KeyedRuns, RunKeys};

use super::passages::PassageSearch;
use super::table::{self, Bytes, Read};
use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::kernel::host::host_of;
use crate::kernel::units::{bytes_of, hash_of};
use crate::search::passages::MAX_CHARS;

/// The steps of the search for runs of tokens. An engine joins and counts rows between them; `dehusk.spark` has the order.
impl PassageSearch {
    fn runs(&self) -> KeyedRuns {
        KeyedRuns::new(self.making().min_run)
    }

    /// Samples texts at places that equal runs have in common. Reads the columns `position`, `url` and `text`; rows without a text have no
    /// samples.
    ///
    /// Returns a row for each document and each of its distinct samples: `position`; `host`, null if unknown; `units`, the number of
    /// tokens; `sample`, a hash; and `places`, how often the document has it. Each document has a further row, with null as `sample`. If
    /// its text cannot be cut, `error` says there why.
    ///
    /// # Errors
    /// If a column is missing or has another type.
    pub fn samples(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (positions, urls, texts) = (read.longs("position")?, read.texts("url")?, read.texts("text")?);
        let (mut cutter, runs) = (self.making().cutter(), self.runs());
        let mut out = Rows::new(["position", "units", "sample", "places"]);
        let (mut hosts, mut errors) = (StringBuilder::new(), StringBuilder::new());
        for row in 0..batch.num_rows() {
            let Some(text) = texts.value(row) else {
                continue;
            };
            let position = positions.value(row);
            let words = match catch_panic(|| cutter.words(text)) {
                Ok(words) => words,
                Err(panic) => {
                    // A panic may leave the cutter half changed.
                    cutter = self.making().cutter();
                    out.add([Some(position), None, None, None]);
                    hosts.append_null();
                    errors.append_value(panic);
                    continue;
                }
            };
            let host = urls.value(row).and_then(host_of);
            let units = Some(words.len() as i64);
            // Sorted by hash, so that rows come in a fixed order.
            let mut samples: BTreeMap<u64, i64> = BTreeMap::new();
            runs.samples(&words, |hash| *samples.entry(hash).or_default() += 1);
            out.add([Some(position), units, None, None]);
            for (hash, places) in &samples {
                out.add([Some(position), units, Some(hash.cast_signed()), Some(*places)]);
            }
            // One row for the document, and one for each of its samples.
            for _ in 0..=samples.len() {
                hosts.append_option(host.as_deref());
                errors.append_null();
            }
        }
        let mut columns = out.finish();
        columns.push(("host", DataType::Utf8, Arc::new(hosts.finish())));
        columns.push(("error", DataType::Utf8, Arc::new(errors.finish())));
        table::batch(columns).map_err(|error| table::unfit(&error))
    }

    /// Returns the windows of texts around frequent samples. Reads the columns `position`, `url`, `text`,
    /// and the list `samples`.
    ///
    /// Returns a row for each document and each of its distinct windows: `position` and `host`; `window`, a
    /// hash of 16 bytes; and `starts`, the indices of its first tokens. `before` is a hash of the token
    /// before the window. If the places of the window in the document differ in it, or one of them has
    /// none, `before` is null and `opens` is true. `closes` and `after` describe the token after the window
    /// in this way.
    ///
    /// # Errors
    /// If a column is missing or has another type.
    pub fn windows(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (positions, urls, texts) = (read.longs("position")?, read.texts("url")?, read.texts("text")?);
        let (mut cutter, runs) = (self.making().cutter(), self.runs());
        let mut out = Rows::new(["position", "before", "after"]);
        let (mut hosts, mut windows) = (StringBuilder::new(), BinaryBuilder::new());
        let mut starts = ListBuilder::new(Int64Builder::new());
        let (mut opens, mut closes) = (BooleanBuilder::new(), BooleanBuilder::new());
        for row in 0..batch.num_rows() {
            let (Some(text), Some(samples)) = (texts.value(row), longs(read, "samples", row)?) else {
                continue;
            };
            // Hashes are signed in batches, because some readers of Arrow lack unsigned types.
            let samples: HashSet<u64> = samples.iter().map(|sample| sample.cast_unsigned()).collect();
            let words = cutter.words(text);
            let keys = RunKeys::of(&words);
            let mut by_key: BTreeMap<u128, Vec<_>> = BTreeMap::new();
            for window in runs.windows(&words, &keys, |hash| samples.contains(&hash)) {
                by_key.entry(window.key).or_default().push(window);
            }
            let host = urls.value(row).and_then(host_of);
            for (key, places) in by_key {
                let before = shared(places.iter().map(|window| window.before));
                let after = shared(places.iter().map(|window| window.after));
                out.add([Some(positions.value(row)), before, after]);
                hosts.append_option(host.as_deref());
                windows.append_value(key.to_be_bytes());
                starts.append_value(places.iter().map(|window| Some(i64::from(window.start))));
                opens.append_value(before.is_none());
                closes.append_value(after.is_none());
            }
        }
        let mut columns = out.finish();
        columns.extend([
            ("host", DataType::Utf8, Arc::new(hosts.finish()) as ArrayRef),
            ("window", DataType::Binary, Arc::new(windows.finish())),
            ("starts", list_of_longs(), Arc::new(starts.finish())),
            ("opens", DataType::Boolean, Arc::new(opens.finish())),
            ("closes", DataType::Boolean, Arc::new(closes.finish())),
        ]);
        table::batch(columns).map_err(|error| table::unfit(&error))
    }

    /// Continues the search in documents. Reads the columns `position` and `text`; the lists `starts`,
    /// `opens` and `closes`, with an entry for each window that counts, ascending; and the lists `runs` and
    /// `counts`: keys of runs, and whether each one counts.
    ///
    /// Returns runs: `position`; `start` and `end` in tokens; `run`, a key of 16 bytes; and `window`, the
    /// hash of the first window of the run. As long as the search needs counts of further runs in a
    /// document, these runs are returned. Afterwards its occurrences are returned, with null as `window`.
    ///
    /// # Errors
    /// If a column is missing or has another type, or lists have different lengths.
    pub fn search(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (positions, texts) = (read.longs("position")?, read.texts("text")?);
        let (mut cutter, runs) = (self.making().cutter(), self.runs());
        let mut out = Rows::new(["position", "start", "end"]);
        let (mut found, mut first_windows) = (BinaryBuilder::new(), BinaryBuilder::new());
        for row in 0..batch.num_rows() {
            let Some(starts) = longs(read, "starts", row)? else {
                continue;
            };
            let (opens, closes) = (flags(read, "opens", row)?, flags(read, "closes", row)?);
            let (known, counts) = (keys(read, "runs", row)?, flags(read, "counts", row)?);
            if [opens.len(), closes.len()] != [starts.len(); 2] || known.len() != counts.len() {
                return Err(unequal());
            }
            let windows: Vec<CountedWindow> = starts
                .iter()
                .zip(opens.iter().zip(&closes))
                .map(|(start, (opens, closes))| CountedWindow {
                    start: token(*start),
                    opens: *opens,
                    closes: *closes,
                })
                .collect();
            let known: HashMap<u128, bool> = known.into_iter().zip(counts).collect();
            let words = RunKeys::of(&cutter.words(texts.value(row).unwrap_or_default()));
            let search = runs.search(&words, &windows, |key| known.get(&key).copied());
            // A document has occurrences only if it asks for nothing, so all its runs are of one kind.
            let is_asked = !search.asked.is_empty();
            for run in search.asked.iter().chain(&search.occurrences) {
                let numbers = [i64::from(run.start), i64::from(run.end)];
                out.add([Some(positions.value(row)), Some(numbers[0]), Some(numbers[1])]);
                found.append_value(run.key.to_be_bytes());
                let start = run.start as usize;
                // The first window of a run has the length of the shortest run.
                let window = words.key(start..start + runs.least_run());
                first_windows.append_option(is_asked.then(|| window.to_be_bytes()));
            }
        }
        let mut columns = out.finish();
        columns.extend([
            ("run", DataType::Binary, Arc::new(found.finish()) as ArrayRef),
            ("window", DataType::Binary, Arc::new(first_windows.finish())),
        ]);
        table::batch(columns).map_err(|error| table::unfit(&error))
    }

    /// Looks for runs at given places of texts. Reads the columns `position`, `url` and `text`; and the
    /// lists `starts`, `ends` and `runs`: for each place, its range in tokens and the key of the run that
    /// may be there.
    ///
    /// Returns a row for each document and each run that it has: `position`, `host`, `units` (number of
    /// tokens of the document), `run`, `places` (number of its places in the document), and `start`, the
    /// first token of the first place.
    ///
    /// # Errors
    /// If a column is missing or has another type, or lists have different lengths.
    pub fn places(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (positions, urls, texts) = (read.longs("position")?, read.texts("url")?, read.texts("text")?);
        let mut cutter = self.making().cutter();
        let mut out = Rows::new(["position", "units", "places", "start"]);
        let (mut hosts, mut runs) = (StringBuilder::new(), BinaryBuilder::new());
        for row in 0..batch.num_rows() {
            let Some((starts, ends)) = ranges(read, ("starts", "ends"), row)? else {
                continue;
            };
            let asked = keys(read, "runs", row)?;
            if asked.len() != starts.len() {
                return Err(unequal());
            }
            let words = RunKeys::of(&cutter.words(texts.value(row).unwrap_or_default()));
            // Sorted by key, so that rows come in a fixed order.
            let mut found: BTreeMap<u128, (i64, u32)> = BTreeMap::new();
            for ((start, end), key) in starts.into_iter().zip(ends).zip(asked) {
                // The place may lie beyond the end of the text. The key decides whether the run is there.
                let is_inside = start < end && end as usize <= words.len();
                if is_inside && words.key(start as usize..end as usize) == key {
                    let (places, first) = found.entry(key).or_insert((0, start));
                    *places += 1;
                    *first = start.min(*first);
                }
            }
            let host = urls.value(row).and_then(host_of);
            for (key, (places, first)) in found {
                let units = words.len() as i64;
                out.add([positions.value(row), units, places, i64::from(first)].map(Some));
                hosts.append_option(host.as_deref());
                runs.append_value(key.to_be_bytes());
            }
        }
        let mut columns = out.finish();
        columns.push(("host", DataType::Utf8, Arc::new(hosts.finish())));
        columns.push(("run", DataType::Binary, Arc::new(runs.finish())));
        table::batch(columns).map_err(|error| table::unfit(&error))
    }

    /// Converts places in tokens to places in texts. Reads the columns `position` and `text`; the lists
    /// `starts` and `ends`, with the occurrences of the document in tokens, ascending; and the lists
    /// `first_starts`, `first_ends` and `firsts`, with the passages that occur first in the document, and
    /// their keys.
    ///
    /// Returns rows for both: `position`; `run`, the key of a passage, null for an occurrence; `first` and
    /// `last`, its range in tokens; `start` and `end`, its range in bytes; `passage`, a hash of 16 bytes of
    /// its normalized text; and for passages `text`, its beginning, and `within`, the hash of the longer
    /// occurrence that contains it, or null.
    ///
    /// # Errors
    /// If a column is missing or has another type, or lists have different lengths.
    pub fn placed(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (positions, texts) = (read.longs("position")?, read.texts("text")?);
        let mut cutter = self.making().cutter();
        let mut out = Rows::new(["position", "first", "last", "start", "end"]);
        let (mut runs, mut passages) = (BinaryBuilder::new(), BinaryBuilder::new());
        let (mut beginnings, mut around) = (StringBuilder::new(), BinaryBuilder::new());
        for row in 0..batch.num_rows() {
            let text = texts.value(row).unwrap_or_default();
            let (starts, ends) = ranges(read, ("starts", "ends"), row)?.unwrap_or_default();
            let (first_starts, first_ends) =
                ranges(read, ("first_starts", "first_ends"), row)?.unwrap_or_default();
            let firsts = keys(read, "firsts", row)?;
            if firsts.len() != first_starts.len() {
                return Err(unequal());
            }
            let pieces = cutter.pieces(text);
            let hash = |start: u32, end: u32| {
                let run = pieces.get(start as usize..end as usize).unwrap_or_default();
                hash_of(run).to_be_bytes()
            };
            let mut add = |start: u32, end: u32| {
                let run = pieces.get(start as usize..end as usize).unwrap_or_default();
                let bytes = bytes_of(run);
                let numbers = [
                    positions.value(row),
                    start.into(),
                    end.into(),
                    bytes.start as i64,
                    bytes.end as i64,
                ];
                out.add(numbers.map(Some));
                passages.append_value(hash(start, end));
                bytes
            };
            // Occurrences have no key, passages have.
            for (start, end) in starts.iter().zip(&ends) {
                add(*start, *end);
                runs.append_null();
                beginnings.append_null();
                around.append_null();
            }
            for ((start, end), key) in first_starts.into_iter().zip(first_ends).zip(firsts) {
                let bytes = add(start, end);
                runs.append_value(key.to_be_bytes());
                let text = text.get(bytes).unwrap_or_default();
                beginnings.append_value(text.chars().take(MAX_CHARS).collect::<String>());
                // Of the occurrences that begin here or earlier, the last one reaches furthest.
                let last = starts.partition_point(|other| *other <= start).checked_sub(1);
                let longer = last.map(|last| (starts[last], ends[last]));
                let longer = longer.filter(|other| other.1 >= end && other.1 - other.0 > end - start);
                around.append_option(longer.map(|(start, end)| hash(start, end)));
            }
        }
        let mut columns = out.finish();
        columns.extend([
            ("run", DataType::Binary, Arc::new(runs.finish()) as ArrayRef),
            ("passage", DataType::Binary, Arc::new(passages.finish())),
            ("text", DataType::Utf8, Arc::new(beginnings.finish())),
            ("within", DataType::Binary, Arc::new(around.finish())),
        ]);
        table::batch(columns).map_err(|error| table::unfit(&error))
    }
}

/// Columns of whole numbers that are filled row by row.
struct Rows<const N: usize> {
    names: [&'static str; N],
    numbers: [Int64Builder; N],
}

impl<const N: usize> Rows<N> {
    fn new(names: [&'static str; N]) -> Self {
        Self {
            names,
            numbers: std::array::from_fn(|_| Int64Builder::new()),
        }
    }

    fn add(&mut self, row: [Option<i64>; N]) {
        for (column, number) in self.numbers.iter_mut().zip(row) {
            column.append_option(number);
        }
    }

    fn finish(mut self) -> Vec<(&'static str, DataType, ArrayRef)> {
        let columns = self.names.into_iter().zip(&mut self.numbers);
        columns
            .map(|(name, column)| (name, DataType::Int64, Arc::new(column.finish()) as ArrayRef))
            .collect()
    }
}

/// Returns the word that all places have beside them. `None` if they differ or a place has none.
fn shared(mut words: impl Iterator<Item = Option<u64>>) -> Option<i64> {
    let first = words.next().flatten()?;
    words.all(|word| word == Some(first)).then(|| first.cast_signed())
}

fn list_of_longs() -> DataType {
    DataType::new_list(DataType::Int64, true)
}

/// Returns the error for lists of different lengths or of wrong types.
fn unequal() -> Error {
    Error::usage("the lists of places do not fit together").with_option("column")
}

/// Returns the numbers of a list, or `None` if it is null.
fn longs(read: Read<'_>, name: &str, row: usize) -> Result<Option<Vec<i64>>, Error> {
    let Some(list) = read.list(name, row)? else {
        return Ok(None);
    };
    let numbers = list.as_primitive_opt::<Int64Type>().ok_or_else(unequal)?;
    Ok(Some(numbers.values().to_vec()))
}

/// Returns the index of a token. Numbers out of range, which no step returns, become an index after all
/// tokens.
fn token(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Starts and ends of ranges of tokens.
type TokenRanges = (Vec<u32>, Vec<u32>);

/// Returns the ranges of tokens in two lists of equal length, or `None` if a list is null.
fn ranges(read: Read<'_>, (starts, ends): (&str, &str), row: usize) -> Result<Option<TokenRanges>, Error> {
    let (Some(starts), Some(ends)) = (longs(read, starts, row)?, longs(read, ends, row)?) else {
        return Ok(None);
    };
    if starts.len() != ends.len() {
        return Err(unequal());
    }
    let tokens = |list: Vec<i64>| list.into_iter().map(token).collect();
    Ok(Some((tokens(starts), tokens(ends))))
}

/// Returns the flags of a list. Empty if it is null.
fn flags(read: Read<'_>, name: &str, row: usize) -> Result<Vec<bool>, Error> {
    let Some(list) = read.list(name, row)? else {
        return Ok(Vec::new());
    };
    let flags = list.as_boolean_opt().ok_or_else(unequal)?;
    Ok(flags.iter().map(|flag| flag == Some(true)).collect())
}

/// Returns the keys of a list, 16 bytes each. Empty if it is null.
fn keys(read: Read<'_>, name: &str, row: usize) -> Result<Vec<u128>, Error> {
    let Some(list) = read.list(name, row)? else {
        return Ok(Vec::new());
    };
    let keys = Bytes::of(&list).ok_or_else(unequal)?;
    (0..keys.len())
        .map(|row| keys.content(row).ok_or_else(unequal))
        .collect()
}
