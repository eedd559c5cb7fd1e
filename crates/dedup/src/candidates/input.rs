//! The input of a search for candidate pairs, and its counts.

use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;
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

/// The documents of capped groups, and what is known of their pairs.
///
/// Two documents in no capped group that share a key were compared, and two that share none are not alike. Of two
/// documents in capped groups it is known only if they were compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CappedGroups {
    pub(crate) members: BitSet,
    /// Pairs of members that were compared and are not similar enough, in any order.
    pub(crate) unlike: Vec<(u32, u32)>,
}

impl CappedGroups {
    /// True if a document is in a capped group.
    #[must_use]
    pub fn contains(&self, document: u32) -> bool {
        self.members.contains(document)
    }

    /// True if both documents are in capped groups, the same one or two.
    #[must_use]
    pub fn contain(&self, a: u32, b: u32) -> bool {
        self.contains(a) && self.contains(b)
    }

    /// Adds the candidate pairs that are not among the similar ones, which come in the same order.
    pub(crate) fn add_unlike(&mut self, candidates: &[ScoredPair], similar: &[ScoredPair]) {
        if self.members.is_empty() {
            return;
        }
        let mut similar = similar.iter().peekable();
        for pair in candidates {
            let is_similar = similar
                .next_if(|other| (other.a, other.b) == (pair.a, pair.b))
                .is_some();
            if !is_similar && self.contain(pair.a, pair.b) {
                self.unlike.push((pair.a, pair.b));
            }
        }
    }

    /// Pairs of documents in capped groups that were compared and are not similar enough, in no order.
    #[must_use]
    pub fn unlike(&self) -> &[(u32, u32)] {
        &self.unlike
    }
}

/// Counts of a join.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinCounts {
    /// Pairs that were compared.
    pub candidates: u64,
    /// Groups of documents with a common key that were too large to compare all pairs within.
    pub capped_buckets: u64,
    /// Shingles in so many documents that they were not counted.
    pub cut_shingles: u64,
    /// The documents of capped groups.
    pub capped: CappedGroups,
}

/// The pairs that one thread has compared.
#[derive(Default)]
pub(crate) struct ComparedPairs {
    found: Vec<ScoredPair>,
    /// Pairs that are not similar enough, where these are asked for.
    unlike: Vec<(u32, u32)>,
    candidates: u64,
}

impl ComparedPairs {
    /// Compares two documents.
    pub(crate) fn compare(&mut self, check: &Check<'_>, a: u32, b: u32) {
        self.candidates += 1;
        self.found.extend(check(a, b, None));
    }

    /// Compares two documents, and keeps their pair also if they are not similar enough.
    pub(crate) fn compare_and_keep(&mut self, check: &Check<'_>, a: u32, b: u32) {
        self.candidates += 1;
        match check(a, b, None) {
            Some(pair) => self.found.push(pair),
            None => self.unlike.push((a, b)),
        }
    }

    /// The pairs that are not similar enough, of all threads.
    pub(crate) fn take_unlike(threads: &mut [Self]) -> impl Iterator<Item = (u32, u32)> {
        threads
            .iter_mut()
            .flat_map(|thread| std::mem::take(&mut thread.unlike))
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
