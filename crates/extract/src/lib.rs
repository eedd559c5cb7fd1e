//! Main content, structure and metadata of an HTML page.
//!
//! [`extract`] takes the bytes of one page and gives its main text with everything that was decided on the way. A page
//! cannot fail: whatever the bytes are, the answer is text (empty if there is none) and a list of [`Warning`]s.
//!
//! ```
//! use extract::{Options, Page, extract};
//!
//! let page = Page::new(b"<title>Rivers</title><nav><a href=/>Home</a></nav><p>The river rose overnight.</p>");
//! let got = extract(&page, &Options::default());
//! assert!(got.text.contains("The river rose overnight."));
//! assert_eq!(got.metadata.title.as_deref(), Some("Rivers"));
//! ```
//!
//! The way of a page: [`decode`] turns bytes into text; a parser fills a [`dom::Dom`]; one pass over it fills the
//! [`block::BlockTable`]; an [`extractor::Extractor`] labels every block as kept or dropped, with a reason; renderers turn
//! the kept blocks into text, Markdown, HTML or typed elements. This crate knows no files, no formats and no threads, and
//! neither normalization nor duplicates.

#![forbid(unsafe_code)]

mod address;
pub mod block;
pub mod comments;
pub mod content;
pub mod decode;
pub mod dom;
pub mod extractor;
mod front;
mod ids;
mod language;
mod limits;
pub mod metadata;
#[doc(hidden)]
pub mod model;
mod parameter;
mod parts;
pub mod render;
pub mod rules;
pub mod site;
mod warning;
mod word_lists;

mod options;
mod result;

pub use extractor::MethodError;
#[cfg(feature = "reference-front")]
pub use front::{FRONT_SHAPES, FrontDifference, PAGE_SHAPES, front_check};
pub use front::{Front, Parser, UnknownFront};
pub use limits::Limits;
pub use options::{Focus, Options};
pub use parts::Part;
pub use result::{BlockRecord, Extracted, Page, extract, is_article};
pub use warning::{Code, Warning};
