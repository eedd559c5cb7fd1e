//! Labelled sets: documents whose duplicates are known.
//!
//! Documents and pages are read by [`dehusk_pipeline`] in all its formats, ROMIP XML among them; here the files that say which of them belong
//! together are read, and labelled sets are written.

pub mod romip;
mod truth;
mod write;

pub use truth::{Degree, Truth, labels_of_pairs};
pub use write::{Label, SetWriter};

#[cfg(test)]
mod tests;
