//! Groups of documents with an equal key, and which of their pairs are compared.
//!
//! All pairs of a group are candidates up to a number of members, the [`GroupLimit`]. Of a larger group, documents with wholly equal
//! rows are compared with the first of them, and the others (in a further search all) with the
//! group's first [`MAX_PARTNERS`] members, where content hashes decide the order. So the work is linear in the size of a
//! group. What that leaves out is sought in further searches, among the documents that would stay, where other members lead,
//! in each group others: so two documents that share several groups have a chance in each.
//! The rule is the same whether keys are in memory or in files; an index compares a new document with as many
//! members of a group as the limit says, those with the smallest content hashes.

use crate::numeric::radix::{FRONT, sort_by_front, sort_by_hash};

use crate::candidates::input::JoinInput;

/// The largest group of documents with an equal key in which all pairs are compared. Larger groups are capped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLimit(usize);

impl GroupLimit {
    /// Members of the largest group that is not capped, unless a candidate method is given another number.
    pub const DEFAULT: u32 = 1000;

    /// No group is capped.
    pub const NONE: Self = Self(usize::MAX);

    /// Groups of more than so many members are capped.
    #[must_use]
    pub const fn new(members: u32) -> Self {
        Self(members as usize)
    }

    /// The limit for `documents` whose keys have only so many `values`: as many more members as eight times the documents that
    /// have a value on average, since keys that few are equal by chance.
    pub(crate) const fn with_room_for_chance(self, documents: usize, values: usize) -> Self {
        Self(self.0.saturating_add(8 * documents / values))
    }

    /// Members of the largest group that is not capped.
    #[must_use]
    pub const fn members(self) -> usize {
        self.0
    }

    /// True if a group of so many members is capped.
    #[must_use]
    pub const fn caps(self, members: usize) -> bool {
        members > self.0
    }
}

/// Members of a larger group that all others are compared with.
///
/// With fewer of them more documents are kept: of 4,000 that are similar by ever different parts, 3 of 40 replaced, 41 with 32 of them, 56
/// with 16 in the first search, and 78 with 8.
pub(crate) const MAX_PARTNERS: usize = 32;

/// Bits of a key: the upper ones of a 64-bit hash.
///
/// Documents that are not alike have an equal key by chance in `n² / 2^49` pairs of a column: 2 pairs among 32 million
/// documents, 1,800 among a billion. With 32 bits it would be 116 million pairs among a billion, each of which is kept, read
/// again and compared. With 64 bits a row would be a third longer, and no figure better.
pub const KEY_BITS: u32 = 48;

/// A key of a document in a column, and the number of the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Keyed {
    /// A key of [`KEY_BITS`] bits.
    pub(crate) key: u64,
    pub(crate) member: u32,
    /// Whether the document asks by this key: all do, unless documents ask by some of their keys only.
    pub(crate) asks: bool,
}

/// Sorts by key; documents with equal keys keep their order. `spare` is scratch memory.
pub(crate) fn sort_by_keys(words: &mut Vec<Keyed>, spare: &mut Vec<Keyed>) {
    let upper = |word: Keyed| (word.key >> (KEY_BITS - u32::BITS)) as u32;
    // The bits that keys are sorted by are rarely equal where the others are not.
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

/// The groups of two and more in words whose keys ascend.
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

/// Calls `visit` with the pairs of a group that is too large for all pairs. `row` is equal for members of equal rows, and
/// `document` is the document that a member stands for; the order of members does not matter.
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
        // The first of equal rows may be one that goes.
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

/// A pair as one word: the smaller number in the upper half.
pub(crate) fn pair_word(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::SplitMix64;

    /// Of so many keys, thousands have equal upper halves by construction; only keys that are wholly equal make groups.
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
