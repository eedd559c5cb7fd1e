//! Where shingles fall in a round of fast similarity sketching, eight at a time.

use std::arch::x86_64::{
    __m512i, _mm_cvtsi128_si64, _mm512_add_epi64, _mm512_and_si512, _mm512_cvtepi64_epi8,
    _mm512_movepi8_mask, _mm512_movepi64_mask, _mm512_movm_epi8, _mm512_mul_epu32, _mm512_permutex2var_epi8,
    _mm512_set1_epi64, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_xor_si512,
};

use crate::numeric::lanes::{load, load_bytes, load_some};
use crate::numeric::random::FOLD;

/// Which of 128 places are empty: a byte for each, of which the uppermost bit counts.
#[derive(Clone, Copy)]
pub(crate) struct EmptyPlaces([__m512i; 2]);

impl EmptyPlaces {
    /// The places whose bits are set.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
    pub(crate) fn new(empty: u128) -> Self {
        Self([empty as u64, (empty >> 64) as u64].map(|half| _mm512_movm_epi8(half)))
    }

    /// A bit of each of 64 shingles that falls in an empty place, the lowest for the first one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
    pub(crate) fn hits(self, places: &[u8; 64]) -> u64 {
        let [lower, upper] = self.0;
        _mm512_movepi8_mask(_mm512_permutex2var_epi8(lower, load_bytes(places), upper))
    }
}

/// Writes the place, 0 to 127, of each shingle in the round of a key to `places`, as far as there is room, and something behind the last one
/// up to a multiple of eight.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn write_places(shingles: &[u64], key: u64, places: &mut [u8]) {
    let key = _mm512_set1_epi64(key as i64);
    let (eights, rest) = shingles.as_chunks::<8>();
    let (to, _) = places.as_chunks_mut::<8>();
    for (eight, to) in eights.iter().zip(&mut *to) {
        *to = places_of_eight(_mm512_xor_si512(load(eight), key));
    }
    if !rest.is_empty()
        && let Some(to) = to.get_mut(eights.len())
    {
        *to = places_of_eight(_mm512_xor_si512(load_some(rest), key));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn places_of_eight(numbers: __m512i) -> [u8; 8] {
    let places = _mm512_srli_epi64::<57>(upper_half_of_fold(numbers));
    _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(places)).to_le_bytes()
}

/// A bit of each place whose value has the uppermost bit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn uppermost_bits(values: &[u64; 128]) -> u128 {
    let (eights, _) = values.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, eight| {
        bits << 8 | u128::from(_mm512_movepi64_mask(load(eight)))
    })
}

/// The upper halves of [`fold`](crate::numeric::random::fold) of each, above bits without meaning: the four products of halves of 32 bits
/// make up the product.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn upper_half_of_fold(numbers: __m512i) -> __m512i {
    let factors = [FOLD, FOLD >> 32].map(|factor| _mm512_set1_epi64(factor as i64));
    let upper = _mm512_srli_epi64::<32>(numbers);
    let lowest = _mm512_mul_epu32(numbers, factors[0]);
    let highest = _mm512_mul_epu32(upper, factors[1]);
    let middle = _mm512_add_epi64(
        _mm512_mul_epu32(upper, factors[0]),
        _mm512_srli_epi64::<32>(lowest),
    );
    let other_middle = _mm512_add_epi64(
        _mm512_mul_epu32(numbers, factors[1]),
        _mm512_and_si512(middle, _mm512_set1_epi64(0xffff_ffff)),
    );
    let high = _mm512_add_epi64(
        _mm512_add_epi64(highest, _mm512_srli_epi64::<32>(middle)),
        _mm512_srli_epi64::<32>(other_middle),
    );
    _mm512_xor_si512(high, _mm512_slli_epi64::<32>(other_middle))
}
