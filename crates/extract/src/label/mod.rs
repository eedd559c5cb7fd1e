//! Extractors: methods that label every block of a page as kept or dropped.

pub(crate) mod class_lists;
pub(crate) mod classes;
pub mod comments;
pub(crate) mod extractor;
pub(crate) mod labels;
pub(crate) mod methods;
#[cfg_attr(
    not(feature = "training"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "growing the trees needs more of the model than extraction"
    )
)]
pub(crate) mod model;
pub(crate) mod registry;
pub(crate) mod scratch;

pub use classes::BlockClass;
pub use classes::convention::Inclusion;
pub use extractor::{Extractor, Focus, PageView};
pub use labels::{Labels, Verdict};
pub use methods::boilerpipe::rules::{DensityRules, NumWordsRules};
pub use methods::density::{Density, DensityTree};
pub use methods::sentences::Sentences;
pub use methods::sentences::rules::SentenceRules;
pub use registry::{ALL, ExtractorChoice, find};

pub use crate::parameter::{MethodError, Parameter};

#[cfg(test)]
pub(crate) mod tests;
