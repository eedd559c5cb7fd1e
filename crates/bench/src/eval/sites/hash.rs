//! A hash of names and words that no version of the compiler changes.

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
