//! Umlauts in German.

use super::pass::{Example, Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Replaces ä, ö and ü and their spellings ae, oe and ue by a, o and u, and ß by ss: Müller, Mueller and Muller become the same word (Lucene's
/// GermanNormalizationFilter, after Snowball's german2). The e stays after a u that follows a vowel or q (treue, Quelle). Only for German texts.
pub(super) struct German;

/// Replacement at the start of `rest`: number of bytes replaced, and the new letters.
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
        // All following e are removed, so that the result is not an umlaut again. An e with a mark is another letter.
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

    fn examples(&self) -> &'static [Example] {
        const { &[Example::new("German", &["Müller", "Mueller"])] }
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
