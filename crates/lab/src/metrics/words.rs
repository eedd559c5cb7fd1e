//! Words as Python's regular expressions find them, which the reference scorer uses.
//!
//! Python's `\w` matches letters, numbers (general categories L and N) and `_`, but no marks. Its `\s` matches white
//! space and the four information separators.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

/// Whether Python's `\w` matches.
fn is_word(c: char) -> bool {
    // `is_alphanumeric` is true for categories L and N, and for Unicode's Other_Alphabetic: marks and these circled
    // letters.
    let circled = matches!(c, '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F149}' | '\u{1F150}'..='\u{1F169}'
        | '\u{1F170}'..='\u{1F189}');
    c == '_' || c.is_alphanumeric() && !circled && !is_combining_mark(c)
}

/// Whether Python's `\s` matches.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}')
}

/// Whether a character belongs to a script without spaces between words. Each such character counts as a
/// word.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{E7F}' | '\u{E80}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// The runs of word characters of a text.
pub fn plain(text: &str) -> Vec<&str> {
    split(text, |_| false)
}

/// The words of a lower-case text: each character of a script without spaces, and runs of other word characters.
pub fn fine(lower: &str) -> Vec<&str> {
    split(lower, is_unspaced)
}

/// Runs of word characters, and each character for which `alone` is true.
fn split(text: &str, alone: impl Fn(char) -> bool) -> Vec<&str> {
    let mut words = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let single = alone(c);
        if !single && is_word(c) {
            // The run grows by this character, or begins with it.
            open = Some(open.map_or(at, |run| run.start)..end);
            continue;
        }
        words.extend(open.take().map(|run| &text[run]));
        if single {
            words.push(&text[at..end]);
        }
    }
    words.extend(open.map(|run| &text[run]));
    words
}

/// The text with each run of white space replaced by one space, and without white space at both ends.
pub fn squeeze(text: &str) -> String {
    let parts = text.split(is_space).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}

/// Whether the text has only white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// Numbers for words: equal words have equal numbers.
#[derive(Debug, Default)]
pub struct Vocabulary<'a> {
    numbers: HashMap<&'a str, u32>,
}

impl<'a> Vocabulary<'a> {
    /// The number of each word. A new word gets the next free number.
    pub fn numbers(&mut self, words: &[&'a str]) -> Vec<u32> {
        let mut number = |word: &'a str| {
            let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX - 1);
            *self.numbers.entry(word).or_insert(next)
        };
        words.iter().map(|word| number(word)).collect()
    }
}

/// Lower case by Unicode's full mapping, with final sigmas, as in Python.
pub fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_python() {
        // Expected values: re.findall(r"\w+", text) of Python 3.11.
        assert_eq!(
            plain("a_b, c-d 1,5 ½ Ⅷ ² x̂y"),
            ["a_b", "c", "d", "1", "5", "½", "Ⅷ", "²", "x", "y"]
        );
        assert_eq!(plain("ⓐⓑ कि ಕಿ"), ["क", "ಕ"]);
        assert_eq!(plain("Ёлка—ёж «ъ»"), ["Ёлка", "ёж", "ъ"]);
        assert!(plain(" \u{1c}…").is_empty());
    }

    #[test]
    fn unspaced_scripts_count_by_character() {
        assert_eq!(fine("iphone 12手机，ก็"), ["iphone", "12", "手", "机", "ก", "็"]);
        assert_eq!(fine("한국어 カナ"), ["한국어", "カ", "ナ"]);
    }

    #[test]
    fn lower_case_is_full() {
        assert_eq!(lower("ΟΔΟΣ İ ẞ"), "οδος i\u{307} ß");
        assert_eq!(lower("plain"), "plain");
    }

    #[test]
    fn white_space_is_collapsed() {
        assert_eq!(squeeze(" a\u{a0}\n b\u{1f}c\u{200b} "), "a b c\u{200b}");
        assert!(is_blank(" \u{1c}\u{3000}"));
    }
}
