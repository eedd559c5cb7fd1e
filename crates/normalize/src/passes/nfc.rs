//! Canonical composition.

use super::pass::{Options, Pass};
use crate::text::compose::{Canonical, changes, compose};
use crate::text::rewrite::Rewrite;

/// Unicode normalization form NFC (UAX #15): é becomes one character, however it was typed. Superscripts, ligatures and full-width
/// forms stay, since x² and x2 are different texts.
pub(super) struct Nfc;

impl Pass for Nfc {
    fn name(&self) -> &'static str {
        "nfc"
    }

    fn summary(&self) -> &'static str {
        "NFC: letters and their marks as one character; superscripts, ligatures and full-width characters stay"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        changes::<Canonical>(text)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        compose::<Canonical>(text, out);
    }
}
