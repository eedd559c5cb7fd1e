//! The places of shingles in a round of fast similarity sketching, computed eight at a time.

use fearless_simd::prelude::*;
use fearless_simd::{mask8x64, u8x64, u64x8};

use crate::numeric::narrow;
use crate::numeric::random::FOLD;

/// The set of empty places among 128: one byte per place, 0xFF if it is empty, else 0.
#[derive(Clone, Copy)]
pub(crate) struct EmptyPlaces<S: Simd>([u8x64<S>; 2]);

impl<S: Simd> EmptyPlaces<S> {
    /// The places whose bits are set in `empty`.
    #[inline(always)]
    pub(crate) fn new(simd: S, empty: u128) -> Self {
        let bytes = |half| mask8x64::from_bitmask(simd, half).to_vector().bitcast();
        Self([
            bytes(narrow::low_word(empty)),
            bytes(narrow::low_word(empty >> 64)),
        ])
    }

    /// Bit `i` is set if shingle `i` of 64 falls in an empty place. `places` holds the places of the shingles.
    #[inline(always)]
    pub(crate) fn hits(self, simd: S, places: &[u8; 64]) -> u64 {
        let [lower, upper] = self.0;
        // Looks up 64 bytes in a table of 128, one for each place.
        let found = lower.concat_swizzle_dyn(upper, u8x64::load_array_ref(simd, places));
        found.simd_ge(0x80).to_bitmask()
    }
}

/// Writes the place of each shingle in the round of `key`, 0 to 127, to `places`. Shingles beyond the last full group
/// of eight in `places` are left out. The last group is padded: its unused places get arbitrary values.
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
        // The place of a hash among 128 is its upper 7 bits, so the upper half of the product suffices.
        let of_eight: u8x64<S> = (upper_half_of_fold(words ^ key) >> 57).bitcast();
        // Each place is in the lowest byte of its word. The first eight bytes collect them.
        let first = of_eight.swizzle_dyn(u8x64::load_array(simd, FIRST_BYTES));
        to.copy_from_slice(&first.as_array()[..8]);
    }
}

/// Byte index of the lowest byte of each of eight words, in the first eight elements.
const FIRST_BYTES: [u8; 64] = {
    let mut places = [0; 64];
    let mut word = 0;
    while word < 8 {
        places[word as usize] = 8 * word;
        word += 1;
    }
    places
};

/// Bit `i` is set if `values[i]` has its uppermost bit set.
#[inline(always)]
pub(crate) fn uppermost_bits<S: Simd>(simd: S, values: &[u64; 128]) -> u128 {
    let (eights, _) = values.as_chunks();
    // From the last eight to the first, because each step shifts the earlier bits up.
    eights.iter().rev().fold(0, |bits, eight| {
        let eight = u64x8::load_array_ref(simd, eight);
        bits << 8 | u128::from(eight.simd_ge(1 << 63).to_bitmask())
    })
}

/// The upper 32 bits of [`fold`](crate::numeric::random::fold) of each word, in the upper half of each result; the
/// lower half is arbitrary. The 128-bit product is put together from four products of 32-bit halves.
#[inline(always)]
fn upper_half_of_fold<S: Simd>(words: u64x8<S>) -> u64x8<S> {
    const LOWER: u64 = u32::MAX as u64;
    let [lower_factor, upper_factor] = [FOLD & LOWER, FOLD >> 32];
    let (lower, upper) = (words & LOWER, words >> 32);
    // A product of two 32-bit numbers leaves room to add two more of them, so no sum overflows.
    let middle = upper * lower_factor + ((lower * lower_factor) >> 32);
    let other_middle = lower * upper_factor + (middle & LOWER);
    let high = upper * upper_factor + (middle >> 32) + (other_middle >> 32);
    // The lower half of the product adds only its bits 32 to 63, which are the lower half of
    // `other_middle`.
    high ^ other_middle << 32
}
