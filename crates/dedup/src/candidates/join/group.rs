//! Groups of documents with an equal key, and which of their pairs are compared.
//!
//! All pairs of a group are candidates up to a number of members, the [`GroupLimit`]. Of a larger group, documents with wholly equal
//! rows are compared with the first of them, and the others (in a further search all) with the
//! group's first [`MAX_PARTNERS`] members, where content hashes decide the order. So the work is linear in the size of a
//! group. What that leaves out is sought in further searches, among the documents that would stay, where other members lead.
//! The rule is the same whether keys are in memory or in files; an index compares a new document with as many
//! members of a group as the limit says.

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

    /// True if a group of so many members is capped.
    #[must_use]
    pub const fn caps(self, members: usize) -> bool {
        members > self.0
    }
}

/// Members of a larger group that all others are compared with.
pub(crate) const MAX_PARTNERS: usize = 32;

/// The groups of two and more in words whose upper halves are keys and ascend.
pub(crate) fn groups(words: &[u64]) -> impl Iterator<Item = &[u64]> {
    words
        .chunk_by(|a, b| a >> 32 == b >> 32)
        .filter(|group| group.len() > 1)
}

/// Calls `visit` with all pairs of a group, whose members are in the lower halves of words.
#[inline]
pub(crate) fn all_pairs<E>(group: &[u64], mut visit: impl FnMut(u32, u32) -> Result<(), E>) -> Result<(), E> {
    for (place, &a) in group.iter().enumerate() {
        for &b in &group[place + 1..] {
            visit(a as u32, b as u32)?;
        }
    }
    Ok(())
}

/// Calls `visit` with the pairs of a group that is too large for all pairs. `row` is equal for members of equal rows, and
/// `document` is the document that a member stands for; the order of members does not matter.
pub(crate) fn capped_pairs<R: Ord, E>(
    group: &[u64],
    input: &JoinInput<'_>,
    row: impl Fn(u32) -> R,
    document: impl Fn(u32) -> u32,
    mut visit: impl FnMut(u32, u32) -> Result<(), E>,
) -> Result<(), E> {
    let mut members: Vec<u32> = group.iter().map(|&word| word as u32).collect();
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
    input.sort_partners(&mut rest, document);
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
