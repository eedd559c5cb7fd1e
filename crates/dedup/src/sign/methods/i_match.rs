//! A hash of the terms of a document that are in a lexicon.

use std::sync::Arc;

use sha1::{Digest, Sha1};

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{number, within};
use crate::text::document::{Context, Document};
use crate::text::lexicon::Lexicon;
use crate::text::terms::Counted;
use crate::text::tokens::Tokens;

/// I-Match (Chowdhury, Frieder, Grossman, McCabe, "Collection statistics for fast duplicate document detection", 2002):
/// the first 64 bits of the SHA-1 of the document's distinct terms that are in a lexicon, in alphabetical order. The
/// lexicon holds terms of middle IDF: common terms carry no information, and rare ones are misprints and names.
///
/// Survives edits outside the lexicon, in particular moved text. Costs a sort of the terms; a signature is one word.
/// Documents with too few terms in the lexicon have no signature.
#[derive(Clone, Debug, PartialEq)]
pub struct IMatch {
    /// `None`: the lexicon is made from the statistics of the collection.
    lexicon: Option<Arc<Lexicon>>,
    least_idf: f64,
    most_idf: f64,
    min_terms: u32,
}

impl IMatch {
    /// The defaults: terms of the collection whose IDF is 0.2 to 0.8 of the largest possible; at least 3 of them make a
    /// signature.
    pub const DEFAULT: Self = Self {
        lexicon: None,
        least_idf: 0.2,
        most_idf: 0.8,
        min_terms: 3,
    };

    /// The lexicon. By default it holds the terms of middle IDF in the collection.
    #[must_use]
    pub fn with_lexicon(mut self, lexicon: Arc<Lexicon>) -> Self {
        self.lexicon = Some(lexicon);
        self
    }

    /// The IDF range of terms in the lexicon, as shares of `ln N`: each 0 to 1, default 0.2 to 0.8.
    #[must_use]
    pub const fn with_idf(mut self, least: f64, most: f64) -> Self {
        self.least_idf = least;
        self.most_idf = most;
        self
    }

    /// Minimum number of lexicon terms for which a document gets a signature, 1 or more, default 3.
    #[must_use]
    pub const fn with_min_terms(mut self, min_terms: u32) -> Self {
        self.min_terms = min_terms;
        self
    }

    /// The first 64 bits of the SHA-1 of the distinct terms for which `contains` is true, in alphabetical order, joined
    /// by one space. `None` if there are fewer than `min_terms` or no such terms.
    pub fn key(&self, terms: &Tokens, contains: impl Fn(&str) -> bool) -> Option<u64> {
        let counted = Counted::new(terms);
        let chosen: Vec<&str> = counted
            .terms
            .iter()
            .map(|&(term, _)| term)
            .filter(|term| contains(term))
            .collect();
        if chosen.is_empty() || chosen.len() < self.min_terms as usize {
            return None;
        }
        // `Counted` lists each term once and in alphabetical order, so neither order nor repetitions change
        // the digest.
        let digest: [u8; 20] = Sha1::digest(chosen.join(" ").as_bytes()).into();
        Some(u64::from_be_bytes(std::array::from_fn(|i| digest[i])))
    }

    /// The given lexicon, or the one made from the statistics of the collection.
    pub(super) fn lexicon(
        &self,
        context: &Context,
        strategy: &'static str,
    ) -> Result<Arc<Lexicon>, BuildError> {
        for (name, value) in [("least_idf", self.least_idf), ("most_idf", self.most_idf)] {
            within(name, value, 0.0..=1.0)?;
        }
        match &self.lexicon {
            Some(lexicon) => Ok(Arc::clone(lexicon)),
            None => {
                let statistics = context.required_statistics(strategy)?;
                Ok(Arc::new(Lexicon::from_statistics(
                    &statistics,
                    self.least_idf,
                    self.most_idf,
                )))
            }
        }
    }

    pub(super) fn has_lexicon(&self) -> bool {
        self.lexicon.is_some()
    }
}

/// Smallest IDF of a term of the lexicon, in this method and in `lex-rand`.
pub(super) const MIN_IDF: Parameter = Parameter::new(
    "least_idf",
    "0.2",
    "least IDF of terms, as a share of ln N, 0 to 1",
);

/// Largest IDF of a term of the lexicon, in this method and in `lex-rand`.
pub(super) const MAX_IDF: Parameter = Parameter::new(
    "most_idf",
    "0.8",
    "largest IDF of terms, as a share of ln N, 0 to 1",
);

/// Minimum number of terms that make a signature, in this method and in `lex-rand`.
pub(super) const MIN_TERMS: Parameter =
    Parameter::new("min_terms", "3", "fewest terms that make a signature, 1 or more");

impl Strategy for IMatch {
    fn name(&self) -> &'static str {
        "i-match"
    }

    fn summary(&self) -> &'static str {
        "the terms that are neither common nor rare in the collection"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[MIN_IDF, MAX_IDF, MIN_TERMS]
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "least_idf" => self.least_idf = number("least_idf", value, 0.0..=1.0)?,
            "most_idf" => self.most_idf = number("most_idf", value, 0.0..=1.0)?,
            "min_terms" => self.min_terms = number("min_terms", value, 1..=u32::MAX)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for IMatch {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn is_lexical(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        self.lexicon.is_none()
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        let lexicon = self.lexicon(context, self.name())?;
        Ok(Box::new(IMatchSigner {
            method: self.clone(),
            lexicon,
        }))
    }
}

struct IMatchSigner {
    method: IMatch,
    lexicon: Arc<Lexicon>,
}

impl Signer for IMatchSigner {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        out.extend(
            self.method
                .key(document.terms, |term| self.lexicon.contains(term)),
        );
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
