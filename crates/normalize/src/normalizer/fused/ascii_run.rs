//! Classification of eight bytes at a time, as one 64-bit number.

/// The top bit of each byte.
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// Eight copies of a byte.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// ASCII letters and digits at the start of eight bytes.
pub(super) struct AsciiRun {
    /// The eight bytes with ASCII letters in lower case.
    pub(super) lower: [u8; 8],
    /// Number of bytes at the start that are letters or, if digits count, digits.
    pub(super) len: usize,
    /// Whether any of these is a letter.
    pub(super) letters: bool,
}

/// Classifies eight bytes. `digits` is whether digits count.
#[inline]
pub(super) fn ascii_run(bytes: [u8; 8], digits: bool) -> AsciiRun {
    let bytes = u64::from_le_bytes(bytes);
    let low = bytes & !HIGH;
    // No sum below carries into the next byte: each is at most 0x7F + 0x50. Its top bit is the result of the comparison.
    let folded = low | all(0x20);
    // The first sum has the top bit for bytes from `a` on, the second for bytes after `z`. `!bytes` excludes
    // bytes that are not ASCII.
    let letter = (folded + all(0x80 - b'a')) & !(folded + all(0x80 - b'z' - 1)) & !bytes & HIGH;
    let digit = (low + all(0x80 - b'0')) & !(low + all(0x80 - b'9' - 1)) & !bytes & HIGH;
    let counted = if digits { letter | digit } else { letter };
    let other = !counted & HIGH;
    let len = (other.trailing_zeros() / 8) as usize;
    // Mask of the bits below the first other byte.
    let inside = other.wrapping_sub(1) & !other;
    AsciiRun {
        // The top bit of each letter, moved to 0x20.
        lower: (bytes | letter >> 2).to_le_bytes(),
        len,
        letters: letter & inside != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_judged_as_the_standard_library_does() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                for digits in [true, false] {
                    let mut bytes = *b"abCdeFgh";
                    bytes[place] = byte;
                    let run = ascii_run(bytes, digits);
                    let counts = |b: &u8| b.is_ascii_alphabetic() || digits && b.is_ascii_digit();
                    assert_eq!(run.len, bytes.iter().take_while(|b| counts(b)).count());
                    assert_eq!(run.lower[..run.len], bytes.to_ascii_lowercase()[..run.len]);
                    assert_eq!(run.letters, bytes[..run.len].iter().any(u8::is_ascii_alphabetic));
                }
            }
        }
        assert_eq!(ascii_run(*b"12345678", true).len, 8);
        assert!(!ascii_run(*b"12345678", true).letters);
    }
}
