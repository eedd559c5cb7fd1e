//! Numbers of bytes that are processed per vector step.

/// Shortest step, in bytes.
pub(super) const STEP: usize = 16;

/// Longest step, in bytes.
pub(super) const WINDOW: usize = 64;

/// Copy of `bytes`, which are fewer than [`STEP`], padded with zeros.
///
/// Loads two words that may overlap instead of copying byte by byte.
#[inline]
pub(super) fn padded(bytes: &[u8]) -> [u8; STEP] {
    fn two_parts(first: u64, last: u64, start_of_last: usize) -> [u8; STEP] {
        (u128::from(first) | u128::from(last) << (8 * start_of_last)).to_le_bytes()
    }
    let len = bytes.len();
    // 8 to 15 bytes: two words. Where they overlap, both have the same bits, so that `|` keeps them.
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return two_parts(u64::from_le_bytes(*first), u64::from_le_bytes(*last), len - 8);
    }
    // 4 to 7 bytes.
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|part| u64::from(u32::from_le_bytes(*part)));
        return two_parts(first, last, len - 4);
    }
    // At most 3 bytes.
    let all = bytes
        .iter()
        .rev()
        .fold(0, |all, byte| all << 8 | u64::from(*byte));
    two_parts(all, 0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_follow_the_bytes() {
        let bytes: Vec<u8> = (1..=STEP as u8).collect();
        for len in 0..STEP {
            let padded = padded(&bytes[..len]);
            assert_eq!(padded[..len], bytes[..len]);
            assert!(padded[len..].iter().all(|byte| *byte == 0), "{len}");
        }
    }
}
