//! Classes of the bytes of a text (letters, words, digits and more), as bit masks over windows of up to 64 bytes.
//!
//! Classes are computed with vector instructions, which suffice for English, Russian, the languages of
//! western Europe, Chinese and the most frequent punctuation. Other characters are classified one by one.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{u8x32, u8x64};

use crate::analysis::blocks::steps::WINDOW;
use crate::analysis::blocks::words::{is_alphanumeric, is_letter};

/// Character classes of a window of text, one bit per byte. Bits past the end of the window are 0.
#[derive(Debug, Default)]
pub(super) struct Masks {
    /// Length of the window in bytes.
    pub(super) len: usize,
    /// Bytes of word characters.
    pub(super) word: u64,
    /// Bytes of letters, digits and combining marks; a word needs at least one.
    pub(super) letters: u64,
    /// Bytes of letters and digits of scripts that put spaces between words.
    pub(super) spaced: u64,
    /// First bytes of capital letters; those inside a run of `spaced` may be missing.
    pub(super) capitals: u64,
    pub(super) digits: u64,
    pub(super) commas: u64,
    pub(super) continuation: u64,
    pub(super) spaces: u64,
    /// Number of characters of scripts without spaces between words.
    pub(super) unspaced: u32,
    /// Whether the window contains a currency sign.
    pub(super) money: bool,
    /// Whether the window contains `|`.
    pub(super) bar: bool,
    /// Whether the window contains an opening bracket, a capital A or a character of U+0080 to U+00BF.
    pub(super) signs: bool,
}

/// Size in bytes of the vector used for short texts.
const HALF: usize = WINDOW / 2;

/// `WINDOW` bytes 0xFF followed by `WINDOW` zeros: a slice of it masks the bytes past the end of a window.
static KEEP: [u8; 2 * WINDOW] = {
    let mut keep = [0; 2 * WINDOW];
    let mut i = 0;
    while i < WINDOW {
        keep[i] = 0xFF;
        i += 1;
    }
    keep
};

/// Copy of `rest`, which is shorter than a window, padded with zeros.
#[cold]
fn last_window(rest: &[u8]) -> [u8; WINDOW] {
    let mut window = [0; WINDOW];
    let len = rest.len().min(WINDOW);
    window[..len].copy_from_slice(&rest[..len]);
    window
}

impl Masks {
    /// Masks of the characters at the start of `part`, a nonempty range of `text`: as many whole characters
    /// as fit into a window.
    ///
    /// `in_word` is whether the character before the part is [`spaced`](Masks::spaced).
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, text: &str, part: Range<usize>, in_word: bool) -> Masks {
        let start = part.start;
        let mut len = part.len();
        if len > WINDOW {
            len = WINDOW;
            // At most three rounds: a character has at most four bytes.
            while !text.is_char_boundary(start + len) {
                len -= 1;
            }
        }
        let mut out = Masks {
            len,
            ..Masks::default()
        };
        let rest = &text.as_bytes()[start..];
        let copy;
        let window = match rest.first_chunk::<WINDOW>() {
            Some(window) => window,
            None => {
                copy = last_window(rest);
                &copy
            }
        };
        // Bytes after the part may have been loaded; they are zeroed.
        let Some(keep) = KEEP[WINDOW - len..].first_chunk::<WINDOW>() else {
            debug_assert!(false, "`KEEP` has a window for every length");
            return out;
        };
        match (window.first_chunk(), keep.first_chunk()) {
            (Some(half), Some(keep)) if len <= HALF => {
                let half = u8x32::load_array_ref(simd, half) & u8x32::load_array_ref(simd, keep);
                out.read(simd, half, text, start, in_word);
            }
            _ => {
                let window = u8x64::load_array_ref(simd, window) & u8x64::load_array_ref(simd, keep);
                out.read(simd, window, text, start, in_word);
            }
        }
        out
    }

    /// Classifies the bytes of a window, which is padded with zeros.
    #[inline(always)]
    fn read<S: Simd, V: SimdInt<S, Element = u8>>(
        &mut self,
        simd: S,
        bytes: V,
        text: &str,
        start: usize,
        in_word: bool,
    ) {
        let splat = |byte| V::splat(simd, byte);
        // The subtraction wraps, so that one comparison tests both ends of the range.
        let of_range = |bytes: V, first: u8, last: u8| (bytes - splat(first)).simd_le(splat(last - first));
        let range = |first, last| of_range(bytes, first, last).to_bitmask();
        let is = |byte| bytes.simd_eq(splat(byte));
        let one = |byte| is(byte).to_bitmask();
        // Bit 0x20 maps capital letters to small letters, and no other byte to a letter.
        let letters = of_range(bytes | splat(0x20), b'a', b'z').to_bitmask();
        self.digits = range(b'0', b'9');
        self.capitals = range(b'A', b'Z');
        self.letters = letters | self.digits;
        // Other word characters: `,-./0-9:;`, `'()`, `!"`, `?@`, `_` and `$`.
        let others_of_words = of_range(bytes, b',', b';')
            | of_range(bytes, b'\'', b')')
            | of_range(bytes, b'!', b'"')
            | of_range(bytes, b'?', b'@')
            | is(b'_')
            | is(b'$');
        self.word = letters | others_of_words.to_bitmask();
        self.commas = one(b',');
        self.spaces = one(b' ');
        self.money = one(b'$') != 0;
        self.bar = is(b'|').any_true();
        // 0xC2 is the first byte of U+0080 to U+00BF.
        self.signs = (is(b'(') | is(b'A') | is(0xC2)).any_true();
        self.spaced = self.letters;
        let other = bytes.simd_ge(splat(0x80)).to_bitmask();
        if other != 0 {
            self.continuation = range(0x80, 0xBF);
            // Masks of second bytes, shifted to the place of the first byte.
            let low = range(0x80, 0xAF) >> 1;
            let high = range(0xA0, 0xBF) >> 1;
            let (first, second) = (one(0xD0), one(0xD1));
            // Cyrillic, U+0400 to U+047F: the first 48 are capitals; the last 32 are rare and classified one by one.
            self.capitals |= first & low;
            let cyrillic = self.continuation | first | second;
            self.word |= cyrillic;
            self.letters |= cyrillic;
            self.spaced = self.letters;
            let rare = second & high;
            let mut special = other & !cyrillic | rare;
            if special != 0 {
                // U+00C0 to U+00FF are letters except × and ÷.
                let latin = one(0xC3);
                let signs = latin & (one(0x97) | one(0xB7)) >> 1;
                let latin = latin & !signs;
                self.capitals |= latin & range(0x80, 0x9E) >> 1;
                // U+4E00 to U+9FFF are Chinese; U+2000 to U+203F are quotation marks, dashes and spaces.
                let chinese = range(0xE5, 0xE9) | one(0xE4) & range(0xB8, 0xBF) >> 1;
                let punctuation = one(0xE2) & one(0x80) >> 1;
                // Continuation bytes were classified as letters above. Clear those of other characters.
                let none = signs | signs << 1 | three_bytes(punctuation);
                self.word = (self.word | latin | chinese) & !none;
                self.letters = (self.letters | latin | chinese) & !none;
                self.spaced = (self.spaced | latin) & !none & !three_bytes(chinese);
                self.unspaced = chinese.count_ones();
                special &= !(latin | signs | chinese | punctuation);
                self.read_others(text, start, special, in_word);
            }
        }
    }

    /// Classifies the characters that begin at the set bits of `special`, one by one.
    fn read_others(&mut self, text: &str, start: usize, mut special: u64, in_word: bool) {
        while special != 0 {
            let at = special.trailing_zeros();
            special &= special - 1;
            debug_assert!(
                start + (at as usize) < text.len(),
                "a set bit stands for a character"
            );
            let c = text[start + at as usize..].chars().next().unwrap_or_default();
            let bytes = ((1 << c.len_utf8()) - 1) << at;
            let set = |mask: &mut u64, to: bool| *mask = *mask & !bytes | if to { bytes } else { 0 };
            let (letter, unspaced) = (is_letter(c), is_unspaced(c));
            set(&mut self.word, letter);
            set(&mut self.letters, letter);
            let spaced = letter && !unspaced && is_alphanumeric(c);
            set(&mut self.spaced, spaced);
            // Bits are read upwards, so the character before is classified already.
            let begins = match at.checked_sub(1) {
                Some(before) => self.spaced >> before & 1 == 0,
                None => !in_word,
            };
            if spaced && begins && c.is_uppercase() {
                self.capitals |= 1 << at;
            }
            self.unspaced += u32::from(unspaced);
            if matches!(c, '，' | '、' | '،') {
                self.commas |= 1 << at;
            }
            self.money |= matches!(c, '€' | '£' | '¥' | '￥' | '₽' | '₴' | '₹' | '₩');
        }
    }
}

/// Extends a mask of first bytes of three-byte characters to all three bytes.
#[inline(always)]
fn three_bytes(first: u64) -> u64 {
    first | first << 1 | first << 2
}

/// Whether `c` belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    c >= '\u{0E00}'
        && matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{20000}'..='\u{3FFFF}')
}
