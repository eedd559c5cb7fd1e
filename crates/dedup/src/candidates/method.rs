//! The traits of candidate methods.

use crate::candidates::columns::KeyColumns;
use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::pair::ScoredPair;
use crate::sign::banding::Banding;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Bound, Context, Document};

/// A candidate method with its parameters.
pub trait Candidates: Strategy + CloneCandidates {
    /// True if it finds pairs whose similarity of this kind reaches the threshold. All methods find pairs that resemble
    /// each other.
    fn finds(&self, bound: Bound) -> bool {
        bound == Bound::Resemblance
    }

    /// Checks the parameters and prepares the method for a run over signatures of `signature`.
    ///
    /// # Errors
    /// If a parameter is out of its range, or if the method cannot read signatures of this form.
    fn index(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Index>, BuildError>;
}

/// A candidate method, prepared for a run. It keeps one row of words per document and finds pairs among the rows.
pub trait Index: Send + Sync {
    /// Appends the row of a document to `out`.
    fn row(&self, document: &Document<'_>, signature: &[u64], out: &mut Vec<u64>);

    /// True if rows are computed from signatures.
    fn needs_signature(&self) -> bool {
        true
    }

    /// True if a row is the signature itself, so that callers need to store only one of the two.
    fn keeps_signature(&self) -> bool {
        false
    }

    /// Appends the keys of a document to `out` and returns true, if documents are candidates exactly when
    /// they share a key. Keys have 64 bits; [`row`](Self::row) stores their upper bits. Returns false if
    /// candidates are found in another way.
    fn keys(&self, signature: &[u64], out: &mut Vec<u64>) -> bool {
        let _ = (signature, out);
        false
    }

    /// Estimate of the similarity of two documents from their rows, 0 to 1. `None` if rows allow no estimate.
    fn estimate(&self, a: &[u64], b: &[u64]) -> Option<f64> {
        let _ = (a, b);
        None
    }

    /// Like [`estimate`](Self::estimate), from the number of equal keys in the rows. `None` if this number does not
    /// suffice.
    fn estimate_of(&self, equal: u32) -> Option<f64> {
        let _ = equal;
        None
    }

    /// The banding of signatures, or `None` if the method does not use bands.
    fn banding(&self) -> Option<Banding> {
        None
    }

    /// The layout of rows, if documents are candidates exactly if they share a key in the same column; else `None`.
    fn columns(&self) -> Option<KeyColumns> {
        None
    }

    /// The number of keys by which a document with `keys` keys asks, that is, by which it looks up other documents. It
    /// is used if [`columns`](Self::columns) have `asked` set. The choice of these keys changes how many pairs are
    /// compared, but not which similar pairs are found.
    fn asked(&self, keys: usize) -> usize {
        keys
    }

    /// Lower bound of the number of equal keys of two documents that are similar enough and have `a` and `b` keys; 1 or
    /// more.
    fn least_equal(&self, a: usize, b: usize) -> usize {
        let _ = (a, b);
        1
    }

    /// Calls `check` with pairs of documents, in any order and from any threads, and appends the pairs that it returns
    /// to `found`. Which pairs are checked, and how often, does not depend on the number of threads.
    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts;
}

/// Copies a candidate method behind a pointer. Implemented for every method that is `Clone`.
pub trait CloneCandidates {
    /// A copy.
    fn boxed(&self) -> Box<dyn Candidates>;
}

impl<S: Candidates + Clone + 'static> CloneCandidates for S {
    fn boxed(&self) -> Box<dyn Candidates> {
        Box::new(self.clone())
    }
}
