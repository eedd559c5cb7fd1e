//! Main content, structure and metadata of an HTML page.
//!
//! [`extract`] takes the bytes of one page and gives its main text with everything that was decided on the way. A page
//! cannot fail: whatever the bytes are, the answer is text (empty if there is none) and a list of [`Warning`]s.
//!
//! ```
//! use dehusk_extract::{Options, Page, extract};
//!
//! let page = Page::new(b"<title>Rivers</title><nav><a href=/>Home</a></nav><p>The river rose overnight.</p>");
//! let got = extract(&page, &Options::default());
//! assert!(got.text.contains("The river rose overnight."));
//! assert_eq!(got.metadata.title.as_deref(), Some("Rivers"));
//! ```
//!
//! The way of a page: `dehusk_html` turns bytes into text and text into a tree; one pass over it fills the
//! [`block::BlockTable`]; an [`extractor::Extractor`] labels every block as kept or dropped, with a reason; renderers turn
//! the kept blocks into text, Markdown, HTML or typed elements. This crate knows no files, no formats and no threads, and
//! neither normalization nor duplicates.

#![forbid(unsafe_code)]

mod analysis;
pub mod block;
pub mod comments;
pub mod content;
pub mod extractor;
mod ids;
mod language;
pub mod metadata;
#[doc(hidden)]
pub mod model;
mod parameter;
mod parts;
pub mod render;
pub mod rules;
pub mod site;
mod word_lists;

mod options;
#[cfg(any(test, feature = "shapes"))]
mod page_shapes;
mod result;

pub use extractor::MethodError;

pub use dehusk_html::{Code, Limits, Warning};
pub use options::{Focus, Options};
#[cfg(any(test, feature = "shapes"))]
pub use page_shapes::PAGE_SHAPES;
pub use parts::Part;
pub use result::{BlockRecord, Extracted, Page, extract, is_article};
