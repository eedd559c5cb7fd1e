//! Scores of a result by pairs, clusters and documents, with confidence intervals; scores of extracted texts.

mod bootstrap;
mod clusters;
pub mod main_text;
mod pairs;
pub mod words;

pub use bootstrap::{Bootstrap, Interval, Tally};
pub use clusters::{ClusterScores, Hassanzadeh, overlapping, partition};
pub use pairs::{Prf, choose_two, url_level};

#[cfg(test)]
mod tests;
