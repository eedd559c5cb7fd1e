//! The settings of a parser.

use crate::limits::Limits;

/// Settings of one parse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseOptions {
    /// As browsers with scripts on: the content of `noscript` is one text.
    pub(crate) scripting: bool,
    pub(crate) limits: Limits,
}
