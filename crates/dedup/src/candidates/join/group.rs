//! Groups of documents with an equal key, and the choice of pairs that are compared.
//!
//! All pairs of a group are candidates up to a number of members, the [`GroupLimit`]. A larger group is capped. Its
//! documents with identical rows are compared with the first of them. The others (in a further search all members) are
//! compared with the group's first [`MAX_PARTNERS`] members, ordered by content hash. So the work is linear in the size
//! of a group.
//!
//! Further searches, among the documents that would stay, look for the pairs that are left out. They choose other first
//! members, differently in each group, so that two documents have one chance per group that they share.
//! The rule is the same for keys in memory and in files. An index compares a new document with up to the limit's number
//! of members of a group: the members with the smallest content hashes.

use crate::numeric::radix::{FRONT, sort_by_front, sort_by_hash};

use crate::candidates::input::JoinInput;

/// Number of members up to which all pairs of a group are compared. Larger groups are capped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimit(usize);

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

    /// Number of members up to which a group is not capped.
    #[must_use]
    pub const fn members(self) -> usize {
        self.0
    }

    /// True if a group of `members` members is capped.
    #[must_use]
    pub const fn caps(self, members: usize) -> bool {
        members > self.0
    }
}

/// Number of members of a capped group that all others are compared with.
///
/// With fewer partners more documents are kept. Of 4,000 similar documents, each with a different 3 of 40 parts
/// replaced, 41 are kept with 32 partners, 56 with 16 in the first search, and 78 with 8.
pub(crate) const MAX_PARTNERS: usize = 32;

/// Number of bits of a key: the upper bits of a 64-bit hash.
///
/// Among `n` dissimilar documents, `n² / 2^49` pairs per column have an equal key by chance: 2 pairs for 32 million
/// documents, 1,800 for a billion. With 32 bits there would be 116 million pairs for a billion documents, each of which
/// is stored, read again and compared. With 64 bits rows would be a third longer without a noticeable benefit.
pub const KEY_BITS: u32 = 48;

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
    let upper = |word: Keyed| (word.key >> (KEY_BITS - u32::BITS)) as u32;
    // Keys that agree in the sorted upper bits are usually equal in all bits, so the second sort is cheap.
    let bits = if words.len() < 1 << (FRONT - 1) {
        sort_by_front(words, spare, upper);
        FRONT
    } else {
        sort_by_hash(words, spare, upper);
        u32::BITS
    };
    let front = |word: Keyed| word.key >> (KEY_BITS - bits);
    for same in words.chunk_by_mut(|&a, &b| front(a) == front(b)) {
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

/// Calls `visit` with the pairs of a capped group. `row` returns equal values for members with identical rows.
/// `document` maps a member to its document number. The result does not depend on the order of members.
pub(crate) fn capped_pairs<R: Ord, E>(
    group: &[Keyed],
    input: &JoinInput<'_>,
    row: impl Fn(u32) -> R,
    document: impl Fn(u32) -> u32,
    mut visit: impl FnMut(u32, u32) -> Result<(), E>,
) -> Result<(), E> {
    let mut members: Vec<u32> = group.iter().map(|word| word.member).collect();
    let lead = |member| input.lead(document(member));
    members.sort_by(|&a, &b| row(a).cmp(&row(b)).then_with(|| lead(a).cmp(&lead(b))));
    let mut rest = Vec::new();
    for copies in members.chunk_by(|&a, &b| row(a) == row(b)) {
        rest.push(copies[0]);
        for &copy in &copies[1..] {
            visit(copies[0], copy)?;
        }
    }
    if input.further.is_some() {
        // The first of several documents with identical rows may be one that is removed, so all members take part.
        rest = members;
    }
    let key = group.first().map_or(0, |word| word.key);
    input.sort_partners(&mut rest, key, document);
    for (place, &member) in rest.iter().enumerate() {
        for &partner in &rest[..place.min(MAX_PARTNERS)] {
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
