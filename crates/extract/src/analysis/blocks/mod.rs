//! The block table: every run of text on a page with the figures that extractors decide by.
//!
//! A block is a run of text between tags other than the few that boilerpipe looks through (`b`, `em`, `span`, `a` and the
//! like; Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010). That is the
//! finest division any of the methods needs; [`Block::boundary`] tells those that want coarser ones where to join. The table
//! is filled in one pass without recursion, and every extractor reads the same one.

use std::ops::Range;
use std::sync::OnceLock;

use dehusk_html::tree::{Dom, Namespace, NodeId, NodeKind, Tag};

pub(crate) use counts::{Counts, tokens};
use elements::{is_formula_source, is_inline};
pub(crate) use elements::{is_hidden, is_phrasing, is_skipped};
use names::Names;
use words::count_words;
pub(crate) use words::{is_alphanumeric, run, skip_white};

mod counts;
mod elements;
mod names;
pub(crate) mod words;

/// What a block is by its nearest telling ancestor.
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
    /// Name in records.
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

    fn below(self, tag: Tag) -> BlockKind {
        match tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => BlockKind::Heading,
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => BlockKind::Code,
            Tag::LI | Tag::DT | Tag::DD => BlockKind::ListItem,
            Tag::TD | Tag::TH => BlockKind::TableCell,
            Tag::BLOCKQUOTE => BlockKind::Quote,
            Tag::FIGCAPTION | Tag::CAPTION => BlockKind::Caption,
            Tag::P if matches!(self, BlockKind::Text | BlockKind::TableCell) => BlockKind::Paragraph,
            _ => self,
        }
    }
}

/// What stands between a block and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Boundary {
    /// Only phrasing elements such as `img`, `small` or `time`: the text goes on in the same line.
    Phrase,
    /// A `br`.
    Break,
    /// An element that starts a line of its own.
    Block,
}

/// One run of text. Words are boilerpipe's: runs of letters, digits and `" ' . , ! @ - : ; $ ? ( ) /` with at least one
/// letter or digit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// Range of the text, white space collapsed, in the table's buffer.
    text: Range<u32>,
    /// Range of the text nodes in the table's list.
    nodes: Range<u32>,
    /// Nearest ancestor that is not one of the tags looked through.
    pub element: NodeId,
    /// Number of the context: tags, classes and ids from the root.
    pub context: u32,
    /// What the block is.
    pub kind: BlockKind,
    /// What stands before it.
    pub boundary: Boundary,
    /// 1 to 6 inside `h1` to `h6`, else 0.
    pub heading: u8,
    /// Lists around the block.
    pub lists: u16,
    /// Tables around the block.
    pub tables: u16,
    /// Whether it lies below an element that is not shown: `hidden`, `aria-hidden`, `display:none`, `visibility:hidden`.
    pub hidden: bool,
    /// Open elements at the first character, those looked through left out, `a` counted.
    pub level: u32,
    /// Characters of the text.
    pub chars: u32,
    /// Characters inside `a`, white space left out.
    pub link_chars: u32,
    /// Words.
    pub words: u32,
    /// Words inside `a`.
    pub link_words: u32,
    /// Lines when wrapped at 80 columns, the last one left out unless it is the only one.
    pub lines: u32,
    /// Words in those lines.
    pub words_in_lines: u32,
}

impl Block {
    /// Linked words by words, 0 without words.
    pub fn link_density(&self) -> f64 {
        if self.words == 0 {
            0.0
        } else {
            f64::from(self.link_words) / f64::from(self.words)
        }
    }

    /// Words by line of 80 columns.
    pub fn text_density(&self) -> f64 {
        f64::from(self.words_in_lines) / f64::from(self.lines.max(1))
    }
}

/// One element above some block.
#[derive(Clone, Debug)]
pub struct Context {
    /// Context of the parent element; `None` at the root.
    pub parent: Option<u32>,
    /// The element.
    pub element: NodeId,
    /// Hash of the tag path from the root: equal for equal paths.
    pub path_hash: u64,
    /// Number of its class and id.
    names: u32,
}

impl Context {
    /// Number of its class and id in [`BlockTable::all_names`].
    pub(crate) fn names(&self) -> usize {
        self.names as usize
    }
}

/// Every block of a page, in document order.
#[derive(Debug, Default)]
pub struct BlockTable {
    text: String,
    blocks: Vec<Block>,
    nodes: Vec<NodeId>,
    contexts: Vec<Context>,
    names: Names,
    chars: usize,
    media: Vec<Media>,
    tokens: OnceLock<Vec<u32>>,
}

/// An image, or an element that holds a formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Media {
    /// The element.
    pub(crate) node: NodeId,
    /// Number of the first block that does not end before it.
    pub(crate) before: u32,
    /// Whether it lies in or is an element that is not shown.
    pub(crate) hidden: bool,
}

impl BlockTable {
    /// Reads all blocks of a page. Text of scripts, styles, templates, frames, SVG, form fields and the head is no block.
    pub fn fill(dom: &Dom<'_>) -> BlockTable {
        Filler::new(dom).run()
    }

    /// The blocks in document order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Text of a block, white space collapsed and trimmed.
    pub fn text(&self, block: &Block) -> &str {
        &self.text[block.text.start as usize..block.text.end as usize]
    }

    /// Text nodes of a block in document order; nodes of white space alone may be missing.
    pub fn nodes(&self, block: &Block) -> &[NodeId] {
        &self.nodes[block.nodes.start as usize..block.nodes.end as usize]
    }

    /// Characters of all blocks.
    pub fn chars(&self) -> usize {
        self.chars
    }

    /// Images and formulas, in document order, none inside another.
    pub(crate) fn media(&self) -> &[Media] {
        &self.media
    }

    /// Tokens of each block: words, and each character of scripts without spaces. They are counted at the first call, unless somebody
    /// who counts other things too has told them.
    pub(crate) fn tokens(&self) -> &[u32] {
        self.tokens
            .get_or_init(|| self.blocks.iter().map(|block| tokens(self.text(block))).collect())
    }

    /// Tells the tokens of each block, so that they need not be counted again.
    pub(crate) fn tell_tokens(&self, counted: Vec<u32>) {
        self.tokens.get_or_init(|| counted);
    }

    /// Elements above blocks. A parent comes before its children.
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// Class and id of a context's element, lower-cased, with one space between; empty if it has neither.
    pub fn names(&self, context: &Context) -> &str {
        self.names.get(context.names())
    }

    /// The different names of contexts, in the order of their numbers.
    pub(crate) fn all_names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.names.len()).map(|number| self.names.get(number))
    }

    /// Tags from the root with ids and classes: `html/body/div#main.post/p`.
    pub fn path(&self, dom: &Dom<'_>, block: &Block) -> String {
        let mut chain = Vec::new();
        let mut at = self.contexts.get(block.context as usize);
        while let Some(context) = at {
            chain.push(context.element);
            at = context.parent.and_then(|p| self.contexts.get(p as usize));
        }
        let mut out = String::new();
        for &element in chain.iter().rev() {
            if !out.is_empty() {
                out.push('/');
            }
            out.push_str(dom.name(element));
            if let Some(id) = dom.attr(element, "id").filter(|id| !id.trim().is_empty()) {
                out.push('#');
                out.push_str(id.trim());
            }
            for class in dom
                .attr(element, "class")
                .unwrap_or_default()
                .split_ascii_whitespace()
            {
                out.push('.');
                out.push_str(class);
            }
        }
        out
    }

    /// Where a block lies in the decoded source: from its first text that was taken from there to its last.
    pub fn source_range(&self, dom: &Dom<'_>, block: &Block) -> Option<Range<usize>> {
        let nodes = self.nodes(block);
        let first = nodes.iter().find_map(|&n| dom.source_range(n))?;
        let last = nodes.iter().rev().find_map(|&n| dom.source_range(n))?;
        Some(first.start.min(last.start)..first.end.max(last.end))
    }
}

/// One open element while the table is filled.
#[derive(Clone, Copy)]
struct Open {
    id: NodeId,
    context: Option<u32>,
    kind: BlockKind,
    heading: u8,
    lists: u16,
    tables: u16,
    links: u16,
    hidden: bool,
    inline: bool,
    level: u32,
}

struct Filler<'d, 's> {
    dom: &'d Dom<'s>,
    table: BlockTable,
    open: Vec<Open>,
    boundary: Boundary,
    /// Start of the current block in text and node list, and where the open elements stood at its first character.
    text_start: usize,
    nodes_start: usize,
    first: Option<(Open, u32)>,
    space: bool,
    chars: u32,
    link_chars: u32,
    links: Vec<Range<usize>>,
}

impl<'d, 's> Filler<'d, 's> {
    fn new(dom: &'d Dom<'s>) -> Self {
        // As many as most pages have.
        let few = |nodes: usize| (dom.len() / nodes).min(1000);
        Filler {
            dom,
            table: BlockTable {
                text: String::with_capacity(dom.source().len() / 8),
                blocks: Vec::with_capacity(few(8)),
                nodes: Vec::with_capacity(few(6)),
                contexts: Vec::with_capacity(few(5)),
                ..BlockTable::default()
            },
            open: Vec::with_capacity(64),
            boundary: Boundary::Block,
            text_start: 0,
            nodes_start: 0,
            first: None,
            space: false,
            chars: 0,
            link_chars: 0,
            links: Vec::new(),
        }
    }

    fn run(mut self) -> BlockTable {
        let tree = self.dom.tree();
        let mut at = NodeId::DOCUMENT;
        'walk: loop {
            if self.enter(at) {
                if let Some(child) = tree.first_child(at) {
                    at = child;
                    continue;
                }
                self.leave(at);
            }
            loop {
                if at == NodeId::DOCUMENT {
                    break 'walk;
                }
                if let Some(next) = tree.next_sibling(at) {
                    at = next;
                    break;
                }
                let Some(parent) = tree.parent(at) else {
                    break 'walk;
                };
                at = parent;
                self.leave(at);
            }
        }
        self.flush();
        self.table
    }

    /// Opens a node; false if nothing below it is read.
    fn enter(&mut self, id: NodeId) -> bool {
        match self.dom.kind(id) {
            NodeKind::Text | NodeKind::EncodedText | NodeKind::RawText => {
                self.text(id);
                false
            }
            NodeKind::Document => true,
            NodeKind::Fragment => false,
            NodeKind::Element => self.enter_element(id),
        }
    }

    fn enter_element(&mut self, id: NodeId) -> bool {
        let Some((namespace, tag)) = self.dom.element(id) else {
            return false;
        };
        let html = namespace == Namespace::Html;
        if html && is_skipped(tag) || namespace == Namespace::Svg {
            if tag == Tag::SCRIPT && is_formula_source(self.dom, id) {
                self.media(id);
            }
            // Where the element stands it parts the texts around it only if it starts a line.
            return false;
        }
        let inline = html && is_inline(tag);
        if !inline {
            self.part(if !html || is_phrasing(tag) {
                Boundary::Phrase
            } else if tag == Tag::BR {
                Boundary::Break
            } else {
                Boundary::Block
            });
        }
        let root = Open {
            id,
            context: None,
            kind: BlockKind::Text,
            heading: 0,
            lists: 0,
            tables: 0,
            links: 0,
            hidden: false,
            inline: false,
            level: 0,
        };
        let parent = *self.open.last().unwrap_or(&root);
        let mut open = Open {
            id,
            context: None,
            inline,
            ..parent
        };
        open.hidden = parent.hidden || is_hidden(self.dom, id);
        if tag == Tag::IMG && html || tag == Tag::MATH && namespace == Namespace::MathMl {
            self.table.media.push(Media {
                node: id,
                before: self.table.blocks.len() as u32,
                hidden: open.hidden,
            });
        }
        if !inline || tag == Tag::A {
            open.level += 1;
        }
        if html {
            open.kind = parent.kind.below(tag);
            open.heading = tag.heading_level().unwrap_or(parent.heading);
            match tag {
                Tag::UL | Tag::OL | Tag::DL | Tag::MENU | Tag::DIR => {
                    open.lists = parent.lists.saturating_add(1);
                }
                Tag::TABLE => open.tables = parent.tables.saturating_add(1),
                Tag::A => open.links = parent.links.saturating_add(1),
                _ => {}
            }
        }
        self.open.push(open);
        true
    }

    fn leave(&mut self, id: NodeId) {
        if self.open.last().is_none_or(|open| open.id != id) {
            return;
        }
        if self.open.last().is_some_and(|open| !open.inline) {
            self.part(match self.dom.html_tag(id) {
                Some(Tag::BR) => Boundary::Break,
                Some(tag) if !is_phrasing(tag) => Boundary::Block,
                _ => Boundary::Phrase,
            });
        }
        self.open.pop();
    }

    /// Notes a script that holds a formula: it stands inside a block.
    fn media(&mut self, id: NodeId) {
        self.table.media.push(Media {
            node: id,
            before: self.table.blocks.len() as u32,
            hidden: self.open.last().is_some_and(|open| open.hidden),
        });
    }

    fn part(&mut self, boundary: Boundary) {
        if self.first.is_some() {
            self.flush();
        }
        self.space = false;
        self.boundary = self.boundary.max(boundary);
    }

    fn text(&mut self, id: NodeId) {
        let Some(&open) = self.open.last() else { return };
        let text = self.dom.text(id);
        let linked = open.links > 0;
        let start = self.table.text.len();
        let mut at = skip_white(&text, 0);
        self.space |= at > 0;
        while at < text.len() {
            let run = run(&text, at);
            if self.first.is_none() {
                self.first = Some((open, open.level));
            } else if self.space {
                self.table.text.push(' ');
                self.chars += 1;
            }
            let part = &text[at..run.end];
            if run.nul {
                // NUL never gets into a result.
                self.table.text.push_str(&part.replace('\0', "\u{FFFD}"));
            } else {
                self.table.text.push_str(part);
            }
            self.chars += run.chars;
            if linked {
                self.link_chars += run.chars - run.spaces;
            }
            at = skip_white(&text, run.end);
            self.space = at > run.end;
        }
        let end = self.table.text.len();
        if end > start {
            self.table.nodes.push(id);
            if linked {
                self.links.push(start..end);
            }
        }
    }

    fn flush(&mut self) {
        let Some((first, level)) = self.first.take() else {
            self.space = false;
            return;
        };
        let text = self.text_start..self.table.text.len();
        let words = count_words(&self.table.text[text.clone()], text.start, &self.links);
        let context = self.context();
        let element = self
            .open
            .iter()
            .rev()
            .find(|o| !o.inline)
            .map_or(first.id, |o| o.id);
        self.table.blocks.push(Block {
            text: text.start as u32..text.end as u32,
            nodes: self.nodes_start as u32..self.table.nodes.len() as u32,
            element,
            context,
            kind: first.kind,
            boundary: self.boundary,
            heading: first.heading,
            lists: first.lists,
            tables: first.tables,
            hidden: first.hidden,
            level,
            chars: self.chars,
            link_chars: self.link_chars,
            words: words.words,
            link_words: words.linked,
            lines: words.lines,
            words_in_lines: words.in_lines,
        });
        self.table.chars += self.chars as usize;
        self.boundary = Boundary::Phrase;
        self.text_start = self.table.text.len();
        self.nodes_start = self.table.nodes.len();
        self.space = false;
        self.chars = 0;
        self.link_chars = 0;
        self.links.clear();
    }

    /// The context of the innermost open element that is not looked through; made for all above it on first use.
    fn context(&mut self) -> u32 {
        let end = self
            .open
            .iter()
            .rposition(|o| !o.inline)
            .map_or(self.open.len(), |i| i + 1);
        let known = self.open[..end].iter().rposition(|o| o.context.is_some());
        let mut parent = known.and_then(|i| self.open[i].context);
        for i in known.map_or(0, |i| i + 1)..end {
            let open = self.open[i];
            if open.inline {
                continue;
            }
            let above = parent
                .and_then(|p| self.table.contexts.get(p as usize))
                .map_or(0, |c| c.path_hash);
            let mut path_hash = above ^ 0x9E37_79B9_7F4A_7C15;
            for byte in self.dom.name(open.id).bytes() {
                path_hash = (path_hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            let names = self.table.names.number(self.dom, open.id);
            self.table.contexts.push(Context {
                parent,
                element: open.id,
                path_hash: path_hash.rotate_left(23),
                names,
            });
            parent = Some(self.table.contexts.len() as u32 - 1);
            self.open[i].context = parent;
        }
        parent.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
