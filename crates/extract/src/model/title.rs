//! The line that is most like the title of the page.

use super::unit::Unit;
use crate::block::is_alphanumeric;
use crate::extractor::View;
use crate::word_lists::lower_case;

/// Words of a title past which it is none.
const MAX_WORDS: usize = 100;

/// The line most like the title, and how like: twice the words they share by the words of both, and a little more for a heading.
pub(super) fn anchor(view: &View<'_>, units: &[Unit]) -> (usize, f32) {
    let mut title = Vec::new();
    each_word(view.title.unwrap_or(""), |word| title.push(word));
    let mut best = (0, 0.0);
    if title.is_empty() || title.len() > MAX_WORDS {
        return best;
    }
    // A bit of each word, so that most others need not be compared with all.
    let bits = title.iter().fold(0_u64, |bits, word| bits | 1 << (word & 63));
    for (i, unit) in units.iter().enumerate() {
        if unit.hidden || unit.tokens > 3 * title.len() as u32 + 10 || unit.chars > 400 {
            continue;
        }
        let (mut words, mut shared) = (0, 0.0);
        for block in &view.table.blocks()[unit.blocks()] {
            each_word(view.table.text(block), |word| {
                words += 1;
                if bits >> (word & 63) & 1 == 1 && title.contains(&word) {
                    shared += 1.0;
                }
            });
        }
        let alike = 2.0 * shared / (words + title.len()) as f32 + if unit.heading > 0 { 0.1 } else { 0.0 };
        if alike > best.1 + 1e-6 {
            best = (i, alike);
        }
    }
    best
}

/// A hash of the bytes of a word.
#[derive(Clone, Copy, Default)]
struct Hash {
    hash: u64,
    /// The last bytes, which are mixed in when there are eight of them.
    part: u64,
    bits: u32,
}

impl Hash {
    #[inline(always)]
    fn add(&mut self, byte: u8) {
        self.part |= u64::from(byte) << self.bits;
        self.bits += 8;
        if self.bits == u64::BITS {
            *self = Hash {
                hash: self.mixed(),
                ..Hash::default()
            };
        }
    }

    /// Adds letters and digits of ASCII, the first ones of `all`.
    #[inline(always)]
    fn add_letters(&mut self, mut letters: &[u8], mut all: &[u8]) {
        if self.bits > 0 {
            letters.iter().for_each(|byte| self.add(byte | LOWER));
            return;
        }
        while let Some(part) = all.first_chunk::<8>()
            && !letters.is_empty()
        {
            let len = letters.len().min(8);
            let part = u64::from_le_bytes(*part) | u64::from_le_bytes([LOWER; 8]);
            self.part = part & u64::MAX >> (64 - 8 * len);
            self.bits = 8 * len as u32;
            (letters, all) = (&letters[len..], &all[8..]);
            if len < 8 {
                return;
            }
            self.hash = self.mixed();
            (self.part, self.bits) = (0, 0);
        }
        letters.iter().for_each(|byte| self.add(byte | LOWER));
    }

    fn mixed(self) -> u64 {
        let product = u128::from(self.hash ^ self.part ^ 0xCBF2_9CE4_8422_2325) * 0x9E37_79B9_7F4A_7C15;
        (product >> 64) as u64 ^ product as u64
    }

    /// `None` for no bytes.
    fn take(&mut self) -> Option<u64> {
        let hash = (self.bits > 0 || self.hash != 0).then(|| self.mixed());
        *self = Hash::default();
        hash
    }
}

/// Calls `visit` with a hash of each run of letters and digits, lower-cased.
fn each_word(text: &str, mut visit: impl FnMut(u64)) {
    let mut hash = Hash::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            let rest = &bytes[at..];
            let len = rest.iter().take_while(|&&byte| is_ascii_letter(byte)).count();
            at += len;
            hash.add_letters(&rest[..len], rest);
            if bytes.get(at).is_some_and(|byte| !byte.is_ascii()) {
                continue;
            }
            at += 1;
        } else {
            let c = text[at..].chars().next().unwrap_or_default();
            at += c.len_utf8();
            if is_alphanumeric(c) {
                for c in lower_case(c) {
                    // The sigma at the end of a word.
                    let c = if c == 'ς' { 'σ' } else { c };
                    c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| hash.add(byte));
                }
                continue;
            }
        }
        if let Some(hash) = hash.take() {
            visit(hash);
        }
    }
    if let Some(hash) = hash.take() {
        visit(hash);
    }
}

/// The bit of lower-case letters, which digits have too.
const LOWER: u8 = 0x20;

fn is_ascii_letter(byte: u8) -> bool {
    static LETTERS: [bool; 256] = {
        let mut all = [false; 256];
        let mut i = 0;
        while i < 128 {
            all[i] = (i as u8).is_ascii_alphanumeric();
            i += 1;
        }
        all
    };
    LETTERS[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_alike_in_any_case() {
        let words = |text: &str| {
            let mut out = Vec::new();
            each_word(text, |word| out.push(word));
            out
        };
        assert_eq!(words("Die 3 Flüsse – ΟΔΟΣ"), words("die, 3 FLÜSSE; οδος."));
        assert_eq!(words("a b").len(), 2);
        assert_ne!(words("ab"), words("ba"));
        assert!(words(" – ").is_empty());
        assert_eq!(words("abcdefgh abcdefgha ABCDEFGH").len(), 3);
        assert_eq!(
            words("abcdefgh"),
            words("\u{212A}bcdefgh".replace('\u{212A}', "A").as_str())
        );
        assert_eq!(words("\u{212A}ilo"), words("kilo"));
        for len in 1..40 {
            let word = "aB3cD4eF5g".repeat(4)[..len].to_owned();
            let letters = words(&word);
            assert_eq!(letters.len(), 1);
            assert_eq!(letters, words(&format!("– {}, ", word.to_uppercase()))[..1]);
            let mut hash = Hash::default();
            word.to_ascii_lowercase().bytes().for_each(|byte| hash.add(byte));
            assert_eq!(Some(letters[0]), hash.take());
            let mixed = |text: &str| words(&format!("{word}é{text}"));
            assert_eq!(mixed(&word).len(), 1);
            assert_eq!(mixed(&word), mixed(&word.to_uppercase()));
            assert_ne!(mixed("b"), mixed("c"));
        }
    }
}
