//! What must hold for any input.
//!
//! A [`Target`] reads bytes and panics if something does not hold that must. libFuzzer looks for such bytes (`fuzz/` beside this
//! folder is its package), and an ordinary test of this crate replays what it found and kept.

#![forbid(unsafe_code)]

mod edits;
mod markup;
mod page;
mod scratch;
pub mod targets;

pub use targets::{Target, check};
