//! Umlauts of German.

use super::pass::{Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Takes ä, ö and ü and their spellings ae, oe and ue for a, o and u, and ß for ss: Müller, Mueller and Muller are the same (Lucene's GermanNormalizationFilter,
/// after Snowball's german2). The e stays behind a u that follows a vowel or q (treue, Quelle). For texts in German alone.
pub(super) struct German;

/// What stands at a place: how many bytes of it are rewritten, and as what.
fn change(before: Option<char>, rest: &str) -> Option<(usize, &'static str)> {
    let first = rest.chars().next()?;
    let (plain, is_u) = match first {
        'a' | 'ä' => ("a", false),
        'o' | 'ö' => ("o", false),
        'u' | 'ü' => ("u", true),
        'A' | 'Ä' => ("A", false),
        'O' | 'Ö' => ("O", false),
        'U' | 'Ü' => ("U", true),
        'ß' => ("ss", false),
        'ẞ' => ("SS", false),
        _ => return None,
    };
    let mut len = first.len_utf8();
    let behind_vowel = before.is_some_and(|c| "aeiouyqAEIOUYQ".contains(c));
    if plain.len() == 1 && !(is_u && behind_vowel) {
        // All of them, so that what is left is not an umlaut again. An e with a mark is another letter.
        while rest[len..].starts_with(['e', 'E']) && !rest[len + 1..].starts_with(extends) {
            len += 1;
        }
    }
    if rest[len..].starts_with(extends) || len == first.len_utf8() && first.is_ascii() {
        return None;
    }
    Some((len, plain))
}

impl Pass for German {
    fn name(&self) -> &'static str {
        "german"
    }

    fn summary(&self) -> &'static str {
        "German: ä and ae as a, ö and oe as o, ü and ue as u, ß as ss"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.char_indices()
            .any(|(at, _)| change(None, &text[at..]).is_some())
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        out.replace_along(text, |before, rest| {
            change(before, rest).map(|(len, with)| (len, with.chars()))
        });
    }
}
