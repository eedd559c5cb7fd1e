//! Frequent terms that are rare elsewhere.

use std::sync::Arc;

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{choice, number};
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::text::terms::{Counted, damped_frequency, key_of_heaviest};
use crate::text::tokens::Tokens;

/// How [`TfIdf`] weighs a term that occurs `n` times in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `n / length · ln(N / df)`.
    Plain,
    /// `n / (2 (0.25 + 0.75 length / mean length) + n) · ln((N - df + 0.5) / (df + 0.5))`, as in the comparison of
    /// Zelenkov and Segalovich (2007). Terms in more than half of the documents weigh less than nothing.
    Okapi,
}

/// TF·IDF: CRC-32 of the terms of a document that weigh most by frequency times inverse document frequency, joined
/// alphabetically. Best with terms that are stemmed and without stop words.
///
/// Survives edits that leave the choice of terms as it is. Costs a sort of the terms; a signature is one word. A document
/// with fewer than 3 different terms has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TfIdf {
    terms: u32,
    formula: Formula,
}

impl TfIdf {
    /// The defaults: 6 terms, [`Formula::Plain`].
    pub const DEFAULT: Self = Self {
        terms: 6,
        formula: Formula::Plain,
    };

    /// Number of terms, 3 or more, default 6. More say more of the document, and change with more edits.
    #[must_use]
    pub const fn with_terms(mut self, terms: u32) -> Self {
        self.terms = terms;
        self
    }

    /// The formula of the weight, default [`Formula::Plain`].
    #[must_use]
    pub const fn with_formula(mut self, formula: Formula) -> Self {
        self.formula = formula;
        self
    }

    /// The weight of each term of a document, terms in alphabetical order.
    #[must_use]
    pub fn weights<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(&'a str, f64)> {
        let counted = Counted::new(terms);
        counted.weigh(|term, count| match self.formula {
            Formula::Plain => count / counted.length as f64 * statistics.idf(term),
            Formula::Okapi => {
                let (all, with_term) = (
                    statistics.documents() as f64,
                    f64::from(statistics.term(term).documents),
                );
                let rarity = ((all - with_term + 0.5).max(0.5) / (with_term + 0.5)).ln();
                damped_frequency(count, counted.length, statistics.mean_length()) * rarity
            }
        })
    }
}

impl Default for TfIdf {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Strategy for TfIdf {
    fn name(&self) -> &'static str {
        "tf-idf"
    }

    fn summary(&self) -> &'static str {
        "terms that are frequent here and rare in the collection"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[
            Parameter {
                name: "terms",
                default: "6",
                help: "number of terms, 3 or more",
            },
            Parameter {
                name: "formula",
                default: "plain",
                help: "weight of terms: plain or okapi",
            },
        ]
    }
}

impl Method for TfIdf {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn is_lexical(&self) -> bool {
        true
    }

    fn shared(&self) -> Arc<dyn Method> {
        Arc::new(*self)
    }

    fn needs_statistics(&self) -> bool {
        true
    }

    fn set(&self, parameter: &str, value: &str) -> Result<Arc<dyn Method>, BuildError> {
        match parameter {
            "terms" => Ok(Arc::new(self.with_terms(number("terms", value, 3..=u32::MAX)?))),
            "formula" => {
                let formulas = [("plain", Formula::Plain), ("okapi", Formula::Okapi)];
                Ok(Arc::new(self.with_formula(choice("formula", value, &formulas)?)))
            }
            _ => Err(BuildError::unknown_parameter(
                self.name(),
                parameter,
                self.parameters(),
            )),
        }
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        if self.terms < 3 {
            return Err(BuildError::value("terms", self.terms, "3 or more"));
        }
        let statistics = context.required_statistics(self.name())?;
        Ok(Box::new(Ready {
            method: *self,
            statistics,
        }))
    }
}

struct Ready {
    method: TfIdf,
    statistics: Arc<Statistics>,
}

impl Signer for Ready {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let weights = self.method.weights(document.terms, &self.statistics);
        out.extend(key_of_heaviest(weights, self.method.terms));
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
