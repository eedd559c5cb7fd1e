//! The keys of a column in parts that are small enough to be sorted in a processor's cache.

use crate::candidates::join::group::{KEY_BITS, Keyed};
use crate::numeric::narrow;
use crate::numeric::radix::sort_hashes;

/// The packing of a key and a document number into one word.
///
/// Keys are distributed to parts by their upper bits. Within a part these bits are known, so the rest of a key and the
/// document number fit into 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    /// Number of upper bits of a key that choose its part.
    part_bits: u32,
    /// Number of bits for whether the document asks by the key: 1, or 0 if documents ask by all keys.
    asking_bits: u32,
}

/// Average number of keys in a part, 4 KiB, unless [`MAX_BITS`] is reached.
const PART: usize = 1 << 9;
/// Largest number of bits used to make parts small. More parts would mean more places of memory that are written in
/// turn.
const MAX_BITS: u32 = 13;

impl Packing {
    /// The packing for documents with numbers below `members`. `asked` is true if documents ask by some of their keys
    /// only.
    pub(crate) fn new(members: usize, asked: bool) -> Self {
        let bits = usize::BITS - members.saturating_sub(1).leading_zeros();
        let asking_bits = u32::from(asked);
        // At most 17 bits are needed: document numbers have up to 32 bits and the flag has one, and a
        // 48-bit key leaves 16.
        let needed = (bits.min(u32::BITS) + asking_bits).saturating_sub(u64::BITS - KEY_BITS);
        // Bits that give parts of `PART` keys on average, up to `MAX_BITS`.
        let wanted = bits.saturating_sub(PART.ilog2()).min(MAX_BITS);
        Self {
            part_bits: wanted.max(needed),
            asking_bits,
        }
    }

    /// Number of parts.
    pub(crate) fn parts(self) -> usize {
        1 << self.part_bits
    }

    /// The number of the part that a key belongs to.
    #[inline]
    pub(crate) fn part(self, key: u64) -> usize {
        narrow::low_bits(key >> (KEY_BITS - self.part_bits)) & (self.parts() - 1)
    }

    /// Number of bits of a word below those of the key.
    fn member_bits(self) -> u32 {
        u64::BITS - KEY_BITS + self.part_bits
    }

    /// The word of a key and its document in the key's part.
    #[inline]
    pub(crate) fn word(self, key: u64, member: u32, asks: bool) -> u64 {
        let asks = u64::from(asks) & u64::from(self.asking_bits);
        // The shift drops the upper `part_bits` bits of the key, which the part's number holds.
        key << self.member_bits() | u64::from(member) << self.asking_bits | asks
    }

    /// The key and document of a word: the inverse of [`word`](Self::word).
    fn keyed(self, part: usize, word: u64) -> Keyed {
        let bits = self.member_bits();
        let member = word & ((1 << bits) - 1);
        Keyed {
            key: (part as u64) << (KEY_BITS - self.part_bits) | word >> bits,
            member: narrow::low_half(member >> self.asking_bits),
            asks: self.asking_bits == 0 || member & 1 == 1,
        }
    }

    /// Calls `visit` with each group of two or more equal keys of a part. `words` are the lists of the part's words.
    /// Keys ascend, and so do the members of a group.
    pub(crate) fn each_group<'w>(
        self,
        part: usize,
        words: impl IntoIterator<Item = &'w [u64]>,
        buffers: &mut GroupBuffers,
        mut visit: impl FnMut(&[Keyed]),
    ) {
        let GroupBuffers { sorted, group } = buffers;
        sorted.clear();
        words
            .into_iter()
            .for_each(|words| sorted.extend_from_slice(words));
        // Sorting whole words sorts by key first and by document within equal keys.
        sort_hashes(sorted);
        let equal = |a: u64, b: u64| (a ^ b) >> self.member_bits() == 0;
        let mut rest = &sorted[..];
        // Most keys are unique, so the search for the next equal neighbors is the hot loop. It compares
        // whole words.
        while let Some(first) = rest.windows(2).position(|pair| equal(pair[0], pair[1])) {
            rest = &rest[first..];
            let length = rest.iter().take_while(|word| equal(**word, rest[0])).count();
            group.clear();
            group.extend(rest[..length].iter().map(|&word| self.keyed(part, word)));
            visit(group);
            rest = &rest[length..];
        }
    }
}

/// Reusable memory for the groups of one part.
#[derive(Default)]
pub(crate) struct GroupBuffers {
    sorted: Vec<u64>,
    group: Vec<Keyed>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::numeric::random::SplitMix64;

    /// Keys that differ in a single bit are in different groups, for any number of documents.
    #[test]
    fn groups_are_those_of_a_map() {
        let sizes = [0_usize, 1, 2, 1 << 9, 1 << 16, 1 << 20, 1 << 27, 1 << 32];
        for (members, asked) in sizes
            .into_iter()
            .flat_map(|members| [(members, false), (members, true)])
        {
            let packing = Packing::new(members, asked);
            let asks = |member: u32| !asked || member % 3 == 1;
            let mut random = SplitMix64::new(members as u64);
            let keys: Vec<u64> = (0..40)
                .map(|_| random.number() >> (u64::BITS - KEY_BITS))
                .collect();
            let mut words = vec![Vec::new(); packing.parts()];
            let mut expected: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            for place in (0..members as u64).step_by((members / 2000).max(1)) {
                let member = place as u32;
                let bit = 1 << (random.number() % 64).min(u64::from(KEY_BITS) - 1);
                let key = keys[random.number() as usize % keys.len()] ^ bit;
                words[packing.part(key)].push(packing.word(key, member, asks(member)));
                expected.entry(key).or_default().push(member);
            }
            expected.retain(|_, members| members.len() > 1);
            let (mut found, mut buffers) = (Vec::new(), GroupBuffers::default());
            for (part, words) in words.iter().enumerate() {
                let halves = words.split_at(words.len() / 2);
                packing.each_group(part, [halves.1, halves.0], &mut buffers, |group| {
                    assert!(group.iter().all(|word| word.key == group[0].key));
                    assert!(group.iter().all(|word| word.asks == asks(word.member)));
                    found.push((group[0].key, group.iter().map(|word| word.member).collect()));
                });
            }
            assert!(members < 1000 || expected.len() > 100);
            assert_eq!(
                found,
                expected.into_iter().collect::<Vec<_>>(),
                "{members} members"
            );
        }
    }
}
