//! Searches for bytes that are mostly near: sixteen bytes at a time in place, which takes less than to call a search for far ones.

use memchr::{memchr, memchr3};
use wide::u8x16;

/// Bytes of a step.
const STEP: usize = 16;

/// Steps that are searched here. What is not in them is far.
const NEAR: usize = 3;

/// Offset of the first `byte` from `from` on.
#[inline(always)]
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    let is = |step: u8x16| step.simd_eq(u8x16::splat(byte));
    near_or_far(bytes, from, is, |rest| memchr(byte, rest))
}

/// Offset of the first of three bytes from `from` on.
#[inline(always)]
pub(super) fn find3(bytes: &[u8], from: usize, [a, b, c]: [u8; 3]) -> Option<usize> {
    let is_one = |step: u8x16, byte| step.simd_eq(u8x16::splat(byte));
    let is = |step| is_one(step, a) | is_one(step, b) | is_one(step, c);
    near_or_far(bytes, from, is, |rest| memchr3(a, b, c, rest))
}

/// Offset of the first byte from `from` on that `is`, which `search` finds, too.
#[inline(always)]
fn near_or_far(
    bytes: &[u8],
    from: usize,
    is: impl Fn(u8x16) -> u8x16,
    search: impl FnOnce(&[u8]) -> Option<usize>,
) -> Option<usize> {
    let mut at = from;
    let mut rest = bytes.get(from..)?;
    for _ in 0..NEAR {
        let Some((step, after)) = rest.split_first_chunk::<STEP>() else {
            break;
        };
        let found = is(u8x16::new(*step)).to_bitmask();
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += STEP;
        rest = after;
    }
    search(rest).map(|found| at + found)
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
