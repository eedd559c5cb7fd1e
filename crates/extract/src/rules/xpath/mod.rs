//! XPath 1.0, evaluated by sxd-xpath.
//!
//! Expressions are parsed here first, for messages that name the place, and written anew with counters in them, so that
//! whatever the evaluator does is paid for (`meter.rs`). Not as XPath 1.0 has it, since the evaluator differs: `!=` between
//! nodes and a value says that none is equal, and `<`, `>` and the like look at the first node alone. There are no variables
//! and no namespaces; names of HTML elements and attributes are in lower case.

pub(super) mod evaluate;
mod lexer;
pub(super) mod meter;
