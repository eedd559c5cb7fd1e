//! Templates of sites: learnt from pages, kept in files, applied, watched.
//!
//! Pages are grouped by the folder of their address. Folders with fewer than three pages go to the folder above, up to the
//! host; copies are left out; pages of different layouts are parted. At most 50 pages of a group are held at a time, each
//! with its text and about 40 bytes for every element above a line of text.

pub(crate) mod group;
pub(crate) mod key;
pub(crate) mod page;
mod rules;
mod show;
pub(crate) mod store;
mod watch;

pub use group::Grouped;
pub use key::{key, parent};
pub use rules::rules;
pub use show::{diff, show};
pub use store::{Met, Store, export, read, read_all};
