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
    /// True if it finds pairs of which the threshold bounds this. Pairs that resemble each other are found by all methods.
    fn finds(&self, bound: Bound) -> bool {
        bound == Bound::Resemblance
    }

    /// Makes the method ready for a run over signatures of `signature`.
    ///
    /// # Errors
    /// If a parameter is out of its range, or if the signatures have another form than the method reads.
    fn index(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Index>, BuildError>;
}

/// A candidate method at work: it keeps one row of words per document, and finds pairs among the rows.
pub trait Index: Send + Sync {
    /// Adds the row of a document to the end of `out`.
    fn row(&self, document: &Document<'_>, signature: &[u64], out: &mut Vec<u64>);

    /// True if a row is made of the signature.
    fn needs_signature(&self) -> bool {
        true
    }

    /// True if a row is the signature itself, so that it need not be kept twice.
    fn keeps_signature(&self) -> bool {
        false
    }

    /// Adds the keys of a document to the end of `out`, if documents are candidates exactly where they share a key: 64 bits
    /// each, from which the shorter keys of [`row`](Self::row) are taken. Returns false if candidates are found otherwise.
    fn keys(&self, signature: &[u64], out: &mut Vec<u64>) -> bool {
        let _ = (signature, out);
        false
    }

    /// An estimate of the similarity of two documents from their rows, 0 to 1, if there is one.
    fn estimate(&self, a: &[u64], b: &[u64]) -> Option<f64> {
        let _ = (a, b);
        None
    }

    /// The same of two documents with that many equal keys in their rows, where that alone decides.
    fn estimate_of(&self, equal: u32) -> Option<f64> {
        let _ = equal;
        None
    }

    /// How signatures are cut, if pairs are found by that.
    fn banding(&self) -> Option<Banding> {
        None
    }

    /// How a row is laid out, if documents are candidates exactly where they share a key in the same column.
    fn columns(&self) -> Option<KeyColumns> {
        None
    }

    /// Where [columns](Self::columns) are asked: the number of its keys by which a document with so many keys asks. Which ones these are
    /// changes how many pairs are compared, and not which similar ones are found.
    fn asked(&self, keys: usize) -> usize {
        keys
    }

    /// The fewest equal keys that two documents with so many keys each have, if they are similar enough.
    fn least_equal(&self, a: usize, b: usize) -> usize {
        let _ = (a, b);
        1
    }

    /// Calls `check` with pairs of documents, in any order and from any threads, and adds the pairs that it returns to
    /// `found`. Which pairs are checked, and how often, does not depend on threads.
    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts;
}

/// Copies of a candidate method behind a pointer, which everything that can be cloned has.
pub trait CloneCandidates {
    /// A copy.
    fn boxed(&self) -> Box<dyn Candidates>;
}

impl<S: Candidates + Clone + 'static> CloneCandidates for S {
    fn boxed(&self) -> Box<dyn Candidates> {
        Box::new(self.clone())
    }
}
