//! The laboratory: it measures which method finds duplicates best, with confidence intervals.
//!
//! - [`sets`] reads the truth of labelled sets, and writes labelled sets,
//! - [`generate`] generates sets with known truth,
//! - [`compare`] runs all methods of [`dehusk_pipeline::dedup`] over a set and shares work between them,
//! - [`metrics`] computes scores,
//! - [`Study`] performs a complete comparison, from inputs to results,
//! - [`report`] writes the results as a page, as JSON and as tables.
//!
//! Except for times and memory, all figures depend only on the inputs and the options.

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

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
