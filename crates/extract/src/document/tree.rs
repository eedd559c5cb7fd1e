//! The document and its blocks.

use std::ops::Range;

#[cfg(feature = "serde")]
use crate::document::class_name;
use crate::document::inline::{Formula, Inline, Span};
use crate::label::classes::BlockClass;

/// Version of the model in JSON.
pub const VERSION: u32 = 1;

/// Deepest nesting of containers: lists and items, tables and cells, quotes, figures. Deeper content is put into the innermost container.
///
/// The bound keeps JSON within the 128 levels that common readers allow.
pub const MAX_NESTING: usize = 32;

/// Deepest nesting of marks, links and other spans. Deeper spans are dropped, but their text stays.
pub const MAX_INLINES: usize = 8;

/// Main content of a page.
///
/// ```
/// use dehusk_extract::document::Block;
/// use dehusk_extract::{Options, Page, extract};
///
/// let page = Page::new(b"<p>The river rose overnight, and took the old bridge with it:<ul><li>One<li>Two</ul>");
/// let document = extract(&page, &Options::default().with_content(true)).content.unwrap();
/// assert!(matches!(document.blocks[0], Block::Paragraph { .. }));
/// assert!(document.blocks.iter().any(|block| matches!(block, Block::List { .. })));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Document {
    /// Version of the model: [`VERSION`].
    pub version: u32,
    /// Blocks in page order.
    pub blocks: Vec<Block>,
    /// Notes referenced by the blocks, each with its number.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub notes: Vec<Note>,
}

/// A footnote or endnote.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Note {
    /// Number of the note: as on the page if these numbers are unique there, else counted from 1 in the order of first references.
    pub number: u32,
    /// Content of the note.
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
        /// Text of the paragraph.
        inlines: Vec<Inline>,
        /// Class of the text; `None` for body text and if classes are unknown.
        #[cfg_attr(
            feature = "serde",
            serde(default, with = "class_name", skip_serializing_if = "Option::is_none")
        )]
        class: Option<BlockClass>,
    },
    /// A heading.
    Heading {
        /// Heading level, 1 to 6.
        level: u8,
        /// Text of the heading.
        inlines: Vec<Inline>,
        /// Class of the text; `None` for body text and if classes are unknown.
        #[cfg_attr(
            feature = "serde",
            serde(default, with = "class_name", skip_serializing_if = "Option::is_none")
        )]
        class: Option<BlockClass>,
    },
    /// A list.
    List(List),
    /// Terms and their definitions.
    Definitions {
        /// The entries.
        items: Vec<Definition>,
    },
    /// A data table.
    Table(Box<Table>),
    /// Program text, or other text with significant line ends.
    Code {
        /// Language as the page names it, lower-cased.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        language: Option<String>,
        /// Text of the code, with white space as in the page.
        text: String,
        /// Links of the text, in order, without overlaps. Markdown has no place for them.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        links: Vec<CodeLink>,
    },
    /// A quotation.
    Quote {
        /// Quoted content.
        blocks: Vec<Block>,
    },
    /// A formula on a line of its own. Formulas within a sentence are inlines.
    Formula(Box<Formula>),
    /// Images or other blocks with a caption.
    Figure {
        /// Content of the figure.
        blocks: Vec<Block>,
        /// Caption; may be empty.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
        caption: Vec<Inline>,
    },
}

/// A link of a code block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CodeLink {
    /// First byte of the linked text, in the UTF-8 form of the code.
    pub start: usize,
    /// Byte after the linked text.
    pub end: usize,
    /// Address of the target.
    pub target: String,
}

impl CodeLink {
    pub(crate) fn new(range: Range<usize>, target: String) -> Self {
        CodeLink {
            start: range.start,
            end: range.end,
            target,
        }
    }
}

/// A list.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct List {
    /// Whether the items are numbered.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub ordered: bool,
    /// Number of the first item; `None` means 1.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub start: Option<i32>,
    /// Whether numbers count down.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub reversed: bool,
    /// Numbering style `a`, `A`, `i` or `I`; `None` for digits.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub style: Option<char>,
    /// Items of the list.
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Item {
    /// Number of the item; `None` if it continues the numbering.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub value: Option<i32>,
    /// Whether the item's check box is ticked; `None` if it has no check box.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub checked: Option<bool>,
    /// Content of the item.
    pub blocks: Vec<Block>,
}

/// Terms and their definitions.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Definition {
    /// Terms that are defined.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub terms: Vec<Vec<Inline>>,
    /// Definitions of the terms.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub definitions: Vec<Vec<Block>>,
}

impl List {
    /// Items with their numbers; items of unnumbered lists are counted, too.
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
    /// Creates a document from blocks and notes.
    pub fn new(blocks: Vec<Block>, notes: Vec<Note>) -> Self {
        Document {
            version: VERSION,
            blocks,
            notes,
        }
    }
}

impl Document {
    /// Drops blocks at the end until the document takes at most about `most` bytes as JSON.
    ///
    /// Returns the resulting size in bytes; `None` if no block was dropped.
    pub(crate) fn cut_to(&mut self, most: usize) -> Option<usize> {
        let mut bytes = 0;
        // The budget is shared: notes are measured after the blocks.
        let mut fits = |block: &Block| {
            let more = block.json_bytes();
            let fits = bytes + more <= most;
            bytes += if fits { more } else { 0 };
            fits
        };
        let blocks = self.blocks.iter().take_while(|block| fits(block)).count();
        let is_cut = blocks < self.blocks.len();
        self.blocks.truncate(blocks);
        // If blocks were dropped, all notes are dropped, too.
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

/// Approximate overhead of a block, cell or similar container as JSON, in bytes.
const JSON_BYTES: usize = 38;

impl Block {
    /// Approximate size as JSON, in bytes. [`MAX_NESTING`] bounds the depth of recursion.
    fn json_bytes(&self) -> usize {
        let mut bytes = JSON_BYTES;
        self.each_part(|part| bytes += JSON_BYTES + part.iter().map(Block::json_bytes).sum::<usize>());
        bytes
            + match self {
                Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => json_bytes(inlines),
                Block::Figure { caption, .. } => json_bytes(caption),
                Block::Table(table) => JSON_BYTES * table.rows.len() + json_bytes(&table.caption),
                Block::Code { text, links, .. } => {
                    let links = links.iter().map(|link| JSON_BYTES + link.target.len());
                    text.len() + text.len() / 16 + links.sum::<usize>()
                }
                Block::Formula(formula) => formula.json_bytes(),
                Block::Definitions { items } => {
                    let terms = items.iter().flat_map(|item| &item.terms);
                    terms.map(|term| json_bytes(term)).sum::<usize>() + JSON_BYTES * items.len()
                }
                Block::List(_) | Block::Quote { .. } => 0,
            }
    }

    /// Calls `work` with each list of blocks directly inside this block.
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

/// Approximate size of inlines as JSON, in bytes.
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
                    Span::Player(player) => {
                        let texts = [&player.src, &player.poster, &player.title];
                        texts.into_iter().flatten().map(|text| text.len() + 10).sum()
                    }
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

/// Whether `blocks` can be written without a tag for their paragraph: at most one paragraph, and a paragraph or list comes first.
pub(crate) fn is_compact(blocks: &[Block]) -> bool {
    let paragraphs = blocks
        .iter()
        .filter(|block| matches!(block, Block::Paragraph { .. }));
    let is_first = |block: &Block| matches!(block, Block::Paragraph { .. } | Block::List(_));
    paragraphs.count() <= 1 && blocks.first().is_none_or(is_first)
}

/// A data table.
///
/// Empty cells and cells that are not kept are present without blocks, so that every position of the grid has a cell. Only short rows lack
/// positions at their end.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Table {
    /// Caption; may be empty.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub caption: Vec<Inline>,
    /// Number of header rows at the top.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub head: usize,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Row {
    /// Cells from left to right; positions spanned by a cell of an earlier row are left out.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Cell {
    /// Whether the cell is a row or column header.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub header: bool,
    /// Number of columns spanned, 1 to 1000.
    #[cfg_attr(feature = "serde", serde(default = "one", skip_serializing_if = "is_one"))]
    pub colspan: u32,
    /// Number of rows spanned, 1 to 65,534.
    #[cfg_attr(feature = "serde", serde(default = "one", skip_serializing_if = "is_one"))]
    pub rowspan: u32,
    /// Text alignment (`left`, `center` or `right`); `None` if the page does not state it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub align: Option<Align>,
    /// Content of the cell; may be empty.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub blocks: Vec<Block>,
}

/// Text alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Align {
    /// Left-aligned.
    Left,
    /// Centered.
    Center,
    /// Right-aligned.
    Right,
}

impl Align {
    /// Name in HTML.
    pub fn name(self) -> &'static str {
        match self {
            Align::Left => "left",
            Align::Center => "center",
            Align::Right => "right",
        }
    }

    /// Finds an alignment by its HTML name, regardless of case.
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
