//! Tables of character classes for the fused passes.

use std::sync::LazyLock;

use unicode_normalization::is_nfkc;

use crate::normalizer::pass_chain::PassChain;
use crate::passes::apostrophes::is_apostrophe;
use crate::passes::arabic::TATWEEL;
use crate::passes::marks;
use crate::passes::vietnamese::moves;
use crate::profile::Profile;
use crate::text::chars::{Script, extends, is_decimal, is_invisible, is_word_char, script};

/// Smallest table value of letters and digits. For ASCII the value is the lower-case byte itself; all other
/// bytes have a class below.
pub(super) const LETTER: u8 = b'0';
/// White space. Only a broken word reaches across it.
pub(super) const SPACE: u8 = 0;
/// A separator that no pass looks across: the texts on both sides normalize independently.
pub(super) const BOUNDARY: u8 = 1;
/// A separator that a pass may look across: part of a reference, or inside numbers or words.
pub(super) const SOFT: u8 = 2;
/// A hyphen, which may end a line in the middle of a word.
pub(super) const HYPHEN: u8 = 3;
/// `&`, which may begin a character reference.
pub(super) const AMPERSAND: u8 = 4;
/// Needs the chain of passes.
pub(super) const UNUSUAL: u8 = 5;
/// First byte of a two-byte character.
pub(super) const TWO: u8 = 6;
/// First byte of a three-byte character.
pub(super) const THREE: u8 = 7;
/// A separator, or inside a word an apostrophe.
pub(super) const APOSTROPHE: u8 = 8;
/// Deleted inside a word: an invisible character, a tatweel, a vowel sign of Arabic or a point of Hebrew.
pub(super) const DROPPED: u8 = 9;
/// A two-byte letter or digit that becomes one or two ASCII characters, which do not correspond to its bytes.
pub(super) const REWRITTEN: u8 = b'1';

/// Class of each first byte. With `digits`, digits are treated as letters.
const fn first_bytes(digits: bool) -> [u8; 256] {
    let mut table = [UNUSUAL; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        let [value, ..] = byte.to_le_bytes();
        table[byte] = match value {
            b'a'..=b'z' => value,
            b'A'..=b'Z' => value + 32,
            b'0'..=b'9' if digits => value,
            b'0'..=b'9' => UNUSUAL,
            b'\t'..=b'\r' | b' ' => SPACE,
            b'-' => HYPHEN,
            b'&' => AMPERSAND,
            b'\'' | b'`' => APOSTROPHE,
            b'#' | b';' | b'.' | b':' | b',' | b'^' => SOFT,
            // Control characters become spaces, and a space may be part of a line break inside a word.
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
/// A vowel whose tone mark Vietnamese may write on the next vowel.
pub(super) const TONED: u32 = 8;

/// Normal form of a two-byte character, packed.
///
/// Bits 0..8 and 8..16: bytes of its normal form, the second 0 if there is only one; 16..18: script; 18: is a digit; 19: [`TONED`];
/// 24..: [`LETTER`], [`REWRITTEN`], [`SOFT`], [`BOUNDARY`], [`DROPPED`] or [`UNUSUAL`].
#[derive(Clone, Copy)]
pub(super) struct TwoByteChar(u32);

impl TwoByteChar {
    #[inline]
    pub(super) fn class(self) -> u8 {
        (self.0 >> 24) as u8
    }

    #[inline]
    pub(super) fn bytes(self) -> [u8; 2] {
        let [first, second, ..] = self.0.to_le_bytes();
        [first, second]
    }

    #[inline]
    pub(super) fn scripts(self) -> u32 {
        self.0 >> 16 & (LATIN | CYRILLIC | TONED)
    }

    /// Entry with a class and no output.
    fn separator(class: u8) -> Self {
        Self(u32::from(class) << 24)
    }

    /// Entry for `c`. `alone` is the output of the chain of passes for the character by itself.
    fn of(c: char, alone: &str, digits: bool) -> Self {
        let stable = is_nfkc(c.encode_utf8(&mut [0; 4]));
        if is_dropped(c) {
            return Self::separator(DROPPED);
        }
        if is_word_char(c) {
            // Extending characters are neither letters nor digits here. Whether an apostrophe is a letter depends on its neighbors.
            let class = match *alone.as_bytes() {
                [first, _] if !first.is_ascii() => LETTER,
                [_] | [_, _] => REWRITTEN,
                _ => UNUSUAL,
            };
            if !stable || extends(c) || is_apostrophe(c) || class == UNUSUAL || is_decimal(c) && !digits {
                return Self::separator(UNUSUAL);
            }
            // The script of the letter before folding, as the pass `confusables` sees it.
            let scripts = match script(c) {
                Script::Latin => LATIN,
                Script::Cyrillic => CYRILLIC,
                Script::Other => 0,
            };
            // An o or u with a tone mark: `moves` accepts o before a and e, and u before y.
            let toned = alone
                .chars()
                .next()
                .is_some_and(|c| moves(c, 'a') || moves(c, 'y'));
            let flags = if is_decimal(c) { DIGIT } else { 0 } | if toned { TONED } else { 0 } | scripts;
            let mut bytes = [0; 2];
            for (byte, slot) in alone.bytes().zip(&mut bytes) {
                *slot = byte;
            }
            let [first, second] = bytes.map(u32::from);
            return Self(u32::from(class) << 24 | flags << 16 | second << 8 | first);
        }
        match c {
            // Frequent separators that no pass looks across. The next arm makes all other stable ones SOFT,
            // which is always right.
            '\u{A0}' | '§' | '©' | '«' | '®' | '°' | '»' | '×' => Self::separator(BOUNDARY),
            _ if stable && !is_invisible(c) && !is_apostrophe(c) && c > '\u{9F}' => Self::separator(SOFT),
            _ => Self::separator(UNUSUAL),
        }
    }
}

/// Whether a pass deletes `c` in any context, so that the text around it normalizes as if `c` were not there.
fn is_dropped(c: char) -> bool {
    is_invisible(c) || c == TATWEEL || marks::goes(c)
}

/// Entries for all two-byte characters, U+0080..U+07FF.
pub(super) type TwoByteTable = [TwoByteChar; 0x800];

/// Builds the table by running the passes of `near` on each character alone. With `digits`, digits count as
/// letters.
fn two_byte_table(digits: bool) -> Box<TwoByteTable> {
    let mut table = Box::new([TwoByteChar::separator(UNUSUAL); 0x800]);
    // The passes themselves determine the normal form of each letter.
    let near = Profile::near();
    let mut chain = PassChain::default();
    for (number, entry) in (0u32..).zip(table.iter_mut()) {
        if let Some(c) = char::from_u32(number).filter(|c| c.len_utf8() == 2) {
            let mut alone = "";
            if is_word_char(c) && !extends(c) {
                chain.run(near.passes(), &near.options(), c.encode_utf8(&mut [0; 4]), false);
                alone = chain.text();
            }
            *entry = TwoByteChar::of(c, alone, digits);
        }
    }
    table
}

/// Two-byte characters if digits are kept.
pub(super) static TWO_BYTE: LazyLock<Box<TwoByteTable>> = LazyLock::new(|| two_byte_table(true));
/// Two-byte characters if digits are left to the chain of passes.
pub(super) static TWO_BYTE_NO_DIGITS: LazyLock<Box<TwoByteTable>> = LazyLock::new(|| two_byte_table(false));

/// Index of a two-byte character in the tables.
#[inline]
pub(super) fn two_index(first: u8, second: u8) -> usize {
    usize::from(first & 0x1F) << 6 | usize::from(second & 0x3F)
}

/// First byte of the three-byte Latin letters that are [`LETTER`]; no other letters have it.
pub(super) const LATIN_OF_THREE: u8 = 0xE1;

/// Class of a three-byte character. Letters of scripts without case and lower-case Vietnamese letters stay as they are; of the
/// rest, only common punctuation is known.
#[inline]
pub(super) fn three_class(number: u32) -> u8 {
    match number {
        // Han, Hiragana, Katakana (with the prolonged sound mark), Hangul syllables.
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x30FC | 0xAC00..=0xD7A3 => {
            LETTER
        }
        // Lower-case Vietnamese letters, except ọ, ỏ, ụ and ủ, whose tone mark may move.
        0x1ECD | 0x1ECF | 0x1EE5 | 0x1EE7 => UNUSUAL,
        0x1EA0..=0x1EF9 if number & 1 == 1 => LETTER,
        // Dashes (but not hyphens), double quotation marks, daggers, the bullet.
        0x2012..=0x2015 | 0x201C..=0x2022 => BOUNDARY,
        0x2018 | 0x2019 | 0x201B => APOSTROPHE,
        // Invisible characters: the joiners of Persian and Indic scripts, directional marks, variation selectors.
        0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF => DROPPED,
        // … becomes full stops, which numbers may extend across.
        0x201A | 0x2026 => SOFT,
        0x2030 | 0x2039 | 0x203A | 0x20AC | 0x2116 | 0x2190..=0x2193 | 0x2500..=0x25FF => BOUNDARY,
        // Ideographic space, comma, full stop, brackets.
        0x3000..=0x3002 | 0x3008..=0x3011 | 0x3014..=0x301B => BOUNDARY,
        // Full-width exclamation and question mark, brackets; comma, colon, semicolon.
        0xFF01 | 0xFF08 | 0xFF09 | 0xFF1F => BOUNDARY,
        0xFF0C | 0xFF1A | 0xFF1B => SOFT,
        _ => UNUSUAL,
    }
}

/// Code point of a three-byte character.
#[inline]
pub(super) fn three_number(first: u8, second: u8, third: u8) -> u32 {
    u32::from(first & 0xF) << 12 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F)
}
