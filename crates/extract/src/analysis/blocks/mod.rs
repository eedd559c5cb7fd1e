//! The block table: every run of text on a page with the figures that extractors decide by.
//!
//! A block is a run of text between tags other than the few that boilerpipe looks through (`b`, `em`, `span`, `a` and the
//! like; Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010). That is the
//! finest division any of the methods needs; [`Block::boundary`] tells those that want coarser ones where to join. The table
//! is filled in one pass without recursion, and every extractor reads the same one.

pub(crate) mod block;
pub(crate) mod counts;
pub(crate) mod elements;
mod fill;
mod names;
pub(crate) mod table;
pub(crate) mod words;

pub use block::{Block, BlockKind, Boundary, Context};
pub use table::BlockTable;

#[cfg(test)]
mod tests;
