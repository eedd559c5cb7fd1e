//! Candidate methods: which pairs of documents are worth comparing.

use std::sync::Arc;

use crate::candidates::method::Candidates;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::find;

mod broder;
mod brute_force;
mod exact_join;
mod exact_key;
mod hamming;
mod length_window;
mod lsh;

pub use broder::Broder;
pub use brute_force::BruteForce;
pub use exact_join::ExactJoin;
pub use exact_key::ExactKey;
pub use hamming::Hamming;
pub use length_window::LengthWindow;
pub use lsh::Lsh;

/// Every candidate method, in the order in which help texts list them.
pub static ALL: &[&dyn Candidates] = &[
    &ExactKey::DEFAULT,
    &Lsh::DEFAULT,
    &Broder::DEFAULT,
    &ExactJoin,
    &Hamming::DEFAULT,
    &LengthWindow::DEFAULT,
    &BruteForce,
];

/// The method of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Candidates>, BuildError> {
    find(ALL, "candidates", name).map(Candidates::shared)
}

#[cfg(test)]
mod tests;
