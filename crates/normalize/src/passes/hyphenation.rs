//! Words broken at the end of a line.

use memchr::memchr_iter;

use super::pass::{Example, Options, Pass};
use crate::text::chars::is_letter;
use crate::text::rewrite::Rewrite;

/// Joins a word that is broken over two lines: letter, hyphen (`-` or U+2010), line feed (or carriage return and line
/// feed), white space, letter. Wrong for compound words that were broken at their own hyphen, and therefore meant for plain
/// text with fixed lines.
pub(super) struct Hyphenation;

/// Offset of the hyphen and of the continuation, if the line that ends with the line feed at `feed` breaks a word.
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

    fn examples(&self) -> &'static [Example] {
        const { &[Example::new("Russian", &["пере-\nнос", "перенос"])] }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        memchr_iter(b'\n', text.as_bytes())
            .any(|feed| text[..feed].trim_end_matches('\r').ends_with(['-', '\u{2010}']))
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for feed in memchr_iter(b'\n', text.as_bytes()) {
            // Line feeds before `kept` were consumed by the preceding join.
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
