//! Conversions to smaller numbers: those whose bound an invariant guarantees, which debug builds check, and those that take a part of a word.
//!
//! Documents are numbered with 32 bits: [`DedupError::TooManyDocuments`](crate::DedupError::TooManyDocuments) stops a larger collection. The
//! words, keys and shingles of one document are fewer than 2^32, too, as its text would have more than 4 GiB otherwise.

#![expect(
    clippy::cast_possible_truncation,
    reason = "each function asserts its bound, or names the part that it takes"
)]

/// Number of a document or of something in a document, or a length.
#[inline(always)]
pub(crate) const fn to_u32(number: usize) -> u32 {
    debug_assert!(
        number as u64 <= u32::MAX as u64,
        "a number or length does not fit into 32 bits"
    );
    number as u32
}

/// Index or length of something in memory.
#[inline(always)]
pub(crate) const fn to_usize(number: u64) -> usize {
    debug_assert!(
        number <= usize::MAX as u64,
        "an index or length does not fit into memory"
    );
    number as usize
}

/// Lower 32 bits of a word. Words that are sorted by a key in their upper half have the number of a document there.
#[inline(always)]
pub(crate) const fn low_half(word: u64) -> u32 {
    word as u32
}

/// Low bits of a hash, for a mask or a remainder.
#[inline(always)]
pub(crate) const fn low_bits(hash: u64) -> usize {
    hash as usize
}

/// Lower 64 bits.
#[inline(always)]
pub(crate) const fn low_word(number: u128) -> u64 {
    number as u64
}
