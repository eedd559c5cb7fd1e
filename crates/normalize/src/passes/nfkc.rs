//! Compatibility composition.

use super::pass::{Example, Options, Pass};
use crate::text::compose::{Compatible, changes, compose};
use crate::text::rewrite::Rewrite;

/// Unicode normalization form NFKC (UAX #15): ligatures, full-width forms, superscripts, the no-break space and `…` are replaced
/// by plain characters. Combining marks stay, because й and ё need theirs.
pub(super) struct Nfkc;

impl Pass for Nfkc {
    fn name(&self) -> &'static str {
        "nfkc"
    }

    fn summary(&self) -> &'static str {
        "NFKC: one form for ligatures, full-width and composed characters, no-break spaces"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Japanese", &["ｶﾞｽ", "ガス"]),
                Example::new("Korean", &["\u{1112}\u{1161}\u{11AB}", "한"]),
                Example::new("Dutch", &["ĳs", "ijs"]),
                Example::new("Croatian", &["ǆep", "džep"]),
                Example::new("Welsh", &["w\u{302}yr", "ŵyr"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        changes::<Compatible>(text)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        compose::<Compatible>(text, out);
    }
}
