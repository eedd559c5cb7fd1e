//! Rows in the bytes of a format, on their way from the threads that make them to the one that writes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::read::pass::Worker;

/// A batch of rows in the bytes of a format.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EncodedRows {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl EncodedRows {
    /// No rows, and room for so many bytes of them.
    pub(crate) fn with_room(bytes: usize) -> Self {
        EncodedRows {
            bytes: Vec::with_capacity(bytes),
            ends: Vec::new(),
        }
    }

    /// Adds the row that `encode` appends.
    pub(crate) fn push(&mut self, encode: impl FnOnce(&mut Vec<u8>)) {
        encode(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Makes room for a row of so many bytes. Room doubles up to `usual` bytes and is exact beyond, so that it is not left unused.
    #[cfg(feature = "parquet")]
    pub(crate) fn make_room(&mut self, row: usize, usual: usize) {
        let needed = self.bytes.len() + row;
        if needed > self.bytes.capacity() {
            let doubled = (2 * self.bytes.capacity()).min(usual);
            self.bytes.reserve_exact(needed.max(doubled) - self.bytes.len());
        }
    }

    /// Drops what is left of a row whose encoding panicked.
    pub(crate) fn recover(&mut self) {
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Adds the rows of another batch.
    pub(crate) fn append(&mut self, other: &EncodedRows) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// The rows of these numbers.
    pub(crate) fn part(&self, rows: Range<usize>) -> EncodedRows {
        let end_of = |row: usize| row.checked_sub(1).map_or(0, |before| self.ends[before]);
        let start = end_of(rows.start);
        EncodedRows {
            bytes: self.bytes[start..end_of(rows.end)].to_vec(),
            ends: self.ends[rows].iter().map(|end| end - start).collect(),
        }
    }

    /// Number of rows.
    pub fn count(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The bytes of all rows.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of each row.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| &self.bytes[start..*end])
    }
}

/// A thread of a pass that gathers rows that are encoded already.
impl Worker for EncodedRows {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        std::mem::take(self)
    }

    fn recover(&mut self) {}
}
