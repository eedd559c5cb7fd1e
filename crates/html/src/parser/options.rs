//! How to parse.

use crate::limits::Limits;

/// How to parse.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions {
    /// As browsers with scripts on: the content of `noscript` is one text.
    pub scripting: bool,
    pub limits: Limits,
}
