//! Similarities, one file each: they verify candidate pairs.

use crate::strategy::entry::Family;
use crate::verify::similarity::{CloneSimilarity, Similarity};

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

impl Family for dyn Similarity {
    const NAME: &'static str = "similarity";

    fn all() -> &'static [&'static Self] {
        ALL
    }

    fn boxed(&self) -> Box<Self> {
        CloneSimilarity::boxed(self)
    }
}

#[cfg(test)]
mod tests;
