//! Similarities: what verifies a candidate pair.

use std::sync::Arc;

use crate::document::{Context, Document};
use crate::error::BuildError;
use crate::signature::Method;
use crate::strategy::{Strategy, find};

mod containment;
mod cosine;
mod edit;
mod hamming;
mod jaccard;
mod weighted_jaccard;

pub use containment::{Containment, containment};
pub use cosine::Cosine;
pub use edit::{Edit, edit_distance};
pub use hamming::Hamming;
pub use jaccard::{Jaccard, resemblance};
pub use weighted_jaccard::{WeightedJaccard, weighted_jaccard};

/// Every similarity, in the order in which help texts list them.
pub static ALL: &[&dyn Similarity] = &[
    &Jaccard,
    &WeightedJaccard,
    &Containment,
    &Cosine,
    &Edit::DEFAULT,
    &Hamming,
];

/// A similarity with its parameters.
pub trait Similarity: Strategy {
    /// A copy behind a shared pointer, as options hold it.
    fn shared(&self) -> Arc<dyn Similarity>;

    /// A copy with one parameter changed, by name.
    ///
    /// # Errors
    /// If there is no such parameter, or if the value is out of its range.
    fn set(&self, parameter: &str, value: &str) -> Result<Arc<dyn Similarity>, BuildError> {
        let _ = value;
        Err(BuildError::unknown_parameter(
            self.name(),
            parameter,
            self.parameters(),
        ))
    }

    /// True if it needs the statistics of the collection.
    fn needs_statistics(&self) -> bool {
        false
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
    /// Adds what is needed to compare a document to the end of `out`.
    fn row(&self, document: &Document<'_>, signature: &[u64], out: &mut Vec<u64>);

    /// True if a row is made of the signature.
    fn needs_signature(&self) -> bool {
        false
    }

    /// True if a row is the shingle set, so that it need not be kept twice.
    fn keeps_shingles(&self) -> bool {
        false
    }

    /// The similarity of two documents, 0 to 1 and the same in both orders, or none if it is below `at_least`.
    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64>;
}

/// The similarity of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Similarity>, BuildError> {
    find(ALL, "similarity", name).map(Similarity::shared)
}

/// Steps through two lists between two looks at how far they are.
const STEPS: usize = 16;

/// Number of common elements of two sorted lists without repetitions, or none once it is certain to stay below
/// `at_least`.
fn common_at_least(a: &[u64], b: &[u64], at_least: usize) -> Option<usize> {
    // How many elements of each list may still turn out to be its own.
    let mut spare_a = a.len().checked_sub(at_least)?;
    let mut spare_b = b.len().checked_sub(at_least)?;
    let (mut i, mut j) = (0, 0);
    // Steps without branches, so that nothing is guessed wrong; what was spent is seen after each round of them.
    while i + STEPS <= a.len() && j + STEPS <= b.len() {
        let (part_a, part_b) = (&a[i..i + STEPS], &b[j..j + STEPS]);
        let (mut k, mut l, mut own_a, mut own_b) = (0, 0, 0, 0);
        for _ in 0..STEPS {
            let (x, y) = (part_a[k], part_b[l]);
            own_a += usize::from(x < y);
            own_b += usize::from(y < x);
            k += usize::from(x <= y);
            l += usize::from(y <= x);
        }
        spare_a = spare_a.checked_sub(own_a)?;
        spare_b = spare_b.checked_sub(own_b)?;
        (i, j) = (i + k, j + l);
    }
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        if x < y {
            spare_a = spare_a.checked_sub(1)?;
            i += 1;
        } else if y < x {
            spare_b = spare_b.checked_sub(1)?;
            j += 1;
        } else {
            i += 1;
            j += 1;
        }
    }
    // Every element of `a` that was passed is either common or was taken from what it could spare.
    let own = a.len() - at_least - spare_a;
    Some(i - own).filter(|&common| common >= at_least)
}

#[cfg(test)]
mod tests;
