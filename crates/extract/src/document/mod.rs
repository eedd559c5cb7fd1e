//! The document model: main content as a tree of typed blocks and inlines, for [`Options::with_content`](crate::Options::with_content).
//!
//! A [`Document`] is built once from the kept part of a page, and every form of the result is written from it and from nothing else:
//! [`Document::text`], [`Document::markdown`], [`Document::html`], [`Document::tables`]. With the feature `serde` it is JSON with a
//! `version`, which [`Document::from_json`] reads back, so that a collection can be stored in this form alone:
//!
//! ```
//! use dehusk_extract::document::{Block, Document, Inline, MarkdownOptions};
//!
//! let blocks = vec![Block::Heading { level: 2, inlines: vec![Inline::Text("Rivers".into())], class: None }];
//! let document = Document::new(blocks, Vec::new());
//! assert_eq!(document.markdown(&MarkdownOptions::default()), "## Rivers\n");
//! assert_eq!(document.html(), "<h2>Rivers</h2>\n");
//! ```
//!
//! In JSON, blocks and inlines are objects with a field `kind`, but for plain text among inlines, which is a string. Fields without a
//! value are left out. White space in texts is collapsed, but for code.

mod html;
mod inline;
#[cfg(feature = "serde")]
mod json;
mod markdown;
mod markup;
pub(crate) mod mathml;
mod plain;
mod table;

pub use inline::{CodeKind, Formula, Image, Inline, Mark, RubyPart, Span};
#[cfg(feature = "serde")]
pub use json::DocumentError;
pub use markdown::{MarkdownOptions, MarkdownTables};
pub(crate) use markup::escape;
pub use table::{Align, Cell, DataCell, DataRow, DataTable, Row, Table};

use crate::label::classes::BlockClass;

/// Version of the model in JSON.
pub const VERSION: u32 = 1;

/// Most containers that lie in one another: lists and items, tables and cells, quotes, figures. What lies deeper is put into the innermost.
/// So JSON is nested less deep than the 128 levels that common readers allow.
pub const MAX_NESTING: usize = 32;

/// Most marks, links and the like that lie in one another; deeper ones are left out, and their texts stay.
pub const MAX_INLINES: usize = 8;

/// Main content of a page.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Document {
    /// Version of the model: [`VERSION`].
    pub version: u32,
    /// What it consists of, in the order of the page.
    pub blocks: Vec<Block>,
    /// Notes that the blocks call, by their numbers.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub notes: Vec<Note>,
}

/// A note.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Note {
    /// Its number: that which the page calls it by, if no two notes of the page have the same, else in the order of first calls, from 1.
    pub number: u32,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A block.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Block {
    /// Running text.
    Paragraph {
        /// Its text.
        inlines: Vec<Inline>,
        /// What it is, if it is no body text.
        #[cfg_attr(
            feature = "serde",
            serde(default, with = "json::class", skip_serializing_if = "Option::is_none")
        )]
        class: Option<BlockClass>,
    },
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        inlines: Vec<Inline>,
        /// What it is, if it is no body text.
        #[cfg_attr(
            feature = "serde",
            serde(default, with = "json::class", skip_serializing_if = "Option::is_none")
        )]
        class: Option<BlockClass>,
    },
    /// A list.
    List(List),
    /// Terms and what they mean.
    Definitions {
        /// The entries.
        items: Vec<Definition>,
    },
    /// A table of data.
    Table(Box<Table>),
    /// Program text or other text whose lines count.
    Code {
        /// Language, lower-cased, as the page names it.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        language: Option<String>,
        /// Its text, white space as in the page.
        text: String,
    },
    /// A quotation.
    Quote {
        /// What it consists of.
        blocks: Vec<Block>,
    },
    /// A formula with a line of its own. One in the middle of a sentence is an inline.
    Formula(Box<Formula>),
    /// Images or other blocks with a caption.
    Figure {
        /// What it shows.
        blocks: Vec<Block>,
        /// Its caption; may be empty.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        caption: Vec<Inline>,
    },
}

/// A list.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct List {
    /// Whether its items are numbered.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub ordered: bool,
    /// Number of the first item, if it is not 1.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub start: Option<i32>,
    /// Whether numbers go down.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub reversed: bool,
    /// How items are numbered, if not by digits: `a`, `A`, `i` or `I`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub style: Option<char>,
    /// Its items.
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Item {
    /// Its number, if it is not the one that follows.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub value: Option<i32>,
    /// Whether its box is ticked, if it has one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub checked: Option<bool>,
    /// What it consists of.
    pub blocks: Vec<Block>,
}

/// Terms, and what they mean.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Definition {
    /// The terms.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub terms: Vec<Vec<Inline>>,
    /// What is said of them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub definitions: Vec<Vec<Block>>,
}

impl List {
    /// The number of each item: of lists that are not numbered, too.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (i32, &Item)> {
        let step = if self.reversed { -1 } else { 1 };
        let mut next = self.start.unwrap_or(1);
        self.items.iter().map(move |item| {
            let number = item.value.unwrap_or(next);
            next = number.saturating_add(step);
            (number, item)
        })
    }
}

impl Document {
    /// A document of these blocks and notes.
    pub fn new(blocks: Vec<Block>, notes: Vec<Note>) -> Self {
        Document {
            version: VERSION,
            blocks,
            notes,
        }
    }

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

impl Document {
    /// Leaves out the blocks at the end with which it would take more than about `most` bytes as JSON; returns how many it takes then, if
    /// there are some.
    pub(crate) fn cut_to(&mut self, most: usize) -> Option<usize> {
        let mut bytes = 0;
        let mut fits = |block: &Block| {
            let more = block.json_bytes();
            let fits = bytes + more <= most;
            bytes += if fits { more } else { 0 };
            fits
        };
        let blocks = self.blocks.iter().take_while(|block| fits(block)).count();
        let is_cut = blocks < self.blocks.len();
        self.blocks.truncate(blocks);
        let notes = self
            .notes
            .iter()
            .take_while(|note| !is_cut && note.blocks.iter().all(&mut fits))
            .count();
        let is_cut = is_cut || notes < self.notes.len();
        self.notes.truncate(notes);
        is_cut.then_some(bytes)
    }
}

/// Bytes of a block, a cell or the like as JSON, besides its texts, about.
const JSON_BYTES: usize = 38;

impl Block {
    /// About how many bytes it takes as JSON. The depth of recursion is bounded by [`MAX_NESTING`].
    fn json_bytes(&self) -> usize {
        let mut bytes = JSON_BYTES;
        self.each_part(|part| bytes += JSON_BYTES + part.iter().map(Block::json_bytes).sum::<usize>());
        bytes
            + match self {
                Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => json_bytes(inlines),
                Block::Figure { caption, .. } => json_bytes(caption),
                Block::Table(table) => JSON_BYTES * table.rows.len() + json_bytes(&table.caption),
                Block::Code { text, .. } => text.len() + text.len() / 16,
                Block::Formula(formula) => formula.json_bytes(),
                Block::Definitions { items } => {
                    let terms = items.iter().flat_map(|item| &item.terms);
                    terms.map(|term| json_bytes(term)).sum::<usize>() + JSON_BYTES * items.len()
                }
                Block::List(_) | Block::Quote { .. } => 0,
            }
    }

    /// Calls `work` with each list of blocks in this block.
    pub(crate) fn each_part<'a>(&'a self, mut work: impl FnMut(&'a [Block])) {
        match self {
            Block::Paragraph { .. } | Block::Heading { .. } | Block::Code { .. } | Block::Formula(_) => {}
            Block::List(list) => list.items.iter().for_each(|item| work(&item.blocks)),
            Block::Definitions { items } => {
                let parts = items.iter().flat_map(|item| &item.definitions);
                parts.for_each(|blocks| work(blocks));
            }
            Block::Table(table) => {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.for_each(|cell| work(&cell.blocks));
            }
            Block::Quote { blocks } | Block::Figure { blocks, .. } => work(blocks),
        }
    }
}

/// About how many bytes inlines take as JSON.
fn json_bytes(inlines: &[Inline]) -> usize {
    let bytes = |inline: &Inline| match inline {
        Inline::Text(text) => text.len() + 3,
        Inline::Span(span) => {
            JSON_BYTES
                + match &**span {
                    Span::Marked { inlines, .. } => json_bytes(inlines),
                    Span::Link {
                        target,
                        title,
                        inlines,
                    } => target.len() + title.as_ref().map_or(0, String::len) + json_bytes(inlines),
                    Span::Code { text, .. } => text.len(),
                    Span::Image(image) => image.src.len() + image.alt.len(),
                    Span::Formula(formula) => formula.json_bytes(),
                    Span::Ruby { parts } => parts
                        .iter()
                        .map(|part| JSON_BYTES + part.base.len() + part.reading.len())
                        .sum(),
                    Span::Note { .. } | Span::Break => 0,
                }
        }
    };
    inlines.iter().map(bytes).sum()
}

/// The only paragraph of some blocks, if they have one: where they hold no other, it is written without tags of its own.
pub(crate) fn is_compact(blocks: &[Block]) -> bool {
    let paragraphs = blocks
        .iter()
        .filter(|block| matches!(block, Block::Paragraph { .. }));
    let is_first = |block: &Block| matches!(block, Block::Paragraph { .. } | Block::List(_));
    paragraphs.count() <= 1 && blocks.first().is_none_or(is_first)
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_false(value: &bool) -> bool {
    !value
}
