//! Rows of 64-bit words, one for each document: signatures, shingle sets, index keys.

/// Words in a chunk of the store: 256 KiB.
const CHUNK: usize = 1 << 15;

/// A list of rows of 64-bit words, of equal or different lengths, numbered from 0.
///
/// Rows lie one after the other in chunks, so that a million rows of 90 words cost 728 bytes each, growing never copies
/// what is there, and appending another list moves its chunks instead of its words.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    chunks: Vec<Vec<u64>>,
    places: Vec<Place>,
}

/// Where a row starts. It ends where the next row of its chunk starts, or with the chunk.
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

    /// An empty list with room for the rows of another one, at most for a chunk of them.
    pub(crate) fn with_room_of(other: &Self) -> Self {
        let words = CHUNK.min(other.words());
        Self {
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

    /// True if there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Number of words in all rows.
    #[must_use]
    pub fn words(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }

    /// Bytes of memory that the list takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let words: usize = self.chunks.iter().map(Vec::capacity).sum();
        (words * size_of::<u64>() + self.places.capacity() * size_of::<Place>()) as u64
    }

    /// Adds a row, which may be empty.
    pub fn push(&mut self, row: &[u64]) {
        if self
            .chunks
            .last()
            .is_none_or(|chunk| chunk.len() + row.len() > CHUNK && !chunk.is_empty())
        {
            // The first chunk grows as needed, because many lists stay small, unless there is room for it.
            let capacity = if self.chunks.is_empty() {
                row.len()
            } else {
                CHUNK.max(row.len())
            };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        // A row starts below `CHUNK`; 2^32 chunks would hold 2^47 words.
        self.places.push(Place {
            chunk: number as u32,
            start: chunk.len() as u32,
        });
        chunk.extend_from_slice(row);
    }

    /// The row of that number; empty where there is none.
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

    /// Adds the rows of another list after the own ones.
    pub fn append(&mut self, mut other: Self) {
        if other.words() < CHUNK / 8 && !self.is_empty() {
            for row in other.iter() {
                self.push(row);
            }
            return;
        }
        if let Some(last) = other.chunks.last_mut() {
            last.shrink_to_fit();
        }
        let before = self.chunks.len() as u32;
        self.chunks.append(&mut other.chunks);
        self.places.extend(other.places.iter().map(|place| Place {
            chunk: place.chunk + before,
            ..*place
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
