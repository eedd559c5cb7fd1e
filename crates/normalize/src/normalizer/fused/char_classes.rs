//! Tables: what the fused passes do with a character.

use std::sync::LazyLock;

use unicode_normalization::is_nfkc;

use crate::text::chars::is_invisible;
use crate::text::chars::{Script, extends, is_decimal, is_word_char, script};

/// ASCII: letters and digits have their lower case, everything else one of the numbers below.
pub(super) const LETTER: u8 = b'0';
/// White space. Nothing but a broken word reaches over it.
pub(super) const SPACE: u8 = 0;
/// A separator over which no pass looks: texts on both sides normalize independently.
pub(super) const BOUNDARY: u8 = 1;
/// A separator that a pass may look over: case-ignorable (σ or ς), part of a reference, or inside numbers.
pub(super) const SOFT: u8 = 2;
/// May end a line in the middle of a word.
pub(super) const HYPHEN: u8 = 3;
/// May begin a character reference.
pub(super) const AMPERSAND: u8 = 4;
/// Needs the chain of passes.
pub(super) const UNUSUAL: u8 = 5;
/// Begins a character of two bytes.
pub(super) const TWO: u8 = 6;
/// Begins a character of three bytes.
pub(super) const THREE: u8 = 7;

/// The class of each first byte. With `digits`, digits are treated as letters.
const fn first_bytes(digits: bool) -> [u8; 256] {
    let mut table = [UNUSUAL; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' => byte as u8,
            b'A'..=b'Z' => byte as u8 + 32,
            b'0'..=b'9' if digits => byte as u8,
            b'0'..=b'9' => UNUSUAL,
            b'\t'..=b'\r' | b' ' => SPACE,
            b'-' => HYPHEN,
            b'&' => AMPERSAND,
            b'#' | b';' | b'\'' | b'.' | b':' | b',' | b'^' | b'`' => SOFT,
            // Control characters become spaces, and a space may be part of what follows a broken line.
            0..=0x1F | 0x7F => SOFT,
            0..=0x7F => BOUNDARY,
            0xC2..=0xDF => TWO,
            0xE0..=0xEF => THREE,
            _ => UNUSUAL,
        };
        byte += 1;
    }
    table
}

/// Classes of first bytes if digits are kept.
pub(super) static FIRST_BYTE: [u8; 256] = first_bytes(true);
/// Classes of first bytes if digits are left to the chain of passes.
pub(super) static FIRST_BYTE_NO_DIGITS: [u8; 256] = first_bytes(false);

pub(super) const LATIN: u32 = 1;
pub(super) const CYRILLIC: u32 = 2;
const DIGIT: u32 = 4;

/// What becomes of a character of two bytes.
///
/// Bits 0..8 and 8..16: the bytes of its lower case; 16..18: its script; 18: a digit; 24..: [`LETTER`], [`SOFT`],
/// [`BOUNDARY`] or [`UNUSUAL`].
#[derive(Clone, Copy)]
pub(super) struct TwoByteChar(u32);

impl TwoByteChar {
    #[inline]
    pub(super) fn class(self) -> u8 {
        (self.0 >> 24) as u8
    }

    #[inline]
    pub(super) fn bytes(self) -> [u8; 2] {
        [self.0 as u8, (self.0 >> 8) as u8]
    }

    #[inline]
    pub(super) fn scripts(self) -> u32 {
        self.0 >> 16 & 3
    }

    fn separator(class: u8) -> Self {
        Self(u32::from(class) << 24)
    }

    fn of(c: char, digits: bool) -> Self {
        let mut lower = c.to_lowercase();
        let (Some(mut one), None) = (lower.next(), lower.next()) else {
            return Self::separator(UNUSUAL);
        };
        if one == 'ё' {
            one = 'е';
        }
        let mut buffer = [0; 4];
        let stable =
            is_nfkc(c.encode_utf8(&mut buffer)) && (c == one || is_nfkc(one.encode_utf8(&mut buffer)));
        if is_word_char(c) {
            // What extends is no letter and no digit.
            let plain = stable && !extends(c) && c != 'Σ' && one.len_utf8() == 2;
            if !plain || is_decimal(c) && !digits {
                return Self::separator(UNUSUAL);
            }
            let scripts = match script(c) {
                Script::Latin => LATIN,
                Script::Cyrillic => CYRILLIC,
                Script::Other => 0,
            };
            let digit = if is_decimal(c) { DIGIT } else { 0 };
            let bytes = u32::from(buffer[0]) | u32::from(buffer[1]) << 8;
            return Self(u32::from(LETTER) << 24 | (digit | scripts) << 16 | bytes);
        }
        match c {
            '\u{A0}' | '§' | '©' | '«' | '®' | '°' | '»' | '×' => Self::separator(BOUNDARY),
            _ if stable && !is_invisible(c) && c > '\u{9F}' => Self::separator(SOFT),
            _ => Self::separator(UNUSUAL),
        }
    }
}

/// One entry for every character of two bytes, U+0080..U+07FF.
pub(super) type TwoByteTable = [TwoByteChar; 0x800];

fn two_byte_table(digits: bool) -> Box<TwoByteTable> {
    let mut table = Box::new([TwoByteChar::separator(UNUSUAL); 0x800]);
    for (number, entry) in (0u32..).zip(table.iter_mut()) {
        if let Some(c) = char::from_u32(number).filter(|c| c.len_utf8() == 2) {
            *entry = TwoByteChar::of(c, digits);
        }
    }
    table
}

/// Characters of two bytes if digits are kept.
pub(super) static TWO_BYTE: LazyLock<Box<TwoByteTable>> = LazyLock::new(|| two_byte_table(true));
/// Characters of two bytes if digits are left to the chain of passes.
pub(super) static TWO_BYTE_NO_DIGITS: LazyLock<Box<TwoByteTable>> = LazyLock::new(|| two_byte_table(false));

/// Index of a character of two bytes in the tables.
#[inline]
pub(super) fn two_index(first: u8, second: u8) -> usize {
    usize::from(first & 0x1F) << 6 | usize::from(second & 0x3F)
}

/// What becomes of a character of three bytes: letters of scripts without case stay as they are; of the rest, common
/// punctuation is known.
#[inline]
pub(super) fn three_class(number: u32) -> u8 {
    match number {
        // Han, Hiragana, Katakana (with the mark for long vowels), Hangul syllables.
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x30FC | 0xAC00..=0xD7A3 => {
            LETTER
        }
        // Dashes (but not the hyphens), double quotation marks, daggers, the bullet.
        0x2012..=0x2015 | 0x201C..=0x2022 => BOUNDARY,
        // Single quotation marks are case-ignorable; … becomes full stops, which are.
        0x2018..=0x201B | 0x2026 => SOFT,
        0x2030 | 0x2039 | 0x203A | 0x20AC | 0x2116 | 0x2190..=0x2193 | 0x2500..=0x25FF => BOUNDARY,
        // Ideographic space, comma, full stop, brackets.
        0x3000..=0x3002 | 0x3008..=0x3011 | 0x3014..=0x301B => BOUNDARY,
        // Full-width exclamation and question mark, brackets; comma, colon, semicolon.
        0xFF01 | 0xFF08 | 0xFF09 | 0xFF1F => BOUNDARY,
        0xFF0C | 0xFF1A | 0xFF1B => SOFT,
        _ => UNUSUAL,
    }
}

/// Code point of a character of three bytes.
#[inline]
pub(super) fn three_number(first: u8, second: u8, third: u8) -> u32 {
    u32::from(first & 0xF) << 12 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F)
}
