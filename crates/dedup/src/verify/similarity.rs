//! The traits of similarities.

use crate::candidates::pair::Contained;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Bound, Context, Document};

/// A similarity with its parameters.
pub trait Similarity: Strategy + CloneSimilarity {
    /// True if it needs the statistics of the collection.
    fn needs_statistics(&self) -> bool {
        false
    }

    /// What a threshold of it bounds.
    fn bound(&self) -> Bound {
        Bound::Resemblance
    }

    /// Makes the similarity ready for a run over signatures of `signature`.
    ///
    /// # Errors
    /// If a parameter is out of its range, if the similarity needs statistics and the context has none, or if it reads
    /// signatures of another form.
    fn comparer(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Comparer>, BuildError>;
}

/// A similarity at work: it keeps one row of words per document, and compares two rows.
pub trait Comparer: Send + Sync {
    /// Adds the features of a document to the end of `out`.
    fn row(&self, document: &Document<'_>, signature: &[u64], out: &mut Vec<u64>);

    /// True if a row is made of the signature.
    fn needs_signature(&self) -> bool {
        false
    }

    /// True if a row is the shingle set, so that it need not be kept twice.
    fn keeps_shingles(&self) -> bool {
        false
    }

    /// Which of two documents lies inside the other, if they are similar enough.
    fn contained(&self, a: &[u64], b: &[u64]) -> Contained {
        let _ = (a, b);
        Contained::Neither
    }

    /// The similarity of two documents, 0 to 1 and the same in both orders, or none if it is below `at_least`.
    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64>;
}

/// Copies of a similarity behind a pointer, which everything that can be cloned has.
pub trait CloneSimilarity {
    /// A copy.
    fn boxed(&self) -> Box<dyn Similarity>;
}

impl<S: Similarity + Clone + 'static> CloneSimilarity for S {
    fn boxed(&self) -> Box<dyn Similarity> {
        Box::new(self.clone())
    }
}
