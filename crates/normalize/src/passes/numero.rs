//! `№`.

use memchr::memmem;

use super::pass::{Options, Pass};
use crate::text::rewrite::Rewrite;

/// Replaces `№` by a space. NFKC would turn it into the letters "No", and "№7" into the word "No7".
pub(super) struct Numero;

const NUMERO: &str = "№";

impl Pass for Numero {
    fn name(&self) -> &'static str {
        "numero"
    }

    fn summary(&self) -> &'static str {
        "turn № into a space, before NFKC makes the letters No of it"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        memmem::find(text.as_bytes(), NUMERO.as_bytes()).is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for at in memmem::find_iter(text.as_bytes(), NUMERO.as_bytes()) {
            out.keep(text, kept..at);
            out.replace_char(at, '№', ' ');
            kept = at + NUMERO.len();
        }
        out.keep(text, kept..text.len());
    }
}
