//! Similarities: they verify candidate pairs.

pub(crate) mod methods;
pub(crate) mod similarity;
pub(crate) mod term_weights;

pub use crate::numeric::sets::{containment, resemblance};
pub use methods::*;
pub use similarity::{CloneSimilarity, Comparer, Similarity};
