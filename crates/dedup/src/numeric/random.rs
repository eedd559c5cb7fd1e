//! Pseudo-random numbers by SplitMix64 only, so that hash families and samples are equal on every platform.

use crate::numeric::narrow;

/// Step of the state of SplitMix64: 2^64 divided by the golden ratio, made odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014): an endless sequence
/// of 64-bit numbers, determined by its seed.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Starts the sequence of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number of the sequence.
    pub fn number(&mut self) -> u64 {
        // The step is odd, so the state takes all 2^64 values before it repeats.
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }
}

/// The output function of SplitMix64: a bijection of 64-bit numbers. Flipping an input bit flips about half of the
/// output bits.
#[must_use]
pub(crate) fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The factor of [`fold`].
pub(crate) const FOLD: u64 = 0x9fb2_1c65_1e98_df25;

/// The exclusive or of both halves of the product of a number and a fixed odd factor. Costs half as much as [`mix`],
/// and suffices for numbers that are random already.
#[inline]
pub(crate) fn fold(number: u64) -> u64 {
    let product = u128::from(number) * u128::from(FOLD);
    narrow::low_word(product) ^ narrow::low_word(product >> 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{example, hex, list};

    #[test]
    fn published_stream() {
        let stream = example("splitmix64_stream");
        let mut random = SplitMix64::new(stream["input"]["seed"].as_u64().unwrap());
        for expected in list(&stream["expected"]) {
            assert_eq!(random.number(), hex(expected));
        }
    }
}
