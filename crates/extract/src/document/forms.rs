//! The forms in which a document is written.

use crate::document::data_table::DataTable;
use crate::document::markdown::{self, MarkdownOptions};
use crate::document::tree::{Block, Document};
use crate::document::{html, plain};

impl Document {
    /// Plain text: one line per paragraph, heading, list item or table row, an empty line between blocks, and notes at the end.
    pub fn text(&self) -> String {
        plain::text(self, usize::MAX, 0).0
    }

    /// Renders Markdown.
    pub fn markdown(&self, options: &MarkdownOptions) -> String {
        markdown::markdown(self, options, usize::MAX).0
    }

    /// Renders structural HTML, which needs no sanitizing.
    pub fn html(&self) -> String {
        html::html(self, usize::MAX).0
    }

    /// Data tables in document order, including those inside lists, quotes, cells and notes.
    pub fn tables(&self) -> Vec<DataTable> {
        let mut out = Vec::new();
        // A stack: the block that comes first in the document is on top.
        let mut pending: Vec<&Block> = Vec::new();
        pending.extend(self.notes.iter().rev().flat_map(|note| note.blocks.iter().rev()));
        pending.extend(self.blocks.iter().rev());
        while let Some(block) = pending.pop() {
            if let Block::Table(table) = block {
                out.push(DataTable::of(table));
            }
            let first = pending.len();
            block.each_part(|part| pending.extend(part));
            pending[first..].reverse();
        }
        out
    }

    /// Like [`text`](Document::text), limited to about `most` bytes, with `room` bytes reserved. The flag is whether it was cut.
    pub(crate) fn text_within(&self, most: usize, room: usize) -> (String, bool) {
        plain::text(self, most, room)
    }

    /// Like [`markdown`](Document::markdown), limited to about `most` bytes. The flag is whether it was cut.
    pub(crate) fn markdown_within(&self, options: &MarkdownOptions, most: usize) -> (String, bool) {
        markdown::markdown(self, options, most)
    }

    /// Like [`html`](Document::html), limited to about `most` bytes. The flag is whether it was cut.
    pub(crate) fn html_within(&self, most: usize) -> (String, bool) {
        html::html(self, most)
    }
}
