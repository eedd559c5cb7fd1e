//! White space.

use super::pass::{Options, Pass};
use crate::text::rewrite::Rewrite;

/// Replaces every run of white space (Unicode `White_Space`) by one space, and removes white space at both ends.
pub(super) struct WhiteSpace;

impl Pass for WhiteSpace {
    fn name(&self) -> &'static str {
        "white-space"
    }

    fn summary(&self) -> &'static str {
        "collapse white space to single spaces, trim both ends"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        let mut spaced = true;
        for c in text.chars() {
            if c.is_whitespace() {
                if spaced || c != ' ' {
                    return true;
                }
                spaced = true;
            } else {
                spaced = false;
            }
        }
        spaced && !text.is_empty()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let word = at + (rest.len() - rest.trim_start().len());
            let Some(len) = text[word..]
                .find(char::is_whitespace)
                .or_else(|| Some(text.len() - word))
            else {
                break;
            };
            if len == 0 {
                break;
            }
            if out.written() > 0 {
                // A space that stays keeps its one-to-one offsets.
                match &text[at..word] {
                    " " => out.keep(text, at..word),
                    _ => out.replace(at..word, [' ']),
                }
            }
            out.keep(text, word..word + len);
            at = word + len;
        }
    }
}
