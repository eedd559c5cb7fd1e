//! An inverted index in flat memory: which documents have a value.

use crate::numeric::radix::sort_by_upper_half;
use crate::numeric::random::mix;
use crate::numeric::rows::Rows;

/// For every value that two or more documents have, the ranks of those documents; and for every document its lists.
///
/// Values are told apart by 32 bits of a hash: a list may be that of two values, so that a count of common values may be
/// too large, but never too small.
pub(crate) struct Postings {
    /// Ranks, list after list, ascending within a list.
    ranks: Vec<u32>,
    /// Where lists end in `ranks`.
    list_ends: Vec<usize>,
    /// Numbers of lists, document after document.
    lists: Vec<u32>,
    /// Where documents end in `lists`.
    document_ends: Vec<usize>,
}

/// Values that are sorted at a time, about: 64 MiB twice.
const PART: usize = 1 << 23;

impl Postings {
    /// Indexes the rows of documents, in that order, each value of a row once.
    pub(crate) fn new(documents: &[u32], rows: &Rows) -> Self {
        let row = |document: u32| rows.row(document as usize);
        let total: usize = documents.iter().map(|&document| row(document).len()).sum();
        let parts = (total / PART + 1) as u64;
        let mut ranks = Vec::new();
        let mut list_ends = Vec::new();
        let mut list_counts = vec![0_usize; documents.len()];
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        for part in 0..parts {
            words.clear();
            for (rank, &document) in (0_u64..).zip(documents) {
                let hashes = row(document).iter().map(|&value| mix(value) >> 32);
                words.extend(
                    hashes
                        .filter(|hash| (hash * parts) >> 32 == part)
                        .map(|hash| hash << 32 | rank),
                );
            }
            sort_by_upper_half(&mut words, &mut spare);
            words.dedup();
            for list in words
                .chunk_by(|a, b| a >> 32 == b >> 32)
                .filter(|list| list.len() > 1)
            {
                for &word in list {
                    ranks.push(word as u32);
                    list_counts[word as u32 as usize] += 1;
                }
                list_ends.push(ranks.len());
            }
        }
        let mut document_ends = list_counts;
        let mut start = 0;
        for end in &mut document_ends {
            start += std::mem::replace(end, start);
        }
        // `document_ends` holds starts now; filling moves each to the document's end.
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

    /// The ranks of the documents that have the value of a list, ascending.
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

    /// The lists that the document of that rank is in.
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
