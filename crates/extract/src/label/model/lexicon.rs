//! Words and short lines that tell main text from boilerplate, with their log odds.
//!
//! Only the refinement reads them, for doubtful lines, since words belong to one language and one time, while the layout of pages is
//! nearly the same everywhere. `cargo xtask train` counts the odds. Every domain counts once for a word, so words of single sites are
//! not among them.

use crate::label::model::line_tokens::LineTokens;
use crate::label::model::word_file::BUCKET_BITS;

/// The words, as the build script compiled `words.model`.
const WORDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/words.table"));

/// Log odds of words and phrases, in the order of their hashes, which lie in buckets by their highest bits: a table that needs no work before
/// its first use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexicon<'b> {
    /// Where each bucket begins, and the end of the last.
    starts: &'b [[u8; 4]],
    hashes: &'b [[u8; 8]],
    odds: &'b [[u8; 4]],
}

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

/// The words of `words.model`.
pub(crate) fn lexicon() -> Lexicon<'static> {
    Lexicon::of(WORDS).unwrap_or(Lexicon {
        starts: &[],
        hashes: &[],
        odds: &[],
    })
}

impl<'b> Lexicon<'b> {
    /// Words that the build script compiled.
    fn of(bytes: &'b [u8]) -> Option<Lexicon<'b>> {
        let mut bytes = bytes;
        let starts = bytes.split_off(..4 * ((1 << BUCKET_BITS) + 1))?.as_chunks().0;
        let count = u32::from_le_bytes(*starts.last()?) as usize;
        let hashes = bytes.split_off(..8 * count)?.as_chunks().0;
        let odds = bytes.as_chunks().0;
        (odds.len() == count).then_some(Lexicon { starts, hashes, odds })
    }

    fn find(&self, hash: u64) -> Option<f32> {
        let bucket = (hash >> (64 - BUCKET_BITS)) as usize;
        let start = |bucket| self.starts.get(bucket).map(|at| u32::from_le_bytes(*at) as usize);
        let (first, end) = (start(bucket)?, start(bucket + 1)?);
        let at = self.hashes.get(first..end)?;
        let at = first + at.iter().position(|one| u64::from_le_bytes(*one) == hash)?;
        Some(f32::from_le_bytes(*self.odds.get(at)?))
    }

    /// Odds of a line with these texts, whose words are written to `tokens`.
    pub(crate) fn odds<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t str>,
        tokens: &mut LineTokens,
    ) -> WordOdds {
        tokens.read(texts);
        WordOdds::of(tokens, |hash| self.find(hash))
    }

    /// [`WordOdds::phrase`] of a line with these texts.
    pub(crate) fn phrase_odds<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> f32 {
        let known = LineTokens::phrase_of(texts).and_then(|hash| self.find(hash));
        known.unwrap_or(0.0)
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
        let words = word_file::to_bytes(&word_file::parse(TEXT).unwrap());
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
        assert_eq!(word_file::to_bytes(&file), WORDS, "the build script has not run");
        let lexicon = lexicon();
        for (hash, odds) in file {
            assert_eq!(lexicon.find(hash), Some(odds));
            assert_eq!(lexicon.find(hash ^ 1), None);
        }
        let end = |cut| Lexicon::of(&WORDS[..WORDS.len() - cut]).is_none();
        assert!(end(1) || end(4));
    }
}
