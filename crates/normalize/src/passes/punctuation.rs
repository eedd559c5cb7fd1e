//! Punctuation and symbols.

use super::pass::{Options, Pass};
use crate::text::chars::{is_letter_or_digit, is_mark};
use crate::text::rewrite::Rewrite;

/// Replaces everything but letters, digits, their marks and white space by spaces. A mark without a letter or digit before
/// it counts as a symbol.
pub(super) struct Punctuation;

/// Characters that are replaced, with their offsets.
fn symbols(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut in_word = false;
    text.char_indices().filter(move |&(_, c)| {
        in_word = is_letter_or_digit(c) || in_word && is_mark(c);
        !in_word && !c.is_whitespace()
    })
}

impl Pass for Punctuation {
    fn name(&self) -> &'static str {
        "punctuation"
    }

    fn summary(&self) -> &'static str {
        "turn punctuation and symbols into spaces"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        symbols(text).next().is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in symbols(text) {
            out.keep(text, kept..at);
            out.replace_char(at, c, ' ');
            kept = at + c.len_utf8();
        }
        out.keep(text, kept..text.len());
    }
}
