//! An inverted index in flat memory: the list of documents for each value.

use crate::numeric::narrow;
use crate::numeric::radix::sort_by_upper_half;
use crate::numeric::random::mix;
use crate::numeric::rows::Rows;

/// For every value that two or more documents have, the list of their ranks; and for every document the numbers of its
/// lists.
///
/// Values are represented by 32 bits of a hash. Two values with the same hash share a list, so a count of common values
/// may be too large, but is never too small.
pub(crate) struct Postings {
    /// Ranks of all lists, one list after another, ascending within a list.
    ranks: Vec<u32>,
    /// The end of each list in `ranks`.
    list_ends: Vec<usize>,
    /// Numbers of the lists of all documents, one document after another.
    lists: Vec<u32>,
    /// The end of each document's numbers in `lists`.
    document_ends: Vec<usize>,
}

/// Approximate number of values that are sorted at a time: 64 MiB of words, and as much scratch memory.
const PART: usize = 1 << 23;

impl Postings {
    /// Indexes the rows of these documents. The rank of a document is its place in `documents`. Repeated values of a
    /// row count once.
    pub(crate) fn new(documents: &[u32], rows: &Rows) -> Self {
        let row = |document: u32| rows.row(document as usize);
        let total: usize = documents.iter().map(|&document| row(document).len()).sum();
        // A part is one pass over all rows. More passes cost time, a larger part memory.
        let parts = (total / PART + 1) as u64;
        let mut ranks = Vec::new();
        let mut list_ends = Vec::new();
        let mut list_counts = vec![0_usize; documents.len()];
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        for part in 0..parts {
            words.clear();
            for (rank, &document) in (0_u64..).zip(documents) {
                let hashes = row(document).iter().map(|&value| mix(value) >> 32);
                // A part takes the hashes in one of `parts` equal ranges.
                words.extend(
                    hashes
                        .filter(|hash| (hash * parts) >> 32 == part)
                        .map(|hash| hash << 32 | rank),
                );
            }
            sort_by_upper_half(&mut words, &mut spare);
            // Words of a value ascend by rank after the sort, so repetitions within a row are adjacent.
            words.dedup();
            // A value of a single document cannot make a pair and gets no list.
            for list in words
                .chunk_by(|a, b| a >> 32 == b >> 32)
                .filter(|list| list.len() > 1)
            {
                for &word in list {
                    let rank = narrow::low_half(word);
                    ranks.push(rank);
                    list_counts[rank as usize] += 1;
                }
                list_ends.push(ranks.len());
            }
        }
        let mut document_ends = list_counts;
        let mut start = 0;
        for end in &mut document_ends {
            start += std::mem::replace(end, start);
        }
        // `document_ends` holds the start of each document's numbers. Filling `lists` moves each to its
        // end.
        let mut lists = vec![0; ranks.len()];
        let mut list_start = 0;
        for (number, &list_end) in (0..).zip(&list_ends) {
            for &rank in &ranks[list_start..list_end] {
                let place = &mut document_ends[rank as usize];
                lists[*place] = number;
                *place += 1;
            }
            list_start = list_end;
        }
        Self {
            ranks,
            list_ends,
            lists,
            document_ends,
        }
    }

    /// The ranks of the documents in list number `number`, ascending.
    fn list(&self, number: usize) -> &[u32] {
        let start = if number == 0 {
            0
        } else {
            self.list_ends[number - 1]
        };
        &self.ranks[start..self.list_ends[number]]
    }

    /// All lists.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.list_ends.len()).map(|number| self.list(number))
    }

    /// The lists that contain the document of rank `rank`.
    pub(crate) fn lists_of(&self, rank: u32) -> impl Iterator<Item = &[u32]> {
        let start = if rank == 0 {
            0
        } else {
            self.document_ends[rank as usize - 1]
        };
        let numbers = &self.lists[start..self.document_ends[rank as usize]];
        numbers.iter().map(|&number| self.list(number as usize))
    }
}
