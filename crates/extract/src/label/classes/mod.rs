//! Classes of the blocks of a page: title, byline, date, caption, body text and so on.
//!
//! The class of a block does not depend on whether an extractor keeps it, except for [`Body`](class::BlockClass::Body) and
//! [`Other`](class::BlockClass::Other). So the classes mark the lines on which conventions for "main text" differ, and a
//! [`Convention`](convention::Convention) can be applied after any extractor.
//!
//! A class is found by markup where it exists (`figcaption`, `time`, names of author, date and comment), otherwise by a phrase in a short
//! line (`data/classes.tsv`), otherwise by the names of the surrounding elements. The method is not from the literature, and no part of
//! it is learned.

pub(crate) mod class;
mod classify;
pub(crate) mod convention;
pub(crate) mod notice;
pub(crate) mod phrases;

pub use class::BlockClass;
pub(crate) use classify::classes;
#[allow(unreachable_pub)] // public with the feature only
pub use phrases::begins_as_promotion;
pub(crate) use phrases::{is_request, names_sharing};

#[cfg(test)]
mod tests;
