//! Pairs of characters or syllables in scripts without spaces.

use std::ops::Range;

use super::pass::{Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;
use crate::words::syllables::joins;
use crate::words::unspaced::{is_unspaced, runs};

/// Writes scripts without spaces as overlapping pairs: 東京都民 becomes 東京 京都 都民, and ภาษาไทย becomes ภาษา ษาไท ไทย.
///
/// A pair is two characters of Chinese or Japanese, or two syllables of Thai, Lao, Khmer or Burmese as
/// [`words`](crate::words()) cuts them. A word of Katakana stays whole, and so does a character that stands
/// alone. [`Profile::token_rule`](crate::Profile::token_rule) takes each pair for one token: an index of
/// pairs finds words without a dictionary. CJKBigramFilter of Lucene does this for Chinese, Japanese and
/// Korean; Korean has spaces, and is left as it is here. The pairs of a word do not depend on its neighbors.
pub(super) struct Bigrams;

/// A character with its marks, a syllable, or a word of Katakana.
#[derive(Clone)]
struct Unit {
    range: Range<usize>,
    /// A word of Katakana, which is in no pair.
    is_word: bool,
}

/// The units of a run of letters of scripts without spaces. Together they cover the run.
fn units(text: &str, run: Range<usize>) -> Vec<Unit> {
    let is_katakana = |c| matches!(c, '\u{30A1}'..='\u{30FC}' | '\u{31F0}'..='\u{31FF}');
    let mut units: Vec<Unit> = Vec::new();
    let mut chars = text[run.clone()].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        while chars.next_if(|&(_, next)| extends(next)).is_some() {}
        let end = chars.peek().map_or(run.end, |&(next, _)| run.start + next);
        let piece = run.start + at..end;
        // A piece joins the unit before it if both are Katakana, or if both are parts of one syllable.
        if let Some(last) = units.last_mut() {
            let before = &text[last.range.clone()];
            let is_word = is_katakana(c) && before.starts_with(is_katakana);
            if is_word || joins(before, &text[piece.clone()]) {
                last.range.end = end;
                last.is_word |= is_word;
                continue;
            }
        }
        units.push(Unit {
            range: piece,
            is_word: false,
        });
    }
    units
}

impl Pass for Bigrams {
    fn name(&self) -> &'static str {
        "bigrams"
    }

    fn summary(&self) -> &'static str {
        "Chinese, Japanese, Thai, Lao, Khmer, Burmese: overlapping pairs of characters or syllables, with spaces between"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.chars().any(is_unspaced)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        // A unit is the source of all that is written for it, since most are written twice.
        let write =
            |out: &mut Rewrite, range: &Range<usize>| out.replace(range.clone(), text[range.clone()].chars());
        let write_apart = |out: &mut Rewrite, range: &Range<usize>| {
            out.replace(
                range.clone(),
                std::iter::once(' ').chain(text[range.clone()].chars()),
            );
        };
        let is_apart = |c: Option<char>| c.is_none_or(char::is_whitespace);
        for run in runs(text) {
            let units = units(text, run.clone());
            let Some(first) = units.first() else {
                continue;
            };
            out.keep(text, kept..run.start);
            kept = run.end;
            // A run that follows another one directly has its space already.
            let before = out.text().chars().next_back();
            if is_apart(before) {
                write(out, &first.range);
            } else {
                write_apart(out, &first.range);
            }
            for (number, pair) in units.windows(2).enumerate() {
                let [left, right] = pair else { continue };
                if left.is_word || right.is_word {
                    write_apart(out, &right.range);
                    continue;
                }
                // The left unit of a pair was already written if it is the first of the run or follows a word.
                let is_written = number == 0 || units[number - 1].is_word;
                if !is_written {
                    write_apart(out, &left.range);
                }
                write(out, &right.range);
            }
            // The space after the run maps to the same source as the next character, so this character is
            // replaced, too.
            if !is_apart(text[run.end..].chars().next()) {
                let Some(next) = text[run.end..].chars().next() else {
                    continue;
                };
                kept += next.len_utf8();
                out.replace(run.end..kept, [' ', next]);
            }
        }
        out.keep(text, kept..text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Normalizer, Profile};

    fn paired(text: &str) -> String {
        let mut out = Rewrite::new();
        Bigrams.apply(text, &Options::default(), &mut out);
        out.text().to_owned()
    }

    #[test]
    fn runs_become_pairs() {
        for (text, wanted) in [
            ("東京都民", "東京 京都 都民"),
            ("東京タワーに行く", "東京 タワー に行 行く"),
            ("我们的生活2024年", "我们 们的 的生 生活 2024 年"),
            ("ภาษาไทย", "ภาษา ษาไท ไทย"),
            ("东", "东"),
            ("a东b 西 c", "a 东 b 西 c"),
            ("word слово 한국어", "word слово 한국어"),
            ("", ""),
        ] {
            assert_eq!(paired(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_pair_comes_from_both_of_its_characters() {
        let mut out = Rewrite::with_offsets();
        let text = "a東京都b";
        Bigrams.apply(text, &Options::default(), &mut out);
        assert_eq!(out.text(), "a 東京 京都 b");
        let alignment = out.alignment().expect("offsets were asked for");
        let source = |word: &str| {
            let at = out.text().find(word).expect("the word is there");
            &text[alignment.source(at..at + word.len())]
        };
        assert_eq!((source("東京"), source("京都")), ("東京", "京都"));
    }

    #[test]
    fn the_profile_search_has_pairs_as_tokens() {
        let profile = Profile::search();
        let rule = profile.token_rule();
        let mut normalizer = Normalizer::new(profile);
        let text = normalizer
            .normalize_text("東京タワー (Tokyo Tower) ภาษาไทย")
            .to_owned();
        let tokens: Vec<&str> = rule.tokens(&text).map(|range| &text[range]).collect();
        assert_eq!(
            tokens,
            [
                "東京",
                "京た",
                "たわ",
                "わー",
                "tokyo",
                "tower",
                "ภาษา",
                "ษาไท",
                "ไทย"
            ]
        );
    }
}
