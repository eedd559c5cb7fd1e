//! Compatibility composition.

use super::pass::{Options, Pass};
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

    fn touches(&self, text: &str, _: &Options) -> bool {
        changes::<Compatible>(text)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        compose::<Compatible>(text, out);
    }
}
