//! The settings of a parser.

use crate::limits::Limits;

/// Settings of one parse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseOptions {
    /// As browsers with scripts on: the content of `noscript` is one text.
    pub(crate) scripting: bool,
    /// Whether what would hold the rest of the page as text for want of an end is closed at the first tag in it.
    pub(crate) repairs: bool,
    pub(crate) limits: Limits,
}
