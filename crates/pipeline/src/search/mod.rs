//! The search for duplicates: signing, corpus statistics, memory, spill files, and the index.

pub(crate) mod corpus_stats;
pub(crate) mod duplicates;
pub mod index;
pub(crate) mod memory;
pub(crate) mod signing;
pub(crate) mod spill_files;
