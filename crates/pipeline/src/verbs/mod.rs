//! The verbs of the command line, one file each.

pub mod dedup;
pub mod dry_run;
pub mod explain;
pub mod extract;
pub(crate) mod methods;
pub mod normalize;
pub mod passages;
#[cfg(feature = "browser")]
pub mod render;
pub mod run;
pub mod sign;
pub mod site;
