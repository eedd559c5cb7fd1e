//! The page `report.html`: the results of a run, for people to read.
//!
//! The page is a single file without scripts, images or external fonts, and without anything that depends on the date. Its texts come from
//! the web, so that only `markup` writes it.
//!
//! - [`data`] defines the figures, which are gathered during the run, and `figures` takes those of the summary;
//! - `number`, `descriptions` and `chart` turn figures into text and charts;
//! - `sections` has one file for each part of the page, and `render` puts them in order.

pub mod data;
mod descriptions;
pub(crate) mod figures;
mod render;
mod sections;
pub(crate) mod stats;

pub use data::{
    ClusterRow, Count, Counts, CutRow, Dropped, InputRow, InputRows, MemberRow, PageRow, PassageReport,
    PassageSeen, RepeatedSeen, ReportData, Setting, SimilarityBin, SiteRepeats, SiteRow, SiteRows, SizeBin,
    TextPart, WarningRow,
};
pub use render::render;

#[cfg(test)]
mod tests;
