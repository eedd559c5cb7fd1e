//! Groups of equal keys that others bring together, such as a join on many machines: which of their pairs are compared.

use std::convert::Infallible;

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::{Further, JoinInput};
use crate::candidates::join::group::{GroupLimit, KEY_BITS, Keyed, all_pairs, capped_pairs};
use crate::numeric::random::mix;
use crate::numeric::rows::Rows;

/// A document of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The hash of its content, which no other member has.
    pub content: u128,
    /// What is equal for documents of wholly equal keys, see [`KeyGroups::row`].
    pub row: u64,
    /// In a further search, its place in the order in which documents stay; see [`VerifiedPairs::places`](crate::VerifiedPairs::places).
    pub place: u32,
}

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
    /// The groups of keys of this layout; none if they have too many columns.
    pub(crate) fn new(columns: KeyColumns) -> Option<Self> {
        (columns.columns <= MOST_COLUMNS).then_some(KeyGroups {
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

    /// Calls `visit` with the places of the pairs of a group that are compared. `search` is the number of searches before this one: in
    /// the first, content hashes decide which pairs of a large group are compared, later the places of members.
    pub fn pairs(self, word: u64, members: &[GroupMember], search: u32, mut visit: impl FnMut(usize, usize)) {
        let group: Vec<Keyed> = (0..)
            .take(members.len())
            .map(|member| Keyed {
                key: word & ((1 << KEY_BITS) - 1),
                member,
            })
            .collect();
        let mut visit = |a: u32, b: u32| {
            visit(a as usize, b as usize);
            Ok::<(), Infallible>(())
        };
        if !self.caps(members.len()) {
            let Ok(()) = all_pairs(&group, visit);
            return;
        }
        let documents: Vec<u32> = group.iter().map(|word| word.member).collect();
        let contents: Vec<u128> = members.iter().map(|member| member.content).collect();
        let places: Vec<u32> = members.iter().map(|member| member.place).collect();
        let further = search.checked_sub(1).map(|before| Further {
            places: &places,
            before,
        });
        let input = JoinInput {
            documents: &documents,
            rows: &Rows::new(),
            contents: &contents,
            further,
        };
        let row = |member: u32| members[member as usize].row;
        let Ok(()) = capped_pairs(&group, &input, row, |member| member, &mut visit);
    }
}
