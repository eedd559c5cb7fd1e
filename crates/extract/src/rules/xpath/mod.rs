//! XPath 1.0, evaluated by sxd-xpath.
//!
//! Expressions are first parsed here, for messages that contain the position, and rewritten with counters that pay for the work of the evaluator
//! (`meter.rs`). The evaluator differs from XPath 1.0 in two points: `!=` between nodes and a value means that no node is equal to it, and `<`, `>`
//! and the like compare the first node only. Variables and namespaces are not supported. Names of HTML elements and attributes are in lower case.

pub(super) mod evaluate;
mod lexer;
pub(super) mod meter;
