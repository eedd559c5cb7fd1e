//! Repetition within and between documents: equal units, such as lines, and common runs of tokens.

mod finder;
mod found;
mod intervals;
mod items;
mod keyed_runs;
mod repeated;
mod runs;
mod sequences;
mod suffixes;
#[cfg(test)]
mod tests;
mod units;
mod winnow;

pub use finder::{FoundPassages, Occurrence, Passage, Passages};
pub use found::PassageRule;
pub use items::{ItemMatch, ItemMatches, TestItems};
pub use keyed_runs::{CountedWindow, KeyedRun, KeyedRuns, KeyedSearch, RunKeys, RunWindow};
