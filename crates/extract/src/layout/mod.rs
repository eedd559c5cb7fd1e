//! Layouts: positions at which a browser drew a page, as records of `dehusk render`, joined to the tree of the page.
//!
//! A page whose scripts did not run has the same elements here and in the browser, so elements are
//! identified by their number in document order. The number and the names of all elements are compared
//! before anything is joined: a layout of another page, or of another version of the page, is never used.
//! This module does not depend on a browser.

pub(crate) mod page_layout;
pub(crate) mod record;

pub use page_layout::{BlockLayout, PageLayout, PlacedBox};
pub use record::{LAYOUT_VERSION, Layout, LayoutBox, LayoutStyle, LayoutText, Rect, TreeShape, source_hash};

#[cfg(test)]
mod tests;
