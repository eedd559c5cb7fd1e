//! Main text, structure and metadata of an HTML page.
//!
//! For search engines, corpora, readers and archives, which need the text of web pages without menus and
//! advertisements.
//!
//! ```
//! use dehusk_extract::{Options, Page, PageExtractor};
//!
//! let mut extractor = PageExtractor::new(&Options::default().with_markdown(true));
//! let page = Page::new(b"<title>Rivers</title><nav><a href=/>Home</a></nav><h1>Rivers</h1><p>The river rose <b>overnight</b>.</p>");
//! let got = extractor.extract(&page);
//! assert!(got.text.contains("The river rose overnight."));
//! assert_eq!(got.metadata.title.as_deref(), Some("Rivers"));
//! assert!(got.markdown.unwrap().contains("The river rose **overnight**."));
//! ```
//!
//! A page cannot fail: any bytes give a text, which may be empty, and a list of [`Warning`]s. Time and memory
//! are linear in the length of a page and bounded by [`Limits`]. Equal input gives equal output.
//!
//! # Map
//!
//! | to | use |
//! |---|---|
//! | extract a page | [`extract`]; [`PageExtractor`] for many pages, one per thread |
//! | say what is known of a page: address, charset, capture date, layout | [`Page`] |
//! | choose method, outputs, limits | [`Options`] |
//! | read the result | [`Extracted`]: text, Markdown, HTML, [`document::Document`], tables, comments, metadata, warnings |
//! | know why a block was kept or dropped | [`Options::with_blocks`], [`BlockRecord`]; for people, `dehusk explain` |
//! | choose a method by name, or list all | [`Options::with_extractor`], [`label::ALL`] |
//! | write a method of your own | the trait [`Extractor`] over a [`PageView`], and [`Options::with_own_extractor`] |
//! | learn what the pages of one site have in common | [`site::Sample`], [`site::Template`] |
//! | write rules for a site by hand | `rules::RuleSet`, with the feature `rules` |
//! | apply rules and templates | [`Overrides`], [`extract_with`] |
//! | read the tree of a page beside its text | [`inspect`], [`extract_dom`] |
//!
//! # How a page is extracted
//!
//! `dehusk_html` decodes bytes into text and parses the text into a tree. One pass over the tree fills the
//! [`analysis::blocks::BlockTable`]. An [`Extractor`] labels every block as kept or dropped, with a reason. The kept blocks become a
//! [`document::Document`], from which text, Markdown and HTML are written.
//!
//! The modules are the stages in order, and each imports only from those before it: `analysis` < `layout` <
//! `label` < `document` < `options` < `analyze` < `site`, `rules` < `overrides` < `build` < `pipeline`.
//!
//! This crate does not know files, file formats, threads, normalization or duplicates.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        reason = "tests choose their numbers, which are small"
    )
)]

pub mod analysis;
mod analyze;
mod build;
pub mod document;
mod extracted;
pub mod label;
pub mod layout;
mod options;
mod overrides;
mod page;
#[cfg(feature = "shapes")]
mod page_shapes;
mod parameter;
mod pipeline;
#[cfg(feature = "rules")]
mod rule_check;
#[cfg(feature = "rules")]
pub mod rules;
pub mod site;
#[cfg(any(test, feature = "training"))]
pub mod training;
mod warning;

pub use analysis::address::{AddressSource, FoundAddress, may_state_address};
pub use analysis::visible::VisibleNode;
pub use dehusk_html::{Limits, WarningKind as HtmlWarningKind};
pub use extracted::{BlockRecord, Extracted};
pub use label::classes::BlockClass;
pub use label::classes::convention::Inclusion;
pub use label::extractor::{Extractor, Focus, PageView};
pub use options::Options;
pub use overrides::{Overrides, SiteTemplates};
pub use page::Page;
#[cfg(feature = "shapes")]
pub use page_shapes::{OPENERS, PAGE_SHAPES, REPEATED, longest_form, product};
pub use parameter::MethodError;
pub use pipeline::{
    PageExtractor, extract, extract_dom, extract_dom_with, extract_traced, extract_with, inspect, is_article,
};
pub use warning::{Warning, WarningKind};
