//! Text without spaces.

use unicode_normalization::UnicodeNormalization;

use super::pass::{Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Deletes all white space. Words run together, so no pass that looks at words may follow.
pub(super) struct NoSpaces;

impl Pass for NoSpaces {
    fn name(&self) -> &'static str {
        "no-spaces"
    }

    fn summary(&self) -> &'static str {
        "delete all white space, for shingles of characters"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.contains(char::is_whitespace)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        let mut at = 0;
        while let Some(found) = text[at..].find(char::is_whitespace) {
            let gap = at + found;
            let rest = text[gap..].trim_start();
            let next = text.len() - rest.len();
            at = next;
            if !rest.starts_with(extends) {
                out.keep(text, kept..gap);
                kept = next;
                continue;
            }
            // A mark or a Hangul vowel now follows the character before the gap. The cluster is composed again, across
            // further gaps if it continues after them.
            let base = cluster_start(text, kept, gap);
            out.keep(text, kept..base);
            let mut end = next;
            for (offset, c) in rest.char_indices() {
                if extends(c) {
                    end = next + offset + c.len_utf8();
                } else if !c.is_whitespace() {
                    break;
                }
            }
            out.replace(
                base..end,
                text[base..end].chars().filter(|c| !c.is_whitespace()).nfc(),
            );
            kept = end;
            at = end;
        }
        out.keep(text, kept..text.len());
    }
}

/// Start of the last character in `text[from..to]`, including the characters that extend it.
fn cluster_start(text: &str, from: usize, to: usize) -> usize {
    text[from..to]
        .char_indices()
        .rev()
        .find(|&(_, c)| !extends(c))
        .map_or(from, |(at, _)| from + at)
}
