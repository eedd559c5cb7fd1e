//! Writing: files that appear as a whole, folders of them, rows in their formats, the summary, and pages for people.

pub(crate) mod file;
pub(crate) mod folder;
pub(crate) mod lock;
pub(crate) mod rejected;
pub mod report;
pub(crate) mod rows;
pub mod summary;
pub(crate) mod verdicts;
