//! Labelled sets: what is known to be a duplicate of what.
//!
//! Documents and pages are read by [`pipeline`] in all its formats, ROMIP XML among them; here is what says which of them belong
//! together, and what writes labelled sets.

pub mod romip;
mod truth;
mod write;

pub use truth::{Degree, Truth, labels_of_pairs};
pub use write::{Label, SetWriter};

#[cfg(test)]
mod tests;
