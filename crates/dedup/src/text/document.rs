//! A document as strategies read it, and the settings that strategies depend on.

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
    /// Its words for lexical methods: best stemmed and without stop words. May be the same as `tokens`.
    pub terms: &'a Tokens,
    /// Its shingle hashes, ascending and without repetitions.
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

/// The kind of similarity that a threshold applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The share of common content in the union of both documents. Pairs above the threshold are of similar size.
    #[default]
    Resemblance,
    /// The share of the smaller document that lies inside the larger one. The larger one may be of any size.
    Containment,
}

/// The settings and statistics that a strategy may depend on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Context {
    /// Smallest similarity of a pair of duplicates, above 0 and up to 1.
    pub threshold: f64,
    /// The kind of similarity that the threshold applies to.
    pub bound: Bound,
    /// The statistics of the collection, or `None` if they were not counted.
    pub statistics: Option<Arc<Statistics>>,
    /// The descriptive words of the collection, or `None` if they were not chosen.
    pub descriptive_words: Option<Arc<DescriptiveWords>>,
}

impl Context {
    /// A context with this threshold, for resemblance, without statistics.
    #[must_use]
    pub fn new(threshold: f64) -> Self {
        Self {
            threshold,
            bound: Bound::default(),
            statistics: None,
            descriptive_words: None,
        }
    }

    /// The kind of similarity that the threshold applies to, default resemblance.
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

    /// The statistics, or the error that strategy `strategy` requires them.
    pub(crate) fn required_statistics(&self, strategy: &'static str) -> Result<Arc<Statistics>, BuildError> {
        self.statistics
            .clone()
            .ok_or_else(|| BuildError::statistics(strategy))
    }
}
