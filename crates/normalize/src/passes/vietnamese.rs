//! Position of the tone mark in Vietnamese.

use unicode_normalization::UnicodeNormalization;

use super::pass::{Example, Options, Pass};
use crate::text::chars::{extends, is_word_char};
use crate::text::rewrite::Rewrite;

/// Moves the tone mark of òa, òe and ùy at the end of a word to the second vowel: hòa and hoà, khỏe and khoẻ,
/// thúy and thuý are the same words, spelled by the older and the newer rule. Words of other languages with
/// such an ending change, too; no two words are known to differ only in this.
pub(super) struct Vietnamese;

/// Vowel and tone mark of an o or u that has a tone mark and no other mark; `None` for other characters.
fn toned(c: char) -> Option<(char, char)> {
    Some(match c {
        'ò' => ('o', '\u{300}'),
        'ó' => ('o', '\u{301}'),
        'õ' => ('o', '\u{303}'),
        'ỏ' => ('o', '\u{309}'),
        'ọ' => ('o', '\u{323}'),
        'ù' => ('u', '\u{300}'),
        'ú' => ('u', '\u{301}'),
        'ũ' => ('u', '\u{303}'),
        'ủ' => ('u', '\u{309}'),
        'ụ' => ('u', '\u{323}'),
        'Ò' => ('O', '\u{300}'),
        'Ó' => ('O', '\u{301}'),
        'Õ' => ('O', '\u{303}'),
        'Ỏ' => ('O', '\u{309}'),
        'Ọ' => ('O', '\u{323}'),
        'Ù' => ('U', '\u{300}'),
        'Ú' => ('U', '\u{301}'),
        'Ũ' => ('U', '\u{303}'),
        'Ủ' => ('U', '\u{309}'),
        'Ụ' => ('U', '\u{323}'),
        _ => return None,
    })
}

/// Whether a tone mark on the first vowel moves to the second at the end of a word.
pub(crate) fn moves(first: char, second: char) -> bool {
    match toned(first) {
        Some(('o' | 'O', _)) => matches!(second, 'a' | 'e' | 'A' | 'E'),
        Some(_) => matches!(second, 'y' | 'Y'),
        None => false,
    }
}

/// Offsets of the first vowels whose tone mark moves, with the two vowels.
fn moving(text: &str) -> impl Iterator<Item = (usize, char, char)> + '_ {
    text.char_indices().filter_map(|(at, first)| {
        let mut rest = text[at + first.len_utf8()..].chars();
        let second = rest.next().filter(|&second| moves(first, second))?;
        let ends = rest
            .next()
            .is_none_or(|next| !is_word_char(next) && !extends(next));
        ends.then_some((at, first, second))
    })
}

impl Pass for Vietnamese {
    fn name(&self) -> &'static str {
        "vietnamese"
    }

    fn summary(&self) -> &'static str {
        "Vietnamese: the tone mark of oa, oe and uy on the second vowel"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Vietnamese", &["hòa", "hoà"]),
                Example::new("Vietnamese", &["thúy", "thuý"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && moving(text).next().is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, first, second) in moving(text) {
            let Some((vowel, tone)) = toned(first) else {
                continue;
            };
            out.keep(text, kept..at);
            kept = at + first.len_utf8() + second.len_utf8();
            out.replace(at..kept, [vowel, second, tone].into_iter().nfc());
        }
        out.keep(text, kept..text.len());
    }
}
