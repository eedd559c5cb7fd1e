//! Options of one parse.

use crate::limits::Limits;

/// Options of one parse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParseOptions {
    /// Whether to parse like a browser that runs scripts, where the content of `noscript` is one text.
    pub(crate) scripting: bool,
    /// Whether unclosed elements and comments that would contain the rest of the page are closed early.
    pub(crate) repairs: bool,
    pub(crate) limits: Limits,
}
