//! The longest sentences.

use std::ops::Range;

use crate::sign::weighted_sentences::{SentenceWeight, WeightedSentences};
use crate::text::statistics::Statistics;
use crate::text::tokens::Tokens;

/// LongSent (compared by Zelenkov and Segalovich 2007): the longest sentences by words; see
/// [`WeightedSentences`]. Costs a pass over the tokens.
pub type LongSent = WeightedSentences<Length>;

/// The weight of a sentence is its number of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length;

impl SentenceWeight for Length {
    const NAME: &'static str = "long-sent";
    const SUMMARY: &'static str = "the longest sentences";
    const IS_LEXICAL: bool = false;

    fn weights(_: &Tokens, _: &Statistics) -> impl Fn(Range<usize>) -> f64 {
        |range| range.len() as f64
    }
}
