//! MurmurHash3 of eight pieces of a text at a time.

use std::arch::x86_64::{
    __m128i, __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_castsi128_si512, _mm512_cmpge_epu64_mask,
    _mm512_inserti64x2, _mm512_mask_mov_epi64, _mm512_max_epu64, _mm512_min_epu64, _mm512_mullo_epi64,
    _mm512_rol_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_srlv_epi64, _mm512_sub_epi64, _mm512_test_epi64_mask, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi64, _mm512_xor_si512,
};

use crate::numeric::hash::{C1, C2, FINAL1, FINAL2, STEP1, STEP2};
use crate::numeric::lanes::{load, load_sixteen, store};

/// Writes [`murmur3`](crate::numeric::hash::murmur3) of eight pieces of `text`, with seed 0, to `out`. Each piece begins one byte past its
/// place in `befores` and ends at its place in `ends`, both within the text.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
pub(crate) fn murmur3_eight(text: &[u8], befores: &[usize; 8], ends: &[usize; 8], out: &mut [u64; 8]) {
    let (one, eight, sixteen) = (_mm512_set1_epi64(1), _mm512_set1_epi64(8), _mm512_set1_epi64(16));
    let starts = befores.map(|before| before as u64 + 1);
    let places = _mm512_add_epi64(load(&befores.map(|before| before as u64)), one);
    let lengths = _mm512_sub_epi64(load(&ends.map(|end| end as u64)), places);
    let (mut h1, mut h2) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    let mut left = lengths;
    let mut offset = 0;
    while _mm512_test_epi64_mask(left, left) != 0 {
        let (even, odd) = blocks(text, &starts, offset);
        // Zeros in place of what lies behind a piece: they change nothing of its hash.
        let lower = _mm512_min_epu64(left, eight);
        let upper = _mm512_sub_epi64(_mm512_min_epu64(left, sixteen), lower);
        let k1 = _mm512_and_si512(_mm512_unpacklo_epi64(even, odd), first_bytes(lower));
        let k2 = _mm512_and_si512(_mm512_unpackhi_epi64(even, odd), first_bytes(upper));
        // The halves of the state are mixed where the block is full.
        let full = _mm512_cmpge_epu64_mask(left, sixteen);
        let part = _mm512_xor_si512(h1, scramble::<31>(k1, C1, C2));
        let mixed = _mm512_add_epi64(_mm512_rol_epi64::<27>(part), h2);
        h1 = _mm512_mask_mov_epi64(part, full, five_times(mixed, STEP1));
        let part = _mm512_xor_si512(h2, scramble::<33>(k2, C2, C1));
        let mixed = _mm512_add_epi64(_mm512_rol_epi64::<31>(part), h1);
        h2 = _mm512_mask_mov_epi64(part, full, five_times(mixed, STEP2));
        left = _mm512_sub_epi64(_mm512_max_epu64(left, sixteen), sixteen);
        offset += 16;
    }
    h1 = _mm512_xor_si512(h1, lengths);
    h2 = _mm512_xor_si512(h2, lengths);
    h1 = _mm512_add_epi64(h1, h2);
    h2 = _mm512_add_epi64(h2, h1);
    store(_mm512_add_epi64(finalize(h1), finalize(h2)), out);
}

/// Sixteen bytes of each piece, `offset` bytes behind its start: of the pieces of even and of odd numbers. What lies behind the text is
/// zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn blocks(text: &[u8], starts: &[u64; 8], offset: usize) -> (__m512i, __m512i) {
    let furthest = starts.iter().fold(0, |furthest, start| furthest.max(*start)) as usize;
    let last = text.len().checked_sub(16 + offset);
    if last.is_none_or(|last| furthest > last) {
        return blocks_near_the_end(text, starts, offset);
    }
    let block = |piece: usize| {
        let start = starts[piece] as usize + offset;
        // SAFETY: no start lies further than sixteen bytes before the end of the text, as was compared above.
        #[expect(unsafe_code, reason = "one comparison stands for those of eight slices")]
        let bytes = unsafe { text.get_unchecked(start..start + 16) };
        load_sixteen(bytes.first_chunk().expect("as long as it is cut"))
    };
    (
        four(block(0), block(2), block(4), block(6)),
        four(block(1), block(3), block(5), block(7)),
    )
}

#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn blocks_near_the_end(text: &[u8], starts: &[u64; 8], offset: usize) -> (__m512i, __m512i) {
    let block = |piece: usize| {
        let rest = text.get(starts[piece] as usize + offset..).unwrap_or_default();
        let mut bytes = [0; 16];
        let length = rest.len().min(16);
        bytes[..length].copy_from_slice(&rest[..length]);
        load_sixteen(&bytes)
    };
    (
        four(block(0), block(2), block(4), block(6)),
        four(block(1), block(3), block(5), block(7)),
    )
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn four(a: __m128i, b: __m128i, c: __m128i, d: __m128i) -> __m512i {
    let lanes = _mm512_inserti64x2::<1>(_mm512_castsi128_si512(a), b);
    _mm512_inserti64x2::<3>(_mm512_inserti64x2::<2>(lanes, c), d)
}

/// A mask of the first bytes of each word: `count` of them, up to eight.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn first_bytes(count: __m512i) -> __m512i {
    let others = _mm512_sub_epi64(_mm512_set1_epi64(64), _mm512_slli_epi64::<3>(count));
    _mm512_srlv_epi64(_mm512_set1_epi64(-1), others)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn scramble<const ROTATION: i32>(k: __m512i, before: u64, after: u64) -> __m512i {
    times(_mm512_rol_epi64::<ROTATION>(times(k, before)), after)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn times(lanes: __m512i, factor: u64) -> __m512i {
    _mm512_mullo_epi64(lanes, _mm512_set1_epi64(factor as i64))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn five_times(lanes: __m512i, summand: u64) -> __m512i {
    let four_times = _mm512_slli_epi64::<2>(lanes);
    _mm512_add_epi64(
        _mm512_add_epi64(lanes, four_times),
        _mm512_set1_epi64(summand as i64),
    )
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,bmi1,bmi2,popcnt")]
fn finalize(k: __m512i) -> __m512i {
    let k = times(_mm512_xor_si512(k, _mm512_srli_epi64::<33>(k)), FINAL1);
    let k = times(_mm512_xor_si512(k, _mm512_srli_epi64::<33>(k)), FINAL2);
    _mm512_xor_si512(k, _mm512_srli_epi64::<33>(k))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numeric::hash::murmur3;
    use crate::numeric::lanes;

    proptest! {
        #[test]
        fn eight_hashes_equal_single_ones(
            text in proptest::collection::vec(any::<u8>(), 1..200),
            places in proptest::array::uniform8((any::<u8>(), any::<u8>())),
        ) {
            if !lanes::available() {
                return Ok(());
            }
            let (mut befores, mut ends, mut expected) = ([0; 8], [0; 8], [0; 8]);
            for (lane, (a, b)) in places.into_iter().enumerate() {
                let place = |place: u8| usize::from(place) % text.len();
                (befores[lane], ends[lane]) = (place(a).min(place(b)), place(a).max(place(b)) + 1);
                expected[lane] = murmur3(&text[befores[lane] + 1..ends[lane]], 0);
            }
            let mut found = [0; 8];
            // SAFETY: the processor has the instructions, as was asked above.
            #[expect(unsafe_code, reason = "the function is compiled for some processors alone")]
            unsafe {
                murmur3_eight(&text, &befores, &ends, &mut found);
            }
            prop_assert_eq!(found, expected);
        }
    }
}
