//! One page as a tree in one flat arena.
//!
//! Nodes are 32 bytes each and link to each other by number; text and attributes are ranges of the page's decoded source
//! or, where the parser had to compose them, of a side buffer. Nothing here recurses and nothing says which parser filled
//! the tree: `crate::parser` alone knows that. Character references in ranges of the source are resolved when a text or
//! an attribute is read, not when it is parsed.

mod builder;
pub mod character_reference;
mod dom;
mod edit;
mod links;
mod node;
mod tag;

pub(crate) use builder::{Builder, MAX_NAMES};
pub use dom::{Attributes, Dom};
pub use links::{Ancestors, Children, Preorder, Tree};
pub use node::{Attr, Namespace, NodeId, NodeKind};
pub(crate) use node::{NONE, Node};
pub(crate) use tag::NAMES;
pub use tag::Tag;
