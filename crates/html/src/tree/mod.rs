//! A page as a tree in one flat arena.
//!
//! Nodes have 32 bytes each and link to each other by number. Texts and attributes are ranges of the
//! decoded source, or of a side buffer if the parser had to compose them. Character references in the
//! source are resolved when a text or an attribute is read, not when it is parsed. No function recurses
//! over the tree, so its depth needs no stack. This module does not know which parser builds the tree.

mod attr_name;
mod buffers;
mod builder;
pub mod character_reference;
mod dom;
mod edit;
mod links;
mod metadata;
mod node;
mod tag;

pub use attr_name::AttrName;
pub(crate) use attr_name::LOWER;
pub use buffers::TreeBuffers;
pub(crate) use builder::{Builder, MAX_NAMES};
pub use dom::{Attributes, Dom};
pub use links::{Ancestors, Children, Preorder, Tree};
pub use metadata::METADATA_MARKS;
pub(crate) use metadata::may_hold_metadata;
pub use node::{Attr, Namespace, Node, NodeId, NodeKind, TablePart};
pub(crate) use node::{Marks, NONE};
pub(crate) use tag::NAMES;
pub use tag::Tag;
