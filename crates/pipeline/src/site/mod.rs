//! Templates of sites: learnt from pages, kept in files, applied, watched.
//!
//! Pages are grouped by the folder of their address. Folders with fewer than three pages go to the folder above, up to the
//! host; copies are left out; pages of different layouts are parted. At most 50 pages of a group are held at a time, each
//! with its text and about 100 bytes for every element above a line of text.

mod check;
mod group;
mod key;
mod learn;
mod show;
mod store;

pub use check::{Health, check};
pub use group::Grouped;
pub use key::{key, parent};
pub use learn::{Learnt, learn};
pub use show::{diff, show};
pub use store::{Met, Store, read};

#[cfg(test)]
mod tests;
