//! Rows of 64-bit words, one row per document: signatures, shingle sets, index keys.

use rayon::prelude::*;

use crate::numeric::bit_set::BitSet;
use crate::numeric::narrow;
use crate::numeric::radix::sort_hashes;

/// Number of words in a chunk: 256 KiB.
const CHUNK: usize = 1 << 15;

/// A list of rows of 64-bit words, numbered from 0. Rows may differ in length.
///
/// Rows are stored one after another in chunks. So a million rows of 90 words take 728 bytes each, growing never copies
/// existing rows, and appending another list moves its chunks instead of its words.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    chunks: Vec<Vec<u64>>,
    places: Vec<Place>,
}

/// The start of a row. It ends at the start of the next row of its chunk, or at the end of the chunk.
#[derive(Clone, Copy, Debug)]
struct Place {
    chunk: u32,
    start: u32,
}

impl Rows {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty list with capacity for the rows of another list, up to one chunk.
    pub(crate) fn with_room_of(other: &Self) -> Self {
        let words = CHUNK.min(other.words());
        Self {
            // The chunk is made at once although it is empty: a list without chunks would grow its first
            // chunk step by step.
            chunks: (words > 0)
                .then(|| Vec::with_capacity(words))
                .into_iter()
                .collect(),
            places: Vec::with_capacity(other.len()),
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Total number of words in all rows.
    #[must_use]
    pub fn words(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }

    /// Memory in use, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let words: usize = self.chunks.iter().map(Vec::capacity).sum();
        (words * size_of::<u64>() + self.places.capacity() * size_of::<Place>()) as u64
    }

    /// Appends a row, which may be empty.
    pub fn push(&mut self, row: &[u64]) {
        // A row longer than `CHUNK` goes to an empty chunk, reserved or new.
        if self
            .chunks
            .last()
            .is_none_or(|chunk| chunk.len() + row.len() > CHUNK && !chunk.is_empty())
        {
            // Without reserved capacity the first chunk grows as needed, because many lists stay small.
            let capacity = if self.chunks.is_empty() {
                row.len()
            } else {
                CHUNK.max(row.len())
            };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        // A row starts at `CHUNK` at most, and 2^32 chunks would hold 2^47 words, so both numbers fit.
        self.places.push(Place {
            chunk: narrow::to_u32(number),
            start: narrow::to_u32(chunk.len()),
        });
        chunk.extend_from_slice(row);
    }

    /// Row number `number`. Empty if there is no such row.
    #[must_use]
    #[inline]
    pub fn row(&self, number: usize) -> &[u64] {
        let Some(&Place { chunk, start }) = self.places.get(number) else {
            return &[];
        };
        let words = &self.chunks[chunk as usize];
        match self.places.get(number + 1) {
            Some(next) if next.chunk == chunk => &words[start as usize..next.start as usize],
            _ => &words[start as usize..],
        }
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.len()).map(|number| self.row(number))
    }

    /// Appends the rows of another list.
    pub fn append(&mut self, mut other: Self) {
        // The rows of a small list are copied: moving them would leave many small chunks.
        if other.words() < CHUNK / 8 && !self.is_empty() {
            for row in other.iter() {
                self.push(row);
            }
            return;
        }
        // Other lists may follow, and then the unused capacity of this chunk would stay unused.
        if let Some(last) = other.chunks.last_mut() {
            last.shrink_to_fit();
        }
        let before = narrow::to_u32(self.chunks.len());
        self.chunks.append(&mut other.chunks);
        self.places.extend(other.places.iter().map(|place| Place {
            chunk: place.chunk + before,
            ..*place
        }));
    }

    /// Makes sets of the rows with these numbers: sorts their hashes and removes repetitions. Runs in the threads of
    /// the current rayon pool.
    pub(crate) fn make_sets(&mut self, numbers: &BitSet) {
        let mut first = 0;
        let mut chunks = self.chunks.iter_mut().enumerate();
        // Rows are stored in the order of chunks, so the rows of a chunk are neighbors.
        let by_chunk = self.places.chunk_by_mut(|a, b| a.chunk == b.chunk);
        // A chunk may hold no row, for example one that was reserved and never used. `find` passes over it.
        let tasks: Vec<_> = by_chunk
            .filter_map(|places| {
                let number = first;
                first += narrow::to_u32(places.len()); // document numbers have 32 bits
                let chunk = places.first()?.chunk as usize;
                let (_, words) = chunks.find(|(number, _)| *number == chunk)?;
                Some((number, places, words))
            })
            .collect();
        tasks
            .into_par_iter()
            .for_each(|(first, places, words)| make_sets_of_chunk(first, places, words, numbers));
    }
}

/// Makes sets of some rows of a chunk. `first` is the number of the chunk's first row. Later rows move up to fill the
/// gaps.
fn make_sets_of_chunk(first: u32, places: &mut [Place], words: &mut Vec<u64>, numbers: &BitSet) {
    // The buffer serves all rows of the chunk, and `end` is where the next row moves to.
    let (mut set, mut end) = (Vec::new(), 0);
    for number in 0..places.len() {
        let start = places[number].start as usize;
        // The next start is still the old one, because starts change in ascending order.
        let next = places
            .get(number + 1)
            .map_or(words.len(), |next| next.start as usize);
        // A row that is a set already is moved unchanged.
        let is_set = || words[start..next].is_sorted_by(|a, b| a < b);
        places[number].start = narrow::to_u32(end); // at or before its old place
        if numbers.contains(first + narrow::to_u32(number)) && !is_set() {
            set.clear();
            set.extend_from_slice(&words[start..next]);
            sort_hashes(&mut set);
            set.dedup();
            // The set is no longer than its row and `end` is not past the row's start, so no later row is
            // overwritten.
            words[end..end + set.len()].copy_from_slice(&set);
            end += set.len();
        } else {
            words.copy_within(start..next, end);
            end += next - start;
        }
    }
    words.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::SplitMix64;

    #[test]
    fn rows_come_back_whatever_their_lengths() {
        let lengths = [0, 3, 0, CHUNK - 1, 2, 0, CHUNK + 5, 0, 1, CHUNK, 7];
        let row = |number: usize| vec![number as u64; lengths[number]];
        let mut all = Rows::new();
        for number in 0..lengths.len() {
            all.push(&row(number));
        }
        for split in 0..=lengths.len() {
            let (mut first, mut second) = (Rows::new(), Rows::new());
            for number in 0..lengths.len() {
                if number < split {
                    first.push(&row(number));
                } else {
                    second.push(&row(number));
                }
            }
            first.append(second);
            first.push(&[99]);
            assert_eq!(first.len(), lengths.len() + 1);
            for number in 0..lengths.len() {
                assert_eq!(
                    first.row(number),
                    all.row(number),
                    "row {number}, split at {split}"
                );
                assert_eq!(first.row(number), row(number));
            }
            assert_eq!(first.row(lengths.len()), [99]);
            assert!(first.row(lengths.len() + 1).is_empty());
            let mut roomy = Rows::with_room_of(&first);
            assert!(roomy.is_empty() && roomy.words() == 0);
            roomy.append(first);
            assert_eq!(roomy.row(lengths.len()), [99]);
        }
    }

    #[test]
    fn some_rows_become_sets() {
        let mut random = SplitMix64::new(9);
        let lengths = [0, 3, 700, 0, CHUNK - 1, 2, 40, CHUNK + 5, 1, 30, 30];
        let lists: Vec<Vec<u64>> = lengths
            .iter()
            .map(|&length| (0..length).map(|_| (random.number() % 1000) << 50).collect())
            .collect();
        let mut rows = Rows::new();
        rows.chunks.push(Vec::new()); // a chunk without rows
        for list in &lists {
            let mut other = Rows::new();
            other.push(list);
            rows.append(other);
        }
        let mut sets = BitSet::default();
        for numbers in [vec![2, 4, 9], vec![0, 2, 7, 10], (0..11).collect()] {
            numbers.into_iter().for_each(|number| sets.insert(number));
            rows.make_sets(&sets);
            for (number, list) in (0..).zip(&lists) {
                let mut expected = list.clone();
                if sets.contains(number) {
                    expected.sort_unstable();
                    expected.dedup();
                }
                assert_eq!(rows.row(number as usize), expected, "row {number}");
            }
        }
    }
}
