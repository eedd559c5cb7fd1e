//! The profile `canonical` in one pass over the bytes.
//!
//! Nearly all text is composed, and its white space is ASCII. Such text is classified 64 bytes at a time and copied without repeated
//! spaces. A text that is not composed is left to the chain of passes.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x64, u8x64};
use unicode_normalization::{IsNormalized, is_nfc_quick};

use crate::profile::Profile;
use crate::text::compose::{Canonical, is_stable};

/// Number of bytes classified per step.
const BLOCK: usize = 64;

/// Buffer of normal forms.
#[derive(Clone, Debug, Default)]
pub(crate) struct CanonicalForm {
    out: Vec<u8>,
}

impl CanonicalForm {
    /// Creates the buffer if the profile has exactly the passes of `canonical`; `None` otherwise.
    pub(crate) fn for_profile(profile: &Profile) -> Option<Self> {
        let canonical = Profile::canonical();
        profile
            .pass_names()
            .eq(canonical.pass_names())
            .then(Self::default)
    }

    /// Normal form of a text; `None` if the text is possibly not in composed form (NFC).
    pub(crate) fn run(&mut self, text: &str) -> Option<&str> {
        let text = text.trim();
        // Each write is a whole block; the next write starts after the bytes that count and overwrites the rest.
        if self.out.len() < text.len() + BLOCK {
            self.out.resize(text.len() + BLOCK, 0);
        }
        let len = dispatch!(Level::new(), simd => fill(simd, text, &mut self.out))?;
        simdutf8::basic::from_utf8(self.out.get(..len)?).ok()
    }
}

/// Writes the normal form of a text without white space at its ends. Returns its length; `None` if the text is possibly
/// not in composed form (NFC).
#[inline(always)]
fn fill<S: Simd>(simd: S, text: &str, out: &mut [u8]) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut end) = (0, 0);
    let mut composed = false;
    // Whether the last byte read was ASCII white space.
    let mut spaced = false;
    // Twice the length, so that a whole block can be copied from any offset in the first half.
    let mut block = [0; 2 * BLOCK];
    while at < bytes.len() {
        let masks = match bytes[at..].first_chunk() {
            Some(whole) => judge(simd, whole, &mut block),
            None => {
                // Letters as padding are neither spaces nor rare; `kept` excludes them below.
                let mut last = [b'a'; BLOCK];
                last[..bytes.len() - at].copy_from_slice(&bytes[at..]);
                judge(simd, &last, &mut block)
            }
        };
        let mut len = BLOCK.min(bytes.len() - at);
        // The block ends early at a non-ASCII white space character.
        let mut wide = None;
        let mut rare = masks.rare;
        while rare != 0 {
            let place = rare.trailing_zeros() as usize;
            rare &= rare - 1;
            // `rare` marks only first bytes of characters, so the slice begins on a boundary.
            let c = text[at + place..].chars().next()?;
            if c.is_whitespace() {
                (len, wide) = (place, Some(c.len_utf8()));
                break;
            }
            if !composed && !is_composed(c) {
                // Marks that do not compose, as in Thai, are decided once for the whole text.
                if is_nfc_quick(text.chars()) != IsNormalized::Yes {
                    return None;
                }
                composed = true;
            }
        }
        // The first of adjacent spaces is kept.
        let mut kept = !(masks.space & (masks.space << 1 | u64::from(spaced)));
        if len < BLOCK {
            kept &= (1 << len) - 1;
        }
        // Every write fits: no more bytes are written than read, and `out` has a spare block.
        if kept == u64::MAX {
            out[end..end + BLOCK].copy_from_slice(&block[..BLOCK]);
            end += BLOCK;
        } else {
            while kept != 0 {
                let start = kept.trailing_zeros() as usize;
                let run = (kept >> start).trailing_ones() as usize;
                out[end..end + BLOCK].copy_from_slice(&block[start..start + BLOCK]);
                end += run;
                // The carry clears the lowest run of set bits.
                kept &= kept.wrapping_add(1 << start);
            }
        }
        // With `len` 0 the block begins with a wide space, and `spaced` still describes the byte before it.
        if len > 0 {
            spaced = masks.space >> (len - 1) & 1 == 1;
        }
        at += len;
        if let Some(len) = wide {
            if !spaced {
                out[end] = b' ';
                end += 1;
            }
            (at, spaced) = (at + len, true);
        }
    }
    Some(end)
}

/// Whether `c` is certainly in NFC, regardless of the characters before it.
fn is_composed(c: char) -> bool {
    // Punctuation, Kana, Hangul syllables and full-width forms, except those that compose or have another canonical form.
    matches!(u32::from(c), 0x2010..=0x2027 | 0x2030..=0x205E | 0x3001..=0x3029 | 0x3030..=0x3098 | 0x309B..=0x30FF
        | 0xAC00..=0xD7A3 | 0xFF01..=0xFFEF)
        || is_stable::<Canonical>(c)
}

/// Classes of the bytes of a block, one bit per byte, lowest bit first.
struct Masks {
    /// ASCII white space.
    space: u64,
    /// First bytes of characters that may be white space, or not composed.
    rare: u64,
}

/// Classifies a block, and copies it to the start of `out` with spaces for all ASCII white space.
#[inline(always)]
fn judge<S: Simd>(simd: S, block: &[u8; BLOCK], out: &mut [u8; 2 * BLOCK]) -> Masks {
    let byte = u8x64::load_array_ref(simd, block);
    let space = u8x64::splat(simd, b' ');
    let spaced = within(byte, b'\t', b'\r').select(space, byte);
    let (front, _) = out.split_at_mut(BLOCK);
    spaced.store_slice(front);
    let spaces = spaced.simd_eq(b' ').to_bitmask();
    // First bytes of all characters above ASCII; bytes 80 to BF continue a character.
    let high = byte.simd_ge(0xC2);
    if !high.any_true() {
        return Masks {
            space: spaces,
            rare: 0,
        };
    }
    // First bytes of U+00C0 to U+02FF, U+0400 to U+047F and U+4000 to U+9FFF: letters in NFC that do not
    // combine with anything before them.
    let usual = within(byte, 0xC3, 0xCB) | within(byte, 0xD0, 0xD1) | within(byte, 0xE4, 0xE9);
    Masks {
        space: spaces,
        rare: (high & !usual).to_bitmask(),
    }
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

    /// Checks that the normal form equals that of the chain of passes, and that composed text is handled here.
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
                // The quads U+2000 and U+2001 become other spaces, and repeated spaces become one.
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
