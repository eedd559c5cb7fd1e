//! Where shingles fall in a round of fast similarity sketching, eight at a time.

use fearless_simd::prelude::*;
use fearless_simd::{mask8x64, u8x64, u64x8};

use crate::numeric::random::FOLD;

/// Which of 128 places are empty: a byte for each, all bits of which are set if it is.
#[derive(Clone, Copy)]
pub(crate) struct EmptyPlaces<S: Simd>([u8x64<S>; 2]);

impl<S: Simd> EmptyPlaces<S> {
    /// The places whose bits are set.
    #[inline(always)]
    pub(crate) fn new(simd: S, empty: u128) -> Self {
        let bytes = |half| mask8x64::from_bitmask(simd, half).to_vector().bitcast();
        Self([bytes(empty as u64), bytes((empty >> 64) as u64)])
    }

    /// A bit of each of 64 shingles that falls in an empty place, the lowest for the first one.
    #[inline(always)]
    pub(crate) fn hits(self, simd: S, places: &[u8; 64]) -> u64 {
        let [lower, upper] = self.0;
        let found = lower.concat_swizzle_dyn(upper, u8x64::load_array_ref(simd, places));
        found.simd_ge(0x80).to_bitmask()
    }
}

/// Writes the place, 0 to 127, of each shingle in the round of a key to `places`, as far as there is room, and something behind the last one
/// up to a multiple of eight.
#[inline(always)]
pub(crate) fn write_places<S: Simd>(simd: S, shingles: &[u64], key: u64, places: &mut [u8]) {
    for (eight, to) in shingles.chunks(8).zip(places.as_chunks_mut::<8>().0) {
        let words = match eight.first_chunk() {
            Some(eight) => u64x8::load_array_ref(simd, eight),
            None => {
                let mut words = [0; 8];
                words[..eight.len()].copy_from_slice(eight);
                u64x8::load_array(simd, words)
            }
        };
        let of_eight: u8x64<S> = (upper_half_of_fold(words ^ key) >> 57).bitcast();
        let first = of_eight.swizzle_dyn(u8x64::load_array(simd, FIRST_BYTES));
        to.copy_from_slice(&first.as_array()[..8]);
    }
}

/// Where the lowest byte of each of eight words lies.
const FIRST_BYTES: [u8; 64] = {
    let mut places = [0; 64];
    let mut word = 0;
    while word < 8 {
        places[word as usize] = 8 * word;
        word += 1;
    }
    places
};

/// A bit of each place whose value has the uppermost bit.
#[inline(always)]
pub(crate) fn uppermost_bits<S: Simd>(simd: S, values: &[u64; 128]) -> u128 {
    let (eights, _) = values.as_chunks();
    eights.iter().rev().fold(0, |bits, eight| {
        let eight = u64x8::load_array_ref(simd, eight);
        bits << 8 | u128::from(eight.simd_ge(1 << 63).to_bitmask())
    })
}

/// The upper halves of [`fold`](crate::numeric::random::fold) of each, above bits without meaning: the four products of halves of 32 bits
/// make up the product.
#[inline(always)]
fn upper_half_of_fold<S: Simd>(words: u64x8<S>) -> u64x8<S> {
    const LOWER: u64 = u32::MAX as u64;
    let [lower_factor, upper_factor] = [FOLD & LOWER, FOLD >> 32];
    let (lower, upper) = (words & LOWER, words >> 32);
    let middle = upper * lower_factor + ((lower * lower_factor) >> 32);
    let other_middle = lower * upper_factor + (middle & LOWER);
    let high = upper * upper_factor + (middle >> 32) + (other_middle >> 32);
    high ^ other_middle << 32
}
