//! Numbers and words of a text.

use std::ops::Range;

/// A number, or a word by its range in `Tokens::words`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number { value: u32, digits: usize },
    Word(Range<usize>),
}

/// A number or a word, with its range in the text in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    /// All words in lower case without dots, concatenated: many words need only one allocation.
    words: String,
}

impl Tokens {
    /// Returns the word of a token, in lower case without dots; `None` for a number.
    pub(super) fn word(&self, at: usize) -> Option<&str> {
        match &self.list.get(at)?.kind {
            Kind::Word(place) => self.words.get(place.clone()),
            Kind::Number { .. } => None,
        }
    }
}

/// Maximum number of tokens: dates are in short lines, or at the start of longer lines.
const MAX_TOKENS: usize = 60;

/// Returns the value of a decimal digit: ASCII, Arabic, Persian, Indian scripts, Thai, Khmer, or full width.
pub(super) fn digit(c: char) -> Option<u32> {
    const ZEROS: [char; 13] = ['0', '٠', '۰', '०', '০', '੦', '૦', '௦', '౦', '೦', '๐', '០', '０'];
    if c.is_ascii() {
        return c.to_digit(10);
    }
    let of = |&zero: &char| u32::from(c).checked_sub(zero.into()).filter(|value| *value < 10);
    ZEROS.iter().find_map(of)
}

/// Whether a character is part of a word: a letter, a mark of Indian scripts or of Thai, or a joiner of Persian.
fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, '\u{900}'..='\u{E4E}' | '\u{200C}' | '\u{200D}' | '’' | '\'') && digit(c).is_none()
}

/// Returns the first numbers and words of a text. A dot between two letters is part of an abbreviation, and
/// numbers end before letters.
pub(super) fn tokens(text: &str) -> Tokens {
    // Most tokens of dates have at least two letters, and a separator after them.
    let mut out = Vec::with_capacity(MAX_TOKENS.min(text.len() / 4 + 1));
    let mut words = String::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    while let Some(&(start, c)) = chars.peek() {
        if out.len() == MAX_TOKENS {
            break;
        }
        let mut end = start;
        if digit(c).is_some() {
            let (mut value, mut digits) = (0_u32, 0);
            while let Some((at, c, found)) = chars.peek().and_then(|&(at, c)| Some((at, c, digit(c)?))) {
                // Saturates: a number too long for 32 bits is not part of a date.
                value = value.saturating_mul(10).saturating_add(found);
                digits += 1;
                end = at + c.len_utf8();
                chars.next();
            }
            let kind = Kind::Number { value, digits };
            out.push(Token {
                kind,
                range: start..end,
            });
        } else if is_letter(c) && !matches!(c, '’' | '\'') {
            let word = words.len();
            while let Some(&(at, c)) = chars.peek() {
                // The dot inside `a.m.` is dropped, so that the word is `am`.
                let inner_dot = c == '.'
                    && text[at + 1..]
                        .chars()
                        .next()
                        .is_some_and(|next| next.is_alphabetic());
                if inner_dot {
                    chars.next();
                    continue;
                }
                // Digits end a word, so that each ideograph in `2024年3月5日` is a word of its own.
                if !is_letter(c) || digit(c).is_some() {
                    break;
                }
                words.extend(c.to_lowercase());
                end = at + c.len_utf8();
                chars.next();
            }
            out.push(Token {
                kind: Kind::Word(word..words.len()),
                range: start..end,
            });
        } else {
            chars.next();
        }
    }
    Tokens { list: out, words }
}
