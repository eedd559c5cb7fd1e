//! The block table: every run of text on a page, with the counts by which extractors decide.
//!
//! A block is a run of text between tags. The inline tags of boilerpipe (`b`, `em`, `span`, `a` and the
//! like; Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010)
//! do not end a block. No method needs smaller blocks; methods that need larger ones join blocks by
//! [`Block::boundary`]. The table is filled in one pass without recursion, and all extractors share it.

pub(crate) mod block;
pub(crate) mod counts;
pub(crate) mod elements;
mod fill;
mod hiding_rules;
mod masks;
mod names;
mod signs;
mod steps;
pub(crate) mod table;
pub(crate) mod words;

pub use block::{Block, BlockKind, Boundary, Context};
pub use table::BlockTable;

#[cfg(test)]
mod tests;
