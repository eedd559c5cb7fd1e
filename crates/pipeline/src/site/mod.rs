//! Templates and rules of sites: groups of pages for learning, files, stores that are applied to pages, reports.
//!
//! Pages of a host are grouped by their layout, wherever on the host they lie. Copies are left out. At most 50 pages of a layout are held
//! at a time, each with its text and about 40 bytes for every element above a line of text. A template is named after the longest common
//! part of the addresses of its pages, up to the first date, number or title.

#[cfg(feature = "rules")]
mod export;
pub(crate) mod extractor;
pub(crate) mod first_pages;
pub(crate) mod folder;
pub(crate) mod group;
pub(crate) mod key;
mod layouts;
pub(crate) mod learning;
#[cfg(not(feature = "rules"))]
pub(crate) mod no_rules;
pub(crate) mod page;
pub(crate) mod page_marks;
pub(crate) mod page_spill;
pub(crate) mod report;
#[cfg(feature = "rules")]
pub(crate) mod rules;
pub(crate) mod shelf;
mod show;
pub(crate) mod store;
pub(crate) mod stream;
pub(crate) mod template_writer;
pub(crate) mod usage;
pub(crate) mod waiting_page;

#[cfg(feature = "rules")]
pub use export::export;
pub use folder::{read, read_all, write};
pub use group::GroupCounts;
pub use key::{parent_key, site_key};
pub use layouts::{Layout, layouts};
pub use rules::{RuleSet, rules};
pub use show::{diff, show};
pub use store::Store;

#[cfg(not(feature = "rules"))]
pub(crate) use no_rules as rules;

pub use crate::write::summary::{LayoutStart, LearntSites, LearntTemplate, SiteCounts};
