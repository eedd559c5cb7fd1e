//! The most frequent terms.

use crate::sign::weighted_terms::{TermWeight, WeightedTerms};
use crate::text::statistics::Statistics;
use crate::text::terms::Counted;
use crate::text::tokens::Tokens;

/// TF: the most frequent terms of a document; see [`WeightedTerms`].
pub type Tf = WeightedTerms<Frequency>;

/// The weight of a term is its count divided by the number of terms in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frequency;

impl TermWeight for Frequency {
    const NAME: &'static str = "tf";
    const SUMMARY: &'static str = "the most frequent terms";
    const NEEDS_STATISTICS: bool = false;
    const DEFAULT: Self = Self;

    fn weights<'a>(&self, terms: &'a Tokens, _: &Statistics) -> Vec<(&'a str, f64)> {
        let counted = Counted::new(terms);
        counted.weigh(|_, count| count / counted.length as f64)
    }
}
