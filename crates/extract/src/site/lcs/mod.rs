//! Longest common subsequences of two vectors.
//!
//! All algorithms return a longest one. If there are several, algorithms may return different ones.

pub(super) mod algorithm;
mod bit_parallel;
pub(super) mod choice;
mod dynamic;
pub(super) mod hunt_szymanski;
mod myers;
mod patience;

#[cfg(test)]
mod tests;

pub use algorithm::Lcs;
pub use bit_parallel::BitParallel;
pub use choice::{choose, matching_pairs};
pub use dynamic::Dynamic;
pub use hunt_szymanski::HuntSzymanski;
pub use myers::Myers;
pub use patience::patience;

/// All algorithms.
pub static ALL: &[&dyn Lcs] = &[&HuntSzymanski, &Myers, &BitParallel, &Dynamic];
