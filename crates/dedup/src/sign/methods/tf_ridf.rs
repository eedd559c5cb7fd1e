//! Terms that are frequent in the document and more clustered in the collection than random ones.

use crate::sign::weighted_terms::{TermWeight, WeightedTerms};
use crate::text::statistics::Statistics;
use crate::text::terms::{Counted, damped_frequency};
use crate::text::tokens::Tokens;

/// TF·RIDF: the terms of a document that weigh most by frequency times residual IDF; see [`WeightedTerms`].
pub type TfRidf = WeightedTerms<ResidualFrequency>;

/// The weight of a term is its frequency times its residual IDF (Church, Gale, "Inverse document frequency (IDF): a
/// measure of deviations from Poisson", 1995): its IDF minus that expected if its occurrences were spread at random,
/// `-ln(df / N) + ln(1 - exp(-cf / N))`.
/// Frequencies are damped, as in the comparison of Zelenkov and Segalovich (2007).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidualFrequency;

impl TermWeight for ResidualFrequency {
    const NAME: &'static str = "tf-ridf";
    const SUMMARY: &'static str = "terms that are frequent here and clustered in the collection";
    const DEFAULT: Self = Self;

    fn weights<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(&'a str, f64)> {
        let counted = Counted::new(terms);
        counted.weigh(|term, count| {
            let frequency = damped_frequency(count, counted.length, statistics.mean_length());
            let term = statistics.term(term);
            // The share of documents that would have the term if its occurrences were spread at random
            // (Poisson).
            let by_chance = 1.0 - (-(term.occurrences as f64) / statistics.documents().max(1) as f64).exp();
            frequency * (statistics.idf_of(&term) + by_chance.ln())
        })
    }
}
