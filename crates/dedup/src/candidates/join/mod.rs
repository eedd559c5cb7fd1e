//! The join of equal keys: documents that share a key are candidates.

mod asked_groups;
pub(crate) mod asking;
mod asking_files;
pub(crate) mod files;
pub(crate) mod group;
mod key_file;
mod key_parts;
pub(crate) mod memory;
pub(crate) mod open_groups;
mod pair_sorter;
pub(crate) mod probe;
pub(crate) mod spill;
