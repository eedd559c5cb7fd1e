//! Decoded text to tree: the only module that knows which parser does it.
//!
//! Ours, [`whatwg`], is the front. html5ever stands behind the same interface with the feature `reference-front`, for
//! comparisons.

mod hits;
#[cfg(any(test, feature = "reference-front"))]
mod html5ever;
#[cfg(any(test, feature = "reference-front"))]
mod outline;
#[cfg(any(test, feature = "reference-front"))]
mod reference;
#[cfg(test)]
mod tests;
mod whatwg;

use crate::Warning;
use crate::dom::Dom;
use crate::limits::{Deadline, Limits};

#[cfg(feature = "reference-front")]
pub use reference::{FrontDifference, front_check};

/// How to parse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseOptions {
    /// As browsers with scripts on: the content of `noscript` is one text.
    pub(crate) scripting: bool,
    pub(crate) limits: Limits,
}

/// The tree of a page, and the limits it hit.
pub(crate) fn parse<'s>(
    source: &'s str,
    options: &ParseOptions,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    whatwg::parse(source, options, deadline)
}
