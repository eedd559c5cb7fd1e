//! Words broken at the end of a line.

use memchr::memchr_iter;

use super::pass::{Options, Pass};
use crate::text::chars::is_letter;
use crate::text::rewrite::Rewrite;

/// Joins a word that is broken over lines: letter, hyphen (`-` or U+2010), line feed (or carriage return and line
/// feed), white space, letter. Wrong for compound words whose own hyphen stood at the line end, hence meant for plain
/// text that was set in lines.
pub(super) struct Hyphenation;

/// If the line that ends with the line feed at `feed` breaks a word: where the hyphen stands and where the word goes
/// on.
fn broken_word(text: &str, feed: usize) -> Option<(usize, usize)> {
    let line = text[..feed].strip_suffix('\r').unwrap_or(&text[..feed]);
    let head = line.strip_suffix('-').or_else(|| line.strip_suffix('\u{2010}'))?;
    let tail = text[feed..].trim_start();
    (head.ends_with(is_letter) && tail.starts_with(is_letter)).then(|| (head.len(), text.len() - tail.len()))
}

impl Pass for Hyphenation {
    fn name(&self) -> &'static str {
        "hyphenation"
    }

    fn summary(&self) -> &'static str {
        "join words hyphenated at a line end"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        memchr_iter(b'\n', text.as_bytes())
            .any(|feed| text[..feed].trim_end_matches('\r').ends_with(['-', '\u{2010}']))
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for feed in memchr_iter(b'\n', text.as_bytes()) {
            // A line feed inside the white space of a join that is done lies before `kept`.
            if feed >= kept
                && let Some((hyphen, next)) = broken_word(text, feed)
            {
                out.keep(text, kept..hyphen);
                kept = next;
            }
        }
        out.keep(text, kept..text.len());
    }
}
