//! Terms that are frequent in the document and rare in the collection.

use crate::sign::weighted_terms::{TERMS, TermWeight, WeightedTerms};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Parameter;
use crate::strategy::value::choice;
use crate::text::statistics::Statistics;
use crate::text::terms::{Counted, damped_frequency};
use crate::text::tokens::Tokens;

/// TF·IDF: the terms of a document that weigh most by frequency times inverse document frequency; see
/// [`WeightedTerms`].
pub type TfIdf = WeightedTerms<InverseFrequency>;

/// The weight of a term is its frequency times its inverse document frequency, by a [`Formula`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InverseFrequency {
    formula: Formula,
}

/// The weight in [`TfIdf`] of a term that occurs `n` times in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `n / length · ln(N / df)`.
    Plain,
    /// `n / (2 (0.25 + 0.75 length / mean length) + n) · ln((N - df + 0.5) / (df + 0.5))`, as in the comparison of
    /// Zelenkov and Segalovich (2007). Terms in more than half of the documents have negative weights.
    Okapi,
}

impl TfIdf {
    /// The formula of the weight, default [`Formula::Plain`].
    #[must_use]
    pub const fn with_formula(mut self, formula: Formula) -> Self {
        self.weight.formula = formula;
        self
    }
}

impl TermWeight for InverseFrequency {
    const NAME: &'static str = "tf-idf";
    const SUMMARY: &'static str = "terms that are frequent here and rare in the collection";
    const PARAMETERS: &'static [Parameter] = &[
        TERMS,
        Parameter::new("formula", "plain", "weight of terms: plain or okapi"),
    ];
    const DEFAULT: Self = Self {
        formula: Formula::Plain,
    };

    fn weights<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(&'a str, f64)> {
        let counted = Counted::new(terms);
        counted.weigh(|term, count| match self.formula {
            Formula::Plain => count / counted.length as f64 * statistics.idf(term),
            Formula::Okapi => {
                let (all, with_term) = (
                    statistics.documents() as f64,
                    f64::from(statistics.term(term).documents),
                );
                // Stored statistics can be inconsistent, so the dividend is kept positive.
                let rarity = ((all - with_term + 0.5).max(0.5) / (with_term + 0.5)).ln();
                damped_frequency(count, counted.length, statistics.mean_length()) * rarity
            }
        })
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        let formulas = [("plain", Formula::Plain), ("okapi", Formula::Okapi)];
        match parameter {
            "formula" => self.formula = choice("formula", value, &formulas)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}
