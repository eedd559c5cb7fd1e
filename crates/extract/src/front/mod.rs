//! Decoded text to tree: the only module that knows which parser does it.

mod html5ever;

use crate::Warning;
use crate::dom::Dom;
use crate::limits::{Deadline, Limits};

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
    html5ever::parse(source, options, deadline)
}
