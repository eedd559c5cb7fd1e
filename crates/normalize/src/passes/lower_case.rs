//! Lower case, and ё to е.

use unicode_normalization::UnicodeNormalization;

use super::pass::{Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Lower-cases by Unicode's default mapping (not case folding: ß stays, Σ at the end of a word becomes ς), and replaces ё by е.
///
/// A changed letter is composed again with the marks that follow it: j + caron has a composed form, J + caron
/// has none. A ё that results from this composition is replaced, too.
pub(super) struct LowerCase;

const DIAERESIS: char = '\u{308}';

/// Whether lower-casing or folding changes `c`.
fn changes(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_uppercase();
    }
    let mut lower = c.to_lowercase();
    c == 'ё' || lower.next() != Some(c) || lower.next().is_some()
}

impl Pass for LowerCase {
    fn name(&self) -> &'static str {
        "lower-case"
    }

    fn summary(&self) -> &'static str {
        "lower case (Unicode default), ё to е"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        let mut before = ' ';
        text.chars()
            .any(|c| changes(c) || std::mem::replace(&mut before, c) == 'е' && extends(c))
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut sigmas = Sigmas::default();
        let mut kept = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let marked = chars.peek().is_some_and(|&(_, next)| extends(next));
            if !(changes(c) || marked && c == 'е') {
                continue;
            }
            out.keep(text, kept..at);
            kept = at + c.len_utf8();
            let lower = if c == 'Σ' {
                Lower::One(sigmas.lower(text, at))
            } else {
                Lower::of(c)
            };
            if !marked {
                match lower {
                    Lower::One('ё') => out.replace_char(at, c, 'е'),
                    Lower::One(lower) => out.replace_char(at, c, lower),
                    Lower::More => out.replace(at..kept, c.to_lowercase()),
                }
                continue;
            }
            // The small letter may compose with marks with which the capital did not.
            while let Some((mark, c)) = chars.next_if(|&(_, next)| extends(next)) {
                kept = mark + c.len_utf8();
            }
            let marks = text[at + c.len_utf8()..kept].chars();
            match lower {
                Lower::One(lower) => fold(std::iter::once(lower).chain(marks).nfc(), at..kept, out),
                Lower::More => fold(c.to_lowercase().chain(marks).nfc(), at..kept, out),
            }
        }
        out.keep(text, kept..text.len());
    }
}

/// Writes a composed cluster. If it begins with ё, writes е and the rest without any diaeresis.
fn fold(cluster: impl Iterator<Item = char> + Clone, from: std::ops::Range<usize>, out: &mut Rewrite) {
    if cluster.clone().next() == Some('ё') {
        out.replace(
            from,
            std::iter::once('е')
                .chain(cluster.skip(1).filter(|&c| c != DIAERESIS))
                .nfc(),
        );
    } else {
        out.replace(from, cluster);
    }
}

/// Lower case of a character, nearly always a single character.
enum Lower {
    One(char),
    More,
}

impl Lower {
    fn of(c: char) -> Self {
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(one), None) => Self::One(one),
            _ => Self::More,
        }
    }
}

/// Decides between σ and ς.
///
/// The rule looks past apostrophes, full stops and marks to the next letter, but never past white space. So
/// each run between white space is lower-cased once, when its first Σ is reached.
#[derive(Default)]
struct Sigmas {
    run_end: usize,
    /// Lower case of the sigmas in the run, in reverse order.
    lower: Vec<char>,
}

impl Sigmas {
    /// Lower case of the Σ at byte `at`. Must be called for each Σ of the text, in order.
    fn lower(&mut self, text: &str, at: usize) -> char {
        if at >= self.run_end {
            let start = text[..at].rfind(char::is_whitespace).map_or(0, |space| space);
            self.run_end = text[at..]
                .find(char::is_whitespace)
                .map_or(text.len(), |offset| at + offset);
            // The standard library decides between σ and ς. Its output is walked beside the run, one
            // character at a time.
            let run = &text[start..self.run_end];
            let lowered = run.to_lowercase();
            let mut lowered = lowered.chars();
            self.lower.clear();
            for c in run.chars() {
                let first = lowered.next();
                if c == 'Σ' {
                    self.lower.push(first.unwrap_or('σ'));
                }
                // İ is the only character with a longer lower case.
                for _ in 1..c.to_lowercase().count() {
                    lowered.next();
                }
            }
            self.lower.reverse();
        }
        self.lower.pop().unwrap_or('σ')
    }
}
