//! Decoded text to tree: the only module that knows which parser does it.
//!
//! Ours, [`whatwg`], is the front. html5ever stands behind the same interface with the feature `html5ever-front`; the
//! feature `reference-front` compares both with html5ever's own tree.

mod hits;
#[cfg(any(test, feature = "html5ever-front"))]
mod html5ever;
mod noscript;
#[cfg(any(test, feature = "reference-front"))]
mod outline;
#[cfg(any(test, feature = "reference-front"))]
mod page_shapes;
mod parser;
#[cfg(any(test, feature = "reference-front"))]
mod reference;
#[cfg(any(test, feature = "reference-front"))]
mod shapes;
#[cfg(test)]
mod tests;
mod whatwg;

use crate::Warning;
use crate::dom::{Dom, Namespace};
use crate::limits::{Deadline, Limits};

#[cfg(feature = "reference-front")]
pub use page_shapes::PAGE_SHAPES;
pub use parser::{Front, Parser, UnknownFront};
#[cfg(feature = "reference-front")]
pub use reference::{FrontDifference, front_check};
#[cfg(feature = "reference-front")]
pub use shapes::SHAPES as FRONT_SHAPES;

/// How to parse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseOptions {
    /// As browsers with scripts on: the content of `noscript` is one text.
    pub(crate) scripting: bool,
    pub(crate) limits: Limits,
}

/// The tree of a page by the front that is the default, and the limits it hit.
pub(crate) fn parse<'s>(
    source: &'s str,
    options: &ParseOptions,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    whatwg::parse(source, options, None, deadline)
}

/// As [`parse`] by any front, and of fragments too.
pub(crate) fn parse_with<'s>(
    front: Front,
    source: &'s str,
    options: &ParseOptions,
    context: Option<(Namespace, &str)>,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    match front {
        Front::Whatwg => whatwg::parse(source, options, context, deadline),
        #[cfg(any(test, feature = "html5ever-front"))]
        Front::Html5ever => html5ever::parse(source, options, context, deadline),
    }
}

/// The tree of a page as its readers see it: as browsers with scripts on, unless those get next to nothing and `noscript`
/// holds the text.
pub(crate) fn parse_shown<'s>(
    front: Front,
    source: &'s str,
    limits: Limits,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    let options = ParseOptions {
        scripting: true,
        limits,
    };
    let (dom, hits) = parse_with(front, source, &options, None, deadline);
    noscript::open(front, &dom, &options, deadline).unwrap_or((dom, hits))
}
