//! All that is written from a document.

use crate::document::data_table::DataTable;
use crate::document::markdown::{self, MarkdownOptions};
use crate::document::tree::{Block, Document};
use crate::document::{html, plain};

impl Document {
    /// Plain text: one line a paragraph, heading, list item or table row, an empty line between blocks; notes at the end.
    pub fn text(&self) -> String {
        plain::text(self, usize::MAX, 0).0
    }

    /// Markdown.
    pub fn markdown(&self, options: &MarkdownOptions) -> String {
        markdown::markdown(self, options, usize::MAX).0
    }

    /// HTML of structure alone. It needs no sanitizing.
    pub fn html(&self) -> String {
        html::html(self, usize::MAX).0
    }

    /// The tables of data, those inside lists, quotes, cells and notes included, in document order.
    pub fn tables(&self) -> Vec<DataTable> {
        let mut out = Vec::new();
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

    /// As [`text`](Document::text), of about `most` bytes, with room for `room`; and whether it was cut.
    pub(crate) fn text_within(&self, most: usize, room: usize) -> (String, bool) {
        plain::text(self, most, room)
    }

    /// As [`markdown`](Document::markdown), of about `most` bytes; and whether it was cut.
    pub(crate) fn markdown_within(&self, options: &MarkdownOptions, most: usize) -> (String, bool) {
        markdown::markdown(self, options, most)
    }

    /// As [`html`](Document::html), of about `most` bytes; and whether it was cut.
    pub(crate) fn html_within(&self, most: usize) -> (String, bool) {
        html::html(self, most)
    }
}
