//! Parsing: from decoded text to a tree.
//!
//! [`Parser`] is the interface. [`ParserKind`] selects the parser: that of this crate or, with the feature
//! `html5ever`, html5ever. The feature `reference` compares both with html5ever's own tree.

mod entry;
#[cfg(any(test, feature = "shapes"))]
pub mod growth;
#[cfg(any(test, feature = "html5ever"))]
mod html5ever;
mod kind;
mod limits_hit;
mod options;
#[cfg(any(test, feature = "reference"))]
mod outline;
#[cfg(any(test, feature = "reference"))]
mod reference;
#[cfg(any(test, feature = "shapes"))]
pub mod shapes;
#[cfg(test)]
mod tests;
mod whatwg;

pub use entry::Parser;
pub use kind::{ParserKind, UnknownParser};
#[cfg(feature = "reference")]
pub use reference::{TreeDifference, reference_check};
