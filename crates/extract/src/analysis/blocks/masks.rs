//! Which bytes of a text belong to letters, words, digits and the like: bit masks of up to 64 bytes.
//!
//! A table gives for each byte its classes, one in each of the eight bytes of an integer. Added up with a shift, eight bytes of text make eight
//! masks of eight bits at once. Letters of ASCII and of the Cyrillic alphabets need no more than that; other characters are looked at one by
//! one.

use crate::analysis::blocks::words::{is_alphanumeric, is_letter};

/// Most bytes of a window.
pub(super) const WINDOW: usize = 64;

/// Part of a word: with a letter or a digit among them, a run of these is a word.
const WORD: u32 = 0;
/// Letters and digits.
const LETTER: u32 = 1;
/// Capital letters, and the first byte of U+0400 to U+043F, which are capital letters if [`LOW`] follows.
const CAPITAL: u32 = 2;
/// Commas; bytes 0x80 to 0xAF.
const COMMA: u32 = 3;
const LOW: u32 = COMMA;
/// Digits; bytes 0xA0 to 0xBF, and the first byte of U+0440 to U+047F, of which those with [`HIGH`] are rare letters.
const DIGIT: u32 = 4;
const HIGH: u32 = DIGIT;
/// Bytes that continue a character.
const CONTINUATION: u32 = 5;
/// The dollar, and the first byte of a character that is looked at by itself.
const SPECIAL: u32 = 6;
const SPACE: u32 = 7;

/// The place of a class in an entry of the table.
const fn class(number: u32) -> u64 {
    1 << (8 * number)
}

static CLASSES: [u64; 256] = {
    let mut all = [0; 256];
    let mut i = 0;
    while i < 256 {
        let byte = i as u8;
        all[i] = match byte {
            b'0'..=b'9' => class(WORD) | class(LETTER) | class(DIGIT),
            b'A'..=b'Z' => class(WORD) | class(LETTER) | class(CAPITAL),
            b'a'..=b'z' => class(WORD) | class(LETTER),
            b',' => class(WORD) | class(COMMA),
            b'$' => class(WORD) | class(SPECIAL),
            b'_' | b'"' | b'\'' | b'.' | b'!' | b'@' | b'-' | b':' | b';' | b'?' | b'(' | b')' | b'/' => {
                class(WORD)
            }
            b' ' => class(SPACE),
            0..0x80 => 0,
            0x80..=0xBF => {
                class(WORD)
                    | class(LETTER)
                    | class(CONTINUATION)
                    | if byte < 0xB0 { class(LOW) } else { 0 }
                    | if byte >= 0xA0 { class(HIGH) } else { 0 }
            }
            0xD0 => class(WORD) | class(LETTER) | class(CAPITAL),
            0xD1 => class(WORD) | class(LETTER) | class(HIGH),
            _ => class(SPECIAL),
        };
        i += 1;
    }
    all
};

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
    /// First bytes of capital letters that begin a run of `spaced`.
    pub(super) capitals: u64,
    pub(super) digits: u64,
    pub(super) commas: u64,
    pub(super) continuation: u64,
    pub(super) spaces: u64,
    /// Number of characters of scripts without spaces between words.
    pub(super) unspaced: u32,
    /// Whether a sign of a currency is among the characters.
    pub(super) money: bool,
}

/// The classes of up to eight bytes, the first in the lowest bits.
#[inline]
fn classes(bytes: &[u8]) -> u64 {
    let with_byte = |all: u64, byte: &u8| (all << 1) | CLASSES[usize::from(*byte)];
    bytes.iter().rev().fold(0, with_byte)
}

/// The mask of one class of a window.
#[inline]
fn mask(window: &[u64; WINDOW / 8], class: u32) -> u64 {
    let bits = window.iter().zip(0_u32..);
    bits.fold(0, |mask, (eight, i)| {
        mask | (eight >> (8 * class) & 0xFF) << (8 * i)
    })
}

impl Masks {
    /// The masks of the characters of a text from `start` on, which must be the start of a character. `in_word` is whether the character
    /// before is [`spaced`](Masks::spaced).
    #[inline]
    pub(super) fn of(text: &str, start: usize, in_word: bool) -> Masks {
        let mut rest = &text.as_bytes()[start..];
        if rest.len() > WINDOW {
            let end = (start..=start + WINDOW).rfind(|end| text.is_char_boundary(*end));
            rest = &text.as_bytes()[start..end.unwrap_or(start)];
        }
        let mut out = Masks {
            len: rest.len(),
            ..Masks::default()
        };
        let mut window = [0; WINDOW / 8];
        let (mut any, mut shift) = (0, 0);
        let (eights, last) = rest.as_chunks::<8>();
        let mut add = |place: &mut u64, eight: u64| {
            *place = eight;
            any |= eight;
            out.word |= (eight & 0xFF) << shift;
            out.letters |= (eight >> 8 & 0xFF) << shift;
            out.capitals |= (eight >> 16 & 0xFF) << shift;
            shift += 8;
        };
        let mut places = window.iter_mut();
        for (eight, place) in eights.iter().zip(places.by_ref()) {
            add(place, classes(eight));
        }
        if let Some(place) = places.next().filter(|_| !last.is_empty()) {
            add(place, classes(last));
        }
        let has = |number: u32| any & (0xFF * class(number)) != 0;
        if has(COMMA) {
            out.commas = mask(&window, COMMA);
        }
        if has(DIGIT) {
            out.digits = mask(&window, DIGIT);
        }
        if has(SPACE) {
            out.spaces = mask(&window, SPACE);
        }
        out.spaced = out.letters;
        if has(CONTINUATION) || has(SPECIAL) {
            out.continuation = mask(&window, CONTINUATION);
            out.read_non_ascii(text, start, mask(&window, SPECIAL), in_word);
        }
        out
    }

    /// Sets right what the table says of non-ASCII bytes. `special` are the characters that must be looked at.
    fn read_non_ascii(&mut self, text: &str, start: usize, special: u64, in_word: bool) {
        let continued = self.continuation >> 1;
        let low = (self.commas & self.continuation) >> 1;
        self.capitals &= !continued | low;
        let rare = self.digits & !self.continuation & (self.digits & self.continuation) >> 1;
        self.digits &= !self.continuation & !continued;
        self.commas &= !self.continuation;
        let mut special = special | rare;
        while special != 0 {
            let at = special.trailing_zeros();
            special &= special - 1;
            let first = text.as_bytes()[start + at as usize];
            if first == b'$' {
                self.money = true;
                continue;
            }
            if let 0xE5..=0xE8 = first {
                // U+5000 to U+8FFF.
                self.word |= 1 << at;
                self.letters |= 1 << at;
                self.spaced &= !(7 << at);
                self.unspaced += 1;
                continue;
            }
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

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    c >= '\u{0E00}'
        && matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{20000}'..='\u{3FFFF}')
}
