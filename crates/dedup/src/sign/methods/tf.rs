//! The most frequent terms.

use std::sync::Arc;

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::number;
use crate::text::document::{Context, Document};
use crate::text::terms::{Counted, key_of_heaviest};
use crate::text::tokens::Tokens;

/// TF: CRC-32 of the most frequent terms of a document, joined alphabetically. Best with terms that are stemmed and
/// without stop words.
///
/// Survives edits that leave the choice of terms as it is. Costs a sort of the terms; a signature is one word. A document
/// with fewer than 3 different terms has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tf {
    terms: u32,
}

impl Tf {
    /// The defaults: 6 terms.
    pub const DEFAULT: Self = Self { terms: 6 };

    /// Number of terms, 3 or more, default 6. More say more of the document, and change with more edits.
    #[must_use]
    pub const fn with_terms(mut self, terms: u32) -> Self {
        self.terms = terms;
        self
    }

    /// The weight of each term of a document, terms in alphabetical order: its count by the number of all.
    #[must_use]
    pub fn weights<'a>(&self, terms: &'a Tokens) -> Vec<(&'a str, f64)> {
        let counted = Counted::new(terms);
        counted.weigh(|_, count| count / counted.length as f64)
    }
}

impl Default for Tf {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Strategy for Tf {
    fn name(&self) -> &'static str {
        "tf"
    }

    fn summary(&self) -> &'static str {
        "the most frequent terms"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter {
            name: "terms",
            default: "6",
            help: "number of terms, 3 or more",
        }]
    }
}

impl Method for Tf {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn is_lexical(&self) -> bool {
        true
    }

    fn shared(&self) -> Arc<dyn Method> {
        Arc::new(*self)
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

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        if self.terms < 3 {
            return Err(BuildError::value("terms", self.terms, "3 or more"));
        }
        Ok(Box::new(*self))
    }
}

impl Signer for Tf {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let weights = self.weights(document.terms);
        out.extend(key_of_heaviest(weights, self.terms));
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
