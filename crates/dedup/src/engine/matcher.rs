//! Comparison of documents that others keep.

use std::sync::Arc;

use crate::candidates::columns::KeyColumns;
use crate::engine::batch::Chain;
use crate::sign::banding::Banding;

/// Compares what [`Sketch`](crate::Sketch)es hold, for an index that outlives the run.
#[derive(Clone)]
pub struct Matcher {
    chain: Arc<Chain>,
    columns: KeyColumns,
}

impl Matcher {
    /// None if candidates are not found by equal keys in columns, or if nothing is verified.
    pub(crate) fn new(chain: &Arc<Chain>) -> Option<Self> {
        let columns = chain.index.columns().filter(|_| chain.options.verify)?;
        Some(Self {
            chain: Arc::clone(chain),
            columns,
        })
    }

    /// How keys are laid out.
    #[must_use]
    pub fn columns(&self) -> KeyColumns {
        self.columns
    }

    /// How signatures are cut.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        self.chain.index.banding()
    }

    /// The similarity of two documents by their evidence, if it is at least the threshold.
    #[must_use]
    pub fn compare(&self, a: &[u64], b: &[u64]) -> Option<f64> {
        self.chain.comparer.compare(a, b, self.chain.options.threshold)
    }

    /// What the number of equal keys says of the similarity, if anything.
    #[must_use]
    pub fn estimate(&self, equal: u32) -> Option<f64> {
        self.chain.index.estimate_of(equal)
    }

    /// The number of shingles that two documents share, if their evidence is shingles.
    #[must_use]
    pub fn shared_shingles(&self, a: &[u64], b: &[u64]) -> Option<u64> {
        if !self.chain.comparer.keeps_shingles() {
            return None;
        }
        let (mut i, mut j, mut common) = (0, 0, 0);
        while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
            common += u64::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        Some(common)
    }
}
