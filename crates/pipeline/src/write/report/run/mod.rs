//! The page `report.html`: what a run did, for people to read.
//!
//! One file that holds all it shows: no script, no image, no font from elsewhere, nothing that depends on the day. What
//! it shows comes from the web, so that `markup` alone writes it.
//!
//! - [`data`] has the figures, gathered while the chain runs;
//! - `number`, `words` and `chart` turn figures into text and drawings;
//! - `sections` has one file for each part of the page, and `render` puts them in order.

pub mod data;
mod descriptions;
mod render;
mod sections;
pub(crate) mod stats;

pub use data::{
    ClusterRow, Count, Counts, CutRow, Dropped, InputRow, InputRows, MemberRow, PageRow, ReportData, Setting,
    SimilarityBin, SiteRow, SiteRows, SizeBin, WarningRow,
};
pub use render::render;

#[cfg(test)]
mod tests;
