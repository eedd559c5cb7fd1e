//! Log odds of words and short lines that distinguish main text from boilerplate.
//!
//! Only the refinement uses these odds, and only for doubtful lines: words depend on language and time, whereas page layouts are nearly
//! the same everywhere. `cargo xtask train` counts the odds. Every domain counts once per word, so words of a single site do not enter
//! the lexicon.

use std::hint::select_unpredictable;

use crate::label::model::line_tokens::LineTokens;
use crate::label::model::word_file::{BUCKETS, ODDS, PLACES, TABLE_BYTES, bucket, entry, mark, place};

/// The table that the build script compiled from `words.model`. A table of another size fails to compile.
static WORDS: Table = Table(*include_bytes!(concat!(env!("OUT_DIR"), "/words.table")));

/// Bytes of the hash table, aligned so that no entry crosses a cache line.
#[repr(align(64))]
struct Table([u8; TABLE_BYTES]);

/// Log odds of words and phrases in a hash table, laid out as in [`word_file`](super::word_file). Usable without any initialization.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexicon<'b> {
    /// Per bucket: its seed, and a bit mask of the marks of its words.
    buckets: &'b [[u8; 4]; BUCKETS],
    /// The distinct odds.
    odds: &'b [[u8; 4]; ODDS],
    /// The entry stored at each place.
    places: &'b [[u8; 8]; PLACES],
}

/// Log odds that the words of a line are main text, relative to an average line. Unknown words have odds of 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WordOdds {
    /// Mean odds of the known words.
    pub mean: f32,
    /// Lowest odds of a word, at most 0.
    pub least: f32,
    /// Highest odds of a word, at least 0.
    pub most: f32,
    /// Number of known words.
    pub known: f32,
    /// Odds of the line as a phrase; 0 if it is too long or unknown.
    pub phrase: f32,
}

impl WordOdds {
    /// Aggregates the odds of the words of a line. `odds` returns whether a hash is known, and its log odds (0 if unknown).
    pub fn of(tokens: &LineTokens, odds: impl Fn(u64) -> (bool, f32)) -> WordOdds {
        let mut out = WordOdds {
            phrase: tokens.phrase.map_or(0.0, |phrase| odds(phrase).1),
            ..WordOdds::default()
        };
        let (mut sum, mut known) = (0.0, 0_u8);
        for &word in &tokens.words {
            // Unknown words have odds of 0 and leave every aggregate as it is.
            let (is_known, odds) = odds(word);
            known += u8::from(is_known);
            sum += odds;
            out.least = out.least.min(odds);
            out.most = out.most.max(odds);
        }
        out.known = f32::from(known);
        out.mean = sum / out.known.max(1.0);
        out
    }
}

/// The compiled `words.model`.
const LEXICON: Lexicon<'static> = match Lexicon::of(&WORDS.0) {
    Some(lexicon) => lexicon,
    None => panic!("a table of another size"),
};

/// Returns the compiled `words.model`.
pub(crate) fn lexicon() -> Lexicon<'static> {
    LEXICON
}

impl<'b> Lexicon<'b> {
    /// Splits a compiled table into its parts; `None` if its length is wrong.
    const fn of(bytes: &'b [u8]) -> Option<Lexicon<'b>> {
        if bytes.len() != TABLE_BYTES {
            return None;
        }
        let (buckets, rest) = bytes.split_at(4 * BUCKETS);
        let (odds, places) = rest.split_at(4 * ODDS);
        match (
            buckets.as_chunks().0.first_chunk(),
            odds.as_chunks().0.first_chunk(),
            places.as_chunks().0.first_chunk(),
        ) {
            (Some(buckets), Some(odds), Some(places)) => Some(Lexicon {
                buckets,
                odds,
                places,
            }),
            _ => None,
        }
    }

    /// Looks up a hash: whether it is known, and its log odds (0 if unknown). Branch-free, since known and unknown words alternate
    /// unpredictably.
    #[inline]
    fn find(&self, hash: u64) -> (bool, f32) {
        let [a, b, c, d] = self.buckets[bucket(hash)];
        let (seed, marks) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
        // Places are scattered over memory, and most unknown words have no mark in their bucket: these read place 0, which stays in the
        // cache.
        let is_marked = marks & mark(hash) != 0;
        let place = select_unpredictable(is_marked, place(hash, seed), 0);
        // XOR with the expected entry leaves the index of the odds if the word matches, and a larger number otherwise.
        let number = u64::from_le_bytes(self.places[place]) ^ entry(hash, 0);
        let known = number < ODDS as u64;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the number is below `ODDS`, which is at most 256, where it is used"
        )]
        let odds = self.odds[usize::from(select_unpredictable(known, number as u8, 0))];
        (known, f32::from_le_bytes(odds))
    }

    /// Returns the odds of a line with these texts. The words of the line are written to `tokens`.
    pub(crate) fn odds<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str>,
        tokens: &mut LineTokens,
    ) -> WordOdds {
        tokens.read(texts);
        WordOdds::of(tokens, |hash| self.find(hash))
    }

    /// Returns [`WordOdds::phrase`] of a line with these texts.
    pub(crate) fn phrase_odds<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> f32 {
        LineTokens::phrase_of(texts).map_or(0.0, |hash| self.find(hash).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::model::word_file;

    const TEXT: &str =
        "# about\nformat 1\nw -2.5 cookies reklama\nw 1.5 river\np -1.0 read more | 0 comments\n";

    #[test]
    fn lines_are_weighed_by_their_words() {
        let words = word_file::to_bytes(&word_file::parse(TEXT).unwrap()).unwrap();
        let lexicon = Lexicon::of(&words).unwrap();
        let odds = |texts: &[&str]| lexicon.odds(texts.iter().copied(), &mut LineTokens::default());
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
    fn the_table_holds_what_the_file_says() {
        let file = word_file::parse(include_str!("../../../data/words.model")).unwrap();
        assert!(file.len() > 1000 && file.iter().all(|(_, odds)| odds.abs() <= 10.0));
        assert_eq!(
            word_file::to_bytes(&file).unwrap(),
            WORDS.0,
            "the build script has not run"
        );
        let lexicon = lexicon();
        for (hash, odds) in file {
            assert_eq!(lexicon.find(hash), (true, odds));
            assert_eq!(lexicon.find(hash ^ 1), (false, 0.0));
        }
        assert!(Lexicon::of(&WORDS.0[1..]).is_none());
    }
}
