//! Frequent terms that are neither common nor rare.

use std::sync::Arc;

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::number;
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::text::terms::{Counted, key_of_heaviest};
use crate::text::tokens::Tokens;

/// OptFreq, as in the comparison of Zelenkov and Segalovich (2007): CRC-32 of the terms that weigh most by
/// `0.5 + 0.5 n / n_max` times a factor that is largest where IDF is 11.5: `sqrt(IDF / 11.5)` below, `11.5 / IDF` above.
/// The base of their logarithm is not known; with the natural one used here the optimum is one document in 98,716.
///
/// Survives edits that leave the choice of terms as it is. Costs a sort of the terms; a signature is one word. A document
/// with fewer than 3 different terms has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptFreq {
    terms: u32,
}

impl OptFreq {
    /// The defaults: 6 terms.
    pub const DEFAULT: Self = Self { terms: 6 };

    /// Number of terms, 3 or more, default 6. More say more of the document, and change with more edits.
    #[must_use]
    pub const fn with_terms(mut self, terms: u32) -> Self {
        self.terms = terms;
        self
    }

    /// The weight of each term of a document, terms in alphabetical order.
    #[must_use]
    pub fn weights<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(&'a str, f64)> {
        const OPTIMUM: f64 = 11.5;
        let counted = Counted::new(terms);
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

impl Default for OptFreq {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Strategy for OptFreq {
    fn name(&self) -> &'static str {
        "opt-freq"
    }

    fn summary(&self) -> &'static str {
        "frequent terms whose document frequency is near an optimum"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter {
            name: "terms",
            default: "6",
            help: "number of terms, 3 or more",
        }]
    }
}

impl Method for OptFreq {
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
    method: OptFreq,
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
