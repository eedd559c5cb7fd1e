//! Terms that are frequent in the document and neither common nor rare in the collection.

use crate::sign::weighted_terms::{TermWeight, WeightedTerms};
use crate::text::statistics::Statistics;
use crate::text::terms::Counted;
use crate::text::tokens::Tokens;

/// OptFreq: the frequent terms of a document whose document frequency is near an optimum; see [`WeightedTerms`].
pub type OptFreq = WeightedTerms<OptimalFrequency>;

/// The weight of a term as in the comparison of Zelenkov and Segalovich (2007): `0.5 + 0.5 n / n_max`, times a factor
/// that is largest at an IDF of 11.5. The factor is `sqrt(IDF / 11.5)` below and `11.5 / IDF` above.
/// The base of their logarithm is unknown. This crate uses the natural logarithm, for which the optimum is one document
/// in 98,716.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalFrequency;

impl TermWeight for OptimalFrequency {
    const NAME: &'static str = "opt-freq";
    const SUMMARY: &'static str = "frequent terms whose document frequency is near an optimum";
    const DEFAULT: Self = Self;

    fn weights<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(&'a str, f64)> {
        const OPTIMUM: f64 = 11.5;
        let counted = Counted::new(terms);
        // A document without terms has no weights, and then the count is not used.
        let most = counted.terms.iter().map(|&(_, count)| count).max().unwrap_or(1);
        counted.weigh(|term, count| {
            let idf = statistics.idf(term);
            let factor = if idf < OPTIMUM {
                (idf / OPTIMUM).sqrt()
            } else {
                OPTIMUM / idf
            };
            (0.5 + 0.5 * count / f64::from(most)) * factor
        })
    }
}
