//! Character classes within a block: white space to collapse, and letters.
//!
//! This code reads every character of every page. Tables classify bytes, and Unicode properties are looked
//! up only for rare scripts.

use dehusk_html::narrow;
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16, u8x64};

use crate::analysis::blocks::steps::{STEP, WINDOW, padded};

/// A part of a text whose only white space is single spaces between words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// End of the run, as a byte offset in the text.
    pub(crate) end: usize,
    /// Whether the run contains U+0000.
    pub(crate) nul: bool,
}

/// Class of bytes that belong to no white space character.
const PLAIN: u8 = 0;
const WHITE: u8 = 1;
/// Class of the first bytes of non-ASCII characters that may be white space.
const MAYBE_WHITE: u8 = 2;

static BYTES: [u8; 256] = {
    let mut all = [PLAIN; 256];
    let mut i = 0x09;
    while i <= 0x0D {
        all[i] = WHITE;
        i += 1;
    }
    all[0x20] = WHITE;
    // First bytes of U+0085 and U+00A0; U+1680; U+2000 to U+205F; U+3000.
    all[0xC2] = MAYBE_WHITE;
    all[0xE1] = MAYBE_WHITE;
    all[0xE2] = MAYBE_WHITE;
    all[0xE3] = MAYBE_WHITE;
    all
};

/// Length in bytes of the white space character at `at`; 0 if the character there is not white space.
fn white_space_len(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at).map(|byte| BYTES[usize::from(*byte)]) {
        Some(WHITE) => 1,
        Some(MAYBE_WHITE) => {
            let c = text.get(at..).and_then(|rest| rest.chars().next());
            c.filter(|c| c.is_whitespace()).map_or(0, char::len_utf8)
        }
        _ => 0,
    }
}

/// `text` with white space collapsed: single spaces between words, none at the ends.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Byte offset of the first character at or after `at` that is not white space; the length of `text` if absent.
pub(crate) fn skip_white(text: &str, mut at: usize) -> usize {
    /// Eight spaces: indented markup has long runs of spaces, which are skipped by words.
    const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        at += match BYTES[usize::from(byte)] {
            WHITE => 1,
            MAYBE_WHITE => match white_space_len(text, at) {
                0 => break,
                n => n,
            },
            _ => break,
        };
        while let Some(step) = bytes[at..].first_chunk() {
            // The lowest set bit is in the first byte that is not a space.
            let others = u64::from_le_bytes(*step) ^ SPACES;
            at += others.trailing_zeros() as usize / 8;
            if others != 0 {
                break;
            }
        }
    }
    at
}

/// Shortest text, in bytes, for which the processor's longest vectors are looked up; for shorter texts the
/// lookup costs more than it saves.
const LONG: usize = 96;

/// Longest run that begins at `start`, where there must be the end of the text or a character other than white space.
pub(crate) fn run(text: &str, start: usize) -> Run {
    let level = if text.len() - start < LONG {
        Level::baseline()
    } else {
        Level::new()
    };
    dispatch!(level, simd => run_with(simd, text, start))
}

/// [`run`] for one instruction set.
#[inline(always)]
fn run_with<S: Simd>(simd: S, text: &str, start: usize) -> Run {
    let bytes = text.as_bytes();
    let (mut at, mut nul) = (start, false);
    // 1 if the byte before is a space, otherwise 0.
    let mut after_space = 0;
    while at < bytes.len() {
        let len = (bytes.len() - at).min(WINDOW);
        let (spaces, others) = match bytes[at..].first_chunk::<WINDOW>() {
            Some(window) => spaces_and_others(simd, u8x64::load_array_ref(simd, window)),
            None => spaces_and_others_at_end(simd, bytes, at),
        };
        // Spaces after a space; `after_space` stands for the last byte of the window before.
        let second_spaces = spaces & (spaces << 1 | after_space);
        // The run can only end at one of these bytes, or at the end of the text.
        let mut doubtful = (others | second_spaces) & u64::MAX >> (WINDOW - len);
        while doubtful != 0 {
            let i = doubtful.trailing_zeros();
            doubtful &= doubtful - 1;
            let here = at + i as usize;
            nul |= bytes[here] == 0;
            if white_space_len(text, here) > 0 {
                // A single space before the white space is trailing, and does not belong to the run.
                let space_before = (spaces << 1 | after_space) >> i & 1;
                return Run {
                    end: here - space_before as usize,
                    nul,
                };
            }
        }
        after_space = spaces >> (len - 1) & 1;
        at += len;
    }
    Run {
        end: at - narrow::to_usize(after_space),
        nul,
    }
}

/// Like [`spaces_and_others`], for the bytes from `at` on, which are fewer than a window.
#[inline(always)]
fn spaces_and_others_at_end<S: Simd>(simd: S, bytes: &[u8], at: usize) -> (u64, u64) {
    let (steps, rest) = bytes[at..].as_chunks::<STEP>();
    let (mut spaces, mut others, mut shift) = (0, 0, 0);
    for step in steps {
        let (more_spaces, more_others) = spaces_and_others(simd, u8x16::load_array_ref(simd, step));
        spaces |= more_spaces << shift;
        others |= more_others << shift;
        shift += STEP;
    }
    let (last_spaces, last_others) = match bytes.last_chunk::<STEP>() {
        // Loads the last `STEP` bytes, which overlap the step before, and shifts out the overlap.
        Some(last) => {
            let (spaces, others) = spaces_and_others(simd, u8x16::load_array_ref(simd, last));
            let before = STEP - rest.len();
            (spaces >> before, others >> before)
        }
        None => spaces_and_others(simd, u8x16::load_array(simd, padded(rest))),
    };
    (spaces | last_spaces << shift, others | last_others << shift)
}

/// Two masks: bytes that are spaces, and bytes that are control characters or may begin another white space character.
#[inline(always)]
fn spaces_and_others<S: Simd, V: SimdInt<S, Element = u8>>(simd: S, bytes: V) -> (u64, u64) {
    let splat = |byte| V::splat(simd, byte);
    let controls = bytes.simd_le(splat(0x1F));
    let maybe_white = bytes.simd_eq(splat(0xC2)) | (bytes - splat(0xE1)).simd_le(splat(2));
    (
        bytes.simd_eq(splat(b' ')).to_bitmask(),
        (controls | maybe_white).to_bitmask(),
    )
}

/// Bit set of the alphanumeric characters of the first two planes of Unicode, generated by the build script
/// from `char::is_alphanumeric`.
static ALPHANUMERIC: &[u8; 0x2_0000 / 8] = include_bytes!(concat!(env!("OUT_DIR"), "/alphanumeric.table"));

/// Like `char::is_alphanumeric`, by table for all but the rarest characters: the standard library's search
/// takes ten times as long.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    let code = u32::from(c);
    match ALPHANUMERIC.get(code as usize / 8) {
        Some(bits) => bits >> (code % 8) & 1 == 1,
        None => c.is_alphanumeric(),
    }
}

/// Whether a non-ASCII character is a letter, a digit or a combining mark.
pub(super) fn is_letter(c: char) -> bool {
    is_alphanumeric(c) || is_mark(c)
}

/// Whether `c` is a combining mark that occurs inside words of European, Semitic or Indic scripts.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{064B}'..='\u{065F}' | '\u{0900}'..='\u{0DFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pattern: words of all lengths with all kinds of white space between them.
    const TEXT: &str =
        "([a-z]{0,9}( |  |\u{A0}|\n|\t |          |\u{2003}|\0|\u{1}|–|«|я|é|中|\u{85}|\u{3000}){1,2}){0,12}";

    #[test]
    fn tables_say_what_unicode_says() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_letter(c), c.is_alphanumeric() || is_mark(c), "{c:?}");
        }
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert_eq!(white_space_len(&text, 0) > 0, c.is_whitespace(), "{c:?}");
            if c.is_whitespace() {
                assert_eq!(skip_white(&text, 0), text.len());
            } else {
                assert_eq!((run(&text, 0).end, skip_white(&text, 0)), (text.len(), 0));
            }
        }
    }

    #[test]
    fn runs_hold_single_spaces() {
        let found = |text: &str| {
            let run = run(text, 0);
            (text[..run.end].to_owned(), run.nul)
        };
        assert_eq!(found("a bc  d"), ("a bc".to_owned(), false));
        assert_eq!(found("é \u{3000}x"), ("é".to_owned(), false));
        assert_eq!(found("я「 」\nx"), ("я「 」".to_owned(), false));
        assert_eq!(found("a\0 "), ("a\0".to_owned(), true));
        let long = "Rivers run to the sea, as far as they can. ".repeat(3);
        assert_eq!(found(&long), (long.trim_end().to_owned(), false));
        assert_eq!(found(&long.replace("sea,", "sea, ")).0.len(), 22);
        assert_eq!(skip_white(&" ".repeat(100), 3), 100);
        assert_eq!(skip_white(&(" ".repeat(70) + "\u{3000}\t x"), 0), 75);
        assert_eq!(found("a\u{A0}b"), ("a".to_owned(), false));
        assert_eq!(skip_white("a\u{2003} \u{A0}\r\nb", 1), 9);
    }
    proptest::proptest! {
        #[test]
        fn runs_end_where_white_space_collapses(text in TEXT) {
            for (start, _) in text.char_indices() {
                let rest = &text[start..];
                let white = |c: char| c.is_whitespace();
                let spaces = rest.len() - rest.trim_start().len();
                proptest::prop_assert_eq!(skip_white(&text, start) - start, spaces, "{:?}", rest);
                if spaces > 0 {
                    continue;
                }
                let end = rest
                    .char_indices()
                    .find(|&(i, c)| {
                        let next = &rest[i + c.len_utf8()..];
                        white(c) && (c != ' ' || next.is_empty() || next.starts_with(white))
                    })
                    .map_or(rest.len(), |(i, _)| i);
                let run = run(&text, start);
                proptest::prop_assert_eq!(run.end - start, end, "{:?}", rest);
                proptest::prop_assert_eq!(run.nul, rest[..end].contains('\0'), "{:?}", rest);
            }
        }
    }
}
