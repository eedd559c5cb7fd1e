//! The input of a search for candidate pairs, and its counts.

use rayon::prelude::*;

use crate::candidates::join::open_groups::OpenGroups;
use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;
use crate::numeric::narrow;
use crate::numeric::random::mix;
use crate::numeric::rows::Rows;

/// Compares two documents, given in any order. Returns the pair if it is similar enough, else `None`. The third
/// argument is the number of equal keys in their rows, or `None` if it is not known.
pub type Check<'a> = dyn Fn(u32, u32, Option<u32>) -> Option<ScoredPair> + Sync + 'a;

/// The documents among which candidate pairs are searched.
#[derive(Clone, Copy, Debug)]
pub struct JoinInput<'a> {
    /// The numbers of the documents that take part, ascending.
    pub documents: &'a [u32],
    /// Rows of keys made by the index, by document number.
    pub rows: &'a Rows,
    /// Content hashes, by document number; distinct among the documents that take part. They decide
    /// wherever a choice must not depend on the order of input.
    pub contents: &'a [u128],
    /// The order that decides which documents lead groups that are too large for comparing all pairs.
    /// `None` in the first search.
    pub further: Option<Further<'a>>,
}

/// A further search, among documents that would stay.
#[derive(Clone, Copy, Debug)]
pub struct Further<'a> {
    /// For each document that takes part, in the order of `documents`: its rank in the order of preference. Documents
    /// with smaller ranks stay.
    pub places: &'a [u32],
    /// Number of further searches before this one. Each compares other members of a large group with the
    /// whole group.
    pub before: u32,
    /// The groups that the first search capped. In all other groups all pairs have been compared.
    pub(crate) open: &'a OpenGroups,
}

impl JoinInput<'_> {
    /// The sort key of a document among documents with identical rows: the document with the smallest one is compared
    /// with the others. In a further search this is the preferred document, so that all documents similar to it are
    /// removed.
    pub(crate) fn lead(&self, document: u32) -> u128 {
        match self.further {
            None => self.contents.get(document as usize).copied().unwrap_or_default(),
            Some(further) => further.place(self.documents, document).into(),
        }
    }

    /// The word by which a member of the group of `key` is ordered among its kin.
    pub(crate) fn turned(&self, kin: u64, key: u64) -> u64 {
        kin.rotate_left(turn(key, self.further.map(|further| further.before)))
    }

    /// Sorts the members of the group of `key`; the first ones are compared with all others. In a further search the
    /// preferred member comes first. The rest is shuffled differently in each search and each group, so that two
    /// documents have one chance per group that they share.
    pub(crate) fn sort_partners(&self, members: &mut [u32], key: u64, document: impl Fn(u32) -> u32) {
        let lead = |member: &u32| self.lead(document(*member));
        let Some(further) = self.further else {
            members.sort_by_key(lead);
            return;
        };
        // The preferred member leads whatever its hash is: documents similar to it are then removed.
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

/// Number of bits by which words of kin are turned in the group of `key`, so that another column comes first in each
/// search and group. `before` is `None` in the first search, else the number of further searches before.
pub(crate) fn turn(key: u64, before: Option<u32>) -> u32 {
    // The first search gets 0, so it turns groups differently from every further search.
    let search = before.map_or(0, |before| u64::from(before) + 1);
    // Whole bytes, because a byte of kin stands for a column.
    8 * (mix(key ^ mix(!search)) % 8) as u32
}

/// The sort key of a member of the group of `key`, other than the preferred one, in a further search with `before`
/// searches before it.
pub(crate) fn shuffled(content: u128, key: u64, before: u32) -> (u64, u128) {
    (
        mix(narrow::low_word(content) ^ mix(key ^ mix(before.into()))),
        content,
    )
}

impl Further<'_> {
    /// The rank of a document in the order of preference; `u32::MAX` if it does not take part.
    fn place(&self, documents: &[u32], document: u32) -> u32 {
        let number = documents.binary_search(&document).ok();
        number
            .and_then(|number| self.places.get(number))
            .copied()
            .unwrap_or(u32::MAX)
    }
}

/// The documents of capped groups, and the pairs of them that are known to be dissimilar.
///
/// Two documents that share a key were compared, unless both are in capped groups. Two documents that share no key are
/// dissimilar. The similarity of two documents in capped groups is known only if they were compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CappedGroups {
    pub(crate) members: BitSet,
    /// Pairs of members that were compared and are not similar enough, in any order.
    pub(crate) unlike: Vec<(u32, u32)>,
}

impl CappedGroups {
    /// Adds the results of a later round.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.members.union(&other.members);
        self.unlike.append(&mut other.unlike);
    }

    /// Sorts the dissimilar pairs and removes repetitions.
    pub(crate) fn sort(&mut self) {
        self.unlike.par_sort_unstable();
        self.unlike.dedup();
    }

    /// True if a document is in a capped group.
    #[must_use]
    pub fn contains(&self, document: u32) -> bool {
        self.members.contains(document)
    }

    /// True if both documents are in capped groups, in the same group or in different ones.
    #[must_use]
    pub fn contain(&self, a: u32, b: u32) -> bool {
        self.contains(a) && self.contains(b)
    }

    /// Adds the dissimilar pairs: those `candidates` that are not in `similar` and whose documents are both
    /// in `members`. Both lists are in ascending order of pairs, and `similar` is part of `candidates`.
    ///
    /// `members` are the documents of groups that were capped in the round of the candidates. Pairs of
    /// other documents are not needed: they may be missing from `similar` only because of their estimates.
    pub(crate) fn add_unlike(&mut self, members: &BitSet, candidates: &[ScoredPair], similar: &[ScoredPair]) {
        // One step through both lists.
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

    /// Pairs of documents in capped groups that were compared and are not similar enough, in any order.
    #[must_use]
    pub fn unlike(&self) -> &[(u32, u32)] {
        &self.unlike
    }
}

/// The counts of a join, and its capped groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinCounts {
    /// Number of pairs that were compared.
    pub candidates: u64,
    /// Number of groups of documents with a common key that were too large for comparing all pairs.
    pub capped_buckets: u64,
    /// The capped groups, for a further search.
    pub(crate) open: OpenGroups,
    /// Number of shingles that were skipped because too many documents have them.
    pub cut_shingles: u64,
    /// The documents of capped groups.
    pub capped: CappedGroups,
    /// The largest number of pairs that the method compares, if there are more. The search was then
    /// abandoned, since the method promises all pairs.
    pub too_many: Option<u64>,
}

/// The pairs that one thread compared.
#[derive(Default)]
pub(crate) struct ComparedPairs {
    found: Vec<ScoredPair>,
    /// Pairs that are not similar enough; filled only by [`compare_and_keep`](Self::compare_and_keep).
    unlike: Vec<(u32, u32)>,
    candidates: u64,
}

impl ComparedPairs {
    /// Compares two documents and keeps the pair if it is similar enough.
    pub(crate) fn compare(&mut self, check: &Check<'_>, a: u32, b: u32) {
        self.candidates += 1;
        self.found.extend(check(a, b, None));
    }

    /// Compares two documents and keeps the pair: in `found` if it is similar enough, else in `unlike`.
    pub(crate) fn compare_and_keep(&mut self, check: &Check<'_>, a: u32, b: u32) {
        self.candidates += 1;
        match check(a, b, None) {
            Some(pair) => self.found.push(pair),
            None => self.unlike.push((a, b)),
        }
    }

    /// Takes the dissimilar pairs of all threads.
    pub(crate) fn take_unlike(threads: &mut [Self]) -> impl Iterator<Item = (u32, u32)> {
        threads
            .iter_mut()
            .flat_map(|thread| std::mem::take(&mut thread.unlike))
    }

    /// Moves the similar pairs of all threads to `found`. Returns the number of pairs that were compared.
    pub(crate) fn gather(threads: Vec<Self>, found: &mut Vec<ScoredPair>) -> u64 {
        let compared = |thread: Self| {
            found.extend(thread.found);
            thread.candidates
        };
        threads.into_iter().map(compared).sum()
    }
}
