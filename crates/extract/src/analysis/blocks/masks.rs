//! Which bytes of a text belong to letters, words, digits and the like: bit masks of up to 64 bytes.
//!
//! All of them are judged at once, as the vectors of the processor allow. Letters of English, Russian, the languages of western Europe and Chinese
//! need no more than that, nor do the most frequent marks; other characters are looked at one by one.

use fearless_simd::prelude::*;
use fearless_simd::{u8x16, u8x32, u8x64};

use crate::analysis::blocks::steps::{STEP, WINDOW, padded};
use crate::analysis::blocks::words::{is_alphanumeric, is_letter};

/// The classes of a window of a text, one bit a byte. Bits past its end are 0.
#[derive(Debug, Default)]
pub(super) struct Masks {
    /// Bytes of the window.
    pub(super) len: usize,
    /// Bytes of characters that may be part of a word.
    pub(super) word: u64,
    /// Bytes of letters and digits, of which a word needs one. Combining marks are letters, too.
    pub(super) letters: u64,
    /// Bytes of letters and digits of scripts with spaces between words.
    pub(super) spaced: u64,
    /// First bytes of capital letters; those inside a run of `spaced` may be missing.
    pub(super) capitals: u64,
    pub(super) digits: u64,
    pub(super) commas: u64,
    pub(super) continuation: u64,
    pub(super) spaces: u64,
    /// Number of characters of scripts without spaces between words.
    pub(super) unspaced: u32,
    /// Whether a sign of a currency is among the characters.
    pub(super) money: bool,
    /// Whether `|` is among them.
    pub(super) bar: bool,
    /// Whether an opening bracket, a capital A or a sign of U+0080 to U+00BF is among them.
    pub(super) signs: bool,
}

/// The bytes of a text from a step on, zeros behind them.
#[inline(always)]
fn step<S: Simd>(simd: S, bytes: &[u8], number: usize) -> u8x16<S> {
    let rest = bytes.get(number * STEP..).unwrap_or_default();
    match rest.first_chunk() {
        Some(step) => u8x16::load_array_ref(simd, step),
        None => u8x16::load_array(simd, padded(rest)),
    }
}

#[inline(always)]
fn two_steps<S: Simd>(simd: S, bytes: &[u8], first: usize) -> u8x32<S> {
    step(simd, bytes, first).combine(step(simd, bytes, first + 1))
}

#[inline(always)]
fn four_steps<S: Simd>(simd: S, bytes: &[u8]) -> u8x64<S> {
    match bytes.first_chunk() {
        Some(window) => u8x64::load_array_ref(simd, window),
        None => two_steps(simd, bytes, 0).combine(two_steps(simd, bytes, 2)),
    }
}

impl Masks {
    /// The masks of the characters of a text from `start` on, which must be the start of a character. `in_word` is whether the character
    /// before is [`spaced`](Masks::spaced).
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, text: &str, start: usize, in_word: bool) -> Masks {
        let mut rest = &text.as_bytes()[start..];
        if rest.len() > WINDOW {
            let end = (start..=start + WINDOW).rfind(|end| text.is_char_boundary(*end));
            rest = &text.as_bytes()[start..end.unwrap_or(start)];
        }
        let mut out = Masks {
            len: rest.len(),
            ..Masks::default()
        };
        match rest.len().div_ceil(STEP) {
            0 | 1 => out.read(simd, step(simd, rest, 0), text, start, in_word),
            2 => out.read(simd, two_steps(simd, rest, 0), text, start, in_word),
            _ => out.read(simd, four_steps(simd, rest), text, start, in_word),
        }
        out
    }

    /// Judges the bytes of a window, zeros behind them.
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
        let of_range = |bytes: V, first: u8, last: u8| (bytes - splat(first)).simd_le(splat(last - first));
        let range = |first, last| of_range(bytes, first, last).to_bitmask();
        let is = |byte| bytes.simd_eq(splat(byte));
        let one = |byte| is(byte).to_bitmask();
        let letters = of_range(bytes | splat(0x20), b'a', b'z').to_bitmask();
        self.digits = range(b'0', b'9');
        self.capitals = range(b'A', b'Z');
        self.letters = letters | self.digits;
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
        self.signs = (is(b'(') | is(b'A') | is(0xC2)).any_true();
        self.spaced = self.letters;
        let other = bytes.simd_ge(splat(0x80)).to_bitmask();
        if other != 0 {
            self.continuation = range(0x80, 0xBF);
            let low = range(0x80, 0xAF) >> 1;
            let high = range(0xA0, 0xBF) >> 1;
            let (first, second) = (one(0xD0), one(0xD1));
            // The Cyrillic alphabets, U+0400 to U+047F: the first 48 are capital letters, and the last 32 rare ones.
            self.capitals |= first & low;
            let cyrillic = self.continuation | first | second;
            self.word |= cyrillic;
            self.letters |= cyrillic;
            self.spaced = self.letters;
            let rare = second & high;
            let mut special = other & !cyrillic | rare;
            if special != 0 {
                // U+00C0 to U+00FF are letters but for two signs in their middle.
                let latin = one(0xC3);
                let signs = latin & (one(0x97) | one(0xB7)) >> 1;
                let latin = latin & !signs;
                self.capitals |= latin & range(0x80, 0x9E) >> 1;
                // U+4E00 to U+9FFF are Chinese, U+2000 to U+203F quotation marks, dashes and spaces.
                let chinese = range(0xE5, 0xE9) | one(0xE4) & range(0xB8, 0xBF) >> 1;
                let punctuation = one(0xE2) & one(0x80) >> 1;
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

    /// Judges the characters that begin at the bits of `special`, one by one.
    fn read_others(&mut self, text: &str, start: usize, mut special: u64, in_word: bool) {
        while special != 0 {
            let at = special.trailing_zeros();
            special &= special - 1;
            let c = text[start + at as usize..].chars().next().unwrap_or_default();
            let bytes = ((1 << c.len_utf8()) - 1) << at;
            let set = |mask: &mut u64, to: bool| *mask = *mask & !bytes | if to { bytes } else { 0 };
            let (letter, unspaced) = (is_letter(c), is_unspaced(c));
            set(&mut self.word, letter);
            set(&mut self.letters, letter);
            let spaced = letter && !unspaced && is_alphanumeric(c);
            set(&mut self.spaced, spaced);
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

/// The bytes of characters of three bytes, of which the first ones are given.
#[inline(always)]
fn three_bytes(first: u64) -> u64 {
    first | first << 1 | first << 2
}

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    c >= '\u{0E00}'
        && matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{20000}'..='\u{3FFFF}')
}
