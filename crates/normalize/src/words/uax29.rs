//! Words by the rules of UAX #29, and by syllables where these leave words to dictionaries.

use std::iter::Peekable;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::syllables::joins;
use super::unspaced::is_unspaced;
use crate::text::chars::is_letter_or_digit;

/// Tokens of a text: its UAX #29 word segments (default rules) that contain a letter or a digit, as byte ranges; in Thai, Lao, Khmer and
/// Burmese, which these rules leave to dictionaries, the syllables.
///
/// Inner punctuation follows the standard: "can't", "mail.ru" and "1,5" are single tokens, "24-часа" is two.
///
/// In scripts without spaces, each Han ideograph and each Hiragana letter is a token, and Katakana and Hangul
/// run together. A token of Thai, Lao, Khmer and Burmese is a letter with all that is written around it, and
/// with the consonants that its marks call for: most often a syllable. Final consonants without a mark stand
/// alone. Tibetan marks its syllables. Four such tokens are about two words of Chinese or Thai; a shingle of
/// them distinguishes documents as well as one of four English words. No dictionary decides where words end,
/// so the shingles of a sentence do not depend on the text around it.
///
/// ```
/// let text = "Can't stop: 1,5 млн (東京タワー)";
/// let tokens: Vec<_> = dehusk_normalize::words(text).map(|range| &text[range]).collect();
/// assert_eq!(tokens, ["Can't", "stop", "1,5", "млн", "東", "京", "タワー"]);
/// ```
pub fn words(text: &str) -> Words<'_> {
    Words::of(text, false)
}

/// Word segments of a piece of text, from the crate unicode-segmentation.
#[derive(Clone)]
pub(super) struct Segments<'a> {
    text: &'a str,
    offset: usize,
    /// Whether neighboring letters of scripts without spaces are one token.
    is_spaced: bool,
    bounds: Peekable<unicode_segmentation::UWordBoundIndices<'a>>,
}

impl<'a> Segments<'a> {
    pub(super) fn none() -> Self {
        Self::of("", 0, false)
    }

    /// Segments of a piece that begins at byte `offset` of the text.
    pub(super) fn of(piece: &'a str, offset: usize, is_spaced: bool) -> Self {
        Self {
            text: piece,
            offset,
            is_spaced,
            bounds: piece.split_word_bound_indices().peekable(),
        }
    }

    /// Next token, as a byte range of the text; `None` at the end of the piece.
    pub(super) fn next_token(&mut self) -> Option<Range<usize>> {
        let Self {
            text,
            offset,
            is_spaced,
            bounds,
        } = self;
        // Segments without a letter or digit are punctuation and white space.
        let (start, segment) = bounds.find(|(_, segment)| segment.contains(is_letter_or_digit))?;
        let is_one = |before: &str, next: &str| match is_spaced {
            false => joins(before, next),
            true => before.starts_with(is_unspaced) && next.starts_with(is_unspaced),
        };
        let mut end = start + segment.len();
        // Pieces that UAX #29 cuts apart, but that form one syllable (or, after the pass `dictionary`, one
        // word).
        while let Some((_, next)) = bounds.next_if(|&(_, next)| is_one(&text[start..end], next)) {
            end += next.len();
        }
        Some(*offset + start..*offset + end)
    }
}

/// Iterator of [`words`].
#[derive(Clone)]
pub struct Words<'a> {
    text: &'a str,
    at: usize,
    is_spaced: bool,
    segments: Segments<'a>,
}

impl<'a> Words<'a> {
    /// Words of a text. With `is_spaced`, neighboring letters of scripts without spaces are one word.
    pub(super) fn of(text: &'a str, is_spaced: bool) -> Self {
        Words {
            text,
            at: 0,
            is_spaced,
            segments: Segments::none(),
        }
    }
}

/// A letter or digit that never starts a new word directly after another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Simple {
    Letter,
    Digit,
}

/// Kind and length in bytes of the simple character at the start: ASCII, Latin-1 letters, Cyrillic from U+0400 to U+047F.
#[inline]
pub(super) fn simple(bytes: &[u8]) -> Option<(Simple, usize)> {
    match *bytes {
        [b'A'..=b'Z' | b'a'..=b'z', ..] => Some((Simple::Letter, 1)),
        [b'0'..=b'9', ..] => Some((Simple::Digit, 1)),
        [0xD0 | 0xD1, _, ..] => Some((Simple::Letter, 2)),
        [0xC3, second, ..] if second != 0x97 && second != 0xB7 => Some((Simple::Letter, 2)),
        _ => None,
    }
}

/// Length in bytes of the token at the start, if it begins with a simple character and no other character can join it.
/// Implements rules WB5 to WB13 of the standard for these characters and ASCII punctuation.
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
        // `.` and `'` join two letters or two digits (MidNumLet), `:` two letters (MidLetter), `,` and `;`
        // two digits (MidNum).
        let joins = match point {
            b'.' | b'\'' => true,
            b':' => last == Simple::Letter,
            b',' | b';' => last == Simple::Digit,
            // `_` joins both sides (WB13a), and marks and joiners extend the token: left to the crate.
            b'_' | 0x80.. => return None,
            _ => return Some(len),
        };
        match simple(&bytes[len + 1..]) {
            Some((next, more)) if joins && next == last => len += 1 + more,
            // Whether the point joins depends on a character that is not simple.
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
            // Other ASCII characters do not join a letter or digit to their right.
            let joins = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
            let start = self.at + bytes[self.at..].iter().position(joins)?;
            if let Some(len) = simple_token(&bytes[start..]) {
                self.at = start + len;
                return Some(start..self.at);
            }
            // The crate splits the rest up to white space, together with the character or spaces before it, because marks and
            // joiners at the start belong to them.
            let space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
            let end = start
                + bytes[start..]
                    .iter()
                    .position(space)
                    .unwrap_or(bytes.len() - start);
            let skipped = &bytes[self.at..start];
            let spaces = skipped.iter().rev().take_while(|&&byte| byte == b' ').count();
            let from = start - spaces.max(skipped.len().min(1));
            self.segments = Segments::of(&self.text[from..end], from, self.is_spaced);
            self.at = end;
            if let Some(token) = self.segments.next_token() {
                return Some(token);
            }
        }
    }
}
