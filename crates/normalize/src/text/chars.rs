//! Character classes that several passes share.

use std::sync::OnceLock;

use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// Bits of [`classes`].
const ALPHABETIC: u8 = 1;
const ALPHANUMERIC: u8 = 2;
const MARK: u8 = 4;
const EXTENDS: u8 = 8;

/// Number of characters whose classes are kept together.
const PAGE: u32 = 256;

/// Classes of the characters below U+10000, by page. A page is filled when a text first has one of its characters.
///
/// The tables of the standard library and of `unicode_normalization` must be searched instead: for Thai and
/// Devanagari that took 1 µs a character, a hundred times as long as an access here.
static PAGES: [OnceLock<[u8; PAGE as usize]>; 0x10000 / PAGE as usize] =
    [const { OnceLock::new() }; 0x10000 / PAGE as usize];

/// Classes of a character, as bits.
#[inline]
fn classes(c: char) -> u8 {
    let number = u32::from(c);
    let (page, place) = (number / PAGE, number % PAGE);
    let Some(classes) = PAGES.get(page as usize) else {
        return classes_by_tables(c);
    };
    let fill = || {
        let mut all = [0; PAGE as usize];
        for (classes, number) in all.iter_mut().zip(page * PAGE..) {
            *classes = char::from_u32(number).map_or(0, classes_by_tables);
        }
        all
    };
    classes.get_or_init(fill)[place as usize]
}

fn classes_by_tables(c: char) -> u8 {
    let mark = is_combining_mark(c);
    // `Maybe` marks characters that compose with one before them, among them Hangul vowels and final
    // consonants.
    let extends =
        mark || canonical_combining_class(c) != 0 || is_nfc_quick(std::iter::once(c)) == IsNormalized::Maybe;
    let bits = [
        (ALPHABETIC, c.is_alphabetic()),
        (ALPHANUMERIC, c.is_alphanumeric()),
        (MARK, mark),
        (EXTENDS, extends),
    ];
    bits.into_iter()
        .filter(|(_, is)| *is)
        .fold(0, |all, (bit, _)| all | bit)
}

/// Whether `c` is a combining mark (general category Mn, Mc or Me).
#[inline]
pub(crate) fn is_mark(c: char) -> bool {
    c >= '\u{300}' && classes(c) & MARK != 0
}

/// Whether `c` is one of the common Latin, Greek or Cyrillic letters, for which no Unicode table needs to be searched.
#[inline]
fn is_common_letter(c: char) -> bool {
    matches!(c, '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{24F}' | '\u{3A3}'..='\u{3FF}' | '\u{400}'..='\u{481}')
        && c != '\u{3F6}' // a symbol
}

/// Whether `c` is a letter or a digit: alphabetic or numeric, but not a mark. A segment with such a character is a token.
#[inline]
pub(crate) fn is_letter_or_digit(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else if is_common_letter(c) {
        true
    } else {
        classes(c) & (ALPHANUMERIC | MARK) == ALPHANUMERIC
    }
}

/// Whether `c` is a letter, digit or mark, the characters that words consist of.
#[inline]
pub(crate) fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else if is_common_letter(c) {
        true
    } else {
        classes(c) & (ALPHANUMERIC | MARK) != 0
    }
}

/// Whether `c` is a letter that starts a character of its own: neither a mark nor a Hangul vowel or final
/// consonant that joins the preceding one.
#[inline]
pub(crate) fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphabetic()
    } else {
        classes(c) & (ALPHABETIC | EXTENDS) == ALPHABETIC
    }
}

/// Whether `c` may combine with the characters before it under composition (UAX #15): marks, and Hangul vowels and final consonants.
#[inline]
pub(crate) fn extends(c: char) -> bool {
    c >= '\u{300}' && classes(c) & EXTENDS != 0
}

/// Zeros of the decimal digits (general category Nd); each is followed by its nine other digits.
///
/// Digits with a compatibility form are left out, because no pass that uses this table runs before NFKC.
const DECIMAL_ZEROS: [u32; 69] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50,
    0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
    0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0x104A0, 0x10D30, 0x10D40, 0x11066,
    0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730,
    0x118E0, 0x11950, 0x11BF0, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16130, 0x16A60, 0x16AC0, 0x16B50,
    0x16D70, 0x1CCF0, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950,
];

/// Whether `c` is a decimal digit of any script.
#[inline]
pub(crate) fn is_decimal(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    decimal_value(c).is_some()
}

/// Value of a decimal digit of any script, `0..=9`; `None` for other characters.
pub(crate) fn decimal_value(c: char) -> Option<u32> {
    let c = u32::from(c);
    let after = DECIMAL_ZEROS.partition_point(|&zero| zero <= c);
    let value = c - DECIMAL_ZEROS[after.checked_sub(1)?];
    (value < 10).then_some(value)
}

/// Whether `c` is a letter of a script without spaces between words: Han, Kana, Thai, Lao, Tibetan, Burmese, Khmer and related
/// scripts of South-East Asia (line breaking class SA).
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(
        u32::from(c),
        0xE00..=0xFFF
            | 0x1000..=0x109F
            | 0x1780..=0x17FF
            | 0x1950..=0x19DF
            | 0x1A20..=0x1AAF
            | 0x2E80..=0x312F
            | 0x3190..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xA9E0..=0xA9FF
            | 0xAA60..=0xAADF
            | 0xF900..=0xFAFF
            | 0xFF66..=0xFF9F
            | 0x11700..=0x1174F
            | 0x16FE0..=0x1B2FF
            | 0x1F200..=0x1F2FF
            | 0x20000..=0x3FFFF
    )
}

/// Whether `c` is a letter of a script with spaces between words.
pub(crate) fn is_letter_of_words(c: char) -> bool {
    is_letter(c) && !is_unspaced(c)
}

/// The two scripts whose letters are confused with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Other,
}

/// Script of a letter in NFKC. Marks, digits and all other characters are `Other`.
#[inline]
pub(crate) fn script(c: char) -> Script {
    match u32::from(c) {
        0x41..=0x5A | 0x61..=0x7A => Script::Latin,
        0x00..=0xBF | 0xD7 | 0xF7 | 0x483..=0x489 => Script::Other,
        0xC0..=0x2AF | 0x1D00..=0x1D25 | 0x1D2C..=0x1DBF | 0x1E00..=0x1EFF => Script::Latin,
        0x2132 | 0x214E | 0x2183 | 0x2184 | 0x2C60..=0x2C7F | 0xA722..=0xA787 | 0xA78B..=0xA7FF => {
            Script::Latin
        }
        0xAB30..=0xAB64 | 0xAB66..=0xAB68 | 0x10780 | 0x1DF00..=0x1DFFF => Script::Latin,
        0x400..=0x52F | 0x1C80..=0x1C8F | 0x1D2B | 0xA640..=0xA66E | 0xA67F..=0xA69D => Script::Cyrillic,
        _ => Script::Other,
    }
}

/// Whether `c` is invisible in every context.
#[inline]
pub(crate) fn is_invisible(c: char) -> bool {
    // A shortcut: most text lies in these two ranges.
    if matches!(c, '\0'..='\u{AC}' | '\u{350}'..='\u{61B}') {
        return false;
    }
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_chars() -> impl Iterator<Item = char> {
        ('\0'..=char::MAX).filter(|c| !matches!(u32::from(*c), 0xE000..=0xF8FF | 0xF0000..))
    }

    #[test]
    fn decimals_are_those_of_the_unicode_tables() {
        let decimal = regex::Regex::new(r"^\p{Nd}$").unwrap();
        let mut buffer = [0; 4];
        for c in all_chars() {
            let compatible = !unicode_normalization::is_nfkc(c.encode_utf8(&mut buffer));
            let text = c.encode_utf8(&mut buffer);
            if !compatible {
                assert_eq!(is_decimal(c), decimal.is_match(text), "{:04X}", u32::from(c));
            }
        }
    }

    #[test]
    fn scripts_are_those_of_the_unicode_tables() {
        let latin = regex::Regex::new(r"^[\p{Script=Latin}&&\p{L}]$").unwrap();
        // Letters that are newer than the tables of the crate regex.
        let newer = regex::Regex::new(r"^\p{Cn}$").unwrap();
        let cyrillic = regex::Regex::new(r"^[\p{Script=Cyrillic}&&\p{L}]$").unwrap();
        let mut buffer = [0; 4];
        for c in all_chars() {
            let text = c.encode_utf8(&mut buffer);
            if !c.is_alphabetic() || !unicode_normalization::is_nfkc(text) || newer.is_match(text) {
                continue;
            }
            let wanted = if latin.is_match(text) {
                Script::Latin
            } else if cyrillic.is_match(text) {
                Script::Cyrillic
            } else {
                Script::Other
            };
            assert_eq!(script(c), wanted, "{:04X}", u32::from(c));
        }
    }

    #[test]
    fn common_letters_are_letters_by_the_tables() {
        for c in all_chars().filter(|&c| is_common_letter(c)) {
            assert!(c.is_alphabetic() && !is_mark(c), "{:04X}", u32::from(c));
        }
    }

    #[test]
    fn what_does_not_extend_never_composes_with_what_stands_before() {
        for c in all_chars().filter(|&c| !extends(c)) {
            assert_eq!(canonical_combining_class(c), 0, "{:04X}", u32::from(c));
        }
    }
}
