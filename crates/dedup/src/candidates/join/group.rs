//! Groups of documents with an equal key, and the choice of pairs that are compared.
//!
//! A search compares a bounded number of pairs per document, for any distribution of group sizes. Within
//! this budget all pairs of all groups are candidates. If groups have more pairs, a number of partners is
//! chosen for the collection, the largest that keeps the budget ([`GroupLimit::share`]): a group in which
//! each member has no more partners than that stays complete, and larger groups are capped. So the size
//! above which a group is capped depends on the collection, and a group that exceeds it by one member
//! leaves out one pair.
//!
//! In a capped group documents with similar rows are likely to be similar ([`kin`]). Members of equal kin
//! are compared with the first member of that kin. The others (in a further search all members) are
//! compared with the group's leaders, the first members by content hash, and with the members next to them
//! in the order of kin. Leaders link masses of similar documents to a few of them; the order of kin finds
//! the rare pairs among dissimilar documents.
//!
//! Further searches, among the documents that would stay, look for the pairs that are left out. They read
//! only the groups that the first one capped ([`OpenGroups`](super::open_groups::OpenGroups)): all pairs of
//! the others have been compared. They choose other leaders and another order of kin, differently in each
//! group, so that two documents have one chance per group that they share. The rule is the same for keys in
//! memory, in files and in an engine. An index reads the members of a group with the smallest content
//! hashes, up to the limit. Of these it compares the members that share most keys with a new document, a
//! bounded number ([`GroupLimit::lookups`]).

use crate::numeric::narrow;
use crate::numeric::radix::{FRONT, sort_by_front, sort_by_hash};
use crate::numeric::random::mix;

use crate::candidates::input::JoinInput;
pub use crate::candidates::join::open_groups::KEY_BITS;

/// Largest number of members of a group that is compared completely in any collection, and the measure of the budget of
/// a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimit(usize);

/// The number of members with which each member of a capped group is compared, for all groups of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Largest number of members of a group that is complete.
    complete: usize,
    partners: usize,
}

/// Number of partners that every budget allows: in the first search, and in further searches. With 20 bands
/// a document is compared with at most 320 others, fewer of them distinct.
const FEW_PARTNERS: [usize; 2] = [16, 8];

/// Minimum of [`GroupLimit::lookups`], unless groups are limited to fewer members.
const FEW_LOOKUPS: usize = 64;

/// Number of pairs that every budget of a first search allows: about a second of work. Up to 1448 documents
/// have no more pairs, and are compared completely in any search.
const MANY_PAIRS: u64 = 1 << 20;

/// The first search may compare this number of pairs for each pair that a further search may compare. Up to
/// sixteen further searches follow.
const FURTHER: u64 = 4;

impl Share {
    /// The share of groups in which only some documents ask.
    pub(crate) const OF_ASKED: Self = Self::of(MAX_PARTNERS);

    /// Groups are complete if no member has more partners than this.
    const fn of(partners: usize) -> Self {
        Self {
            complete: partners.saturating_add(1),
            partners,
        }
    }

    /// The number of partners, 1 or more.
    #[must_use]
    pub const fn partners(self) -> usize {
        self.partners
    }

    /// Number of partners that are next to a member in the order of kin.
    #[must_use]
    pub const fn neighbors(self) -> usize {
        self.partners.div_ceil(4)
    }

    /// Number of partners that lead the group.
    #[must_use]
    pub const fn leaders(self) -> usize {
        self.partners - self.neighbors()
    }

    /// Largest number of members of a group that is complete.
    #[must_use]
    pub const fn complete(self) -> usize {
        self.complete
    }

    /// True if a group of `members` members is capped.
    #[must_use]
    pub const fn caps(self, members: usize) -> bool {
        members > self.complete
    }

    /// Number of pairs that are compared in a group of `members` members: all pairs of a complete group, an
    /// estimate for a capped one.
    fn pairs(self, members: u64) -> u128 {
        let (members, partners) = (u128::from(members), self.partners as u128);
        // The first `partners + 1` members form a complete group. Each later member adds at most `partners`
        // pairs.
        let full = members.min(partners.saturating_add(1));
        full * full.saturating_sub(1) / 2 + (members - full) * partners.min(members)
    }
}

impl GroupLimit {
    /// Default number of members up to which a group is not capped.
    pub const DEFAULT: u32 = 1000;

    /// No group is capped.
    pub const NONE: Self = Self(usize::MAX);

    /// Groups of more than `members` members are capped.
    #[must_use]
    pub const fn new(members: u32) -> Self {
        Self(members as usize)
    }

    /// The limit for `documents` documents whose keys have only `values` possible values. It is raised by eight times
    /// the average number of documents per value, so that chance alone does not cap a group.
    pub(crate) const fn with_room_for_chance(self, documents: usize, values: usize) -> Self {
        Self(self.0.saturating_add(8 * documents / values))
    }

    /// Largest number of members of a group that may be complete.
    #[must_use]
    pub const fn members(self) -> usize {
        self.0
    }

    /// Maximum number of documents of an index that a new document is compared with: a quarter of this
    /// limit, but at least 64, or all members of one group if that is fewer. A search among documents has
    /// the same limit for the pairs of a document.
    #[must_use]
    pub const fn lookups(self) -> usize {
        let few = if self.0 < FEW_LOOKUPS { self.0 } else { FEW_LOOKUPS };
        if self.0 / 4 > few { self.0 / 4 } else { few }
    }

    /// True if a group of `members` members is capped in every collection.
    #[must_use]
    pub const fn caps(self, members: usize) -> bool {
        members > self.0
    }

    /// Number of members up to which a group is complete in every collection. `further` is true in a further search.
    #[must_use]
    pub fn always(self, further: bool) -> usize {
        self.0.min(FEW_PARTNERS[usize::from(further)] + 1)
    }

    /// The share for groups of these sizes: pairs of a number of members, above [`always`](Self::always),
    /// and the number of groups of that size. `documents` take part in the search; `further` is true in a
    /// further one.
    ///
    /// The budget of the first search is a quarter of this limit for each document, and a million pairs if
    /// that is more. Pairs are counted once per common key. If the documents have no more than a million
    /// pairs, groups need no budget.
    #[must_use]
    pub fn share(self, sizes: &[(u64, u64)], documents: u64, further: bool) -> Share {
        let most = self.0.saturating_sub(1).max(1);
        let distinct = u128::from(documents) * u128::from(documents.saturating_sub(1)) / 2;
        if self == Self::NONE || distinct <= MANY_PAIRS.into() {
            return Share::of(most);
        }
        let per_document = self.0 as u64 / 4;
        let budget = u128::from(documents) * u128::from(per_document);
        let budget = budget.max(MANY_PAIRS.into()) / u128::from(if further { FURTHER } else { 1 });
        let pairs = |partners: usize| -> u128 {
            let share = Share::of(partners);
            let of_size = |&(members, groups): &(u64, u64)| u128::from(groups) * share.pairs(members);
            sizes.iter().map(of_size).sum()
        };
        let largest = sizes.iter().map(|(members, _)| narrow::to_usize(*members)).max();
        // More partners than the largest group has members change nothing.
        // Invariant of the search: `enough` is allowed, `too_many` is not (or exceeds every group).
        let (mut enough, mut too_many) = (
            self.always(further).saturating_sub(1).max(1),
            most.min(largest.unwrap_or_default()) + 1,
        );
        // Up to `enough` partners are allowed whatever the budget is. If even the largest number stays within
        // the budget, nothing is capped.
        if too_many <= enough || pairs(too_many - 1) <= budget {
            return Share::of(most);
        }
        // The number of pairs grows with that of partners, so binary search finds the most that the budget allows.
        while enough + 1 < too_many {
            let middle = enough.midpoint(too_many);
            if pairs(middle) <= budget {
                enough = middle;
            } else {
                too_many = middle;
            }
        }
        Share::of(enough)
    }

    /// The share where a cheap filter precedes the comparison, so that pairs need no budget: groups are complete up to
    /// this limit.
    pub(crate) const fn share_before_filter(self) -> Share {
        Share {
            complete: self.0,
            partners: MAX_PARTNERS,
        }
    }
}

/// Number of partners in a capped group where no budget chooses it: where only some documents ask, and
/// where a filter precedes the comparison. Also the number of documents with which all others of a value of
/// a fingerprint are compared.
pub(crate) const MAX_PARTNERS: usize = 32;

/// Number of bytes of a word of kin.
const KIN_BYTES: u32 = 8;

/// A word that is similar for similar rows: two documents agree in each of its bytes with the probability
/// that they have an equal key in a column. Rows of one column have a hash of their keys. `keys` are those
/// of all columns in order, or all of a single column. Never 0.
pub(crate) fn kin(columns: u32, keys: impl Iterator<Item = u64>) -> u64 {
    if columns < 2 {
        return keys.fold(1, |hash, key| mix(hash ^ key)).max(1);
    }
    let mut word = 0;
    for (column, key) in (0..).zip(keys) {
        for byte in 0..KIN_BYTES {
            // With 8 or more columns, each byte comes from another column. With fewer, a column may fill
            // several bytes, each with another byte of its key.
            let (own, turn) = if columns >= KIN_BYTES {
                (byte * columns / KIN_BYTES, 0)
            } else {
                (byte % columns, byte / columns)
            };
            // `own` is below `columns`, and each byte is written once, so `word` is complete after the last
            // column.
            if own == column {
                word |= (key >> (8 * turn) & 0xff) << (8 * byte);
            }
        }
    }
    word.max(1)
}

/// A key of a document in a column, with the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Keyed {
    /// A key of [`KEY_BITS`] bits.
    pub(crate) key: u64,
    pub(crate) member: u32,
    /// True if the document asks by this key. Always true if documents ask by all their keys.
    pub(crate) asks: bool,
}

/// Sorts by key; documents with equal keys keep their order. `spare` is scratch memory.
pub(crate) fn sort_by_keys(words: &mut Vec<Keyed>, spare: &mut Vec<Keyed>) {
    let upper = |word: Keyed| narrow::low_half(word.key >> (KEY_BITS - u32::BITS));
    // The sort by upper bits leaves few keys that share them and differ below, so the second sort is cheap.
    // `FRONT` bits are enough for short lists.
    let bits = if words.len() < 1 << (FRONT - 1) {
        sort_by_front(words, spare, upper);
        FRONT
    } else {
        sort_by_hash(words, spare, upper);
        u32::BITS
    };
    let front = |word: Keyed| word.key >> (KEY_BITS - bits);
    for same in words.chunk_by_mut(|&a, &b| front(a) == front(b)) {
        // A stable sort: documents with equal keys stay in order.
        same.sort_by_key(|word| word.key);
    }
}

/// The groups of two or more equal keys. Keys in `words` must ascend.
pub(crate) fn groups(words: &[Keyed]) -> impl Iterator<Item = &[Keyed]> {
    words
        .chunk_by(|a, b| a.key == b.key)
        .filter(|group| group.len() > 1)
}

/// Calls `visit` with all pairs of a group.
#[inline]
pub(crate) fn all_pairs<E>(
    group: &[Keyed],
    mut visit: impl FnMut(u32, u32) -> Result<(), E>,
) -> Result<(), E> {
    for (place, a) in group.iter().enumerate() {
        for b in &group[place + 1..] {
            visit(a.member, b.member)?;
        }
    }
    Ok(())
}

/// Calls `visit` with the pairs of a capped group. `kin` returns the [kin](kin()) of a member. `document`
/// maps a member to its document number. The result does not depend on the order of members.
pub(crate) fn capped_pairs<E>(
    group: &[Keyed],
    input: &JoinInput<'_>,
    share: Share,
    kin: impl Fn(u32) -> u64,
    document: impl Fn(u32) -> u32,
    mut visit: impl FnMut(u32, u32) -> Result<(), E>,
) -> Result<(), E> {
    let key = group.first().map_or(0, |word| word.key);
    let mut members: Vec<(u64, u128, u32)> = group
        .iter()
        .map(|word| (kin(word.member), input.lead(document(word.member)), word.member))
        .collect();
    members.sort_unstable();
    // Stage 1: documents of equal kin are compared with the first of them, the one with the smallest
    // `lead`.
    let mut rest = Vec::new();
    for copies in members.chunk_by(|a, b| a.0 == b.0) {
        rest.push(copies[0].2);
        for copy in &copies[1..] {
            visit(copies[0].2, copy.2)?;
        }
    }
    if input.further.is_some() {
        // In a further search the first document of equal kin may be one that is removed later. So all
        // members take part in the next two stages.
        rest = members.iter().map(|member| member.2).collect();
    }
    // Stage 2: the first `leaders()` members are compared with all members.
    input.sort_partners(&mut rest, key, &document);
    for (place, &member) in rest.iter().enumerate() {
        for &partner in &rest[..place.min(share.leaders())] {
            visit(partner, member)?;
        }
    }
    // Stage 3: each member is compared with those before it in the order of kin. The rotation puts another
    // column first in each search and group. A pair of two stages is visited twice; callers remove
    // repetitions.
    rest.sort_by_cached_key(|&member| {
        let content = input.contents.get(document(member) as usize).copied();
        (input.turned(kin(member), key), content.unwrap_or_default())
    });
    for (place, &member) in rest.iter().enumerate() {
        for &partner in &rest[place.saturating_sub(share.neighbors())..place] {
            visit(partner, member)?;
        }
    }
    Ok(())
}

/// A pair as one word: the smaller number in the upper half, the larger in the lower half.
pub(crate) fn pair_word(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::SplitMix64;

    /// Groups of any sizes: the share keeps the budget, and one more partner would not.
    #[test]
    fn a_share_is_the_largest_that_keeps_the_budget() {
        let mut random = SplitMix64::new(12);
        let limit = GroupLimit::new(1000);
        for round in 0..500 {
            let further = round % 2 == 1;
            let largest = 1 << (4 + random.number() % 18);
            let mut sizes: Vec<(u64, u64)> = (0..=random.number() % 40)
                .map(|_| (18 + random.number() % largest, 1 + random.number() % 1000))
                .collect();
            sizes.sort_unstable();
            sizes.dedup_by_key(|size| size.0);
            let documents = sizes
                .iter()
                .map(|(members, groups)| members * groups)
                .sum::<u64>()
                / 20;
            let budget = u128::from(250 * documents).max(1 << 20) / if further { 4 } else { 1 };
            let pairs = |partners| -> u128 {
                let share = Share::of(partners);
                let of = |&(members, groups): &(u64, u64)| share.pairs(members) * u128::from(groups);
                sizes.iter().map(of).sum()
            };
            let share = limit.share(&sizes, documents, further);
            let fewest = limit.always(further) - 1;
            if documents < 1449 {
                assert_eq!(limit.share(&sizes, documents, further).partners(), 999);
                continue;
            }
            assert!((fewest..1000).contains(&share.partners()));
            assert!(
                share.partners() == fewest || pairs(share.partners()) <= budget,
                "{sizes:?}"
            );
            assert!(
                share.partners() == 999 || pairs(share.partners() + 1) > budget,
                "{sizes:?}"
            );
        }
        assert!(
            !GroupLimit::NONE
                .share(&[(1 << 40, 1 << 20)], 1 << 32, false)
                .caps(1 << 40)
        );
        assert_eq!(
            GroupLimit::new(2)
                .share(&[(1 << 20, 30)], 1 << 20, false)
                .partners(),
            1
        );
    }

    /// A group that is one member larger than a complete one leaves out one pair.
    #[test]
    fn no_group_size_is_a_cliff() {
        let share = Share::of(20);
        let pairs = |members| share.pairs(members);
        assert!(!share.caps(21) && share.caps(22));
        assert_eq!((pairs(21), pairs(22)), (21 * 20 / 2, 22 * 21 / 2 - 1));
        assert!((2..1000).all(|members| pairs(members + 1) - pairs(members) <= 20));
        assert_eq!(share.leaders() + share.neighbors(), 20);
    }

    #[test]
    fn kin_agrees_where_columns_do() {
        for columns in 2..40_u32 {
            let keys: Vec<u64> = (0..u64::from(columns)).map(|key| mix(key) >> 16).collect();
            let own = kin(columns, keys.iter().copied());
            assert_eq!(own, kin(columns, keys.iter().copied()));
            let mut differ = 0_u64;
            for column in 0..columns as usize {
                let mut other = keys.clone();
                other[column] = !other[column];
                differ |= own ^ kin(columns, other.into_iter());
            }
            assert_eq!(differ, u64::MAX, "each byte follows one of {columns} columns");
        }
    }

    /// Thousands of keys have equal upper halves by construction; only keys that are equal in all bits make groups.
    #[test]
    fn keys_of_which_only_a_part_is_equal_make_no_group() {
        let mut random = SplitMix64::new(9);
        for count in [100, 50_000] {
            let key = |number: u64| ((number / 4) << 20) | (number % 4 / 2);
            let mut words: Vec<Keyed> = (0..count)
                .map(|number| Keyed {
                    key: key(number),
                    member: number as u32,
                    asks: true,
                })
                .collect();
            for place in (1..words.len()).rev() {
                words.swap(place, (random.number() % (place as u64 + 1)) as usize);
            }
            sort_by_keys(&mut words, &mut Vec::new());
            assert!(words.is_sorted_by_key(|word| word.key));
            let mut found: Vec<Vec<u32>> = groups(&words)
                .map(|group| group.iter().map(|word| word.member).collect())
                .collect();
            found.iter_mut().for_each(|group| group.sort_unstable());
            let expected: Vec<Vec<u32>> = (0..count as u32 / 2)
                .map(|pair| vec![2 * pair, 2 * pair + 1])
                .collect();
            assert_eq!(found, expected);
        }
    }
}
