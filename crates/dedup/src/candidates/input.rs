//! The input of a search for candidate pairs, and its counts.

use rayon::prelude::*;

use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;
use crate::numeric::random::mix;
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
    /// If this is a further search among documents that would stay: who of them leads groups that are too large for all pairs.
    pub further: Option<Further<'a>>,
}

/// A further search among documents that would stay.
#[derive(Clone, Copy, Debug)]
pub struct Further<'a> {
    /// By the place of a document among those that take part, its place in the order in which documents stay.
    pub places: &'a [u32],
    /// How many further searches there were before: in each, other members of a large group are compared with all of it.
    pub before: u32,
}

impl JoinInput<'_> {
    /// What orders a document among those of a group with wholly equal keys: the smallest is compared with the others. In a further
    /// search that is the best one, so that all others go that are similar to it.
    pub(crate) fn lead(&self, document: u32) -> u128 {
        match self.further {
            None => self.contents.get(document as usize).copied().unwrap_or_default(),
            Some(further) => further.place(self.documents, document).into(),
        }
    }

    /// Sorts members of the group of a key, of which the first are compared with all others. In a further search the best one comes
    /// first, then others than in earlier searches and than in other groups: two documents have a chance in each group that they share.
    pub(crate) fn sort_partners(&self, members: &mut [u32], key: u64, document: impl Fn(u32) -> u32) {
        let lead = |member: &u32| self.lead(document(*member));
        let Some(further) = self.further else {
            members.sort_by_key(lead);
            return;
        };
        let best = members.iter().copied().min_by_key(lead);
        members.sort_by_cached_key(|&member| {
            let content = self
                .contents
                .get(document(member) as usize)
                .copied()
                .unwrap_or_default();
            (Some(member) != best, shuffled(content, key, further.before))
        });
    }
}

/// What sorts the members of the group of a key, but for the best one, in a further search with so many further ones before.
pub(crate) fn shuffled(content: u128, key: u64, before: u32) -> (u64, u128) {
    (mix(content as u64 ^ mix(key ^ mix(before.into()))), content)
}

impl Further<'_> {
    fn place(&self, documents: &[u32], document: u32) -> u32 {
        let number = documents.binary_search(&document).ok();
        number
            .and_then(|number| self.places.get(number))
            .copied()
            .unwrap_or(u32::MAX)
    }
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
    /// Adds what a later round found.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.members.union(&other.members);
        self.unlike.append(&mut other.unlike);
    }

    /// Leaves each pair once.
    pub(crate) fn sort(&mut self) {
        self.unlike.par_sort_unstable();
        self.unlike.dedup();
    }

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

    /// Adds the candidate pairs of `members` that are not among the similar ones, which come in the same order. Members are the documents
    /// of groups that were capped in the round of the candidates: a pair of others may have been refused by its estimate.
    pub(crate) fn add_unlike(&mut self, members: &BitSet, candidates: &[ScoredPair], similar: &[ScoredPair]) {
        let mut similar = similar.iter().peekable();
        for pair in candidates {
            let is_similar = similar
                .next_if(|other| (other.a, other.b) == (pair.a, pair.b))
                .is_some();
            if !is_similar && members.contains(pair.a) && members.contains(pair.b) {
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
