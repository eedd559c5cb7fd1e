//! Frames and blocks drawn with characters.

use super::pass::{Options, Pass};
use crate::text::rewrite::Rewrite;

/// Turns box drawing, block elements and geometric shapes (U+2500..U+25FF) into spaces.
pub(super) struct Pseudographics;

fn is_pseudographic(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{25FF}')
}

impl Pass for Pseudographics {
    fn name(&self) -> &'static str {
        "pseudographics"
    }

    fn summary(&self) -> &'static str {
        "turn box drawing, blocks and shapes into spaces"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && text.chars().any(is_pseudographic)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in text.char_indices().filter(|&(_, c)| is_pseudographic(c)) {
            out.keep(text, kept..at);
            out.replace_char(at, c, ' ');
            kept = at + c.len_utf8();
        }
        out.keep(text, kept..text.len());
    }
}
