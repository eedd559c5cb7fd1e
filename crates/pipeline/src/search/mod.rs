//! The search for duplicates: signing, statistics of the corpus, memory and spill files, the index.

pub(crate) mod corpus_stats;
pub(crate) mod duplicates;
pub mod index;
pub(crate) mod memory;
pub(crate) mod signing;
pub(crate) mod spill_files;
