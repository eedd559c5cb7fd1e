//! Readers' comments, and the replies of forums, with writers and dates.
//!
//! Comments are found by markup (schema.org), by the usual names of the elements that hold them, and by structure: similar
//! elements, each with a text, its writer and its date. They are returned in a field of their own. They are part of the main text
//! only if they are the subject of the page, as in the thread of a forum.

mod body;
pub(crate) mod comment;
mod found;
mod item;
mod items;
pub(crate) mod names;
mod notes;
mod posts;
pub(crate) mod regions;
pub(crate) mod roles;
mod signs;
pub(crate) mod split;
pub(crate) mod thread;
mod writers;

pub use comment::Comment;

#[cfg(test)]
mod tests;
