//! Set of the hashes of ids.

use dehusk_html::narrow;

/// A set of numbers that are already hashes: open addressing with linear probing.
///
/// The upper bits of a number select its first slot; probing ends at the first free slot. The slots of many numbers are therefore known
/// before any lookup, and their cache misses can overlap ([`fetch`](Self::fetch)).
#[derive(Default)]
pub(crate) struct IdSet {
    /// Slots; 0 marks a free one, and [`ZERO`] represents the number 0. Their number is a power of two, or 0.
    places: Vec<u64>,
    len: usize,
}

/// Representation of the number 0.
const ZERO: u64 = 0x9e37_79b9_7f4a_7c15;
/// Initial number of slots.
const FEWEST: usize = 1 << 4;

impl IdSet {
    /// Adds a number. Returns `true` if it was new.
    pub(crate) fn insert(&mut self, number: u64) -> bool {
        // At most three quarters of the slots are in use.
        if self.len >= self.places.len() / 4 * 3 {
            let places = vec![0; FEWEST.max(2 * self.places.len())];
            let before = std::mem::replace(&mut self.places, places);
            before
                .into_iter()
                .filter(|number| *number != 0)
                .for_each(|number| {
                    self.put(number);
                });
        }
        let added = self.put(if number == 0 { ZERO } else { number });
        self.len += usize::from(added);
        added
    }

    /// Stores a number unless it is present. Returns `true` if it was new. At least one slot must be free.
    fn put(&mut self, number: u64) -> bool {
        let mut at = self.place(number);
        // Probing ends, because at most three quarters of the slots are in use.
        while self.places[at] != 0 && self.places[at] != number {
            at = (at + 1) & (self.places.len() - 1);
        }
        std::mem::replace(&mut self.places[at], number) == 0
    }

    /// Returns the first slot to probe for a number.
    fn place(&self, number: u64) -> usize {
        let bits = self.places.len().trailing_zeros();
        narrow::to_usize(number >> (u64::BITS - bits)) & (self.places.len() - 1)
    }

    /// Prefetches the first slots of these numbers.
    pub(crate) fn fetch(&self, numbers: impl Iterator<Item = u64>) {
        if !self.places.is_empty() {
            let first = |number| self.places[self.place(number)];
            std::hint::black_box(numbers.fold(0, |all, number| all ^ first(number)));
        }
    }

    /// Returns the bytes of memory of the slots.
    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn numbers_are_added_once_wherever_they_belong() {
        let (mut set, mut expected) = (IdSet::default(), HashSet::new());
        set.fetch([1, 2].into_iter());
        let mut random = 1_u64;
        for count in 0..20_000_u64 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Uniformly distributed numbers, numbers that share slots (also the last slot), and small numbers such as 0.
            let number = match count % 4 {
                0 => random,
                1 => u64::MAX - random % 1000,
                2 => count % 8,
                _ => random >> 60 << 60,
            };
            set.fetch([number].into_iter());
            assert_eq!(set.insert(number), expected.insert(number), "{number}");
            assert!(!set.insert(number));
        }
        assert!(expected.len() > 5000 && set.len == expected.len());
        assert!(set.bytes() < 32 * set.len);
    }
}
