//! Readers' comments, and the replies of forums: who wrote what, and when.
//!
//! Where a page marks its comments up as such (schema.org), or names the elements that hold them as pages name them, they are
//! told from the main text: they come in a field of their own, and stand in the text only where they are what the page is
//! about, as in the thread of a forum.

pub(crate) mod comment;
pub(crate) mod item;
pub(crate) mod names;
pub(crate) mod regions;
pub(crate) mod roles;
pub(crate) mod split;

pub use comment::Comment;

#[cfg(test)]
mod tests;
