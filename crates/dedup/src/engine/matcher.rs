//! Comparison of two documents by features that others keep.

use std::sync::Arc;

use crate::candidates::columns::KeyColumns;
use crate::candidates::pair::Contained;
use crate::engine::compiled::CompiledOptions;
use crate::engine::key_groups::KeyGroups;
use crate::numeric::sets::common_at_least;
use crate::sign::banding::Banding;

/// Compares documents by the features that a [`DocumentSigner`](crate::DocumentSigner) or a [`Batch`](crate::Batch) gave: for an
/// index that outlives the run, or for pairs that were found elsewhere.
#[derive(Clone)]
pub struct Matcher {
    compiled: Arc<CompiledOptions>,
}

impl Matcher {
    /// A matcher by these settings.
    #[must_use]
    pub fn new(compiled: Arc<CompiledOptions>) -> Self {
        Self { compiled }
    }

    /// How the rows of the index are laid out, if candidates are found by equal keys and verified.
    #[must_use]
    pub fn columns(&self) -> Option<KeyColumns> {
        let columns = self.compiled.index.columns();
        columns.filter(|_| self.compiled.options.verify)
    }

    /// The groups of equal keys, for those who join keys elsewhere; none if candidates are found otherwise, if documents ask by some of
    /// their keys only, which a join of all would not know, or if candidates are not verified.
    #[must_use]
    pub fn groups(&self) -> Option<KeyGroups> {
        self.columns().and_then(KeyGroups::new)
    }

    /// How signatures are cut, if candidates come from banding.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        self.compiled.banding()
    }

    /// The similarity of two documents by their features, if it is at least the threshold.
    #[must_use]
    pub fn compare(&self, a: &[u64], b: &[u64]) -> Option<f64> {
        self.compare_sides(a, b).map(|(similarity, _)| similarity)
    }

    /// The same, and which of the two lies inside the other.
    #[must_use]
    pub fn compare_sides(&self, a: &[u64], b: &[u64]) -> Option<(f64, Contained)> {
        self.compiled.similarity(a, b, self.compiled.options.threshold)
    }

    /// The fewest equal keys that two documents with so many words of features each have, if they are similar enough: 1 or more.
    #[must_use]
    pub fn least_equal(&self, a: usize, b: usize) -> usize {
        // Only of shingles, the number of features says how many keys there are.
        if self.compiled.comparer.keeps_shingles() {
            self.compiled.index.least_equal(a, b)
        } else {
            1
        }
    }

    /// An estimate of the similarity from the number of equal keys, if there is one.
    #[must_use]
    pub fn estimate(&self, equal: u32) -> Option<f64> {
        self.compiled.index.estimate_of(equal)
    }

    /// The number of shingles that two documents share, if their features are shingles.
    #[must_use]
    pub fn shared_shingles(&self, a: &[u64], b: &[u64]) -> Option<u64> {
        if !self.compiled.comparer.keeps_shingles() {
            return None;
        }
        common_at_least(a, b, 0).map(|common| common as u64)
    }
}
