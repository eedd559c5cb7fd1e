//! Random choices that are equal on every platform, because they use only integers.

use dehusk_pipeline::dedup::SplitMix64;
use dehusk_pipeline::narrow;

/// A probability, in millionths.
pub type Millionths = u32;

/// Random choices drawn from SplitMix64 by integer arithmetic.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// The choices of a seed and a stream. Streams of a seed are independent of each other.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        // Seed and stream are mixed by a generator each. Otherwise neighboring streams would begin with
        // similar numbers.
        let mut first = SplitMix64::new(seed);
        let mut second = SplitMix64::new(first.number() ^ stream.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Self(SplitMix64::new(second.number()))
    }

    /// The next 64 bits.
    pub fn number(&mut self) -> u64 {
        self.0.number()
    }

    /// A number below `n`; 0 if `n` is 0.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the upper half of the product is below `n`"
    )]
    pub fn below(&mut self, n: usize) -> usize {
        // The upper half of the product of `n` and a random number. The bias is below n / 2^64.
        ((u128::from(self.0.number()) * n as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: Millionths) -> bool {
        self.below(1_000_000) < probability as usize
    }

    /// A random entry; `None` if the list is empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let place = self.below(from.len());
        from.get(place)
    }

    /// A random entry, with a probability in proportion to its weight. `None` if the sum of weights is 0.
    pub fn weighted<'a, T>(&mut self, from: &'a [(u32, T)]) -> Option<&'a T> {
        let all: u32 = from.iter().map(|(weight, _)| weight).sum();
        let mut left = narrow::to_u32(self.below(all as usize));
        for (weight, entry) in from {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return Some(entry),
            }
        }
        None
    }

    /// Puts a list in random order (Fisher, Yates, 1938).
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last + 1);
            list.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_fixed_by_seed_and_stream() {
        let mut random = Random::new(1, 2);
        let drawn: Vec<usize> = (0..8).map(|_| random.below(100)).collect();
        assert_eq!(drawn, Random::new(1, 2).list(8, 100));
        assert_ne!(drawn, Random::new(1, 3).list(8, 100));
        assert_ne!(drawn, Random::new(2, 2).list(8, 100));
    }

    impl Random {
        fn list(&mut self, length: usize, below: usize) -> Vec<usize> {
            (0..length).map(|_| self.below(below)).collect()
        }
    }

    #[test]
    fn choices_are_spread_and_stay_in_range() {
        let mut random = Random::new(7, 0);
        let mut counts = [0; 5];
        for _ in 0..50_000 {
            counts[random.between(2, 6) - 2] += 1;
        }
        assert!(
            counts.iter().all(|count| (9_500..10_500).contains(count)),
            "{counts:?}"
        );
        let hits = (0..100_000).filter(|_| random.chance(250_000)).count();
        assert!((24_300..25_700).contains(&hits), "{hits}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
        assert_eq!(random.weighted::<u8>(&[]), None);
        let weights = [(1, 'a'), (0, 'b'), (3, 'c')];
        let picked = (0..4000)
            .filter(|_| random.weighted(&weights) == Some(&'c'))
            .count();
        assert!((2900..3100).contains(&picked), "{picked}");
        let mut list: Vec<u32> = (0..100).collect();
        random.shuffle(&mut list);
        assert!(!list.is_sorted());
        list.sort_unstable();
        assert_eq!(list, (0..100).collect::<Vec<_>>());
    }
}
