//! Documents that ask by some of their keys, and answer by all of them.
//!
//! Two documents are candidates if one of them asks by a key that the other one has. That finds sets of very different sizes. If `c` or
//! more elements of a set `A` are in `B`, then of any `|A| - c + 1` elements of `A` one is in `B`: the prefix filter of Chaudhuri, Ganti,
//! Kaushik, "A primitive operator for similarity joins in data cleaning", 2006, and of Xiao, Wang, Lin, Yu, "Efficient similarity joins
//! for near duplicate detection", 2008, with the prefix of one side only. So the smaller set asks by that many elements, whichever
//! they are. The rarest ones meet the fewest documents.
//!
//! How rare a key is is counted approximately. That changes the number of pairs that are compared, and not which similar pairs are
//! found, unless a group is capped; so counters are chosen by the number of keys alone, and memory and files choose the same keys.

use crate::candidates::frequencies::Frequencies;
use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::join::group::GroupLimit;
use crate::candidates::join::memory::{self, Columns};
use crate::candidates::pair::ScoredPair;

/// Most counters by which keys are chosen are 2^22: 4 MiB, which any ceiling of memory has room for.
const MOST_BITS: u32 = 22;

/// Most counters in memory by which keys that no other document has are passed over: 2^28.
const MOST_BITS_IN_MEMORY: u32 = 28;

/// The number of its keys by which a document with so many asks.
pub(crate) type Asked<'a> = dyn Fn(usize) -> usize + Sync + 'a;

/// Chooses the keys by which documents ask.
pub(crate) struct Asking<'a> {
    asked: &'a Asked<'a>,
    frequencies: Frequencies,
}

impl<'a> Asking<'a> {
    /// For documents with so many keys together, which are to be [added](Self::add).
    pub(crate) fn new(asked: &'a Asked<'a>, keys: u64) -> Self {
        Self {
            asked,
            frequencies: Frequencies::new(keys, MOST_BITS),
        }
    }

    /// Counts a key of a document.
    pub(crate) fn add(&mut self, key: u64) {
        self.frequencies.add(key);
    }

    /// Calls `visit` with each key of a document that another one may have, and with whether the document asks by it. `scratch` is
    /// memory that is used again.
    pub(crate) fn choose(
        &self,
        keys: impl Iterator<Item = u64>,
        scratch: &mut Vec<(u8, u64)>,
        mut visit: impl FnMut(u64, bool),
    ) {
        scratch.clear();
        scratch.extend(keys.map(|key| (self.frequencies.of(key), key)));
        let asked = (self.asked)(scratch.len()).min(scratch.len());
        // The key decides between equally rare ones, so that the choice does not depend on their order.
        if asked < scratch.len() {
            scratch.select_nth_unstable(asked);
        }
        for (place, &(count, key)) in scratch.iter().enumerate() {
            // A key that only one document has makes no group. It counts among those by which the document asks.
            if count > 1 {
                visit(key, place < asked);
            }
        }
    }
}

/// Compares the documents of which one asks by a key that the other one has, in memory. `key` makes the keys of the words of a row.
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
    // Rows have fewer than 2^32 words.
    let sizes: Vec<u32> = rows().map(|row| row.len() as u32).collect();
    let keys: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
    let mut asking = Asking::new(asked, keys);
    let mut in_memory = Frequencies::new(keys, MOST_BITS_IN_MEMORY);
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

/// Rows in memory, of which all keys stand in one column.
struct AskedRows<'a> {
    asking: &'a Asking<'a>,
    /// The same counts as those of `asking`, but for collections with so many keys that most of these share a counter there.
    in_memory: &'a Frequencies,
    key: fn(u64) -> u64,
    /// Keys of each document, by its rank.
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
        let keys = row.iter().map(|word| (self.key)(*word));
        self.asking.choose(keys, &mut scratch, |key, asks| {
            if self.in_memory.of(key) > 1 {
                visit(key, asks);
            }
        });
    }

    fn size(&self, rank: u32) -> u32 {
        self.sizes[rank as usize]
    }
}
