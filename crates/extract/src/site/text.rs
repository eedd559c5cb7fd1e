//! Hashes of texts and names: what two lines of different pages have in common does not see numbers.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

/// Start of [`mix`].
pub(super) const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds one number to a hash (FNV-1a over 64-bit units, with a rotation so that order counts).
pub(super) fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
}

/// Hash of a name: class, id or tag.
pub(super) fn hash_name(name: &str) -> u64 {
    name.bytes().fold(SEED, |h, b| mix(h, b.into()))
}

/// Hash of a text whose white space is collapsed: equal for texts that differ in the case of ASCII letters and in numbers only.
/// A run of digits counts as one `0`, since dates, counters and page numbers change from page to page while the line around
/// them does not.
pub(super) fn hash_text(text: &str) -> u64 {
    let (mut out, mut in_number) = (SEED, false);
    for c in text.chars() {
        let number = c.is_ascii_digit();
        if !(number && in_number) {
            let seen = if number { '0' } else { c.to_ascii_lowercase() };
            out = mix(out, u32::from(seen).into());
        }
        in_number = number;
    }
    out
}

/// Hashes keys that are hashes already, or short numbers. A secret of the process is mixed in, so that no page can make its
/// names collide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys(u64);

impl Default for Keys {
    fn default() -> Keys {
        static SECRET: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0_u64));
        Keys(*SECRET)
    }
}

impl BuildHasher for Keys {
    type Hasher = KeyHasher;

    fn build_hasher(&self) -> KeyHasher {
        KeyHasher(self.0)
    }
}

pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * 0xF39C_C060_5CED_C835;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tokens;

    #[test]
    fn numbers_and_case_do_not_part_lines() {
        let hash = hash_text;
        assert_eq!(hash("12 Comments"), hash("7 comments"));
        assert_eq!(hash("Published 2019-03-01"), hash("published 2021-11-30"));
        assert_ne!(hash("12 comments"), hash("comments 12"));
        assert_ne!(hash("a"), hash("a 1"));
    }

    #[test]
    fn tokens_are_words_or_characters() {
        for (text, expected) in [
            ("", 0),
            ("The river, 3 km long", 5),
            ("川が長い", 4),
            ("— · —", 0),
            ("a川b c", 4),
            ("naïve café 12a", 3),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }
}
