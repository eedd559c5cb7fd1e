//! Properties that must hold for any input.
//!
//! A [`Target`] reads bytes and panics if a property does not hold. libFuzzer searches for such bytes; its
//! package is `fuzz/` in this crate's folder. An ordinary test of this crate replays the inputs that
//! libFuzzer found.

#![forbid(unsafe_code)]

mod edits;
mod markup;
mod page;
mod scratch;
pub mod targets;

pub use targets::{Target, check};
