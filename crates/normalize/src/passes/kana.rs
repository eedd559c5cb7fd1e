//! Kana.

use super::pass::{Example, Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Converts Katakana to Hiragana, and deletes the prolonged sound mark at the end of a run of at least four characters: サーバー and サーバ are
/// the same word, and コピー stays (as in Lucene's JapaneseKatakanaStemFilter).
pub(super) struct Kana;

const LONG: char = 'ー';
/// Minimum number of characters of a run that loses its final mark.
const LEAST: usize = 4;

fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | LONG)
}

/// Hiragana letter for a Katakana letter; `None` if there is no counterpart.
fn hiragana(c: char) -> Option<char> {
    match c {
        '\u{30A1}'..='\u{30F6}' => char::from_u32(u32::from(c) - 0x60),
        _ => None,
    }
}

impl Pass for Kana {
    fn name(&self) -> &'static str {
        "kana"
    }

    fn summary(&self) -> &'static str {
        "Japanese: Katakana as Hiragana, no long mark at the end of longer words"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Japanese", &["サーバー", "サーバ"]),
                Example::new("Japanese", &["カタカナ", "かたかな"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.chars().any(is_kana)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        let mut at = 0;
        while let Some(found) = text[at..].find(is_kana) {
            let start = at + found;
            let end = text[start..]
                .find(|c| !is_kana(c))
                .map_or(text.len(), |len| start + len);
            let mut stays = &text[start..end];
            // A voicing mark after the run belongs to its last character, which therefore stays.
            if !text[end..].starts_with(extends) {
                let mut left = stays.chars().count();
                while left >= LEAST
                    && let Some(shorter) = stays.strip_suffix(LONG)
                {
                    stays = shorter;
                    left -= 1;
                }
            }
            for (offset, c) in stays.char_indices() {
                if let Some(other) = hiragana(c) {
                    out.keep(text, kept..start + offset);
                    out.replace_char(start + offset, c, other);
                    kept = start + offset + c.len_utf8();
                }
            }
            if stays.len() < end - start {
                out.keep(text, kept..start + stays.len());
                kept = end;
            }
            at = end;
        }
        out.keep(text, kept..text.len());
    }
}
