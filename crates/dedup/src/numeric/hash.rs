//! The hash functions of the crate. All are fixed and published, so that signatures made on different machines, or
//! years apart, can be compared. They do not resist attackers who search for collisions. Equality of documents is
//! decided on 128 bits, and every candidate pair is verified.

use crate::numeric::narrow;
use crate::numeric::random::mix;

// The constants of MurmurHash3 x64_128.
pub(crate) const C1: u64 = 0x87c3_7b91_1142_53d5;
pub(crate) const C2: u64 = 0x4cf5_ad43_2745_937f;
pub(crate) const STEP1: u64 = 0x52dc_e729;
pub(crate) const STEP2: u64 = 0x3849_5ab5;
pub(crate) const FINAL1: u64 = 0xff51_afd7_ed55_8ccd;
pub(crate) const FINAL2: u64 = 0xc4ce_b9fe_1a85_ec53;

/// First half of MurmurHash3 x64_128 (Austin Appleby, 2011; public domain): the 64-bit hash of shingles and terms.
///
/// `seed` starts both halves of the state. The reference takes 32 bits; larger seeds are an extension.
#[must_use]
pub fn murmur3(data: &[u8], seed: u64) -> u64 {
    murmur3_inline(data, seed)
}

/// [`murmur3`], inlined into the calling loop so that the compiler knows the seed.
#[inline(always)]
pub(crate) fn murmur3_inline(data: &[u8], seed: u64) -> u64 {
    // The reference scrambles each half of a block by the same two factors in opposite order.
    let scramble1 = |k: u64| k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
    let scramble2 = |k: u64| k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);

    // Both halves begin with the seed, as in the reference.
    let (mut h1, mut h2) = (seed, seed);
    let (blocks, rest) = data.as_chunks::<16>();
    for block in blocks {
        let (k1, k2) = halves(u128::from_le_bytes(*block));
        h1 ^= scramble1(k1);
        h1 = h1
            .rotate_left(27)
            .wrapping_add(h2)
            .wrapping_mul(5)
            .wrapping_add(STEP1);
        // The second half takes in the first as just updated, so the order of the steps matters.
        h2 ^= scramble2(k2);
        h2 = h2
            .rotate_left(31)
            .wrapping_add(h1)
            .wrapping_mul(5)
            .wrapping_add(STEP2);
    }
    // Zeros would not change the hash, but the shift below cannot be by all 128 bits.
    if !rest.is_empty() {
        let (k1, k2) = halves(last_partial_block(data, rest));
        h1 ^= scramble1(k1);
        h2 ^= scramble2(k2);
    }
    let length = data.len() as u64;
    h1 ^= length;
    h2 ^= length;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    finalize(h1).wrapping_add(finalize(h2))
}

fn halves(block: u128) -> (u64, u64) {
    (narrow::low_word(block), narrow::low_word(block >> 64))
}

/// The 1 to 15 bytes of `rest`, the end of `data`, as a little-endian number padded with zeros. If `data` is long
/// enough, one load that overlaps the last full block replaces a loop over bytes.
fn last_partial_block(data: &[u8], rest: &[u8]) -> u128 {
    if let Some(last) = data.last_chunk::<16>() {
        return u128::from_le_bytes(*last) >> (8 * (16 - rest.len()));
    }
    // Two loads overlap in the middle, where both have the same bits, so `or` joins them.
    if let (Some(first), Some(last)) = (rest.first_chunk::<8>(), rest.last_chunk::<8>()) {
        let high = u128::from(u64::from_le_bytes(*last)) << (8 * (rest.len() - 8));
        return u128::from(u64::from_le_bytes(*first)) | high;
    }
    if let (Some(first), Some(last)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        let high = u128::from(u32::from_le_bytes(*last)) << (8 * (rest.len() - 4));
        return u128::from(u32::from_le_bytes(*first)) | high;
    }
    rest.iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | u128::from(byte))
}

fn finalize(mut k: u64) -> u64 {
    k ^= k >> 33;
    k = k.wrapping_mul(FINAL1);
    k ^= k >> 33;
    k = k.wrapping_mul(FINAL2);
    k ^ k >> 33
}

/// [`murmur3`] of the little-endian bytes of `words`.
#[must_use]
pub fn murmur3_words(words: &[u64], seed: u64) -> u64 {
    let mut bytes = Vec::with_capacity(8 * words.len());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    murmur3(&bytes, seed)
}

/// 128-bit hash of a document's tokens joined by one space (XXH3, Yann Collet). Documents with equal hashes count as
/// identical.
#[must_use]
pub fn content_hash(text: &str) -> u128 {
    xxhash_rust::xxh3::xxh3_128(text.as_bytes())
}

/// Combines a hash with a number, for example a shingle with the number of its occurrence.
pub(crate) fn combine(hash: u64, number: u64) -> u64 {
    mix(hash ^ mix(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{example, hex, list, text};

    #[test]
    fn published_values() {
        let vectors = example("hash_vectors");
        let inputs = list(&vectors["input"]);
        for (input, expected) in inputs
            .iter()
            .zip(list(&vectors["expected"]["murmur3_x64_128_h1"]))
        {
            assert_eq!(murmur3(text(input).as_bytes(), 0), hex(expected));
        }
    }

    /// Agrees with the byte-by-byte definition for all lengths around the block sizes.
    #[test]
    fn every_length_agrees_with_the_definition() {
        fn by_definition(data: &[u8]) -> u128 {
            data.iter()
                .rev()
                .fold(0, |number, &byte| number << 8 | u128::from(byte))
        }
        let data: Vec<u8> = (0..200_u8).map(|i| i.wrapping_mul(37) ^ 0x5a).collect();
        for length in 1..data.len() {
            let (_, rest) = data[..length].as_chunks::<16>();
            if !rest.is_empty() {
                assert_eq!(
                    last_partial_block(&data[..length], rest),
                    by_definition(rest),
                    "length {length}"
                );
            }
        }
    }
}
