//! Main content, structure and metadata of an HTML page.
//!
//! [`extract`] takes the bytes of one page and returns its main text with every decision made on the way. A page
//! cannot fail: any bytes give a text, which may be empty, and a list of [`Warning`]s.
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
//! A page passes these stages: `dehusk_html` decodes bytes into text and parses the text into a tree; one pass over the tree fills the
//! [`analysis::blocks::BlockTable`]; an [`Extractor`] labels every block as kept or dropped, with a reason; the kept blocks become a
//! [`document::Document`], from which text, Markdown and HTML are written. [`PageExtractor`] processes many pages one after another.
//!
//! The modules are the stages in order, and each imports only from those before it: `analysis` < `layout` < `label` < `document` < `options`
//! < `analyze` < `site`, `rules` < `overrides` < `build` < `pipeline`.
//!
//! This crate does not know files, file formats, threads, normalization or duplicates.

#![forbid(unsafe_code)]

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
