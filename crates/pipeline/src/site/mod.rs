//! Templates and rules of sites: pages grouped for learning, files, stores that are applied to pages, reports.
//!
//! Pages are grouped by the folder of their address. Folders with fewer than three pages go to the folder above, up to the
//! host; copies are left out; pages of different layouts are separated. At most 50 pages of a group are held at a time, each
//! with its text and about 40 bytes for every element above a line of text.

#[cfg(feature = "rules")]
mod export;
pub(crate) mod extractor;
pub(crate) mod folder;
pub(crate) mod group;
pub(crate) mod key;
#[cfg(not(feature = "rules"))]
pub(crate) mod no_rules;
pub(crate) mod page;
pub(crate) mod report;
#[cfg(feature = "rules")]
pub(crate) mod rules;
mod show;
pub(crate) mod store;
pub(crate) mod usage;

#[cfg(feature = "rules")]
pub use export::export;
pub use folder::{read, read_all};
pub use group::GroupCounts;
pub use key::{parent_key, site_key};
pub use rules::{RuleSet, rules};
pub use show::{diff, show};
pub use store::Store;

#[cfg(not(feature = "rules"))]
pub(crate) use no_rules as rules;

pub use crate::write::summary::SiteCounts;
