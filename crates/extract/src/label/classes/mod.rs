//! What each block of a page is: its title, a byline, a date, a caption, body text and so on.
//!
//! The class of a block does not depend on whether an extractor keeps it, but for the last two, [`Body`](class::BlockClass::Body) and
//! [`Other`](class::BlockClass::Other). So the classes say which lines one convention of "main text" takes in and another leaves out, and
//! a [`Convention`](convention::Convention) chooses between them after any extractor.
//!
//! A class is found by markup where there is some (`figcaption`, `time`, names of author, date and comment), else by the phrase that a
//! short line holds (`data/classes.tsv`), else by the names of the elements around. Not a method of the literature; no part is learnt.

pub(crate) mod class;
mod classify;
pub(crate) mod convention;
pub(crate) mod notice;
pub(crate) mod phrases;

pub use class::BlockClass;
pub(crate) use classify::classes;
#[allow(unreachable_pub)] // public with the feature only
pub use phrases::begins_as_promotion;

#[cfg(test)]
mod tests;
