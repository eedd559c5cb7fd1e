//! Readers' comments, and the replies of forums: who wrote what, and when.
//!
//! Comments are found by markup (schema.org), or by the usual names of the elements that hold them. They are returned in a field of
//! their own, and are part of the main text only if they are the subject of the page, as in the thread of a forum.

pub(crate) mod comment;
pub(crate) mod item;
pub(crate) mod names;
pub(crate) mod regions;
pub(crate) mod roles;
pub(crate) mod split;
pub(crate) mod thread;

pub use comment::Comment;

#[cfg(test)]
mod tests;
