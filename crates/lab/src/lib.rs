//! The laboratory: which method finds duplicates best, and how sure that is.
//!
//! - [`sets`] reads what is known of labelled sets and writes them,
//! - [`generate`] makes sets whose truth is known,
//! - [`compare`] runs all methods of [`dehusk_pipeline::dedup`] over a set, on shared work,
//! - [`metrics`] scores them,
//! - [`Study`] goes from inputs to results,
//! - [`report`] writes the results as a page, as JSON and as tables.
//!
//! All figures but times and memory depend on the inputs and the options alone.

#![forbid(unsafe_code)]

pub mod compare;
pub mod generate;
pub mod metrics;
mod random;
pub mod report;
mod scratch;
pub mod sets;
mod study;

pub use random::{Millionths, Random};
pub use study::Study;

/// The examples of the README are tested, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
