//! MurmurHash3 of eight pieces of a text in parallel.

use fearless_simd::prelude::*;
use fearless_simd::{u8x16, u64x2, u64x4, u64x8};

use crate::numeric::hash::{C1, C2, FINAL1, FINAL2, STEP1, STEP2};

/// [`murmur3`](crate::numeric::hash::murmur3) of eight pieces of `text`, with seed 0. A piece begins one
/// byte after its offset in `befores`, the place of the separator before it, and ends at its offset in
/// `ends`. Both are within the text.
#[inline(always)]
pub(crate) fn murmur3_eight<S: Simd>(
    simd: S,
    text: &[u8],
    befores: &[usize; 8],
    ends: &[usize; 8],
) -> [u64; 8] {
    // The separator does not belong to the piece.
    let lengths = words(simd, ends) - words(simd, befores) - 1;
    let (mut h1, mut h2) = (u64x8::splat(simd, 0), u64x8::splat(simd, 0));
    // `left` counts the bytes of each piece that are not yet hashed. The loop runs until the longest piece
    // ends.
    let (mut left, mut offset) = (lengths, 1);
    while left.simd_gt(0).any_true() {
        let (k1, k2) = blocks(simd, text, befores, offset);
        // Bytes after the end of a piece are replaced by zeros, which do not change the hash of the piece.
        let lower = left.min(8);
        let upper = left.min(16) - lower;
        let (k1, k2) = (k1 & first_bytes(simd, lower), k2 & first_bytes(simd, upper));
        // The state is mixed only for pieces whose block is full.
        let full = left.simd_ge(16);
        // Products and sums wrap around, as the hash requires: vector operations do not check for overflow.
        let part = h1 ^ (rotated(k1 * C1, 31) * C2);
        h1 = full.select((rotated(part, 27) + h2) * 5 + STEP1, part);
        let part = h2 ^ (rotated(k2 * C2, 33) * C1);
        h2 = full.select((rotated(part, 31) + h1) * 5 + STEP2, part);
        left = left.max(16) - 16;
        offset += 16;
    }
    h1 ^= lengths;
    h2 ^= lengths;
    h1 += h2;
    h2 += h1;
    (finalized(h1) + finalized(h2)).to_array()
}

#[inline(always)]
fn words<S: Simd>(simd: S, places: &[usize; 8]) -> u64x8<S> {
    let mut words = [0; 8];
    for (word, place) in words.iter_mut().zip(places) {
        *word = *place as u64;
    }
    u64x8::load_array(simd, words)
}

/// The two halves of 16 bytes of each piece, from `offset` bytes after its place. Bytes after the end of the text are
/// zeros.
#[inline(always)]
fn blocks<S: Simd>(simd: S, text: &[u8], places: &[usize; 8], offset: usize) -> (u64x8<S>, u64x8<S>) {
    let mut blocks = [u64x2::splat(simd, 0); 8];
    for (block, place) in blocks.iter_mut().zip(places) {
        // A piece that ended early may be asked for bytes beyond the end of the text. The caller masks
        // them.
        let rest = text.get(place + offset..).unwrap_or_default();
        let bytes = match rest.first_chunk() {
            Some(bytes) => u8x16::load_array_ref(simd, bytes),
            None => last_block(simd, rest),
        };
        *block = bytes.bitcast();
    }
    let [a, b, c, d, e, f, g, h] = blocks;
    let (first, second) = (four(a, b, c, d), four(e, f, g, h));
    // Unzipping parts the even words, which are first halves, from the odd ones.
    (first.unzip_low(second), first.unzip_high(second))
}

#[inline(always)]
fn four<S: Simd>(a: u64x2<S>, b: u64x2<S>, c: u64x2<S>, d: u64x2<S>) -> u64x8<S> {
    let (first, second): (u64x4<S>, u64x4<S>) = (a.combine(b), c.combine(d));
    first.combine(second)
}

// Only pieces near the end of a text come here. Kept out of line so that the usual path stays short.
#[cold]
#[inline(never)]
fn last_block<S: Simd>(simd: S, rest: &[u8]) -> u8x16<S> {
    let mut bytes = [0; 16];
    bytes[..rest.len()].copy_from_slice(rest);
    u8x16::load_array(simd, bytes)
}

/// A mask of the first `count` bytes of each word, 0 to 8.
#[inline(always)]
fn first_bytes<S: Simd>(simd: S, count: u64x8<S>) -> u64x8<S> {
    // Shifted in two halves, because a shift by all 64 bits is not defined.
    let half = u64x8::splat(simd, 32) - (count << 2);
    (u64x8::splat(simd, u64::MAX) >> half) >> half
}

#[inline(always)]
fn rotated<S: Simd>(words: u64x8<S>, by: u32) -> u64x8<S> {
    words << by | words >> (64 - by)
}

#[inline(always)]
fn finalized<S: Simd>(words: u64x8<S>) -> u64x8<S> {
    let words = (words ^ words >> 33) * FINAL1;
    let words = (words ^ words >> 33) * FINAL2;
    words ^ words >> 33
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    use super::*;
    use crate::numeric::hash::murmur3;

    proptest! {
        #[test]
        fn eight_hashes_equal_single_ones(
            text in proptest::collection::vec(any::<u8>(), 1..200),
            places in proptest::array::uniform8((any::<u8>(), any::<u8>())),
        ) {
            let (mut befores, mut ends, mut expected) = ([0; 8], [0; 8], [0; 8]);
            for (lane, (a, b)) in places.into_iter().enumerate() {
                let place = |place: u8| usize::from(place) % text.len();
                (befores[lane], ends[lane]) = (place(a).min(place(b)), place(a).max(place(b)) + 1);
                expected[lane] = murmur3(&text[befores[lane] + 1..ends[lane]], 0);
            }
            for level in [Level::new(), Level::baseline()] {
                let found = dispatch!(level, simd => murmur3_eight(simd, &text, &befores, &ends));
                prop_assert_eq!(found, expected);
            }
        }
    }
}
