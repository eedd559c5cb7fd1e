//! The document model: main content as a tree of typed blocks and inlines, for [`Options::with_content`](crate::Options::with_content).
//!
//! A [`Document`] is built once from the kept part of a page, and all forms of the result are written from it alone:
//! [`Document::text`], [`Document::markdown`], [`Document::html`], [`Document::tables`]. With the feature `serde` it is serialized as JSON with
//! a `version`, which [`Document::from_json`] reads back. A collection can thus be stored in this form alone:
//!
//! ```
//! use dehusk_extract::document::{Block, Document, Inline, MarkdownOptions};
//!
//! let blocks = vec![Block::Heading { level: 2, inlines: vec![Inline::Text("Rivers".into())], class: None }];
//! let document = Document::new(blocks, Vec::new());
//! assert_eq!(document.markdown(&MarkdownOptions::default()), "## Rivers\n");
//! assert_eq!(document.html(), "<h2>Rivers</h2>\n");
//! ```
//!
//! In JSON, blocks and inlines are objects with a field `kind`; plain text among inlines is a string. Fields without a
//! value are omitted. White space in texts is collapsed, except in code.

#[cfg(feature = "serde")]
mod class_name;
mod data_table;
mod forms;
mod grid;
mod html;
mod inline;
#[cfg(feature = "serde")]
mod json;
mod markdown;
mod markup;
pub(crate) mod mathml;
mod plain;
mod tree;

pub use data_table::{DataCell, DataRow, DataTable};
pub(crate) use html::holds_images_alone;
pub use inline::{CodeKind, Formula, Image, Inline, Mark, Player, PlayerKind, RubyPart, Span};
#[cfg(feature = "serde")]
pub use json::DocumentError;
pub use markdown::{MarkdownExtensions, MarkdownOptions, MarkdownTables};
pub(crate) use markup::escape;
pub use tree::{
    Align, Block, Cell, CodeLink, Definition, Document, Item, List, MAX_INLINES, MAX_NESTING, Note, Row,
    Table, VERSION,
};
