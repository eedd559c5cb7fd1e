//! Output: folders, files that appear as a whole, rejected records, the summary, and pages for people.

pub(crate) mod file;
pub(crate) mod folder;
pub(crate) mod rejected;
pub mod report;
pub mod summary;
