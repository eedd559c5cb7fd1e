//! Decoded text to tree: the only module that knows which parser does it.
//!
//! Ours, [`whatwg`], is the front. html5ever stands behind the same interface with the feature `html5ever`; the
//! feature `reference` compares both with html5ever's own tree.

mod builder;
mod hits;
#[cfg(any(test, feature = "html5ever"))]
mod html5ever;
#[cfg(any(test, feature = "reference"))]
mod outline;
#[cfg(any(test, feature = "reference"))]
mod reference;
#[cfg(any(test, feature = "shapes"))]
pub mod shapes;
#[cfg(test)]
mod tests;
mod whatwg;

use crate::Warning;
use crate::limits::{Deadline, Limits};
use crate::tree::{Dom, Namespace};

pub use builder::{Front, Parser, UnknownFront};
#[cfg(feature = "reference")]
pub use reference::{FrontDifference, front_check};

/// How to parse.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions {
    /// As browsers with scripts on: the content of `noscript` is one text.
    pub scripting: bool,
    pub limits: Limits,
}

/// The tree of a page by the front that is the default, and the limits it hit.
pub fn parse<'s>(source: &'s str, options: &ParseOptions, deadline: &Deadline) -> (Dom<'s>, Vec<Warning>) {
    whatwg::parse(source, options, None, deadline)
}

/// As [`parse`] by any front, and of fragments too.
pub fn parse_with<'s>(
    front: Front,
    source: &'s str,
    options: &ParseOptions,
    context: Option<(Namespace, &str)>,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    match front {
        Front::Whatwg => whatwg::parse(source, options, context, deadline),
        #[cfg(any(test, feature = "html5ever"))]
        Front::Html5ever => html5ever::parse(source, options, context, deadline),
    }
}
