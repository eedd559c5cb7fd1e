//! The choice of pairs in groups of equal keys that are joined elsewhere, for example on many machines.

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::{shuffled, turn};
use crate::candidates::join::group::{GroupLimit, KEY_BITS, Share, kin};

/// The rule by which the [search](crate::Deduper) chooses pairs in groups of documents with an equal key. Callers that
/// join keys elsewhere use it to compare the same pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyGroups {
    limit: GroupLimit,
    columns: u32,
    layout: Layout,
}

/// The bits of a word that hold a key.
const KEYS: u64 = (1 << KEY_BITS) - 1;

/// Largest number of columns that the upper bits of a joined key can hold.
const MAX_COLUMNS: u32 = 1 << (u64::BITS - KEY_BITS);

impl KeyGroups {
    /// The rule for keys of this layout. `None` if there are too many columns, or if documents ask by some of their
    /// keys only.
    pub(crate) fn new(columns: KeyColumns) -> Option<Self> {
        (columns.columns <= MAX_COLUMNS && !columns.asked).then_some(KeyGroups {
            limit: columns.limit,
            columns: columns.columns,
            layout: columns.layout,
        })
    }

    /// The words by which documents are joined, ascending and without repetitions. A word holds the column in its upper
    /// 16 bits and the compared bits of the key below. `keys` are those of a
    /// [`DocumentSigner`](crate::DocumentSigner::keys).
    #[must_use]
    pub fn words(self, keys: &[u64]) -> Vec<u64> {
        let column = |place| match self.layout {
            // Keys of one column each differ by their place. Keys of the layout `Any` share a
            // column.
            Layout::One => place,
            Layout::Any => 0,
        };
        let word = |(place, key): (u64, &u64)| column(place) << KEY_BITS | key >> (u64::BITS - KEY_BITS);
        let mut words: Vec<u64> = (0..).zip(keys).map(word).collect();
        // Words must ascend for `common`, and a key that a document has twice counts once.
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The kin of a document, from all its words: documents of equal kin are likely to be similar, and the
    /// kin of similar documents agree in some bytes.
    #[must_use]
    pub fn kin(self, words: &[u64]) -> u64 {
        kin(self.columns, words.iter().map(|word| word & KEYS))
    }

    /// The number of words that two documents have in common.
    #[must_use]
    pub fn common(a: &[u64], b: &[u64]) -> u32 {
        let common = a.iter().filter(|word| b.binary_search(word).is_ok());
        u32::try_from(common.count()).unwrap_or(u32::MAX)
    }

    /// Number of members up to which a group is complete in any collection. `search` is the number of searches before
    /// this one.
    #[must_use]
    pub fn always(self, search: u32) -> usize {
        self.limit.always(search > 0)
    }

    /// The share of capped groups in a search among `documents` documents, after `search` others. `sizes` holds numbers
    /// of members above [`always`](Self::always), each with the number of groups of that size.
    #[must_use]
    pub fn share(self, sizes: &[(u64, u64)], documents: u64, search: u32) -> Share {
        self.limit.share(sizes, documents, search > 0)
    }

    /// The sort key of a member of a capped group among its leaders: the group of `word`, for a document with content
    /// hash `content`. `search` is the number of searches before this one.
    ///
    /// The caller chooses the pairs of a capped group as follows. In the first search, one member leads
    /// another if its content hash is smaller; in later searches, if it comes first in the keeper's order.
    /// Among members with an equal [`kin`](Self::kin), the leading one is compared with the others; in the
    /// first search the others then take no further part. In later searches the leading member of the whole
    /// group comes first. The remaining members are sorted by this key. Each is compared with those of the
    /// first [`leaders`](Share::leaders) members that precede it. Then they are sorted by
    /// [`turned`](Self::turned) and content hash, and each is compared with the
    /// [`neighbors`](Share::neighbors) members before it.
    ///
    /// Searches after the first read only the groups that the first one capped.
    #[must_use]
    pub fn rank(self, word: u64, content: u128, search: u32) -> (u64, u128) {
        // In the first search the rank is the content hash alone; later searches shuffle it differently for
        // each group.
        match search.checked_sub(1) {
            None => (0, content),
            Some(before) => shuffled(content, word & KEYS, before),
        }
    }

    /// The kin of a member of a capped group, turned as it is sorted in the group of `word`.
    #[must_use]
    pub fn turned(self, word: u64, kin: u64, search: u32) -> u64 {
        kin.rotate_left(turn(word & KEYS, search.checked_sub(1)))
    }
}
