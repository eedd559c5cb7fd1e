//! Blocks, and the document that they make up.

#[cfg(feature = "serde")]
use crate::document::class_name;
use crate::document::inline::{Formula, Inline, Span};
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
            serde(default, with = "class_name", skip_serializing_if = "Option::is_none")
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
            serde(default, with = "class_name", skip_serializing_if = "Option::is_none")
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
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub ordered: bool,
    /// Number of the first item, if it is not 1.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub start: Option<i32>,
    /// Whether numbers go down.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
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

/// A table of data. Every place of its grid is that of a cell, but for places at the end of a row that is shorter than others: where the
/// page has an empty cell, or one that is not kept, there is an empty one.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Table {
    /// Its caption; may be empty.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub caption: Vec<Inline>,
    /// Number of rows at the top that head its columns.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub head: usize,
    /// Its rows from top to bottom.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Row {
    /// Its cells from left to right, without places that a cell of an earlier row spans.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Cell {
    /// Whether it heads a row or a column.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub header: bool,
    /// Columns it spans, 1 to 1000.
    #[cfg_attr(feature = "serde", serde(default = "one", skip_serializing_if = "is_one"))]
    pub colspan: u32,
    /// Rows it spans, 1 to 65,534.
    #[cfg_attr(feature = "serde", serde(default = "one", skip_serializing_if = "is_one"))]
    pub rowspan: u32,
    /// How its text is aligned, if the page says so: `left`, `center` or `right`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub align: Option<Align>,
    /// What it consists of; empty if it is.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub blocks: Vec<Block>,
}

/// How text is aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Align {
    /// At the left.
    Left,
    /// In the middle.
    Center,
    /// At the right.
    Right,
}

impl Align {
    /// Its name in HTML.
    pub fn name(self) -> &'static str {
        match self {
            Align::Left => "left",
            Align::Center => "center",
            Align::Right => "right",
        }
    }

    /// The one that is called so.
    pub(crate) fn find(name: &str) -> Option<Align> {
        let all = [Align::Left, Align::Center, Align::Right];
        all.into_iter()
            .find(|align| align.name().eq_ignore_ascii_case(name))
    }
}

impl Default for Cell {
    fn default() -> Self {
        Cell {
            header: false,
            colspan: 1,
            rowspan: 1,
            align: None,
            blocks: Vec::new(),
        }
    }
}

#[cfg(feature = "serde")]
fn one() -> u32 {
    1
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
pub(super) fn is_one(value: &u32) -> bool {
    *value == 1
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}
