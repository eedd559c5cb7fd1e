//! Apostrophes.

use super::pass::{Example, Options, Pass};
use crate::text::chars::{is_letter_of_words, is_mark};
use crate::text::rewrite::Rewrite;

/// Replaces every apostrophe between two letters by U+02BC, which is a letter in Unicode, so that no tokenizer splits there, and every other
/// apostrophe by `'`.
///
/// Apostrophes are the characters used as such by keyboards and fonts: `'`, the single quotation marks, the modifier letters for apostrophe,
/// hamza, ayin and prime, the grave accent, the prime, the Armenian apostrophe, the geresh, the saltillo. Only letters of scripts with spaces
/// between words count: between Han letters it is a quotation mark. At the edge of a word it cannot be distinguished from a quotation mark.
pub(super) struct Apostrophes;

/// The character that replaces an apostrophe inside a word.
pub(crate) const INNER: char = '\u{2BC}';

pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '\u{2B9}' | '\u{2BB}'
            ..='\u{2BF}'
                | '\u{55A}'
                | '\u{5F3}'
                | '\u{2018}'
                | '\u{2019}'
                | '\u{201B}'
                | '\u{2032}'
                | '\u{A78B}'..='\u{A78C}'
                | '\u{FF07}'
    )
}

/// Whether an apostrophe between two characters of this kind is inside a word.
pub(crate) fn joins(c: char) -> bool {
    c.is_ascii_alphabetic() || is_letter_of_words(c) && !is_apostrophe(c)
}

/// Replacement for the apostrophe `c` at `at`.
fn form(text: &str, at: usize, c: char) -> char {
    let before = text[..at].trim_end_matches(is_mark).chars().next_back();
    let after = text[at + c.len_utf8()..].chars().next();
    if before.is_some_and(joins) && after.is_some_and(joins) {
        INNER
    } else {
        '\''
    }
}

impl Pass for Apostrophes {
    fn name(&self) -> &'static str {
        "apostrophes"
    }

    fn summary(&self) -> &'static str {
        "one apostrophe inside words, which is a letter (\u{2BC}), and one elsewhere"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Uzbek", &["oʻzbek", "o'zbek", "o‘zbek", "o`zbek"]),
                Example::new("Ukrainian", &["пʼять", "п'ять", "п’ять"]),
                Example::new("Belarusian", &["аб’ява", "аб'ява"]),
                Example::new("English", &["don’t", "don't"]),
                Example::new("French", &["l’homme", "l'homme"]),
                Example::new("Breton", &["c’hwi", "c'hwi"]),
                Example::new("Swahili", &["ng’ombe", "ng'ombe"]),
                Example::new("Hawaiian", &["Hawaiʻi", "Hawai'i"]),
                Example::new("Hebrew", &["צ'ק", "צ׳ק"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.contains(is_apostrophe)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in text.char_indices().filter(|&(_, c)| is_apostrophe(c)) {
            let form = form(text, at, c);
            if form != c {
                out.keep(text, kept..at);
                out.replace_char(at, c, form);
                kept = at + c.len_utf8();
            }
        }
        out.keep(text, kept..text.len());
    }
}
