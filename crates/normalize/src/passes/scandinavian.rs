//! Letters that Danish and Norwegian write differently from Swedish.

use super::pass::{Example, Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Replaces the letters of Swedish by those of Danish and Norwegian (ä by æ, ö by ø), and their ASCII spellings: aa and ao by å, ae by æ, oe and oo
/// by ø (Lucene's ScandinavianNormalizationFilter). Only for texts in these languages.
pub(super) struct Scandinavian;

/// Letter for the one or two letters at the start of `rest`, with their length in bytes; `None` if they stay.
fn letter(rest: &str) -> Option<(usize, char)> {
    let mut chars = rest.chars();
    let first = chars.next()?;
    let second = chars.next();
    // A letter followed by a mark is another letter.
    let plain = |next: Option<char>| !next.is_some_and(extends);
    let third = chars.next();
    if plain(third)
        && let Some(second) = second
    {
        let pair = match (first, second.to_ascii_lowercase()) {
            ('a', 'a' | 'o') => Some('å'),
            ('A', 'a' | 'o') => Some('Å'),
            ('a', 'e') => Some('æ'),
            ('A', 'e') => Some('Æ'),
            ('o', 'e' | 'o') => Some('ø'),
            ('O', 'e' | 'o') => Some('Ø'),
            _ => None,
        };
        if let Some(pair) = pair {
            return Some((2, pair));
        }
    }
    let single = match first {
        'ä' => 'æ',
        'Ä' => 'Æ',
        'ö' => 'ø',
        'Ö' => 'Ø',
        _ => return None,
    };
    plain(second).then_some((first.len_utf8(), single))
}

impl Pass for Scandinavian {
    fn name(&self) -> &'static str {
        "scandinavian"
    }

    fn summary(&self) -> &'static str {
        "Scandinavian: ä and ae as æ, ö and oe as ø, aa as å"
    }

    fn examples(&self) -> &'static [Example] {
        const { &[Example::new("Swedish, Danish", &["räka", "ræka"])] }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.char_indices().any(|(at, _)| letter(&text[at..]).is_some())
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        out.replace_along(text, |_, rest| letter(rest).map(|(len, letter)| (len, [letter])));
    }
}
