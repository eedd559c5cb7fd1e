//! How good a result is, by pairs, by clusters, by documents, and how sure that is.

mod bootstrap;
mod clusters;
mod pairs;

pub use bootstrap::{Bootstrap, Interval, Tally};
pub use clusters::{ClusterScores, Hassanzadeh, overlapping, partition};
pub use pairs::{Prf, choose_two, url_level};

#[cfg(test)]
mod tests;
