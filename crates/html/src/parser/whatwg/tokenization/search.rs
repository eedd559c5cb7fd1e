//! Searches for bytes that are mostly near: sixteen bytes at a time in place, which takes less than to call a search for far ones.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16};
use memchr::{memchr, memchr3};

/// Bytes of a step.
const STEP: usize = 16;

/// Steps that are searched here. What is not in them is far.
const NEAR: usize = 3;

/// Offset of the first `byte` from `from` on.
#[inline(always)]
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    near_or_far(bytes, from, [byte; 3], |rest| memchr(byte, rest))
}

/// Offset of the first of three bytes from `from` on.
#[inline(always)]
pub(super) fn find3(bytes: &[u8], from: usize, wanted: [u8; 3]) -> Option<usize> {
    let [a, b, c] = wanted;
    near_or_far(bytes, from, wanted, |rest| memchr3(a, b, c, rest))
}

/// Offset of the first of three bytes from `from` on, which `search` finds, too.
#[inline(always)]
fn near_or_far(
    bytes: &[u8],
    from: usize,
    wanted: [u8; 3],
    search: impl FnOnce(&[u8]) -> Option<usize>,
) -> Option<usize> {
    let mut at = from;
    let mut rest = bytes.get(from..)?;
    for _ in 0..NEAR {
        let Some((step, after)) = rest.split_first_chunk::<STEP>() else {
            break;
        };
        let found = dispatch!(Level::baseline(), simd => wanted_among(simd, step, wanted));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += STEP;
        rest = after;
    }
    search(rest).map(|found| at + found)
}

/// A bit for each byte of a step that is one of three.
#[inline(always)]
fn wanted_among<S: Simd>(simd: S, step: &[u8; STEP], [a, b, c]: [u8; 3]) -> u64 {
    let step = u8x16::load_array_ref(simd, step);
    (step.simd_eq(a) | step.simd_eq(b) | step.simd_eq(c)).to_bitmask()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_byte_is_found_near_and_far(
            before in "[a-z;=%#\u{BC}\u{43C}]{0,70}",
            found in "[\"!&]{0,2}",
            after in "[a\"]{0,40}",
            from in 0..100_usize,
        ) {
            let text = [before, found, after].concat();
            let bytes = text.as_bytes();
            let plain = |wanted: &[u8]| (from..bytes.len()).find(|&i| wanted.contains(&bytes[i]));
            prop_assert_eq!(find(bytes, from, b'"'), plain(b"\""));
            prop_assert_eq!(find3(bytes, from, *b"&\"\r"), plain(b"&\"\r"));
        }
    }
}
