//! Tokens.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::chars::is_letter_or_digit;

/// The tokens of a text: its UAX #29 word segments (default rules) that hold a letter or a digit, as byte ranges.
///
/// Inner punctuation stays as the standard has it: "can't", "mail.ru" and "1,5" are single tokens, "24-часа" is two.
///
/// Scripts without spaces: a Han ideograph or a Hiragana letter is a token of its own, Katakana and Hangul run together,
/// and in Thai, Lao, Khmer and Burmese each letter with its marks is a token. Shingles of four such tokens are
/// character 4-grams: about two words of Chinese, which tells documents apart as four words of English do; for Thai a
/// width of 8 to 10 comes to the same. No dictionary decides where words end, so the shingles of a sentence do not depend
/// on the text around it.
///
/// ```
/// let text = "Can't stop: 1,5 млн (東京タワー)";
/// let tokens: Vec<_> = dehusk_normalize::words(text).map(|range| &text[range]).collect();
/// assert_eq!(tokens, ["Can't", "stop", "1,5", "млн", "東", "京", "タワー"]);
/// ```
pub fn words(text: &str) -> Words<'_> {
    Words {
        text,
        at: 0,
        segments: Segments::none(),
    }
}

/// The tokens of a text in the form of the profile `near`: equal to its [`words`], but several times as fast.
///
/// In that form tokens stand between single spaces; only scripts without spaces need further cuts. Text in any other
/// form is cut at its spaces, too, without any harm but that punctuation stays at the tokens.
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

/// The word segments of a piece of text, from the crate unicode-segmentation.
#[derive(Clone)]
struct Segments<'a> {
    offset: usize,
    bounds: unicode_segmentation::UWordBoundIndices<'a>,
}

impl<'a> Segments<'a> {
    fn none() -> Self {
        Self::of("", 0)
    }

    fn of(piece: &'a str, offset: usize) -> Self {
        Self {
            offset,
            bounds: piece.split_word_bound_indices(),
        }
    }

    fn next_token(&mut self) -> Option<Range<usize>> {
        self.bounds
            .find(|(_, segment)| segment.contains(is_letter_or_digit))
            .map(|(at, segment)| {
                let start = self.offset + at;
                start..start + segment.len()
            })
    }
}

/// Iterator of [`words`].
#[derive(Clone)]
pub struct Words<'a> {
    text: &'a str,
    at: usize,
    segments: Segments<'a>,
}

/// A letter or digit that never breaks a word after another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Simple {
    Letter,
    Digit,
}

/// The simple character at the front and its length: ASCII, Latin-1 letters, Cyrillic from U+0400 to U+047F.
#[inline]
fn simple(bytes: &[u8]) -> Option<(Simple, usize)> {
    match *bytes {
        [b'A'..=b'Z' | b'a'..=b'z', ..] => Some((Simple::Letter, 1)),
        [b'0'..=b'9', ..] => Some((Simple::Digit, 1)),
        [0xD0 | 0xD1, _, ..] => Some((Simple::Letter, 2)),
        [0xC3, second, ..] if second != 0x97 && second != 0xB7 => Some((Simple::Letter, 2)),
        _ => None,
    }
}

/// The length of the token at the front, if it begins with a simple character and no other character can join it.
/// Rules WB5 to WB13 of the standard for these characters and ASCII punctuation.
fn simple_token(bytes: &[u8]) -> Option<usize> {
    let (mut last, mut len) = simple(bytes)?;
    loop {
        if let Some((next, more)) = simple(&bytes[len..]) {
            last = next;
            len += more;
            continue;
        }
        let point = match bytes.get(len) {
            None => return Some(len),
            Some(&point) => point,
        };
        let joins = match point {
            b'.' | b'\'' => true,
            b':' => last == Simple::Letter,
            b',' | b';' => last == Simple::Digit,
            b'_' | 0x80.. => return None,
            _ => return Some(len),
        };
        match simple(&bytes[len + 1..]) {
            Some((next, more)) if joins && next == last => len += 1 + more,
            None if bytes.get(len + 1).is_some_and(|next| !next.is_ascii()) => return None,
            _ => return Some(len),
        }
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        if let Some(token) = self.segments.next_token() {
            return Some(token);
        }
        let bytes = self.text.as_bytes();
        loop {
            // All other ASCII joins nothing on its right that is a letter or a digit.
            let joins = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
            let start = self.at + bytes[self.at..].iter().position(joins)?;
            if let Some(len) = simple_token(&bytes[start..]) {
                self.at = start + len;
                return Some(start..self.at);
            }
            // The rest up to white space, by the crate; with the character or the spaces before it, which marks and
            // joiners at the front belong to.
            let space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
            let end = start
                + bytes[start..]
                    .iter()
                    .position(space)
                    .unwrap_or(bytes.len() - start);
            let skipped = &bytes[self.at..start];
            let spaces = skipped.iter().rev().take_while(|&&byte| byte == b' ').count();
            let from = start - spaces.max(skipped.len().min(1));
            self.segments = Segments::of(&self.text[from..end], from);
            self.at = end;
            if let Some(token) = self.segments.next_token() {
                return Some(token);
            }
        }
    }
}

/// Iterator of [`near_tokens`].
#[derive(Clone)]
pub struct NearTokens<'a> {
    text: &'a str,
    at: usize,
    /// Up to here, `at` stands in a run of [`Unit`]s.
    run_end: usize,
    segments: Segments<'a>,
}

/// How a character without marks joins others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A token of its own: Han, Hiragana.
    Single,
    Katakana,
    /// Letters and digits of scripts that are written in words.
    Joining,
}

/// The unit at the front and its length; `None` for characters that the crate must judge.
fn unit(bytes: &[u8]) -> Option<(Unit, usize)> {
    if let Some((_, len)) = simple(bytes) {
        return Some((Unit::Joining, len));
    }
    let &[first @ 0xE0..=0xEF, second, third, ..] = bytes else {
        return None;
    };
    let number = u32::from(first & 0xF) << 12 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F);
    let unit = match number {
        0x3041..=0x3096 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF => Unit::Single,
        0x30A1..=0x30FA | 0x30FC => Unit::Katakana,
        0xAC00..=0xD7A3 => Unit::Joining,
        _ => return None,
    };
    Some((unit, 3))
}

/// True if the run consists of units alone.
fn is_units(mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        match unit(bytes) {
            Some((_, len)) => bytes = &bytes[len..],
            None => return false,
        }
    }
    true
}

impl NearTokens<'_> {
    /// The next token of a run of units.
    fn next_unit(&mut self) -> Option<Range<usize>> {
        let bytes = &self.text.as_bytes()[..self.run_end];
        let start = self.at;
        let (first, mut len) = unit(bytes.get(start..)?)?;
        if first != Unit::Single {
            while let Some((next, more)) = unit(&bytes[start + len..])
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
                return self.next_unit();
            }
            if let Some(token) = self.segments.next_token() {
                return Some(token);
            }
            let bytes = self.text.as_bytes();
            let start = self.at + bytes[self.at..].iter().position(|&byte| byte != b' ')?;
            // Below U+0580 all letters, digits and marks are of scripts that are written in words.
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
            if is_units(&bytes[start..end]) {
                self.at = start;
                self.run_end = end;
            } else {
                self.segments = Segments::of(&self.text[start..end], start);
                self.at = end;
            }
        }
    }
}

#[cfg(test)]
mod tests;
