//! Scores of a result over pairs, clusters and documents, and their confidence intervals.

mod bootstrap;
mod clusters;
mod pairs;

pub use bootstrap::{Bootstrap, Interval, Tally};
pub use clusters::{ClusterScores, Hassanzadeh, overlapping, partition};
pub use pairs::{Prf, choose_two, url_level};

#[cfg(test)]
mod tests;
