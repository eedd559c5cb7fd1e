//! The groups that the first search capped. A further search reads only these.

use std::collections::HashSet;

/// Number of bits of a key: the upper bits of a 64-bit hash.
///
/// Among `n` dissimilar documents, `n² / 2^49` pairs per column have an equal key by chance: 2 pairs for 32 million
/// documents, 1,800 for a billion. With 32 bits there would be 116 million pairs for a billion documents, and each pair
/// is stored, read again and compared. With 64 bits rows would be a third longer without a noticeable benefit.
pub const KEY_BITS: u32 = 48;

/// Groups that the first search capped. A further search reads no others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenGroups(HashSet<u64>);

impl OpenGroups {
    /// Groups named by their [words](group_word).
    pub(crate) fn new(words: impl IntoIterator<Item = u64>) -> Self {
        Self(words.into_iter().collect())
    }

    /// True if the group of `key` in `column` is among them.
    #[inline]
    pub(crate) fn contains(&self, column: u32, key: u64) -> bool {
        self.0.contains(&group_word(column, key))
    }

    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The name of a group: its column in the upper 16 bits, its key below. Columns whose numbers are equal in
/// 16 bits share names; their groups may then be read again without need.
#[inline]
pub(crate) fn group_word(column: u32, key: u64) -> u64 {
    u64::from(column) << KEY_BITS | key
}
