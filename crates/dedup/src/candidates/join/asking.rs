//! Documents that ask by some of their keys, and are found by all of them.
//!
//! A document *asks* by a key if it looks up the other documents that have this key. Two documents are candidates if
//! one of them asks by a key that the other one has. This finds sets of very different sizes.
//! If `c` or more elements of a set `A` are in `B`, then of any `|A| - c + 1` elements of `A` at least one is in `B`.
//! This is the prefix filter of Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins in data
//! cleaning", 2006, and of Xiao, Wang, Lin, Yu, "Efficient similarity joins for near duplicate detection", 2008,
//! applied to one side only. So the smaller set asks by that number of its elements. Any choice is correct; the rarest
//! elements lead to the fewest comparisons.
//!
//! Document frequencies of keys are counted approximately. Errors change the number of compared pairs, but not the
//! similar pairs that are found, unless a group is capped. The number of counters depends only on the number of keys,
//! so that joins in memory and in files choose the same keys.

use crate::candidates::frequencies::Frequencies;
use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::join::group::{GroupLimit, kin};
use crate::candidates::join::memory::{self, Columns};
use crate::candidates::pair::ScoredPair;
use crate::numeric::narrow;

/// Binary logarithm of the largest number of counters by which keys are chosen: 4 MiB of counters, which fit into any
/// memory limit.
const MAX_BITS: u32 = 22;

/// Binary logarithm of the largest number of counters by which a join in memory skips keys that a single document has.
const MAX_BITS_IN_MEMORY: u32 = 28;

/// Returns the number of keys by which a document asks, given its number of keys.
pub(crate) type Asked<'a> = dyn Fn(usize) -> usize + Sync + 'a;

/// Chooses the keys by which documents ask.
pub(crate) struct Asking<'a> {
    asked: &'a Asked<'a>,
    frequencies: Frequencies,
}

impl<'a> Asking<'a> {
    /// A chooser for documents with `keys` keys in total, which callers must [add](Self::add) first.
    pub(crate) fn new(asked: &'a Asked<'a>, keys: u64) -> Self {
        Self {
            asked,
            frequencies: Frequencies::new(keys, MAX_BITS),
        }
    }

    /// Counts a key of a document.
    pub(crate) fn add(&mut self, key: u64) {
        self.frequencies.add(key);
    }

    /// Calls `visit` with each key that another document may have, and with true if the document asks by it. `scratch`
    /// is reusable memory.
    pub(crate) fn choose(
        &self,
        keys: impl Iterator<Item = u64>,
        scratch: &mut Vec<(u8, u64)>,
        mut visit: impl FnMut(u64, bool),
    ) {
        scratch.clear();
        scratch.extend(keys.map(|key| (self.frequencies.of(key), key)));
        let asked = (self.asked)(scratch.len()).min(scratch.len());
        // Equally rare keys are ordered by the key itself, so that the choice does not depend on the order of `keys`.
        // Selection suffices: only membership among the `asked` rarest keys matters.
        if asked < scratch.len() {
            scratch.select_nth_unstable(asked);
        }
        for (place, &(count, key)) in scratch.iter().enumerate() {
            // A key of a single document makes no group and is skipped. It still counts as one of the asked keys.
            if count > 1 {
                visit(key, place < asked);
            }
        }
    }
}

/// Compares the pairs in which one document asks by a key of the other, in memory. `key` makes a key from a word of a
/// row.
pub(crate) fn join(
    asked: &Asked<'_>,
    limit: GroupLimit,
    input: &JoinInput<'_>,
    key: fn(u64) -> u64,
    check: &Check<'_>,
    found: &mut Vec<ScoredPair>,
) -> JoinCounts {
    let rows = || {
        let row = |&document: &u32| input.rows.row(document as usize);
        input.documents.iter().map(row)
    };
    // A row has fewer than 2^32 words.
    let sizes: Vec<u32> = rows().map(|row| narrow::to_u32(row.len())).collect();
    let keys: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
    let mut asking = Asking::new(asked, keys);
    let mut in_memory = Frequencies::new(keys, MAX_BITS_IN_MEMORY);
    // Both counters see all keys before the first choice, because a choice needs final frequencies.
    for &word in rows().flatten() {
        let key = key(word);
        asking.add(key);
        in_memory.add(key);
    }
    let columns = AskedRows {
        asking: &asking,
        in_memory: &in_memory,
        key,
        sizes: &sizes,
    };
    memory::join(&columns, limit, input, check, found)
}

/// Rows in memory, all keys in one column.
struct AskedRows<'a> {
    asking: &'a Asking<'a>,
    /// The counts of `asking` with more counters: in a large collection most keys share a counter of `asking`.
    in_memory: &'a Frequencies,
    key: fn(u64) -> u64,
    /// Number of keys of each document, by its rank.
    sizes: &'a [u32],
}

impl<'a> Columns for AskedRows<'a> {
    const ASKED: bool = true;

    fn columns(&self) -> u32 {
        1
    }

    fn keys<'r>(&self, _: u32, row: &'r [u64]) -> impl Iterator<Item = u64> + use<'r, 'a> {
        let (key, in_memory) = (self.key, self.in_memory);
        row.iter()
            .map(move |word| key(*word))
            .filter(move |key| in_memory.of(*key) > 1)
    }

    fn asking(&self, _: u32, row: &[u64], mut visit: impl FnMut(u64, bool)) {
        let mut scratch = Vec::new();
        // `asking` chooses among all keys; the finer counters then drop keys of single documents. Dropping
        // them first would change the choice, and joins in files would choose other keys.
        let keys = row.iter().map(|word| (self.key)(*word));
        self.asking.choose(keys, &mut scratch, |key, asks| {
            if self.in_memory.of(key) > 1 {
                visit(key, asks);
            }
        });
    }

    /// All keys count: only the join in memory estimates which keys are common.
    fn kin(&self, row: &[u64]) -> u64 {
        kin(1, row.iter().map(|word| (self.key)(*word)))
    }

    fn size(&self, rank: u32) -> u32 {
        self.sizes[rank as usize]
    }
}
