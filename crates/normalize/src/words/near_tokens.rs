//! Tokens of normalized text, which are separated by single spaces.

use std::ops::Range;

use super::uax29::{Segments, simple};

/// Tokens of a text in the form of the profile `near`, as byte ranges: equal to its
/// [`words`](crate::words()), but several times as fast.
///
/// In that form, tokens are separated by single spaces; only scripts without spaces need further splitting. Text in any other
/// form is also split at its spaces, but punctuation stays attached to the tokens.
///
/// ```
/// let text = "два слова 東京";
/// let tokens: Vec<_> = dehusk_normalize::near_tokens(text).map(|range| &text[range]).collect();
/// assert_eq!(tokens, ["два", "слова", "東", "京"]);
/// ```
pub fn near_tokens(text: &str) -> NearTokens<'_> {
    NearTokens {
        text,
        at: 0,
        run_end: 0,
        segments: Segments::none(),
    }
}

/// Iterator of [`near_tokens`].
#[derive(Clone)]
pub struct NearTokens<'a> {
    text: &'a str,
    at: usize,
    /// If `at` is below this offset, it is inside a run of characters that all have a [`JoinClass`].
    run_end: usize,
    segments: Segments<'a>,
}

/// How a character without marks joins its neighbors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum JoinClass {
    /// A token of its own: Han, Hiragana.
    Single,
    Katakana,
    /// Letters and digits of scripts with spaces between words.
    Joining,
}

/// Class and length in bytes of the first character; `None` if the crate unicode-segmentation must decide.
pub(super) fn join_class(bytes: &[u8]) -> Option<(JoinClass, usize)> {
    // U+5000 to U+9FFF, most of Han.
    if let [0xE5..=0xE9, _, _, ..] = bytes {
        return Some((JoinClass::Single, 3));
    }
    if let Some((_, len)) = simple(bytes) {
        return Some((JoinClass::Joining, len));
    }
    let &[first @ 0xE0..=0xEF, second, third, ..] = bytes else {
        return None;
    };
    let number = u32::from(first & 0xF) << 12 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F);
    let class = match number {
        0x3041..=0x3096 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF => JoinClass::Single,
        0x30A1..=0x30FA | 0x30FC => JoinClass::Katakana,
        0xAC00..=0xD7A3 => JoinClass::Joining,
        _ => return None,
    };
    Some((class, 3))
}

/// Whether every character of the run has a [`JoinClass`].
fn has_join_classes(mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        match join_class(bytes) {
            Some((_, len)) => bytes = &bytes[len..],
            None => return false,
        }
    }
    true
}

impl NearTokens<'_> {
    /// Next token of a run of classed characters.
    fn next_of_run(&mut self) -> Option<Range<usize>> {
        let bytes = &self.text.as_bytes()[..self.run_end];
        let start = self.at;
        let (first, mut len) = join_class(bytes.get(start..)?)?;
        if first != JoinClass::Single {
            // Katakana joins Katakana, and letters and digits join each other; the two do not join (UAX #29,
            // WB5 to WB13).
            while let Some((next, more)) = join_class(&bytes[start + len..])
                && next == first
            {
                len += more;
            }
        }
        self.at = start + len;
        Some(start..self.at)
    }
}

impl Iterator for NearTokens<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            if self.at < self.run_end {
                return self.next_of_run();
            }
            if let Some(token) = self.segments.next_token() {
                return Some(token);
            }
            let bytes = self.text.as_bytes();
            let start = self.at + bytes[self.at..].iter().position(|&byte| byte != b' ')?;
            // Below U+0580 all letters, digits and marks belong to scripts with spaces between words.
            let mut in_words = true;
            let mut end = start;
            for &byte in bytes[start..].iter().take_while(|&&byte| byte != b' ') {
                in_words &= byte < 0xD6;
                end += 1;
            }
            if in_words {
                self.at = end;
                return Some(start..end);
            }
            // Chinese, Japanese and Korean are cut here; Thai and others by the crate.
            if has_join_classes(&bytes[start..end]) {
                self.at = start;
                self.run_end = end;
            } else {
                self.segments = Segments::of(&self.text[start..end], start, false);
                self.at = end;
            }
        }
    }
}
