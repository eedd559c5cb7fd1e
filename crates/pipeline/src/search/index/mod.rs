//! An index of documents on disk: what duplicates of later documents are found by.
//!
//! An index is a folder. `index.json`, the manifest, names the settings that its documents were signed with, the
//! segments that are part of it, which of their documents were removed, and the file of their weights. Every change of an index writes
//! new files first, then a new manifest, and gives that its name: a change that is interrupted has not happened. One process
//! at a time may change an index; any number may read it.
//!
//! Every block of a segment has a checksum, the manifest has the checksum of these, and one of itself: whatever was damaged, cut off,
//! or taken from another index is an error, and no answer.
//!
//! An index holds each text once, and each id once. Texts that only the profile makes equal are different texts. Of each document it
//! knows how many it stands for: those that were not added since it was there count for it.

mod blocks;
mod change;
mod lookup;
mod query;
mod segment;
mod store;
mod weights;

pub use crate::record::Match;
pub use crate::write::summary::Added;
pub(crate) use change::Fate;
pub(crate) use change::Growth;
pub use change::{Merged, Removed, add, compact, merge, remove};
pub(crate) use query::known_documents;
pub use query::{IndexRow, rows};
pub use query::{Queried, query};
pub use store::{Index, IndexStats};

#[cfg(test)]
pub(crate) mod tests;
