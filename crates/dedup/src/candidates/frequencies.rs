//! Approximate document frequencies of values.

use crate::numeric::narrow;
use crate::numeric::random::mix;

/// Upper bounds of the number of documents with a value, up to 255. Values whose hashes share a counter are counted
/// together.
pub(crate) struct Frequencies {
    counts: Vec<u8>,
    shift: u32,
}

impl Frequencies {
    /// Counters for `values` values, counted with repetitions: the next power of two above `values`, from 2^12 to
    /// 2^`most_bits`. `most_bits` is 12 to 32.
    pub(crate) fn new(values: u64, most_bits: u32) -> Self {
        // The lower bound keeps small collections from sharing counters.
        let bits = u64::BITS - values.max(1).leading_zeros();
        let bits = bits.clamp(12, most_bits);
        Self {
            counts: vec![0; 1 << bits],
            shift: u64::BITS - bits,
        }
    }

    /// Counts a value of a document. Callers pass each value once per document.
    pub(crate) fn add(&mut self, value: u64) {
        let place = self.place(value);
        self.counts[place] = self.counts[place].saturating_add(1);
    }

    /// Upper bound of the number of documents with the value, up to 255, and exact if no other value shares
    /// its counter.
    pub(crate) fn of(&self, value: u64) -> u8 {
        self.counts[self.place(value)]
    }

    fn place(&self, value: u64) -> usize {
        narrow::to_usize(mix(value) >> self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_is_counted_too_rarely() {
        for most_bits in [12, 20] {
            let mut frequencies = Frequencies::new(100_000, most_bits);
            for value in 0..10_000_u64 {
                (0..value % 7).for_each(|_| frequencies.add(value));
            }
            (0..300).for_each(|_| frequencies.add(1 << 40));
            assert!((0..10_000).all(|value| u64::from(frequencies.of(value)) >= value % 7));
            assert_eq!(frequencies.of(1 << 40), 255);
        }
        let mut frequencies = Frequencies::new(1 << 16, 20);
        frequencies.add(7);
        assert_eq!((frequencies.of(7), frequencies.of(8)), (1, 0));
    }
}
