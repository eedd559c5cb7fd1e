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

/// What [`extract`](crate::extract) found in a page.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Extracted {
    /// Main text: one line a paragraph, heading, list item or table row, an empty line between blocks. Valid UTF-8
    /// without NUL; empty if nothing was found, and then a warning says why.
    pub text: String,
    /// Main text as Markdown, if [`Options::with_markdown`](crate::Options::with_markdown) asked for it.
    pub markdown: Option<String>,
    /// Main text as HTML of structure alone, if [`Options::with_html`](crate::Options::with_html) asked for it. It needs no sanitizing.
    pub html: Option<String>,
    /// Main content as typed blocks, from which all other forms are written, if
    /// [`Options::with_content`](crate::Options::with_content) asked for them.
    pub content: Option<Document>,
    /// Data tables of the main content in document order, if [`Options::with_tables`](crate::Options::with_tables) asked for them.
    pub tables: Option<Vec<DataTable>>,
    /// Readers' comments in document order, if [`Options::with_comments`](crate::Options::with_comments) asked for it.
    pub comments: Option<Vec<Comment>>,
    /// The address that was found for a page which came without one, if
    /// [`Page::with_url_sought`](crate::Page::with_url_sought) asked for it.
    pub found_address: Option<FoundAddress>,
    /// Title, author, date and the like.
    pub metadata: Metadata,
    /// How the bytes were read.
    pub charset: Charset,
    /// Name of the extractor that gave the text: with `default`, the one that answered.
    pub method: &'static str,
    /// How much of the text is right, 0 to 1: estimated F1 of the words kept.
    pub confidence: f64,
    /// Characters of the kept blocks, white space collapsed, and of main text that is in no block.
    pub kept_chars: usize,
    /// Characters of all blocks of the page, and of main text that is in no block.
    pub all_chars: usize,
    /// Limits hit, fallbacks taken, damage seen.
    pub warnings: Vec<Warning>,
    /// A record for every block, if [`Options::with_blocks`](crate::Options::with_blocks) asked for them.
    pub blocks: Option<Vec<BlockRecord>>,
    /// The page as it is shown, if [`Options::with_visible_nodes`](crate::Options::with_visible_nodes) asked for it.
    pub visible_nodes: Option<Vec<VisibleNode>>,
    /// Where a browser drew the blocks, if the page has a layout and
    /// [`Options::with_visible_nodes`](crate::Options::with_visible_nodes) asked for the page as it is shown.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub layout: Option<PageLayout>,
}

/// A block, whether it was kept, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BlockRecord {
    /// Number in document order, from 0.
    pub i: usize,
    /// `paragraph`, `heading`, `list-item`, `table-cell`, `code`, `quote`, `caption` or `text`.
    pub kind: &'static str,
    /// `title`, `byline`, `date`, `caption`, `credit`, `related`, `promotion`, `comment`, `body`, or `other`: see
    /// [`BlockClass`](crate::BlockClass).
    pub class: &'static str,
    /// Tags from the root, with ids and classes: `html/body/div#main.post/p`.
    pub path: String,
    /// Where the block lies in the decoded source, in bytes; `None` if the parser composed all of its text.
    pub range: Option<Range<usize>>,
    /// Text, white space collapsed.
    pub text: String,
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Why.
    pub reason: &'static str,
    /// Features of the block, by name.
    pub scores: Vec<(&'static str, f64)>,
    /// Whether each of the other extractors keeps it; those that abstain are left out, and so are `default` and `all-text`.
    pub votes: Vec<(&'static str, bool)>,
}

impl BlockRecord {
    /// About how many bytes it takes as JSON.
    pub(crate) fn json_bytes(&self) -> usize {
        let scores: usize = self.scores.iter().map(|(name, _)| name.len() + 26).sum();
        let votes: usize = self.votes.iter().map(|(name, _)| name.len() + 11).sum();
        186 + self.path.len() + self.text.len() + scores + votes
    }
}
