//! Labelled sets: documents with known duplicates.
//!
//! Documents and pages are read by [`dehusk_pipeline`] in all its formats, including ROMIP XML. This module reads the
//! files of truth and writes labelled sets.

pub mod romip;
mod truth;
mod write;

pub use truth::{Degree, Truth, labels_of_pairs};
pub use write::{Label, SetWriter};

#[cfg(test)]
mod tests;
