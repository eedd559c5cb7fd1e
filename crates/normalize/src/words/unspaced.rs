//! Scripts that write no spaces between words.

use std::ops::Range;

use crate::text::chars::extends;

/// Whether `c` is a letter of Chinese, Japanese, Thai, Lao, Khmer or Burmese, or a vowel sign of one of them.
/// Digits and punctuation of these scripts are not.
pub(crate) fn is_unspaced(c: char) -> bool {
    if c < '\u{E00}' {
        return false;
    }
    matches!(
        u32::from(c),
        // Thai and Lao, Burmese, Khmer.
        0xE01..=0xE3A | 0xE40..=0xE4E | 0xE81..=0xECE | 0xEDC..=0xEDF
        | 0x1000..=0x103F | 0x1050..=0x108F | 0x109A..=0x109D | 0xA9E0..=0xA9EF | 0xAA60..=0xAA76 | 0xAA7A..=0xAA7F
        | 0x1780..=0x17D3 | 0x17D7 | 0x17DC | 0x17DD
        // Hiragana, Katakana, Han.
        | 0x3005..=0x3007 | 0x3041..=0x3096 | 0x3099..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x20000..=0x3FFFF
    )
}

/// The longest runs of characters of scripts without spaces, with the marks after each, as byte ranges. A run
/// never begins with a mark: a mark after another script belongs to the character before it.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let start = chars.find(|&(_, c)| is_unspaced(c) && !extends(c))?.0;
        while chars.next_if(|&(_, c)| is_unspaced(c) || extends(c)).is_some() {}
        Some(start..chars.peek().map_or(text.len(), |&(at, _)| at))
    })
}
