//! Digests of blocks: `sha1:`, `sha256:` and `md5:`, in base 32 or hexadecimal digits.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// A digest named by a header field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    algorithm: Algorithm,
    value: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Algorithm {
    Md5,
    Sha1,
    Sha256,
}

impl Named {
    /// Parses a field. Returns `None` if the algorithm is unknown or the value malformed.
    pub(crate) fn parse(field: &[u8]) -> Option<Self> {
        let colon = memchr::memchr(b':', field)?;
        let (name, value) = (field[..colon].trim_ascii(), field[colon + 1..].trim_ascii());
        let (algorithm, length) = match name.to_ascii_lowercase().as_slice() {
            b"md5" => (Algorithm::Md5, 16),
            b"sha1" | b"sha-1" => (Algorithm::Sha1, 20),
            b"sha256" | b"sha-256" => (Algorithm::Sha256, 32),
            _ => return None,
        };
        // Hexadecimal if the number of digits fits; all other lengths are read as base 32.
        let value = if value.len() == length * 2 {
            digits(value, 4)?
        } else {
            digits(value, 5)?
        };
        (value.len() == length).then_some(Named { algorithm, value })
    }

    /// Returns `true` if this is the digest of `block`.
    pub(crate) fn is_of(&self, block: &[u8]) -> bool {
        match self.algorithm {
            Algorithm::Md5 => Md5::digest(block).as_slice() == self.value,
            Algorithm::Sha1 => Sha1::digest(block).as_slice() == self.value,
            Algorithm::Sha256 => Sha256::digest(block).as_slice() == self.value,
        }
    }
}

/// Decodes digits of 4 bits (hexadecimal) or 5 bits (base 32 of RFC 4648, in either case, padded or not).
/// `None` if there is another character.
fn digits(text: &[u8], bits: u32) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut rest, mut held) = (0_u32, 0);
    for digit in text.iter().filter(|digit| **digit != b'=') {
        let value = match (bits, digit) {
            (4, b'0'..=b'9') => digit - b'0',
            (4, b'a'..=b'f' | b'A'..=b'F') => (digit & 0xDF) - b'A' + 10,
            (5, b'a'..=b'z' | b'A'..=b'Z') => (digit & 0xDF) - b'A',
            (5, b'2'..=b'7') => digit - b'2' + 26,
            _ => return None,
        };
        // Up to 7 bits are held back and at most 5 are added, so 16 bits are enough.
        rest = (rest << bits | u32::from(value)) & 0xFFFF;
        held += bits;
        if held >= 8 {
            held -= 8;
            bytes.push((rest >> held).to_le_bytes()[0]);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_in_both_notations_are_checked() {
        for field in [
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "SHA1: a9993e364706816aba3e25717850c26c9cd0d89d",
            "md5:900150983cd24fb0d6963f7d28e17f72",
            "sha-256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====",
        ] {
            let digest = Named::parse(field.as_bytes()).unwrap();
            assert!(digest.is_of(b"abc"), "{field}");
            assert!(!digest.is_of(b"abd"), "{field}");
        }
        for field in ["", "sha1:", "crc:00", "sha1:VGMT4", "md5:zz"] {
            assert_eq!(Named::parse(field.as_bytes()), None, "{field}");
        }
    }
}
