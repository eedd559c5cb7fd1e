//! The input of a search for candidate pairs, and its counts.

use crate::candidates::pair::ScoredPair;
use crate::numeric::rows::Rows;

/// Compares two documents, given in any order; returns the pair if it is similar enough. If the number of equal keys in
/// their rows is known, it comes third.
pub type Check<'a> = dyn Fn(u32, u32, Option<u32>) -> Option<ScoredPair> + Sync + 'a;

/// The documents among which pairs are sought.
#[derive(Clone, Copy, Debug)]
pub struct JoinInput<'a> {
    /// The numbers of the documents that take part, ascending.
    pub documents: &'a [u32],
    /// Rows of keys that the index made, by document number.
    pub rows: &'a Rows,
    /// Content hashes, by document number: distinct among the documents that take part. They order documents where a
    /// choice among them must not depend on the order of input.
    pub contents: &'a [u128],
}

/// Counts of a join.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinCounts {
    /// Pairs that were compared.
    pub candidates: u64,
    /// Groups of documents with a common key that were too large to compare all pairs within.
    pub capped_buckets: u64,
    /// Shingles in so many documents that they were not counted.
    pub cut_shingles: u64,
}

impl JoinCounts {
    /// Adds the counts of another part of the join.
    pub(crate) fn add(&mut self, other: Self) {
        self.candidates += other.candidates;
        self.capped_buckets += other.capped_buckets;
        self.cut_shingles += other.cut_shingles;
    }
}

/// The pairs that one thread has compared.
#[derive(Default)]
pub(crate) struct ComparedPairs {
    found: Vec<ScoredPair>,
    candidates: u64,
}

impl ComparedPairs {
    /// Compares two documents.
    pub(crate) fn compare(&mut self, check: &Check<'_>, a: u32, b: u32) {
        self.candidates += 1;
        self.found.extend(check(a, b, None));
    }

    /// Moves the pairs of all threads to `found`. Returns how many were compared.
    pub(crate) fn gather(threads: Vec<Self>, found: &mut Vec<ScoredPair>) -> u64 {
        let compared = |thread: Self| {
            found.extend(thread.found);
            thread.candidates
        };
        threads.into_iter().map(compared).sum()
    }
}
