//! Hyphens inside words.

use super::pass::{Example, Options, Pass};
use crate::text::chars::is_letter_of_words;
use crate::text::rewrite::Rewrite;

/// Deletes a hyphen, or the maqaf of Hebrew, between two letters: e-mail and email become the same word.
pub(super) struct InnerHyphens;

/// Hyphens between two letters, with their offsets.
fn hyphens(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    text.char_indices().filter(|&(at, c)| {
        matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{5BE}')
            && text[..at].ends_with(is_letter_of_words)
            && text[at + c.len_utf8()..].starts_with(is_letter_of_words)
    })
}

impl Pass for InnerHyphens {
    fn name(&self) -> &'static str {
        "inner-hyphens"
    }

    fn summary(&self) -> &'static str {
        "no hyphen between letters"
    }

    fn examples(&self) -> &'static [Example] {
        const { &[Example::new("English", &["e-mail", "email"])] }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        hyphens(text).next().is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in hyphens(text) {
            out.keep(text, kept..at);
            kept = at + c.len_utf8();
        }
        out.keep(text, kept..text.len());
    }
}
