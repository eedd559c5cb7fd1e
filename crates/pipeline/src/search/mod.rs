//! The search for duplicates: its memory, its spill files, its index.

pub(crate) mod collection;
pub(crate) mod duplicates;
pub mod index;
pub(crate) mod reread;
mod spill_files;
pub(crate) mod verdict;
