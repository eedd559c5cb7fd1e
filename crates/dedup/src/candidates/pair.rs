//! Pairs of documents.

/// Two documents that were compared.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPair {
    /// The smaller document number.
    pub a: u32,
    /// The larger document number.
    pub b: u32,
    /// Their similarity by the verifying measure, 0 to 1.
    pub similarity: f64,
    /// An estimate of their similarity from signatures or the index alone, 0 to 1, if there is one.
    pub estimate: Option<f32>,
}

impl ScoredPair {
    /// A pair of two documents, given in any order.
    #[must_use]
    pub fn new(a: u32, b: u32, similarity: f64, estimate: Option<f32>) -> Self {
        Self {
            a: a.min(b),
            b: a.max(b),
            similarity,
            estimate,
        }
    }

    /// The same figures of two other documents, given in any order.
    pub(crate) fn between(self, a: u32, b: u32) -> Self {
        Self::new(a, b, self.similarity, self.estimate)
    }
}
