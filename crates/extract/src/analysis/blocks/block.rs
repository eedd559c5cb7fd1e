//! A block (one run of text) and the elements above it.

use std::ops::Range;

use dehusk_html::tree::{NodeId, Tag};

/// Kind of a block, given by the nearest ancestor that determines one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BlockKind {
    /// In a `p`.
    Paragraph,
    /// In `h1` to `h6`.
    Heading,
    /// In `li`, `dt` or `dd`.
    ListItem,
    /// In `td` or `th`.
    TableCell,
    /// In `pre`.
    Code,
    /// In `blockquote`.
    Quote,
    /// In `figcaption` or `caption`.
    Caption,
    /// Anywhere else.
    Text,
}

impl BlockKind {
    /// Name used in records.
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Paragraph => "paragraph",
            BlockKind::Heading => "heading",
            BlockKind::ListItem => "list-item",
            BlockKind::TableCell => "table-cell",
            BlockKind::Code => "code",
            BlockKind::Quote => "quote",
            BlockKind::Caption => "caption",
            BlockKind::Text => "text",
        }
    }

    /// Kind that an HTML element gives to the blocks inside it; `None` if it gives none.
    pub(super) const fn of(tag: Tag) -> Option<BlockKind> {
        Some(match tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => BlockKind::Heading,
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => BlockKind::Code,
            Tag::LI | Tag::DT | Tag::DD => BlockKind::ListItem,
            Tag::TD | Tag::TH => BlockKind::TableCell,
            Tag::BLOCKQUOTE => BlockKind::Quote,
            Tag::FIGCAPTION | Tag::CAPTION => BlockKind::Caption,
            Tag::P => BlockKind::Paragraph,
            _ => return None,
        })
    }

    /// Combines the kind from outside (`self`) with the kind `inner` that a nested element gives.
    ///
    /// The inner kind wins, except that a paragraph inside a more specific kind keeps that kind: a
    /// paragraph of a quotation is a quotation.
    pub(super) fn with(self, inner: Option<BlockKind>) -> BlockKind {
        match inner {
            Some(BlockKind::Paragraph) if !matches!(self, BlockKind::Text | BlockKind::TableCell) => self,
            Some(inner) => inner,
            None => self,
        }
    }
}

/// Separation of a block from the preceding block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Boundary {
    /// Only phrasing elements such as `img`, `small` or `time`: the text continues on the same line.
    Phrase,
    /// A `br` element.
    Break,
    /// An element that starts a line of its own.
    Block,
}

/// One run of text.
///
/// Words are counted as boilerpipe does: a word is a run of letters, digits and
/// `" ' . , ! @ - : ; $ ? ( ) /` with at least one letter or digit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// Range of the text in the table's buffer; white space is collapsed.
    pub(super) text: Range<u32>,
    /// Range of the text nodes in the table's node list.
    pub(super) nodes: Range<u32>,
    /// Nearest ancestor that is not inline.
    pub element: NodeId,
    /// Index of the block's [`Context`]: its nearest block-level element, with the path of tags, classes
    /// and ids from the root.
    pub context: u32,
    /// The kind of the block.
    pub kind: BlockKind,
    /// Separation from the preceding block.
    pub boundary: Boundary,
    /// 1 to 6 inside `h1` to `h6`, else 0.
    pub heading: u8,
    /// Number of lists around the block.
    pub lists: u16,
    /// Number of tables around the block.
    pub tables: u16,
    /// Whether all of its text lies in elements that are not shown: `hidden`, `aria-hidden`,
    /// `display:none`, `visibility:hidden` and the like.
    pub hidden: bool,
    /// Nesting depth at the first character: the number of open elements, without inline elements other than `a`.
    pub level: u32,
    /// Number of characters of the text.
    pub chars: u32,
    /// Number of characters inside `a`, without white space.
    pub link_chars: u32,
    /// Number of words.
    pub words: u32,
    /// Number of words inside `a`.
    pub link_words: u32,
    /// Number of lines when wrapped at 80 columns; the last line counts only if it is the only one.
    pub lines: u32,
    /// Number of words in those lines.
    pub words_in_lines: u32,
}

impl Block {
    /// Linked words divided by words; 0 without words.
    pub fn link_density(&self) -> f64 {
        if self.words == 0 {
            0.0
        } else {
            f64::from(self.link_words) / f64::from(self.words)
        }
    }

    /// Words per line of 80 columns.
    pub fn text_density(&self) -> f64 {
        f64::from(self.words_in_lines) / f64::from(self.lines.max(1))
    }
}

/// An element that holds blocks.
#[derive(Clone, Debug)]
pub struct Context {
    /// Context of the parent element; `None` at the root.
    pub parent: Option<u32>,
    /// The element.
    pub element: NodeId,
    /// Hash of the tag path from the root; equal paths have equal hashes.
    pub path_hash: u64,
    /// Number of its class and id in the table's name list.
    pub(super) names: u32,
    /// Properties that blocks inside the element inherit.
    pub(super) inherited: Inherited,
}

/// Properties of a block that come from the elements around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inherited {
    pub(super) kind: BlockKind,
    pub(super) heading: u8,
    pub(super) lists: u16,
    pub(super) tables: u16,
}

impl Inherited {
    /// Properties of a block outside of all elements.
    pub(super) const OUTSIDE: Inherited = Inherited {
        kind: BlockKind::Text,
        heading: 0,
        lists: 0,
        tables: 0,
    };
}

impl Context {
    /// Number of the element's class and id in [`BlockTable::all_names`](super::table::BlockTable::all_names).
    pub(crate) fn names(&self) -> usize {
        self.names as usize
    }
}
