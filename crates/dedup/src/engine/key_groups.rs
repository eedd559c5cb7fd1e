//! Groups of equal keys that others bring together, such as a join on many machines: which of their pairs are compared.

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::shuffled;
use crate::candidates::join::group::{GroupLimit, KEY_BITS, MAX_PARTNERS};
use crate::numeric::random::mix;

/// Groups of documents with an equal key in a column, by the rule of the [search](crate::Deduper): so those who bring groups together
/// elsewhere compare the same pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyGroups {
    limit: GroupLimit,
    layout: Layout,
}

/// Columns that the upper bits of a joined key can tell apart.
const MOST_COLUMNS: u32 = 1 << (u64::BITS - KEY_BITS);

impl KeyGroups {
    /// The groups of keys of this layout; none if they have too many columns, or if documents ask by some of their keys.
    pub(crate) fn new(columns: KeyColumns) -> Option<Self> {
        (columns.columns <= MOST_COLUMNS && !columns.asked).then_some(KeyGroups {
            limit: columns.limit,
            layout: columns.layout,
        })
    }

    /// The words that documents are joined by, ascending and each once: 16 bits for the column, and as many bits of the key as are
    /// compared. `keys` are those of a [`DocumentSigner`](crate::DocumentSigner::keys).
    #[must_use]
    pub fn words(self, keys: &[u64]) -> Vec<u64> {
        let column = |place| match self.layout {
            Layout::One => place,
            Layout::Any => 0,
        };
        let word = |(place, key): (u64, &u64)| column(place) << KEY_BITS | key >> (u64::BITS - KEY_BITS);
        let mut words: Vec<u64> = (0..).zip(keys).map(word).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// What is equal for documents of these wholly equal words.
    #[must_use]
    pub fn row(words: &[u64]) -> u64 {
        words
            .iter()
            .fold(words.len() as u64, |hash, &word| mix(hash ^ word))
    }

    /// How many words two documents have in common.
    #[must_use]
    pub fn common(a: &[u64], b: &[u64]) -> u32 {
        let common = a.iter().filter(|word| b.binary_search(word).is_ok());
        u32::try_from(common.count()).unwrap_or(u32::MAX)
    }

    /// Whether a group of so many documents is too large for all of its pairs.
    #[must_use]
    pub fn caps(self, members: usize) -> bool {
        self.limit.caps(members)
    }

    /// Members of the largest group of which all pairs are compared.
    #[must_use]
    pub const fn limit(self) -> usize {
        self.limit.members()
    }

    /// What orders a member of the group of a word, if that is too large for all of its pairs, by the hash of its content. `search` is the
    /// number of searches before this one.
    ///
    /// A member leads another one if its content hash is smaller in the first search, and if it comes first in the keeper's order in later
    /// ones. Of members with an equal [`row`](Self::row) the one that leads them is compared with the others, which are left out then in
    /// the first search. In later ones the member that leads all comes first. By the order of what this returns, each of the rest is
    /// compared with those of the first [`PARTNERS`](Self::PARTNERS) that come before it.
    #[must_use]
    pub fn rank(self, word: u64, content: u128, search: u32) -> (u64, u128) {
        match search.checked_sub(1) {
            None => (0, content),
            Some(before) => shuffled(content, word & ((1 << KEY_BITS) - 1), before),
        }
    }

    /// Members of a large group that all others are compared with.
    pub const PARTNERS: usize = MAX_PARTNERS;
}
