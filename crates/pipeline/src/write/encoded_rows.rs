//! Encoded rows, which worker threads make and one thread writes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::read::pass::Worker;

/// A batch of rows, encoded in the bytes of a format.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EncodedRows {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    /// Offset of the end of each row in `bytes`.
    ends: Vec<usize>,
}

impl EncodedRows {
    /// An empty batch with capacity for `bytes` bytes of rows.
    pub(crate) fn with_room(bytes: usize) -> Self {
        EncodedRows {
            bytes: Vec::with_capacity(bytes),
            ends: Vec::new(),
        }
    }

    /// Adds one row: the bytes that `encode` appends.
    pub(crate) fn push(&mut self, encode: impl FnOnce(&mut Vec<u8>)) {
        encode(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Reserves capacity for a row of `row` bytes. The capacity doubles up to `usual` bytes and is exact
    /// beyond, so that little memory is unused.
    #[cfg(feature = "parquet")]
    pub(crate) fn make_room(&mut self, row: usize, usual: usize) {
        let needed = self.bytes.len() + row;
        if needed > self.bytes.capacity() {
            let doubled = (2 * self.bytes.capacity()).min(usual);
            self.bytes.reserve_exact(needed.max(doubled) - self.bytes.len());
        }
    }

    /// Removes the incomplete bytes of a row whose encoding panicked. Complete rows stay.
    pub(crate) fn recover(&mut self) {
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Adds the rows of another batch.
    pub(crate) fn append(&mut self, other: &EncodedRows) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// A copy of the rows with these indices, whose ends count from the first of them.
    pub(crate) fn part(&self, rows: Range<usize>) -> EncodedRows {
        let end_of = |row: usize| row.checked_sub(1).map_or(0, |before| self.ends[before]);
        // Row 0 begins at offset 0, and each other row at the end of the previous row.
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

/// Worker of a pass that gathers rows encoded earlier.
impl Worker for EncodedRows {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        std::mem::take(self)
    }

    fn recover(&mut self) {}
}
