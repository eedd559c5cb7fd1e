//! The result of an extraction.

use std::ops::Range;

use crate::analysis::address::FoundAddress;
use crate::analysis::metadata::Metadata;
use crate::analysis::visible::VisibleNode;
use crate::document::{DataTable, Document};
use crate::label::comments::comment::Comment;
use crate::layout::page_layout::PageLayout;
use crate::warning::Warning;
use dehusk_html::decode::Charset;

/// Result of [`extract`](crate::extract) for one page.
///
/// ```
/// use dehusk_extract::{Options, Page, extract};
///
/// let html = "<title>Rivers</title><nav><a href=/>Home</a></nav><p>The river rose overnight, and took the old bridge with it.";
/// let got = extract(&Page::decoded(html), &Options::default().with_blocks(true));
/// for block in got.blocks.iter().flatten() {
///     // Each block has a reason and its place in the source.
///     println!("{} {} {:?}", block.kept, block.reason, block.range.clone().map(|range| &html[range]));
/// }
/// assert_eq!(got.metadata.title.as_deref(), Some("Rivers"));
/// assert!(got.kept_chars < got.all_chars && got.warnings.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Extracted {
    /// Main text: one line per paragraph, heading, list item or table row, and an empty line between blocks.
    ///
    /// Valid UTF-8 without NUL. Empty if nothing was found; a warning then gives the reason.
    pub text: String,
    /// Main text as Markdown; `None` unless requested by [`Options::with_markdown`](crate::Options::with_markdown).
    pub markdown: Option<String>,
    /// Main text as structural HTML, which needs no sanitizing; `None` unless requested by [`Options::with_html`](crate::Options::with_html).
    pub html: Option<String>,
    /// Main content as typed blocks, from which all other forms are written; `None` unless requested by
    /// [`Options::with_content`](crate::Options::with_content).
    pub content: Option<Document>,
    /// Data tables of the main content in document order; `None` unless requested by [`Options::with_tables`](crate::Options::with_tables).
    pub tables: Option<Vec<DataTable>>,
    /// Readers' comments in document order; `None` unless requested by [`Options::with_comments`](crate::Options::with_comments).
    pub comments: Option<Vec<Comment>>,
    /// Address found for a page that came without a URL; `None` if none was found, or if
    /// [`Page::with_url_sought`](crate::Page::with_url_sought) did not request it.
    pub found_address: Option<FoundAddress>,
    /// Title, author, date and other metadata.
    pub metadata: Metadata,
    /// Charset that the bytes were decoded with, and how it was determined.
    pub charset: Charset,
    /// Name of the extractor that gave the text; with `default`, the extractor that answered.
    pub method: &'static str,
    /// Estimated F1 of the kept words, 0 to 1.
    pub confidence: f64,
    /// Characters of the kept blocks, with white space collapsed, plus characters of main text outside of all blocks.
    pub kept_chars: usize,
    /// Characters of all blocks of the page, plus characters of main text outside of all blocks.
    pub all_chars: usize,
    /// Number of blocks of the main text that a manual rule without `extract` removed, wholly or in part.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub removed_by_rule: usize,
    /// Limits hit, fallbacks taken and damage seen.
    pub warnings: Vec<Warning>,
    /// One record per block; `None` unless requested by [`Options::with_blocks`](crate::Options::with_blocks).
    pub blocks: Option<Vec<BlockRecord>>,
    /// The page as it is shown; `None` unless requested by [`Options::with_visible_nodes`](crate::Options::with_visible_nodes).
    pub visible_nodes: Option<Vec<VisibleNode>>,
    /// Where a browser drew the blocks; `None` unless the page came with a layout and
    /// [`Options::with_visible_nodes`](crate::Options::with_visible_nodes) is set.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub layout: Option<PageLayout>,
}

/// A block with the verdict on it.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BlockRecord {
    /// Index in document order, from 0.
    pub i: usize,
    /// `paragraph`, `heading`, `list-item`, `table-cell`, `code`, `quote`, `caption` or `text`.
    pub kind: &'static str,
    /// `title`, `byline`, `date`, `caption`, `credit`, `related`, `promotion`, `comment`, `body`, or `other`: see
    /// [`BlockClass`](crate::BlockClass).
    pub class: &'static str,
    /// Path of tags from the root, with ids and classes: `html/body/div#main.post/p`.
    pub path: String,
    /// Byte range in the decoded source; `None` if none of its text is in the source.
    pub range: Option<Range<usize>>,
    /// Text, with white space collapsed.
    pub text: String,
    /// Whether the block is part of the main text.
    pub kept: bool,
    /// Reason for the verdict.
    pub reason: &'static str,
    /// Features of the block, by name.
    pub scores: Vec<(&'static str, f64)>,
    /// Verdict (kept or not) of each other extractor that does not abstain, except `default` and `all-text`.
    pub votes: Vec<(&'static str, bool)>,
}

impl BlockRecord {
    /// Approximate size as JSON, in bytes.
    pub(crate) fn json_bytes(&self) -> usize {
        let scores: usize = self.scores.iter().map(|(name, _)| name.len() + 26).sum();
        let votes: usize = self.votes.iter().map(|(name, _)| name.len() + 11).sum();
        186 + self.path.len() + self.text.len() + scores + votes
    }
}
