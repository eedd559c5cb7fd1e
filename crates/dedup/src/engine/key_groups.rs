//! The choice of pairs in groups of equal keys that are joined elsewhere, for example on many machines.

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::shuffled;
use crate::candidates::join::group::{GroupLimit, KEY_BITS, MAX_PARTNERS};
use crate::numeric::random::mix;

/// The rule by which the [search](crate::Deduper) chooses pairs in groups of documents with an equal key. Callers that
/// join keys elsewhere use it to compare the same pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyGroups {
    limit: GroupLimit,
    layout: Layout,
}

/// Largest number of columns that the upper bits of a joined key can hold.
const MAX_COLUMNS: u32 = 1 << (u64::BITS - KEY_BITS);

impl KeyGroups {
    /// The rule for keys of this layout. `None` if there are too many columns, or if documents ask by some of their
    /// keys only.
    pub(crate) fn new(columns: KeyColumns) -> Option<Self> {
        (columns.columns <= MAX_COLUMNS && !columns.asked).then_some(KeyGroups {
            limit: columns.limit,
            layout: columns.layout,
        })
    }

    /// The words by which documents are joined, ascending and without repetitions. A word holds the column in its upper
    /// 16 bits and the compared bits of the key below. `keys` are those of a
    /// [`DocumentSigner`](crate::DocumentSigner::keys).
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

    /// A hash of all words of a document. Documents with equal hashes have identical rows.
    #[must_use]
    pub fn row(words: &[u64]) -> u64 {
        words
            .iter()
            .fold(words.len() as u64, |hash, &word| mix(hash ^ word))
    }

    /// The number of words that two documents have in common.
    #[must_use]
    pub fn common(a: &[u64], b: &[u64]) -> u32 {
        let common = a.iter().filter(|word| b.binary_search(word).is_ok());
        u32::try_from(common.count()).unwrap_or(u32::MAX)
    }

    /// True if a group of `members` documents is too large for comparing all pairs.
    #[must_use]
    pub fn caps(self, members: usize) -> bool {
        self.limit.caps(members)
    }

    /// Number of members up to which all pairs of a group are compared.
    #[must_use]
    pub const fn limit(self) -> usize {
        self.limit.members()
    }

    /// The sort key of a member of a capped group: the group of `word`, for a document with content hash `content`.
    /// `search` is the number of searches before this one.
    ///
    /// The caller chooses the pairs of a capped group as follows. In the first search, one member leads another if its
    /// content hash is smaller; in later searches, if it comes first in the keeper's order.
    /// Among members with an equal [`row`](Self::row), the leading one is compared with the others; in the first search
    /// the others then take no further part. In later searches the leading member of the whole group comes first. The
    /// remaining members are sorted by this key. Each is compared with those of the first [`PARTNERS`](Self::PARTNERS)
    /// members that precede it.
    #[must_use]
    pub fn rank(self, word: u64, content: u128, search: u32) -> (u64, u128) {
        match search.checked_sub(1) {
            None => (0, content),
            Some(before) => shuffled(content, word & ((1 << KEY_BITS) - 1), before),
        }
    }

    /// Number of members of a capped group that all others are compared with.
    pub const PARTNERS: usize = MAX_PARTNERS;
}
