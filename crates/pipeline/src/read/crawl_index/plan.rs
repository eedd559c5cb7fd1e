//! Plan of the captures to read: rows of indexes, selected before anything is fetched.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::columns::{FILE, LENGTH, OFFSET, STATUS, TIME, TYPE, URL, Values, Wanted};
use super::condition::{Condition, digits_of_time};
use super::names::is_time;
use super::ranges::Root;
use crate::read::captures;
use crate::read::chunk::extension;
use crate::read::same_address::normal;

/// Largest gap in bytes between two captures that one request fetches. Transferring the gap takes about as
/// long as a further request.
const GAP: u64 = 128 << 10;

/// Largest size in bytes of a request for several captures.
const MAX_SPAN: u64 = 4 << 20;

/// Largest length of a capture in bytes. Longer ones are rejected.
const MAX_LENGTH: u64 = 1 << 30;

/// Numbers of captures that indexes list, and of those that are read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct IndexCounts {
    /// Rows of all indexes.
    pub rows: u64,
    /// Rows that do not fulfill the condition `where`. In ZipNum and Parquet indexes, blocks of rows that
    /// cannot fulfill it are not read and not counted.
    pub left_out: u64,
    /// Rows that are not pages by their status or media type, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub no_pages: BTreeMap<&'static str, u64>,
    /// Rows whose address also has a newer row.
    pub older: u64,
    /// Rows whose position another row has too.
    pub repeated: u64,
    /// Rows without a usable position, and rows whose archive lies outside of the permitted folder. They are rejected.
    pub rejected: u64,
    /// Captures that are fetched.
    pub captures: u64,
    /// Archives that hold them.
    pub archives: u64,
    /// Requests that fetch them. Neighboring captures share a request.
    pub requests: u64,
}

/// Why a row is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    NoRow,
    NoFile,
    NoOffset,
    NoLength,
    TooLong,
    Outside,
}

impl Wrong {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Wrong::NoRow => "it cannot be read as a row",
            Wrong::NoFile => "it has no file name",
            Wrong::NoOffset => "it has no offset that is a number",
            Wrong::NoLength => "it has no length that is a number above 0",
            Wrong::TooLong => "it is longer than 1 GiB",
            Wrong::Outside => "its file lies outside of `--base`, or of the folder of the index",
        }
    }
}

/// A row that is rejected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BadRow {
    /// Number of the index.
    pub(crate) index: u32,
    /// Line or row, from 1.
    pub(crate) row: u64,
    pub(crate) wrong: Wrong,
}

/// A selected row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Taken {
    /// Hash of the address; 0 for none.
    address: u128,
    /// Time in digits; 0 if it is not known.
    time: u64,
    file: u32,
    length: u32,
    offset: u64,
}

/// Position of a capture in an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Capture {
    pub(crate) offset: u64,
    pub(crate) length: u32,
}

/// An archive: `below` is its path relative to `root`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Archive {
    pub(crate) root: Root,
    pub(crate) below: String,
}

/// Captures that one request fetches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// Number of the archive.
    pub(crate) archive: usize,
    /// Their range among all captures.
    pub(crate) captures: Range<usize>,
}

/// The captures to read, sorted by archive and offset.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Names of the indexes.
    pub(crate) indexes: Vec<String>,
    pub(crate) archives: Vec<Archive>,
    pub(crate) captures: Vec<Capture>,
    pub(crate) spans: Vec<Span>,
    pub(crate) bad: Vec<BadRow>,
    pub(crate) counts: IndexCounts,
}

impl Plan {
    /// Returns the range of bytes of a span.
    pub(crate) fn range(&self, span: &Span) -> Range<u64> {
        let captures = &self.captures[span.captures.clone()];
        let start = captures.first().map_or(0, |capture| capture.offset);
        // Captures may overlap, so the last one need not end last.
        let end = captures
            .iter()
            .map(|capture| capture.offset + u64::from(capture.length))
            .max();
        start..end.unwrap_or(start)
    }

    /// Returns the number of bytes that are fetched.
    pub(crate) fn bytes(&self) -> u64 {
        self.spans
            .iter()
            .map(|span| self.range(span))
            .map(|range| range.end - range.start)
            .sum()
    }
}

/// Collects rows and makes a plan of them.
pub(super) struct Planner<'a> {
    condition: Option<&'a Condition>,
    indexes: Vec<String>,
    /// Numbers of archives by their names.
    numbers: HashMap<Archive, u32>,
    taken: Vec<Taken>,
    bad: Vec<BadRow>,
    counts: IndexCounts,
    /// Bytes of the names of archives.
    names: usize,
    /// Number of rows already reported as progress.
    reported: u64,
}

impl<'a> Planner<'a> {
    pub(super) fn new(condition: Option<&'a Condition>) -> Self {
        Planner {
            condition,
            indexes: Vec::new(),
            numbers: HashMap::new(),
            taken: Vec::new(),
            bad: Vec::new(),
            counts: IndexCounts::default(),
            names: 0,
            reported: 0,
        }
    }

    /// Begins the rows of another index.
    pub(super) fn begin(&mut self, index: String) {
        self.indexes.push(index);
    }

    /// Returns the number of rows since the last call.
    pub(super) fn unreported(&mut self) -> u64 {
        self.counts.rows - std::mem::replace(&mut self.reported, self.counts.rows)
    }

    /// Returns the number of bytes that the collected rows occupy.
    pub(super) fn memory(&self) -> u64 {
        let rows = self.taken.capacity() * size_of::<Taken>() + self.bad.capacity() * size_of::<BadRow>();
        (rows + self.names) as u64
    }

    /// Rejects a row.
    pub(super) fn reject(&mut self, row: u64, wrong: Wrong) {
        self.counts.rejected += 1;
        debug_assert!(!self.indexes.is_empty(), "a row comes from an index");
        let index = u32::try_from(self.indexes.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.bad.push(BadRow { index, row, wrong });
    }

    /// Counts a row that cannot be read.
    pub(super) fn no_row(&mut self, row: u64) {
        self.counts.rows += 1;
        self.reject(row, Wrong::NoRow);
    }

    /// Adds the row with this number. Names of archives are resolved below `root`.
    pub(super) fn row(&mut self, row: u64, mut values: Values<'_>, root: &Root) {
        self.counts.rows += 1;
        let columns = self.condition.map_or(&[][..], Condition::columns);
        let of_condition = columns.iter().enumerate().filter(|(_, name)| is_time(name));
        let times = of_condition.map(|(column, _)| Wanted::of_condition(column));
        // Times become digits, in the fixed column and in those of the condition, because the condition
        // compares digits.
        for column in std::iter::once(TIME).chain(times) {
            if let Some(value) = values[column].take() {
                values[column] = Some(Cow::Owned(digits_of_time(&value).into_owned()));
            }
        }
        let value = |column: usize| values[column].as_deref();
        if let Some(condition) = self.condition
            && !condition.holds(&|column| value(Wanted::of_condition(column)))
        {
            self.counts.left_out += 1;
            return;
        }
        let number = |column: usize| value(column).and_then(|text| text.trim().parse::<u64>().ok());
        let Some(name) = value(FILE).filter(|name| !name.is_empty()) else {
            return self.reject(row, Wrong::NoFile);
        };
        let Some(below) = root.below(name) else {
            return self.reject(row, Wrong::Outside);
        };
        // WET archives hold texts of pages. Their type `text/plain` does not exclude them.
        let is_text = extension(below.as_ref()).as_deref() == Some("wet");
        if let Some(kind) = captures::no_page(number(STATUS), value(TYPE).filter(|_| !is_text)) {
            *self.counts.no_pages.entry(kind).or_default() += 1;
            return;
        }
        let Some(offset) = number(OFFSET) else {
            return self.reject(row, Wrong::NoOffset);
        };
        let Some(length) = number(LENGTH).filter(|length| *length > 0) else {
            return self.reject(row, Wrong::NoLength);
        };
        // Sums of offset and length rely on this check, and so does the length as `u32`.
        if length > MAX_LENGTH || offset.checked_add(length).is_none() {
            return self.reject(row, Wrong::TooLong);
        }
        let archive = Archive {
            root: root.clone(),
            below: below.to_owned(),
        };
        let bytes = below.len() + size_of::<Archive>();
        debug_assert!(
            u32::try_from(self.numbers.len()).is_ok(),
            "the names of archives fit into memory"
        );
        // Archives are numbered by their first row. `plan` numbers them again.
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let file = match self.numbers.entry(archive) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.names += bytes;
                *new.insert(next)
            }
        };
        self.taken.push(Taken {
            address: value(URL).filter(|url| !url.is_empty()).map_or(0, hash),
            time: value(TIME).and_then(|time| time.parse().ok()).unwrap_or(0),
            file,
            length: u32::try_from(length).unwrap_or(u32::MAX),
            offset,
        });
    }

    /// Chooses one capture per address and joins neighbors.
    pub(super) fn plan(mut self) -> Plan {
        // Archives are read in the order of their names, so that the order of rows has no effect.
        let mut archives: Vec<(Archive, u32)> = self.numbers.into_iter().collect();
        archives.sort_unstable();
        let mut renumbered = vec![0; archives.len()];
        for (new, (_, old)) in archives.iter().enumerate() {
            renumbered[*old as usize] = u32::try_from(new).unwrap_or(u32::MAX);
        }
        for row in &mut self.taken {
            row.file = renumbered[row.file as usize];
        }
        let place = |row: &Taken| (row.file, row.offset);
        // If several rows have one position, the longest range is read: a range that is too long still
        // holds the capture. The whole row breaks ties, so that the order of rows has no effect.
        self.taken
            .sort_unstable_by_key(|row| (place(row), Reverse(row.length), *row));
        let before = self.taken.len();
        self.taken.dedup_by_key(|row| place(row));
        self.counts.repeated = (before - self.taken.len()) as u64;
        // The newest row of an address comes first; among equal times, the one at the last position.
        self.taken
            .sort_unstable_by_key(|row| (row.address, Reverse((row.time, row.file, row.offset))));
        let before = self.taken.len();
        // Rows without an address (hash 0) are all kept.
        self.taken
            .dedup_by(|later, kept| later.address == kept.address && later.address != 0);
        self.counts.older = (before - self.taken.len()) as u64;
        // Joining relies on the order of positions.
        self.taken.sort_unstable_by_key(place);
        let mut spans: Vec<Span> = Vec::new();
        // Bounds in bytes of the last span.
        let mut end = 0_u64;
        let mut start = 0;
        for (number, row) in self.taken.iter().enumerate() {
            let row_end = row.offset + u64::from(row.length);
            match spans.last_mut() {
                Some(span)
                    if span.archive == row.file as usize
                        && row.offset <= end.saturating_add(GAP)
                        && row_end.max(end) - start <= MAX_SPAN =>
                {
                    span.captures.end = number + 1;
                    end = end.max(row_end);
                }
                _ => {
                    spans.push(Span {
                        archive: row.file as usize,
                        captures: number..number + 1,
                    });
                    (start, end) = (row.offset, row_end);
                }
            }
        }
        let mut counts = self.counts;
        counts.captures = self.taken.len() as u64;
        counts.requests = spans.len() as u64;
        counts.archives = spans.chunk_by(|a, b| a.archive == b.archive).count() as u64;
        let captures = self.taken.iter().map(|row| Capture {
            offset: row.offset,
            length: row.length,
        });
        Plan {
            indexes: self.indexes,
            archives: archives.into_iter().map(|(archive, _)| archive).collect(),
            captures: captures.collect(),
            spans,
            bad: self.bad,
            counts,
        }
    }
}

/// Returns a hash of an address, never 0. It is cryptographic, because addresses are compared only by hash:
/// with a weak one, an address could be made up that replaces the page of another one.
fn hash(url: &str) -> u128 {
    let digest = Sha256::digest(normal(url).as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    u128::from_le_bytes(bytes).max(1)
}
