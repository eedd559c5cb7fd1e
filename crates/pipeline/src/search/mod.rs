//! The search for duplicates: signing, what is known of the collection, memory and spill files, verdicts, the index.

pub(crate) mod corpus_stats;
pub(crate) mod duplicates;
pub mod index;
pub(crate) mod signing;
mod spill_files;
