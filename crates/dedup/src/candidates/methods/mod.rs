//! Candidate methods, one file each: they choose the pairs of documents to compare.

use crate::candidates::method::{Candidates, CloneCandidates};
use crate::strategy::entry::Family;

mod broder;
mod brute_force;
pub(crate) mod containment;
mod exact_join;
mod exact_key;
mod hamming;
mod length_window;
mod lsh;

pub use broder::Broder;
pub use brute_force::BruteForce;
pub use containment::Containment;
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
    &Containment::DEFAULT,
    &Hamming::DEFAULT,
    &LengthWindow::DEFAULT,
    &BruteForce,
];

impl Family for dyn Candidates {
    const NAME: &'static str = "candidates";

    fn all() -> &'static [&'static Self] {
        ALL
    }

    fn boxed(&self) -> Box<Self> {
        CloneCandidates::boxed(self)
    }
}

#[cfg(test)]
mod tests;
