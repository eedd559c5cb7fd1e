//! The profile `canonical` in one pass over the bytes.
//!
//! Nearly all text is composed, and has single spaces between words. Such runs are found 64 bytes at once and copied as they are;
//! white space of any other form becomes one space. A text that is not composed is left to the chain of passes.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x64, u8x64};
use unicode_normalization::{IsNormalized, is_nfc_quick};

use crate::profile::Profile;
use crate::text::compose::{Canonical, is_stable};

/// Bytes that are judged at once.
const BLOCK: usize = 64;

/// The buffer of normal forms.
#[derive(Clone, Debug, Default)]
pub(crate) struct CanonicalForm {
    out: String,
}

impl CanonicalForm {
    /// For a profile of the passes of `canonical`.
    pub(crate) fn for_profile(profile: &Profile) -> Option<Self> {
        let canonical = Profile::canonical();
        profile
            .pass_names()
            .eq(canonical.pass_names())
            .then(Self::default)
    }

    /// The normal form. `None` if the text may not be composed.
    pub(crate) fn run(&mut self, text: &str) -> Option<&str> {
        self.out.clear();
        self.out.reserve(text.len());
        let text = text.trim();
        dispatch!(Level::new(), simd => fill(simd, text, &mut self.out)).then_some(self.out.as_str())
    }
}

/// Writes the normal form of a text without white space at its ends. Returns false if the text may not be composed.
#[inline(always)]
fn fill<S: Simd>(simd: S, text: &str, out: &mut String) -> bool {
    let bytes = text.as_bytes();
    // What stands before `copied` is written; characters up to `at` are judged.
    let (mut copied, mut at) = (0, 0);
    let mut composed = false;
    loop {
        at = next_unusual(simd, bytes, at);
        // Rare characters stand together: the text around them is Thai or mathematics.
        while let Some(c) = text[at..].chars().next() {
            if c.is_whitespace() {
                // The space before, if there is one, stays as it is.
                let word = text.len() - text[at..].trim_start().len();
                out.push_str(&text[copied..at]);
                if !out.ends_with(' ') {
                    out.push(' ');
                }
                (copied, at) = (word, word);
                continue;
            }
            if c.is_ascii() {
                break;
            }
            if !composed && !is_composed(c) {
                // Marks that do not compose, as those of Thai, are decided about once for the whole text.
                if is_nfc_quick(text.chars()) != IsNormalized::Yes {
                    return false;
                }
                composed = true;
            }
            at += c.len_utf8();
        }
        if at >= bytes.len() {
            out.push_str(&text[copied..]);
            return true;
        }
    }
}

/// Certainly in NFC, whatever stands before it.
fn is_composed(c: char) -> bool {
    // Punctuation, Kana, Hangul syllables and full-width forms without those that compose or have a canonical form of their own.
    matches!(u32::from(c), 0x2010..=0x2027 | 0x2030..=0x205E | 0x3001..=0x3029 | 0x3030..=0x3098 | 0x309B..=0x30FF
        | 0xAC00..=0xD7A3 | 0xFF01..=0xFFEF)
        || is_stable::<Canonical>(c)
}

/// The first byte at or behind `from` that begins white space other than a single space, or a character that may not be composed; the
/// length of the text if there is none. `from` stands on a character boundary, and so does the result.
#[inline(always)]
fn next_unusual<S: Simd>(simd: S, bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() {
        let before = at.checked_sub(1);
        let block: Option<&[u8; BLOCK + 1]> = before.and_then(|before| bytes[before..].first_chunk());
        let found = match block {
            Some(block) => unusual(simd, block),
            None => unusual(simd, &padded(bytes, at)),
        };
        if found != 0 {
            return bytes.len().min(at + found.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    bytes.len()
}

/// The block at `at` behind the byte before it, filled up with letters.
fn padded(bytes: &[u8], at: usize) -> [u8; BLOCK + 1] {
    let mut block = [b'a'; BLOCK + 1];
    if let Some(before) = at.checked_sub(1) {
        block[0] = bytes[before];
    }
    let rest = &bytes[at..bytes.len().min(at + BLOCK)];
    block[1..=rest.len()].copy_from_slice(rest);
    block
}

/// A bit for each byte of a block behind its first one, the lowest for the first.
#[inline(always)]
fn unusual<S: Simd>(simd: S, block: &[u8; BLOCK + 1]) -> u64 {
    let byte = u8x64::from_slice(simd, &block[1..]);
    let before = u8x64::from_slice(simd, &block[..BLOCK]);
    let double = byte.simd_eq(b' ') & before.simd_eq(b' ');
    let ascii = double | within(byte, b'\t', b'\r');
    if !byte.simd_ge(0xC2).any_true() {
        return ascii.to_bitmask();
    }
    // First bytes of U+00C0 to U+02FF, U+0400 to U+047F, U+4000 to U+9FFF: letters in NFC that nothing before them joins.
    let usual = within(byte, 0xC3, 0xCB) | within(byte, 0xD0, 0xD1) | within(byte, 0xE4, 0xE9);
    (ascii | byte.simd_ge(0xC2) & !usual).to_bitmask()
}

#[inline(always)]
fn within<S: Simd>(byte: u8x64<S>, low: u8, high: u8) -> mask8x64<S> {
    (byte - low).simd_le(high - low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Normalizer;
    use crate::passes::tests::hostile;

    /// The normal form equals that of the chain of passes, and is found here for composed text.
    fn check(text: &str, composed: bool) {
        let mut chain = Normalizer::new(Profile::canonical());
        let wanted = chain.normalize_by_passes(text).text().to_owned();
        let mut form = CanonicalForm::default();
        let found = form.run(text);
        assert!(!composed || found.is_some(), "{text:?}");
        if let Some(found) = found {
            assert_eq!(found, wanted, "{text:?}");
        }
        assert_eq!(Normalizer::new(Profile::canonical()).normalize_text(text), wanted);
    }

    #[test]
    fn white_space_becomes_single_spaces_wherever_it_stands() {
        for space in [
            "  ",
            "\n",
            "\r\n",
            " \n\n ",
            "\u{A0}",
            " \u{3000}",
            "\u{2003} ",
            "\u{85}",
        ] {
            for length in [0, 1, 5, 61, 62, 63, 64, 65, 127, 128] {
                for word in ["a", "я", "東", "“"] {
                    let run = word.repeat(length);
                    let text = format!("{space}{run}{space}b {run}{space}{run}x{space}");
                    check(&text, true);
                    let form = CanonicalForm::default().run(&text).unwrap().to_owned();
                    let words: Vec<&str> = text.split_whitespace().collect();
                    assert_eq!(form, words.join(" "));
                }
            }
        }
        assert_eq!(CanonicalForm::default().run(" \n "), Some(""));
    }

    #[test]
    fn every_character_is_judged_as_by_the_standard() {
        for c in '\0'..=char::MAX {
            if matches!(u32::from(c), 0xE000..=0xF8FF | 0x30000..) {
                continue;
            }
            for text in [format!("a{c} b"), format!("{c}\u{301}")] {
                // The quads U+2000 and U+2001 become other spaces, and spaces become one.
                let composed = c.is_whitespace() || unicode_normalization::is_nfc(&text);
                let found = CanonicalForm::default().run(&text).map(str::to_owned);
                if let Some(found) = found {
                    assert!(composed, "{:04X}", u32::from(c));
                    let words: Vec<&str> = text.split_whitespace().collect();
                    assert_eq!(found, words.join(" "), "{:04X}", u32::from(c));
                }
            }
        }
    }

    #[test]
    fn marks_that_do_not_compose_need_no_chain() {
        check("กำลังทดสอบที่นี่  ครับ\nมี", true);
        check("हिन्दी  में\tलेख", true);
        check("e\u{301}t\u{e9}  a", false);
        assert_eq!(CanonicalForm::default().run("e\u{301}"), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn texts_have_the_form_of_the_chain(
            text in hostile(),
            around in "[a-z \\n.]{0,70}|[а-яё  ]{0,50}|[東京，。a ]{0,30}",
        ) {
            check(&text, false);
            check(&format!("{around}{text}{around}"), false);
        }
    }
}
