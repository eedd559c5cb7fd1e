//! Searches for a byte that is mostly near: eight bytes at a time, which takes less than to call a search for far ones.

use memchr::memchr;

/// Words that are searched here. What is not in them is far.
const NEAR: usize = 4;

/// Offset of the first `byte` from `from` on.
#[inline]
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    let mut at = from;
    let mut rest = bytes.get(from..)?;
    for _ in 0..NEAR {
        let Some((word, after)) = rest.split_first_chunk() else {
            break;
        };
        let differences = u64::from_le_bytes(*word) ^ u64::from_ne_bytes([byte; 8]);
        // The highest bit of each byte that equals. Borrows can set further bits above the lowest one, which is exact.
        let equal = differences.wrapping_sub(0x0101_0101_0101_0101) & !differences & 0x8080_8080_8080_8080;
        if equal != 0 {
            return Some(at + equal.trailing_zeros() as usize / 8);
        }
        at += 8;
        rest = after;
    }
    memchr(byte, rest).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_byte_is_found_near_and_far(
            before in "[a-z;=%#\u{BC}\u{43C}]{0,70}",
            found in "[\"!]{0,2}",
            after in "[a\"]{0,40}",
            from in 0..100_usize,
        ) {
            let text = [before, found, after].concat();
            let bytes = text.as_bytes();
            let plain = (from..bytes.len()).find(|&i| bytes[i] == b'"');
            prop_assert_eq!(find(bytes, from, b'"'), plain);
        }
    }
}
