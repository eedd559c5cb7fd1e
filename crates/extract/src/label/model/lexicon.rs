//! Words and short lines that tell main text from boilerplate, with their log odds.
//!
//! Only the refinement reads them, for doubtful lines, since words belong to one language and one time, while the layout of pages is
//! nearly the same everywhere. `cargo xtask train` counts the odds. Every domain counts once for a word, so words of single sites are
//! not among them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::analysis::key_numbers::KeyHash;
use crate::label::model::line_tokens::LineTokens;

/// The words, compiled in.
const FILE: &str = include_str!("../../../data/words.model");

/// Bytes of an entry and its separator, about.
const MEAN_ENTRY: usize = 9;

/// Log odds of words and phrases.
#[derive(Debug)]
pub(crate) struct Lexicon(HashMap<u64, f32, KeyHash>);

/// Log odds of the words of a line to be main text, relative to an average line; 0 for unknown words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WordOdds {
    /// Mean odds of its known words.
    pub mean: f32,
    /// The least odds of its words.
    pub least: f32,
    /// The greatest odds of its words.
    pub most: f32,
    /// How many of its words are known.
    pub known: f32,
    /// Odds of the line as a whole, if it is short and known.
    pub phrase: f32,
}

impl WordOdds {
    /// The odds of a line, given the log odds of words and phrases.
    pub fn of(tokens: &LineTokens, odds: impl Fn(u64) -> Option<f32>) -> WordOdds {
        let mut out = WordOdds {
            phrase: tokens.phrase.and_then(&odds).unwrap_or(0.0),
            ..WordOdds::default()
        };
        let (mut sum, mut known) = (0.0, 0_u8);
        for odds in tokens.words.iter().filter_map(|&word| odds(word)) {
            sum += odds;
            known += 1;
            out.least = out.least.min(odds);
            out.most = out.most.max(odds);
        }
        out.known = f32::from(known);
        out.mean = sum / out.known.max(1.0);
        out
    }
}

/// The words of `words.model`, read on first use.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
        Lexicon::parse(FILE)
            .unwrap_or_else(|why| panic!("the words of the model, which tests read too: {why}"))
    });
    &LEXICON
}

impl Lexicon {
    /// Reads lines of log odds and the words or phrases that have them.
    fn parse(text: &str) -> Result<Lexicon, String> {
        // Room for all of them, as growing would move each word several times.
        let mut out = HashMap::with_capacity_and_hasher(text.len() / MEAN_ENTRY, KeyHash);
        let mut format = None;
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| format!("line {}: {what}: `{line}`", number + 1);
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            if kind == "format" {
                format = Some(rest);
                continue;
            }
            if matches!(kind, "#" | "") {
                continue;
            }
            let (odds, entries) = rest.split_once(' ').ok_or_else(|| fail("too short"))?;
            let odds: f32 = odds.parse().map_err(|_| fail("no number"))?;
            let (separator, phrases) = match kind {
                "w" => (" ", false),
                "p" => (" | ", true),
                _ => return Err(fail("neither words nor phrases")),
            };
            for entry in entries.split(separator) {
                let key = if phrases {
                    LineTokens::phrase_of([entry])
                } else {
                    LineTokens::first_word(entry)
                };
                if out
                    .insert(key.ok_or_else(|| fail("an empty entry"))?, odds)
                    .is_some()
                {
                    return Err(fail("an entry stands twice"));
                }
            }
        }
        if format != Some("1") {
            return Err(format!("format {}, not 1", format.unwrap_or("none")));
        }
        Ok(Lexicon(out))
    }

    /// Odds of a line with these texts.
    pub(crate) fn odds<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> WordOdds {
        WordOdds::of(&LineTokens::of(texts), |key| self.0.get(&key).copied())
    }

    /// [`WordOdds::phrase`] of a line with these texts.
    pub(crate) fn phrase_odds<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> f32 {
        let known = LineTokens::phrase_of(texts).and_then(|key| self.0.get(&key));
        known.copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str =
        "# about\nformat 1\nw -2.5 cookies reklama\nw 1.5 river\np -1.0 read more | 0 comments\n";

    #[test]
    fn lines_are_weighed_by_their_words() {
        let lexicon = Lexicon::parse(WORDS).unwrap();
        let odds = |texts: &[&str]| lexicon.odds(texts.iter().copied());
        let got = odds(&["The River", "takes cookies"]);
        assert_eq!((got.mean, got.least, got.most), (-0.5, -2.5, 1.5));
        assert_eq!((got.known, got.phrase), (2.0, 0.0));
        assert_eq!(odds(&["17 Comments"]).phrase, -1.0);
        assert_eq!(odds(&["Read", "more"]).phrase, -1.0);
        assert_eq!(odds(&["cookies"]).phrase, 0.0);
        assert_eq!(lexicon.phrase_odds(["17", "Comments"]), -1.0);
        assert_eq!(
            lexicon.phrase_odds(["one two three four five six", "17 comments now"]),
            0.0
        );
        assert_eq!(odds(&["nothing", "known"]), WordOdds::default());
    }

    #[test]
    fn broken_files_are_told() {
        for (text, why) in [
            ("w 1.0 river", "format none"),
            ("format 2", "format 2"),
            ("format 1\nw 1.0", "line 2: too short"),
            ("format 1\nw x river", "line 2: no number"),
            ("format 1\nx 1.0 river", "line 2: neither"),
            ("format 1\nw 1.0 river  sea", "line 2: an empty entry"),
            (
                "format 1\nw 1.0 river\nw 2.0 sea River",
                "line 3: an entry stands twice",
            ),
        ] {
            let told = Lexicon::parse(text).unwrap_err();
            assert!(told.starts_with(why), "{text:?}: {told}");
        }
    }

    #[test]
    fn the_file_is_whole() {
        let lexicon = lexicon();
        assert!(lexicon.0.len() > 1000);
        assert!(lexicon.0.values().all(|odds| odds.abs() <= 10.0));
    }
}
