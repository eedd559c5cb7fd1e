//! Hashes of runs of neighboring words: each word is hashed once, whatever the width of shingles.
//!
//! A word's bytes are looked at in blocks of 32, the last one filled up with zeros, without a branch for its length: where words
//! end is guessed wrong too often. The hash of a shingle is a polynomial over the hashes of its words, so that the next one follows
//! from it by the word that comes and the one that goes (Karp, Rabin, "Efficient randomized pattern-matching algorithms", 1987).
//!
//! MurmurHash3 of the bytes of each shingle, as the worked examples have it, reads every word `width` times, and took more time than
//! any other part of signing. The same pairs are found either way.

use crate::numeric::random::{fold, fold_product, mix};
use crate::text::tokens::Tokens;

/// Bytes of a word that are looked at together.
const BLOCK: usize = 32;

/// What the four numbers of a block are changed by before they are multiplied.
const KEYS: [u64; 4] = [mix(1), mix(2), mix(3), mix(4)];

/// The place at which the polynomial of a shingle is evaluated, an odd number.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Masks that leave so many bytes at the front of a block.
static FRONT: [[u64; 4]; BLOCK + 1] = fronts();

const fn fronts() -> [[u64; 4]; BLOCK + 1] {
    let mut masks = [[0; 4]; BLOCK + 1];
    let mut length = 0;
    while length <= BLOCK {
        let mut byte = 0;
        while byte < length {
            masks[length][byte / 8] |= 0xFF << (8 * (byte % 8));
            byte += 1;
        }
        length += 1;
    }
    masks
}

/// Writes the hashes of every `width` neighboring words to `out`, in their order and with repetitions; of fewer words, one hash of all.
/// Earlier contents of `out` are dropped.
pub(crate) fn list_words(tokens: &Tokens, width: usize, out: &mut Vec<u64>) {
    hash_words(tokens, out);
    let width = width.clamp(1, out.len().max(1));
    // What the word that goes is multiplied by; widths have 32 bits.
    let leaving = FACTOR.wrapping_pow(width as u32);
    let (mut sum, mut gone) = (0_u64, 0_u64);
    for place in 0..out.len() {
        sum = sum
            .wrapping_mul(FACTOR)
            .wrapping_add(out[place].wrapping_sub(gone.wrapping_mul(leaving)));
        if let Some(first) = (place + 1).checked_sub(width) {
            gone = std::mem::replace(&mut out[first], fold(sum));
        }
    }
    out.truncate((out.len() + 1).saturating_sub(width));
}

/// Writes the hash of each word to `out`.
fn hash_words(tokens: &Tokens, out: &mut Vec<u64>) {
    let bytes = tokens.text().as_bytes();
    let mut start = 0;
    out.clear();
    out.extend(tokens.ends().iter().map(|&end| {
        let length = end - start;
        let hash = match bytes.get(start..).and_then(|rest| rest.first_chunk()) {
            Some(block) if length <= BLOCK => block_hash(block, length).wrapping_add(length as u64),
            _ => long_hash(&bytes[start..end]),
        };
        start = end + 1;
        hash
    }));
}

/// The hash of a word of any length.
#[cold]
fn long_hash(word: &[u8]) -> u64 {
    let (blocks, rest) = word.as_chunks::<BLOCK>();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(&last);
    let hash = blocks
        .iter()
        .chain(last)
        .fold(0, |hash, block| fold(hash) ^ block_hash(block, BLOCK));
    hash.wrapping_add(word.len() as u64)
}

/// The hash of the bytes at the front of a block.
#[inline(always)]
fn block_hash(block: &[u8; BLOCK], length: usize) -> u64 {
    let masks = &FRONT[length];
    let number = |place: usize| {
        let (numbers, _) = block.as_chunks::<8>();
        u64::from_le_bytes(numbers[place]) & masks[place] ^ KEYS[place]
    };
    fold_product(number(0), number(1)) ^ fold_product(number(2), number(3))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::numeric::random::SplitMix64;

    /// A word's hash by its definition.
    fn word_hash(word: &[u8]) -> u64 {
        let of_block = |block: &[u8]| {
            let mut numbers = KEYS;
            for (place, &byte) in block.iter().enumerate() {
                numbers[place / 8] ^= u64::from(byte) << (8 * (place % 8));
            }
            fold_product(numbers[0], numbers[1]) ^ fold_product(numbers[2], numbers[3])
        };
        let blocks = word.chunks(BLOCK).map(of_block);
        blocks
            .fold(0, |hash, block| fold(hash) ^ block)
            .wrapping_add(word.len() as u64)
    }

    /// Words of every length, in another order for each seed.
    fn words(seed: u64) -> Tokens {
        let mut random = SplitMix64::new(seed);
        let letters = "one0two1three".repeat(8);
        let mut words: Vec<&str> = (1..=100).map(|length| &letters[..length]).collect();
        words.sort_by_cached_key(|_| random.number());
        words.into_iter().collect()
    }

    #[test]
    fn words_of_every_length_have_the_hash_of_the_definition() {
        for seed in 0..20 {
            let (tokens, mut hashes) = (words(seed), vec![7]);
            list_words(&tokens, 1, &mut hashes);
            let expected = tokens.iter().map(|word| fold(word_hash(word.as_bytes())));
            assert!(hashes.iter().copied().eq(expected), "seed {seed}");
        }
    }

    #[test]
    fn shingles_have_the_hash_of_the_definition() {
        let mut out = Vec::new();
        for words in [words(1), Tokens::new(), Tokens::from_iter(["one"])] {
            let hashes: Vec<u64> = words.iter().map(|word| word_hash(word.as_bytes())).collect();
            for width in (1..20).chain([hashes.len(), hashes.len() + 1, u32::MAX as usize]) {
                list_words(&words, width, &mut out);
                let windows = hashes.windows(width.clamp(1, hashes.len().max(1)));
                let polynomial = |window: &[u64]| {
                    let sum = |sum: u64, word: &u64| sum.wrapping_mul(FACTOR).wrapping_add(*word);
                    fold(window.iter().fold(0, sum))
                };
                assert!(out.iter().copied().eq(windows.map(polynomial)), "width {width}");
            }
        }
    }

    /// Words that differ in a digit, and the same words in another order, are what a weak hash would confuse.
    #[test]
    fn unequal_shingles_have_unequal_hashes() {
        let numbers: Vec<String> = (0..100).map(|number| format!("{number:02}")).collect();
        let (mut seen, mut ones) = (HashSet::<u64>::new(), [0_u32; 64]);
        let mut shingles = Vec::new();
        for a in &numbers {
            for b in &numbers {
                let text: Vec<&str> = numbers
                    .iter()
                    .flat_map(|c| [a, b, c].map(String::as_str))
                    .collect();
                list_words(&text.into_iter().collect(), 3, &mut shingles);
                for &hash in shingles.iter().step_by(3) {
                    for (bit, ones) in ones.iter_mut().enumerate() {
                        *ones += (hash >> bit & 1) as u32;
                    }
                    seen.insert(hash);
                }
            }
        }
        assert_eq!(seen.len(), 1_000_000);
        // A standard deviation is 500.
        assert!(ones.iter().all(|ones| ones.abs_diff(500_000) < 2500), "{ones:?}");
        let hash = |text: &[&str]| {
            let mut hashes = Vec::new();
            list_words(&text.iter().copied().collect(), 4, &mut hashes);
            hashes[0]
        };
        assert_ne!(hash(&["a", "b"]), hash(&["a b"]));
        assert_ne!(hash(&["a\0"]), hash(&["a"]));
        assert_ne!(hash(&["a", "a", "b", "b"]), hash(&["b", "b", "a", "a"]));
    }
}
