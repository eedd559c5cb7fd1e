//! Templates of sites: learnt from pages, kept in files, applied, watched.
//!
//! Pages are grouped by the folder of their address. Folders with fewer than three pages go to the folder above, up to the
//! host; copies are left out; pages of different layouts are parted. At most 50 pages of a group are held at a time, each
//! with its text and about 40 bytes for every element above a line of text.

mod check;
mod group;
mod key;
mod learn;
pub(crate) mod page;
mod rules;
mod show;
mod store;
mod texts;
mod watch;

pub use check::{Health, check, check_rules};
pub use group::Grouped;
pub use key::{key, parent};
pub use learn::{Learnt, learn};
pub use rules::rules;
pub use show::{diff, show};
pub use store::{Met, Store, export, read, read_all};
pub use texts::texts;

#[cfg(test)]
mod tests;
