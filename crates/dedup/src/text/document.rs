//! A document as strategies read it, and the settings they depend on.

use std::sync::Arc;

use crate::strategy::build_error::BuildError;
use crate::text::descriptive::DescriptiveWords;
use crate::text::statistics::Statistics;
use crate::text::tokens::Tokens;

/// One document, as signature methods, candidate methods and similarities read it.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Its words and sentences.
    pub tokens: &'a Tokens,
    /// Its words as lexical methods read them: best without stop words, and stemmed. They may be its tokens.
    pub terms: &'a Tokens,
    /// Its shingles, sorted and without repetitions.
    pub shingles: &'a [u64],
}

impl<'a> Document<'a> {
    /// A document whose terms are its tokens.
    #[must_use]
    pub const fn new(tokens: &'a Tokens, shingles: &'a [u64]) -> Self {
        Self {
            tokens,
            terms: tokens,
            shingles,
        }
    }
}

/// What a threshold bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// How much two documents have in common of all that both have: pairs are of nearly equal size.
    #[default]
    Resemblance,
    /// How much of the smaller document lies inside the larger one, which may be any number of times as large.
    Containment,
}

/// The settings and statistics that a strategy may depend on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Context {
    /// Smallest similarity of a pair of duplicates, above 0 and up to 1.
    pub threshold: f64,
    /// What the threshold bounds.
    pub bound: Bound,
    /// The statistics of the collection, if they are known.
    pub statistics: Option<Arc<Statistics>>,
    /// The descriptive words of the collection, if they are known.
    pub descriptive_words: Option<Arc<DescriptiveWords>>,
}

impl Context {
    /// A context without statistics.
    #[must_use]
    pub fn new(threshold: f64) -> Self {
        Self {
            threshold,
            bound: Bound::default(),
            statistics: None,
            descriptive_words: None,
        }
    }

    /// What the threshold bounds, default resemblance.
    #[must_use]
    pub fn with_bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    /// The statistics of the collection.
    #[must_use]
    pub fn with_statistics(mut self, statistics: Arc<Statistics>) -> Self {
        self.statistics = Some(statistics);
        self
    }

    /// The descriptive words of the collection.
    #[must_use]
    pub fn with_descriptive_words(mut self, words: Arc<DescriptiveWords>) -> Self {
        self.descriptive_words = Some(words);
        self
    }

    /// The statistics, which the strategy of that name cannot do without.
    pub(crate) fn required_statistics(&self, strategy: &'static str) -> Result<Arc<Statistics>, BuildError> {
        self.statistics
            .clone()
            .ok_or_else(|| BuildError::statistics(strategy))
    }
}
