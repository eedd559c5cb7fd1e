//! An index of documents on disk, in which duplicates of later documents are found.
//!
//! An index is a folder. Its manifest, `index.json`, lists the settings that its documents were signed with, its segments, their removed
//! documents, and the file of weights. Every change first writes new files, then a new manifest, which is renamed into place: an
//! interrupted change has no effect. One process at a time may change an index. Any number of processes may read it.
//!
//! Every block of a segment has a checksum. The manifest has a checksum of these checksums, and one of itself. Damaged, truncated or
//! foreign files cause an error and no answer.
//!
//! Texts and ids are unique within an index. Texts that are equal only after normalization are different texts. For each document, the
//! index stores how many documents it represents: duplicates that were not added count for it.

mod blocks;
mod change;
mod lookup;
mod query;
mod segment;
mod store;
mod texts;
mod weights;

pub use crate::record::Match;
pub use crate::write::summary::Added;
pub(crate) use change::Fate;
pub(crate) use change::Growth;
pub use change::{Merged, Removed, add, compact, merge, remove};
pub(crate) use query::known_documents;
pub use query::{IndexRow, rows};
pub use query::{Queried, query};
pub(crate) use segment::PassageWords;
pub use store::{Index, IndexPassages, IndexStats};

#[cfg(test)]
pub(crate) mod tests;
