//! The search for duplicates and for passages: signing, corpus statistics, memory, spill files, and the index.

pub(crate) mod corpus_stats;
pub(crate) mod duplicates;
pub mod index;
pub(crate) mod memory;
pub(crate) mod passages;
pub(crate) mod signing;
pub(crate) mod spill_files;
