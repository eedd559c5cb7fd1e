//! Stress marks.

use memchr::memmem;
use unicode_normalization::UnicodeNormalization;

use super::pass::{Example, Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Deletes the acute accent U+0301 that remains after composition, which Russian texts use for stress ("Аксоло́тль"),
/// and composes again: е + U+0301 + U+0308 becomes ё. Letters such as é contain the accent and keep it.
pub(super) struct Stress;

const ACUTE: char = '\u{301}';

impl Pass for Stress {
    fn name(&self) -> &'static str {
        "stress"
    }

    fn summary(&self) -> &'static str {
        "delete stress marks (U+0301 that composes with no letter)"
    }

    fn examples(&self) -> &'static [Example] {
        const { &[Example::new("Russian", &["за\u{301}мок", "замок"])] }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        memmem::find(text.as_bytes(), "\u{301}".as_bytes()).is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        let mut at = 0;
        while let Some(found) = text[at..].find(ACUTE) {
            let accent = at + found;
            // The whole cluster around the accent is composed again: a mark after the accent may now compose
            // with the letter.
            let base = text[kept..accent]
                .char_indices()
                .rev()
                .find(|&(_, c)| !extends(c))
                .map_or(kept, |(offset, _)| kept + offset);
            let end = text[accent..]
                .find(|c| !extends(c))
                .map_or(text.len(), |offset| accent + offset);
            let cluster = &text[base..end];
            out.keep(text, kept..base);
            out.replace(base..end, cluster.nfc().filter(|&c| c != ACUTE).nfc());
            kept = end;
            at = end;
        }
        out.keep(text, kept..text.len());
    }
}
