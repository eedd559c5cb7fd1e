//! Extractors: methods that label every block of a page as kept or dropped.

pub mod comments;
pub(crate) mod extractor;
pub(crate) mod labels;
pub(crate) mod methods;
#[doc(hidden)]
pub mod model;

pub use extractor::{Extractor, View};
pub use labels::{Labels, Verdict};
pub use methods::boilerpipe::rules::{DensityRules, NumWordsRules};
pub use methods::density::DensityTree;
pub use methods::sentences::SentenceRules;

pub use crate::parameter::{MethodError, Parameter};

/// Every extractor, in the order in which help lists them.
pub static ALL: &[&dyn Extractor] = &[
    DEFAULT,
    &methods::readability::Readability,
    &methods::boilerpipe_article::BoilerpipeArticle,
    &methods::boilerpipe_default::BoilerpipeDefault,
    &methods::boilerpipe_largest::BoilerpipeLargest,
    &methods::boilerpipe_numwords::BoilerpipeNumwords,
    &methods::boilerpipe_canola::BoilerpipeCanola,
    &methods::density::Density,
    &methods::markup::Markup,
    &methods::sentences::Sentences,
    &methods::keywords::Keywords,
    &methods::all_text::AllText,
];

/// The one that is used unless another is asked for.
pub(crate) static DEFAULT: &dyn Extractor = &methods::default::Default;

/// The extractor with this name.
pub fn find(name: &str) -> Option<&'static dyn Extractor> {
    ALL.iter().copied().find(|e| e.name() == name)
}

#[cfg(test)]
mod tests;
