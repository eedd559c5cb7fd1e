//! Acronyms with full stops.

use super::pass::{Example, Options, Pass};
use crate::text::chars::{is_letter_of_words, is_word_char};
use crate::text::rewrite::Rewrite;

/// Deletes the full stops of acronyms, which are at least two single letters, each with a full stop: U.S.A.
/// and USA, т.д. and тд are the same. The last letter may lack its full stop. Letters separated by spaces are
/// initials and stay.
pub(super) struct Acronyms;

/// Length in bytes of the acronym at the start of a text, with its full stops; `None` if there is no acronym.
fn acronym_len(rest: &str) -> Option<usize> {
    let (mut len, mut letters) = (0, 0);
    loop {
        let mut chars = rest[len..].chars();
        let letter = chars.next().filter(|&c| is_letter_of_words(c));
        let Some(letter) = letter else {
            break;
        };
        match chars.next() {
            Some('.') => len += letter.len_utf8() + 1,
            // A final letter without a full stop belongs to the acronym; a longer word does not.
            next if letters > 0 && next.is_none_or(|next| !is_word_char(next)) => {
                return Some(len + letter.len_utf8());
            }
            _ => return None,
        }
        letters += 1;
    }
    // A following digit, as in "v.1.2", or mark means that this is not an acronym.
    (letters > 1 && !rest[len..].starts_with(is_word_char)).then_some(len)
}

/// Byte ranges of all acronyms, as start and end.
fn acronyms(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut end = 0;
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, c)| {
        // An acronym does not begin inside a word, or after a full stop, as in `example.u.s`.
        let inside = at < end || is_word_char(before) || before == '.';
        before = c;
        if inside || !c.is_alphabetic() {
            return None;
        }
        let len = acronym_len(&text[at..])?;
        end = at + len;
        Some((at, end))
    })
}

impl Pass for Acronyms {
    fn name(&self) -> &'static str {
        "acronyms"
    }

    fn summary(&self) -> &'static str {
        "no full stops between single letters (U.S.A.)"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("English", &["U.S.A.", "USA"]),
                Example::new("Russian", &["С.Ш.А.", "США"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.contains('.') && acronyms(text).next().is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (start, end) in acronyms(text) {
            for (offset, _) in text[start..end].match_indices('.') {
                out.keep(text, kept..start + offset);
                kept = start + offset + 1;
            }
        }
        out.keep(text, kept..text.len());
    }
}
