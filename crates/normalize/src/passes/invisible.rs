//! Invisible characters.

use super::pass::{Example, Options, Pass};
use crate::text::chars::is_invisible;
use crate::text::rewrite::Rewrite;

/// Deletes characters that only control line breaking, joining and direction: the soft hyphen, zero-width spaces and
/// joiners, direction marks, embeddings and isolates, invisible operators, variation selectors, tags.
///
/// Beyond the list of the method (U+00AD, U+200B..U+200F, U+202A..U+202E, U+2060..U+2064, U+FEFF), later
/// additions of this kind are deleted: U+034F, U+061C, U+180B..U+180F, U+2065..U+206F, U+FE00..U+FE0F, U+FFF9..U+FFFB,
/// U+E0000..U+E0FFF. Otherwise a heart with and without the request for a colored picture would differ.
pub(super) struct Invisible;

impl Pass for Invisible {
    fn name(&self) -> &'static str {
        "invisible"
    }

    fn summary(&self) -> &'static str {
        "delete soft hyphens, zero-width characters, direction marks and variation selectors"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("English", &["co\u{AD}operate", "cooperate"]),
                Example::new("Persian", &["می\u{200C}خواهم", "میخواهم"]),
                Example::new("Sinhala", &["ශ්\u{200D}රී", "ශ්රී"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && text.chars().any(is_invisible)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in text.char_indices().filter(|&(_, c)| is_invisible(c)) {
            out.keep(text, kept..at);
            kept = at + c.len_utf8();
        }
        out.keep(text, kept..text.len());
    }
}
