//! What strategies see of a document and of the settings of a run.

use crate::tokens::Tokens;

/// One document, as signature methods, candidate methods and similarities read it.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Its words and sentences.
    pub tokens: &'a Tokens,
    /// Its shingles, sorted and without repetitions.
    pub shingles: &'a [u64],
}

/// What a strategy may need to know when it is made ready for a run.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Smallest similarity of a pair of duplicates, above 0 and up to 1.
    pub threshold: f64,
}

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
