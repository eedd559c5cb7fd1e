//! Signatures made of the heaviest terms of a document.

use std::sync::Arc;

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number};
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::text::terms::key_of_heaviest;
use crate::text::tokens::Tokens;

/// The weight of a term. Methods made of the heaviest terms differ only in this trait's implementation.
pub trait TermWeight: Clone + Send + Sync + 'static {
    /// Name of the method.
    const NAME: &'static str;
    /// One line for help texts.
    const SUMMARY: &'static str;
    /// The parameters of the method.
    const PARAMETERS: &'static [Parameter] = &[TERMS];
    /// True if weights depend on the statistics of the collection.
    const NEEDS_STATISTICS: bool = true;
    /// The weight with its default parameters.
    const DEFAULT: Self;

    /// The weight of each term of a document, terms in alphabetical order.
    fn weights<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(&'a str, f64)>;

    /// Changes a parameter other than the number of terms. Returns false if the method has no parameter of this name.
    ///
    /// # Errors
    /// If the value is out of its range.
    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        let _ = (parameter, value);
        Ok(false)
    }
}

/// The number of terms: a parameter of all methods made of the heaviest terms.
pub(crate) const TERMS: Parameter = Parameter::new("terms", "6", "number of terms, 3 or more");

/// CRC-32 of the heaviest terms of a document, joined alphabetically. Works best with stemmed terms without stop words.
///
/// Survives edits that leave the choice of terms unchanged. Costs a sort of the terms; a signature is one word. A
/// document with fewer than 3 different terms has no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedTerms<W> {
    terms: u32,
    pub(crate) weight: W,
}

impl<W: TermWeight> WeightedTerms<W> {
    /// The defaults: 6 terms.
    pub const DEFAULT: Self = Self {
        terms: 6,
        weight: W::DEFAULT,
    };

    /// Number of terms, 3 or more, default 6. More terms describe the document more precisely, and more edits change
    /// them.
    #[must_use]
    pub const fn with_terms(mut self, terms: u32) -> Self {
        self.terms = terms;
        self
    }

    /// The weight of each term of a document, terms in alphabetical order.
    #[must_use]
    pub fn weights<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(&'a str, f64)> {
        self.weight.weights(terms, statistics)
    }
}

impl<W: TermWeight> Strategy for WeightedTerms<W> {
    fn name(&self) -> &'static str {
        W::NAME
    }

    fn summary(&self) -> &'static str {
        W::SUMMARY
    }

    fn parameters(&self) -> &'static [Parameter] {
        W::PARAMETERS
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        // Every method of this kind has the number of terms. Other parameters belong to its weight.
        if parameter != TERMS.name {
            return self.weight.change(parameter, value);
        }
        self.terms = number(TERMS.name, value, 3..=u32::MAX)?;
        Ok(true)
    }
}

impl<W: TermWeight> Method for WeightedTerms<W> {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn is_lexical(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        W::NEEDS_STATISTICS
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        at_least(TERMS.name, self.terms, 3)?;
        let statistics = if W::NEEDS_STATISTICS {
            context.required_statistics(self.name())?
        } else {
            Arc::default()
        };
        Ok(Box::new(WeightedTermsSigner {
            method: self.clone(),
            statistics,
        }))
    }
}

struct WeightedTermsSigner<W> {
    method: WeightedTerms<W>,
    statistics: Arc<Statistics>,
}

impl<W: TermWeight> Signer for WeightedTermsSigner<W> {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let weights = self.method.weights(document.terms, &self.statistics);
        out.extend(key_of_heaviest(weights, self.method.terms));
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
