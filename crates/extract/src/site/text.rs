//! What two lines of different pages have in common: tokens, and a hash that does not see numbers.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use crate::block::is_alphanumeric;
use crate::model::is_unspaced;

/// Figures of one text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Figures {
    /// Words, and each character of scripts without spaces.
    pub(super) tokens: u32,
    /// Equal for texts that differ in white space, case of ASCII letters and digits only. FNV-1a, 64 bits.
    pub(super) hash: u64,
}

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

impl Figures {
    /// Reads a text whose white space is collapsed. Runs of digits count as one `0`, since dates, counters and page numbers
    /// change from page to page while the line around them does not.
    pub(super) fn of(text: &str) -> Figures {
        let mut out = Figures {
            tokens: 0,
            hash: SEED,
        };
        let (mut in_word, mut in_number) = (false, false);
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii() {
                at += 1;
                let number = byte.is_ascii_digit();
                if !(number && in_number) {
                    let seen = if number { b'0' } else { byte.to_ascii_lowercase() };
                    out.hash = mix(out.hash, seen.into());
                }
                in_number = number;
                let letter = byte.is_ascii_alphanumeric();
                out.tokens += u32::from(letter && !in_word);
                in_word = letter;
                continue;
            }
            let c = text[at..].chars().next().unwrap_or_default();
            at += c.len_utf8();
            out.hash = mix(out.hash, u32::from(c).into());
            in_number = false;
            let (single, letter) = (is_unspaced(c), is_alphanumeric(c));
            out.tokens += u32::from(single || letter && !in_word);
            in_word = letter && !single;
        }
        out
    }
}

/// The tokens of [`Figures`] alone.
pub(super) fn tokens(text: &str) -> u32 {
    let mut out = 0;
    let mut in_word = false;
    for c in text.chars() {
        let (single, letter) = if c.is_ascii() {
            (false, c.is_ascii_alphanumeric())
        } else {
            (is_unspaced(c), is_alphanumeric(c))
        };
        out += u32::from(single || letter && !in_word);
        in_word = letter && !single;
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

    #[test]
    fn numbers_and_case_do_not_part_lines() {
        let hash = |text| Figures::of(text).hash;
        assert_eq!(hash("12 Comments"), hash("7 comments"));
        assert_eq!(hash("Published 2019-03-01"), hash("published 2021-11-30"));
        assert_ne!(hash("12 comments"), hash("comments 12"));
        assert_ne!(hash("a"), hash("a 1"));
    }

    #[test]
    fn tokens_are_words_or_characters() {
        assert_eq!(Figures::of("The river, 3 km long").tokens, 5);
        assert_eq!(Figures::of("川が長い").tokens, 4);
        assert_eq!(Figures::of("— · —").tokens, 0);
        for text in [
            "",
            "The river, 3 km long",
            "川が長い",
            "— · —",
            "a川b c",
            "naïve café 12a",
        ] {
            assert_eq!(tokens(text), Figures::of(text).tokens, "{text}");
        }
    }
}
