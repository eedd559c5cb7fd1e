//! Words and short lines that tell main text from husk, with their log odds.
//!
//! What a line says is the last thing that is asked, and of doubtful lines only: words are of one language and one time, while what
//! a page looks like is nearly the same everywhere. The odds are gathered by `cargo xtask train`; every domain counts once for a word,
//! so that none of a few sites' own is here.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::Wording;
use crate::analysis::ids::Keys;

/// The file beside this one: data that is compiled in.
const FILE: &str = include_str!("../../../data/words.model");

/// Log odds of words and phrases.
#[derive(Debug)]
pub(crate) struct Lexicon(HashMap<u64, f32, Keys>);

/// What the words of a line say, in log odds beyond those of any line; 0 for what says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Said {
    /// Mean of its known words.
    pub mean: f32,
    /// Least and greatest of its words.
    pub least: f32,
    pub most: f32,
    /// How many of its words are known.
    pub known: f32,
    /// Of the line as a whole, if it is short and known.
    pub phrase: f32,
}

impl Said {
    /// What a line says, given the log odds of what is known.
    pub fn of(wording: &Wording, odds: impl Fn(u64) -> Option<f32>) -> Said {
        let mut out = Said {
            phrase: wording.phrase.and_then(&odds).unwrap_or(0.0),
            ..Said::default()
        };
        let (mut sum, mut known) = (0.0, 0_u8);
        for odds in wording.words.iter().filter_map(|&word| odds(word)) {
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
        let mut out = HashMap::default();
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
                let said = Wording::of([entry]);
                let key = if phrases {
                    said.phrase
                } else {
                    said.words.first().copied()
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

    /// What the texts of a line say.
    pub(crate) fn said<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Said {
        Said::of(&Wording::of(texts), |key| self.0.get(&key).copied())
    }

    /// [`Said::phrase`] of a line with these texts.
    pub(crate) fn phrase<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> f32 {
        let known = Wording::phrase_of(texts).and_then(|key| self.0.get(&key));
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
        let said = |texts: &[&str]| lexicon.said(texts.iter().copied());
        let got = said(&["The River", "takes cookies"]);
        assert_eq!((got.mean, got.least, got.most), (-0.5, -2.5, 1.5));
        assert_eq!((got.known, got.phrase), (2.0, 0.0));
        assert_eq!(said(&["17 Comments"]).phrase, -1.0);
        assert_eq!(said(&["Read", "more"]).phrase, -1.0);
        assert_eq!(said(&["cookies"]).phrase, 0.0);
        assert_eq!(lexicon.phrase(["17", "Comments"]), -1.0);
        assert_eq!(
            lexicon.phrase(["one two three four five six", "17 comments now"]),
            0.0
        );
        assert_eq!(said(&["nothing", "known"]), Said::default());
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
