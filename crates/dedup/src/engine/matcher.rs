//! Comparison of two documents by features that the caller stores.

use std::sync::Arc;

use crate::candidates::columns::KeyColumns;
use crate::candidates::pair::Contained;
use crate::engine::compiled::CompiledOptions;
use crate::engine::key_groups::KeyGroups;
use crate::numeric::sets::common_at_least;
use crate::sign::banding::Banding;

/// Compares documents by features made by a [`DocumentSigner`](crate::DocumentSigner) or a [`Batch`](crate::Batch).
/// Used for an index that outlives the run, and for pairs that were found elsewhere.
///
/// A search by a join of keys, as an engine makes it on many machines:
///
/// ```
/// use dehusk_dedup::{CompiledOptions, Matcher, Options, VerifiedPairs, DocumentSigner, ScoredPair, Tokens};
/// use std::sync::Arc;
///
/// let compiled = Arc::new(CompiledOptions::new(Options::default().with_threshold(0.5).with_min_tokens(3))?);
/// let (mut signer, matcher) = (DocumentSigner::new(Arc::clone(&compiled)), Matcher::new(Arc::clone(&compiled)));
/// let groups = matcher.groups().expect("the default signatures are joined by equal keys");
/// let documents = ["one two three four five six", "one two three four five seven"].map(|text| {
///     let tokens: Tokens = text.split(' ').collect();
///     let signed = signer.sign(&tokens, &tokens);
///     let (kind, content, features) = (signed.kind, signed.content, signed.features.to_vec());
///     let mut keys = Vec::new();
///     signer.keys(&mut keys);
///     (kind, content, features, groups.words(&keys))
/// });
/// // A join of the words, on one machine or on many, finds the candidates.
/// let [a, b] = &documents;
/// assert!(a.3.iter().any(|word| b.3.contains(word)));
/// let similarity = matcher.compare(&a.2, &b.2).expect("they are similar");
/// let pairs = vec![ScoredPair::new(0, 1, similarity, None)];
/// let of_documents = documents.iter().map(|(kind, content, ..)| (*kind, *content, 0));
/// let outcome = VerifiedPairs::from_pairs(compiled, of_documents, pairs).cluster(&());
/// assert_eq!(outcome.clusters.group(0), [0, 1]);
/// # Ok::<(), dehusk_dedup::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Matcher {
    compiled: Arc<CompiledOptions>,
}

impl Matcher {
    /// A matcher with these settings.
    #[must_use]
    pub fn new(compiled: Arc<CompiledOptions>) -> Self {
        Self { compiled }
    }

    /// The layout of the index's rows. `None` if candidates are not found by equal keys or are not verified.
    #[must_use]
    pub fn columns(&self) -> Option<KeyColumns> {
        let columns = self.compiled.index.columns();
        columns.filter(|_| self.compiled.options.verify)
    }

    /// The rule for groups of equal keys, for callers that join keys elsewhere. `None` if candidates are not found by
    /// equal keys, if documents ask by some of their keys only (a join of all keys would not know which), or if
    /// candidates are not verified.
    #[must_use]
    pub fn groups(&self) -> Option<KeyGroups> {
        self.columns().and_then(KeyGroups::new)
    }

    /// The banding of signatures, or `None` if candidates do not come from banding.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        self.compiled.banding()
    }

    /// The similarity of two documents by their features. `None` if it is below the threshold.
    #[must_use]
    pub fn compare(&self, a: &[u64], b: &[u64]) -> Option<f64> {
        self.compare_sides(a, b).map(|(similarity, _)| similarity)
    }

    /// Like [`compare`](Self::compare), and also returns which of the two documents lies inside the other.
    #[must_use]
    pub fn compare_sides(&self, a: &[u64], b: &[u64]) -> Option<(f64, Contained)> {
        self.compiled.similarity(a, b, self.compiled.options.threshold)
    }

    /// Lower bound of the number of equal keys of two similar documents whose features have `a` and `b` words; 1 or
    /// more.
    #[must_use]
    pub fn least_equal(&self, a: usize, b: usize) -> usize {
        // Only if features are shingles does their number equal the number of keys.
        if self.compiled.comparer.keeps_shingles() {
            self.compiled.index.least_equal(a, b)
        } else {
            1
        }
    }

    /// Estimate of the similarity from the number of equal keys. `None` if the index does not allow it.
    #[must_use]
    pub fn estimate(&self, equal: u32) -> Option<f64> {
        self.compiled.index.estimate_of(equal)
    }

    /// The number of shingles that two documents share. `None` if their features are not shingles.
    #[must_use]
    pub fn shared_shingles(&self, a: &[u64], b: &[u64]) -> Option<u64> {
        if !self.compiled.comparer.keeps_shingles() {
            return None;
        }
        common_at_least(a, b, 0).map(|common| common as u64)
    }
}
