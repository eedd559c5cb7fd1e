//! The middle dot in Catalan.

use super::pass::{Example, Options, Pass};
use crate::text::rewrite::Rewrite;

/// Deletes the middle dot between two l, which separates the letters and not the word: col·lega and coŀlega become "collega". Other middle
/// dots stay: they separate factors, syllables and items of lists.
pub(super) struct MiddleDot;

pub(crate) fn is_dot(c: char) -> bool {
    matches!(c, '·' | '\u{2027}' | '\u{2219}' | '\u{22C5}')
}

/// Whether the dot of `len` bytes at `at` is between two l.
pub(crate) fn is_inner(text: &str, at: usize, len: usize) -> bool {
    text[..at].ends_with(['l', 'L']) && text[at + len..].starts_with(['l', 'L'])
}

fn inner_dots(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    text.char_indices()
        .filter(|&(at, c)| is_dot(c) && is_inner(text, at, c.len_utf8()))
}

impl Pass for MiddleDot {
    fn name(&self) -> &'static str {
        "middle-dot"
    }

    fn summary(&self) -> &'static str {
        "Catalan: no dot between two l"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[Example::new(
                "Catalan",
                &["col·lega", "coŀlega", "col\u{2219}lega"],
            )]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && inner_dots(text).next().is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in inner_dots(text) {
            out.keep(text, kept..at);
            kept = at + c.len_utf8();
        }
        out.keep(text, kept..text.len());
    }
}
