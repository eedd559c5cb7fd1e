//! The verbs, one file each.

#[cfg(feature = "lab")]
pub(crate) mod compare;
#[cfg(feature = "manual")]
pub(crate) mod completions;
pub(crate) mod dedup;
pub(crate) mod explain;
pub(crate) mod extract;
#[cfg(feature = "lab")]
pub(crate) mod generate;
pub(crate) mod index;
#[cfg(feature = "manual")]
pub(crate) mod man;
pub(crate) mod methods;
pub(crate) mod normalize;
pub(crate) mod passages;
#[cfg(feature = "browser")]
pub(crate) mod render;
pub(crate) mod run;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod sign;
pub(crate) mod site;
