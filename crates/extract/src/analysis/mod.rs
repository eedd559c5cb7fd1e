//! What is measured once on every page.

pub(crate) mod noscript;
pub(crate) mod table;
