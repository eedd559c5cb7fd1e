//! Pairs of documents.

/// Two documents that were compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPair {
    /// The smaller document number.
    pub a: u32,
    /// The larger document number.
    pub b: u32,
    /// Their similarity by the verifying measure, 0 to 1.
    pub similarity: f64,
    /// What the signatures or the index alone say of their similarity, 0 to 1; none where they say nothing.
    pub estimate: Option<f32>,
}
