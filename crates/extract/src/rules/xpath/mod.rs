//! XPath 1.0, evaluated by sxd-xpath.
//!
//! Expressions are parsed here first, for messages that name the place, and rewritten with counters that pay for the work of
//! the evaluator (`meter.rs`). The evaluator differs from XPath 1.0 in two points: `!=` between nodes and a value means that
//! none is equal, and `<`, `>` and the like compare the first node only. There are no variables and no namespaces; names of
//! HTML elements and attributes are in lower case.

pub(super) mod evaluate;
mod lexer;
pub(super) mod meter;
