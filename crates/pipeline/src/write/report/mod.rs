//! Pages for people: the report of a run, and the page that explains a page.

mod chart;
pub(crate) mod explain;
pub mod markup;
mod number;
pub mod run;
