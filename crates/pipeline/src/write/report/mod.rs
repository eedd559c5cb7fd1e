//! HTML reports: the report of a run, and the page that explains a document.

pub mod chart;
pub(crate) mod explain;
pub mod markup;
pub mod number;
pub mod run;
