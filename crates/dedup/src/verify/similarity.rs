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

    /// The kind of similarity that its threshold applies to. Default: resemblance.
    fn bound(&self) -> Bound {
        Bound::Resemblance
    }

    /// Checks the parameters and prepares the similarity for a run over signatures of `signature`.
    ///
    /// # Errors
    /// If a parameter is out of its range, if the similarity needs statistics that the context lacks, or if it cannot
    /// read signatures of this form.
    fn comparer(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Comparer>, BuildError>;
}

/// A similarity, prepared for a run. It keeps one row of words per document and compares two rows.
pub trait Comparer: Send + Sync {
    /// Appends the row of a document, its features, to `out`.
    fn row(&self, document: &Document<'_>, signature: &[u64], out: &mut Vec<u64>);

    /// True if rows are computed from signatures.
    fn needs_signature(&self) -> bool {
        false
    }

    /// True if a row is the shingle set itself, so that callers need to store only one of the two.
    fn keeps_shingles(&self) -> bool {
        false
    }

    /// Which of two similar documents lies inside the other. Default: not known.
    fn contained(&self, a: &[u64], b: &[u64]) -> Contained {
        let _ = (a, b);
        Contained::Neither
    }

    /// The similarity of two documents, 0 to 1. The same for both orders of arguments. `None` if it is below
    /// `at_least`.
    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64>;
}

/// Copies a similarity behind a pointer. Implemented for every similarity that is `Clone`.
pub trait CloneSimilarity {
    /// A copy.
    fn boxed(&self) -> Box<dyn Similarity>;
}

impl<S: Similarity + Clone + 'static> CloneSimilarity for S {
    fn boxed(&self) -> Box<dyn Similarity> {
        Box::new(self.clone())
    }
}
