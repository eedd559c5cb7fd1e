//! The sentences with the heaviest words.

use std::ops::Range;

use crate::sign::methods::tf_idf::TfIdf;
use crate::sign::weighted_sentences::{SentenceWeight, WeightedSentences};
use crate::text::statistics::Statistics;
use crate::text::tokens::Tokens;

/// HeavySent (compared by Zelenkov and Segalovich 2007): the sentences whose words weigh most by TF·IDF, summed over
/// occurrences; see [`WeightedSentences`]. Costs a sort of the terms.
pub type HeavySent = WeightedSentences<SumOfWeights>;

/// The weight of a sentence is the sum of the [`TfIdf`] weights of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumOfWeights;

impl SentenceWeight for SumOfWeights {
    const NAME: &'static str = "heavy-sent";
    const SUMMARY: &'static str = "the sentences whose words weigh most by TF-IDF";
    const IS_LEXICAL: bool = true;

    fn weights(document: &Tokens, statistics: &Statistics) -> impl Fn(Range<usize>) -> f64 {
        let weights = TfIdf::DEFAULT.weights(document, statistics);
        let weight = move |term: &str| {
            // Terms are in alphabetical order, so binary search finds them.
            let place = weights.binary_search_by(|(other, _)| (*other).cmp(term));
            place.map_or(0.0, |place| weights[place].1)
        };
        move |range| {
            let sum: f64 = range.map(|number| weight(document.token(number))).sum();
            // Rounded to twelve decimals, so that rounding errors of the sum do not decide ties.
            (sum * 1e12).round() / 1e12
        }
    }
}
