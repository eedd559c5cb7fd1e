//! Similarities: what verifies a candidate pair.

use std::sync::Arc;

use crate::strategy::build_error::BuildError;
use crate::strategy::entry::find;
use crate::verify::similarity::Similarity;

mod containment;
mod cosine;
mod edit;
mod hamming;
pub(crate) mod jaccard;
mod weighted_jaccard;

pub use containment::Containment;
pub use cosine::Cosine;
pub use edit::{Edit, edit_distance};
pub use hamming::Hamming;
pub use jaccard::Jaccard;
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

/// The similarity of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Similarity>, BuildError> {
    find(ALL, "similarity", name).map(Similarity::shared)
}

#[cfg(test)]
mod tests;
