//! From HTML bytes to text to a tree: character encodings, the WHATWG parser, a flat tree, addresses, limits.
//!
//! For programs that read many pages of unknown quality: crawlers, extractors, indexers, linters.
//!
//! ```
//! use dehusk_html::decode::CharsetHints;
//! use dehusk_html::{Limits, NodeId, Parser, Tag, decode};
//!
//! let bytes = b"<meta charset=windows-1251><title>\xD0\xE5\xEA\xE8</title><p>one<p>two &amp; three";
//! let page = decode(bytes, CharsetHints::default(), Limits::default().bytes());
//! let (dom, warnings) = Parser::default().parse(&page.text);
//!
//! let title = dom.find(NodeId::DOCUMENT, Tag::TITLE).unwrap();
//! assert_eq!(dom.text_content(title), "Реки");
//! let second = dom.preorder(NodeId::DOCUMENT).filter(|&id| dom.html_tag(id) == Some(Tag::P)).nth(1);
//! assert_eq!(dom.text_content(second.unwrap()), "two & three");
//! assert!(warnings.is_empty());
//! ```
//!
//! A page cannot fail: any bytes give a tree and a list of [`Warning`]s. Time and memory are linear in the
//! length of the page, even for hostile pages, and bounded by [`Limits`].
//!
//! # Map
//!
//! | to | use |
//! |---|---|
//! | decode bytes | [`decode`](decode()) with [`decode::CharsetHints`] of HTTP |
//! | parse a document or a fragment | [`Parser`]; in the memory of an earlier page, [`Parser::parse_with_buffers`] |
//! | read the tree | [`Dom`] by [`NodeId`] and [`Tag`]: `find`, `preorder`, `children`, `attr`, `text`, `source_range` |
//! | change a copy of the tree | [`tree::Tree`] |
//! | resolve links | [`url::Base`] |
//! | resolve character references in other text | [`tree::character_reference::decode_text`] |
//! | bound what a page may cost | [`Limits`], [`Budget`] |
//!
//! The crate does not know what the main text of a page is. It opens no files, starts no threads, runs no
//! scripts and applies no styles. Comments, doctypes and parse errors are not kept.
//!
//! Features, all off by default: `html5ever` adds html5ever as a second parser behind the same interface,
//! `reference` the checks of the fuzz targets, `serde` serialization of limits, warnings and charsets,
//! `shapes` hostile documents and the measurement of growth.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        reason = "tests choose their numbers, which are small"
    )
)]

pub mod budget;
pub mod decode;
pub mod fnv;
pub mod limits;
pub mod narrow;
pub mod parser;
pub mod tree;
pub mod url;
pub mod warning;

pub use budget::Budget;
pub use decode::decode;
pub use limits::Limits;
pub use parser::{Parser, ParserKind, UnknownParser};
#[cfg(feature = "reference")]
pub use parser::{TreeDifference, reference_check};
pub use tree::{Dom, NodeId, Tag};
pub use warning::{Warning, WarningKind};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
