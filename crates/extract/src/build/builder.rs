//! Builds the document from the events of the walk over the page.

use crate::analysis::blocks::elements::{is_in_sentence, is_phrasing};
use crate::analysis::blocks::table::Words;
use crate::analysis::blocks::words::{run, skip_white};
use crate::analysis::tables::is_grid;
use crate::build::code::FoundCode;
use crate::build::formula::FoundFormula;
use crate::build::grid::{Grid, is_one_column};
use crate::build::image::{FoundImage, title};
use crate::build::items::{
    add_item, check_box, follows_item, follows_term, holds_posts, is_simple, item_value, numbered, wraps_list,
};
use crate::build::line::{Line, OpenKind, ends_in_image, image, is_unseen, player, ruby, without_breaks};
use crate::build::margin::{quoted, without_margin};
use crate::build::note_label::drop_label;
use crate::build::player::FoundPlayer;
use crate::build::quote::is_quote;
use crate::build::tex;
use crate::document::{
    Block, CodeKind, CodeLink, Definition, Document, Inline, Item, List, MAX_NESTING, Mark, Note, Span, Table,
};
use crate::label::classes::BlockClass;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};
use dehusk_html::url::Base;

/// Builds blocks bottom-up: a block that ends is added to its container.
pub(super) struct Builder<'u> {
    /// Base for resolving addresses; `None` if no requested form contains addresses.
    base: Option<Base<'u>>,
    blocks: Vec<Block>,
    notes: Vec<Note>,
    /// Open containers, innermost last, each with its element.
    frames: Vec<(NodeId, Frame)>,
    line: Line,
    heading: u8,
    /// Class of the current line; `None` for body text.
    class: Option<BlockClass>,
    /// Bytes left for addresses. Without this bound, one long address that applies to many blocks would multiply the document's size.
    room: usize,
    /// Whether addresses were left out.
    cut: bool,
}

/// An open container.
enum Frame {
    Quote(Vec<Block>),
    List {
        list: List,
        /// The `li` opened last, and its number; `None` before the first.
        passed: Option<(NodeId, i32)>,
        /// Number of the list's first item on the page.
        first: i32,
        /// Whether its items are named as posts.
        of_posts: bool,
    },
    Item {
        item: Item,
        /// Whether its only content is a list.
        wraps: bool,
        /// Whether it has no list around it and follows another `li`.
        continues: bool,
    },
    Definitions(Vec<Definition>),
    Term,
    Meaning(Vec<Block>),
    Table {
        grid: Grid,
        caption: Vec<Inline>,
    },
    Cell {
        cell: usize,
        blocks: Vec<Block>,
    },
    Figure {
        blocks: Vec<Block>,
        caption: Vec<Inline>,
    },
    Caption,
    Note {
        number: u32,
        blocks: Vec<Block>,
    },
}

impl<'u> Builder<'u> {
    /// Creates a builder whose addresses take at most about `room` bytes.
    pub(super) fn new(base: Option<Base<'u>>, room: usize) -> Self {
        let mut line = Line::default();
        line.room = room;
        Builder {
            base,
            blocks: Vec::new(),
            notes: Vec::new(),
            frames: Vec::new(),
            line,
            heading: 0,
            class: None,
            room,
            cut: false,
        }
    }

    /// Ends all open containers. Returns the document, and whether addresses were left out.
    pub(super) fn finish(mut self) -> (Document, bool) {
        self.end_line();
        while let Some((_, frame)) = self.frames.pop() {
            self.end(None, frame);
        }
        if !self.notes.is_empty() && matches!(self.blocks.last(), Some(Block::Heading { .. })) {
            // The title of the list of notes, which are written separately.
            self.blocks.pop();
        }
        let blocks = without_margin(self.blocks);
        (Document::new(blocks, self.notes), self.cut || self.line.cut)
    }

    /// Blocks of the innermost container; `None` if it holds other parts.
    fn innermost(&mut self) -> Option<&mut Vec<Block>> {
        match self.frames.last_mut() {
            None => Some(&mut self.blocks),
            Some((
                _,
                Frame::Quote(blocks)
                | Frame::Meaning(blocks)
                | Frame::Cell { blocks, .. }
                | Frame::Figure { blocks, .. }
                | Frame::Note { blocks, .. },
            )) => Some(blocks),
            Some((_, Frame::Item { item, .. })) => Some(&mut item.blocks),
            Some(_) => None,
        }
    }

    /// Whether the last block of the innermost container ends in the image of this address.
    fn follows_image(&mut self, src: &str) -> bool {
        let last = self.innermost().and_then(|blocks| blocks.last());
        matches!(last, Some(Block::Paragraph { inlines, .. }) if ends_in_image(inlines, src))
    }

    /// Adds an `li` without a list around it. It extends the list of the `li` before it if it `continues`.
    fn put_item(&mut self, item: Item, continues: bool) {
        if !is_simple(&item) {
            return item.blocks.into_iter().for_each(|block| self.put(block));
        }
        let before = self.innermost().and_then(|blocks| blocks.last_mut());
        match before {
            Some(Block::List(list)) if continues && !list.ordered => list.items.push(item),
            _ => {
                let mut list = List::default();
                list.items.push(item);
                self.put(Block::List(list));
            }
        }
    }

    /// Adds a block to the innermost container that holds blocks, or to the document.
    fn put(&mut self, block: Block) {
        for (_, frame) in self.frames.iter_mut().rev() {
            match frame {
                Frame::Quote(blocks)
                | Frame::Meaning(blocks)
                | Frame::Cell { blocks, .. }
                | Frame::Figure { blocks, .. }
                | Frame::Note { blocks, .. } => return blocks.push(block),
                Frame::Item { item, .. } => return item.blocks.push(block),
                // Old pages indent by a list without items, `<ul><p>text</ul>`: it is ignored.
                Frame::List { list, .. } if list.items.is_empty() && !matches!(block, Block::List(_)) => {}
                Frame::List { list, .. } => {
                    // A block between items is added to the item before it.
                    if list.items.is_empty() {
                        list.items.push(Item::default());
                    }
                    if let Some(item) = list.items.last_mut() {
                        return item.blocks.push(block);
                    }
                }
                Frame::Definitions(items) => {
                    if items.is_empty() {
                        items.push(Definition::default());
                    }
                    if let Some(item) = items.last_mut() {
                        if item.definitions.is_empty() {
                            item.definitions.push(Vec::new());
                        }
                        if let Some(meaning) = item.definitions.last_mut() {
                            return meaning.push(block);
                        }
                    }
                }
                Frame::Table { .. } | Frame::Term | Frame::Caption => {}
            }
        }
        self.blocks.push(block);
    }

    /// Ends the line of text, which becomes a heading, term, caption, formula or paragraph.
    fn end_line(&mut self) {
        let class = self.class.take();
        if self.line.is_empty() {
            return;
        }
        let inlines = tex::find(self.line.take());
        // Editors leave paragraphs that hold only a zero-width character: `<p>&#8203;</p>`.
        if inlines.iter().all(is_unseen) {
            return;
        }
        if self.heading > 0 {
            let inlines = without_breaks(inlines);
            return self.put(Block::Heading {
                level: self.heading,
                inlines,
                class,
            });
        }
        let top = self.frames.len();
        match self.frames.last_mut().map(|(_, frame)| frame) {
            Some(Frame::Term) => {
                // The definitions of a term are the frame below it. Without that frame, the index wraps to `None`.
                if let Some((_, Frame::Definitions(items))) = self.frames.get_mut(top.wrapping_sub(2))
                    && let Some(term) = items.last_mut().and_then(|item| item.terms.last_mut())
                {
                    return join(term, inlines);
                }
            }
            Some(Frame::Caption) => {
                if let Some((_, Frame::Table { caption, .. } | Frame::Figure { caption, .. })) =
                    self.frames.get_mut(top.wrapping_sub(2))
                {
                    return join(caption, inlines);
                }
            }
            _ => {}
        }
        let alone = inlines.first().filter(|_| inlines.len() == 1);
        let block = match alone.and_then(Inline::as_span) {
            Some(Span::Formula(formula)) if formula.display => Block::Formula(Box::new(formula.clone())),
            _ => Block::Paragraph { inlines, class },
        };
        self.put(block);
    }

    /// Adds a container that has ended to its parent.
    fn end(&mut self, dom: Option<&Dom<'_>>, frame: Frame) {
        match frame {
            Frame::Quote(blocks) if !blocks.is_empty() => self.put(quoted(blocks)),
            // A thread with a post in each `li`: if a post has several blocks, the list only adds indentation.
            Frame::List {
                list, of_posts: true, ..
            } if list.items.iter().any(|item| item.blocks.len() > 1) => {
                let blocks = list.items.into_iter().flat_map(|item| item.blocks);
                blocks.for_each(|block| self.put(block));
            }
            Frame::List { list, .. } if !list.items.is_empty() => self.put(Block::List(numbered(list))),
            Frame::Item {
                item,
                wraps,
                continues,
            } => match self.frames.last_mut() {
                Some((_, Frame::List { list, .. })) => add_item(list, item, wraps),
                _ => self.put_item(item, continues),
            },
            Frame::Definitions(mut items) => {
                for item in &mut items {
                    item.terms.retain(|term| !term.is_empty());
                    item.definitions.retain(|blocks| !blocks.is_empty());
                }
                self.put_definitions(items);
            }
            Frame::Meaning(blocks) => {
                if let Some((_, Frame::Definitions(items))) = self.frames.last_mut() {
                    if items.is_empty() {
                        items.push(Definition::default());
                    }
                    if let Some(item) = items.last_mut() {
                        item.definitions.push(blocks);
                    }
                }
            }
            Frame::Table { grid, caption } => {
                // Only `finish` has no `dom`, and the walk has closed all elements before it.
                let Some(dom) = dom else { return };
                let (rows, head) = grid.into_rows(dom);
                if caption.is_empty() && head == 0 && is_one_column(&rows) {
                    // A layout table: its cells are blocks below each other.
                    let cells = rows.into_iter().flat_map(|row| row.cells);
                    cells
                        .flat_map(|cell| cell.blocks)
                        .for_each(|block| self.put(block));
                } else if !rows.is_empty() {
                    let mut table = Table::default();
                    (table.caption, table.head, table.rows) = (caption, head, rows);
                    self.put(Block::Table(Box::new(table)));
                } else if !caption.is_empty() {
                    self.put(paragraph(caption));
                }
            }
            Frame::Cell { cell, blocks } => {
                if let Some((_, Frame::Table { grid, .. })) = self.frames.last_mut() {
                    grid.fill(cell, blocks);
                }
            }
            Frame::Figure { blocks, caption } => match (blocks.is_empty(), caption.is_empty()) {
                (true, true) => {}
                // The content of the figure was dropped, but not its caption.
                (true, false) => self.put(Block::Paragraph {
                    inlines: caption,
                    class: None,
                }),
                (false, true) if !holds_image(&blocks) => {
                    blocks.into_iter().for_each(|block| self.put(block));
                }
                (false, _) => self.put(Block::Figure { blocks, caption }),
            },
            Frame::Note { number, mut blocks } => {
                drop_label(&mut blocks);
                let mut note = Note::default();
                (note.number, note.blocks) = (number, blocks);
                self.notes.push(note);
            }
            Frame::Quote(_) | Frame::List { .. } | Frame::Term | Frame::Caption => {}
        }
    }

    /// Adds definitions. A term without a meaning, or a meaning without a term, becomes a plain block:
    /// Markdown and HTML would attach it to its neighbors.
    fn put_definitions(&mut self, items: Vec<Definition>) {
        let mut whole: Vec<Definition> = Vec::new();
        for item in items {
            if !item.terms.is_empty() && !item.definitions.is_empty() {
                whole.push(item);
                continue;
            }
            if !whole.is_empty() {
                let items = std::mem::take(&mut whole);
                self.put(Block::Definitions { items });
            }
            item.terms.into_iter().for_each(|term| self.put(paragraph(term)));
            item.definitions
                .into_iter()
                .flatten()
                .for_each(|block| self.put(block));
        }
        if !whole.is_empty() {
            self.put(Block::Definitions { items: whole });
        }
    }

    /// Starts the note with this number. It ends with `element`.
    pub(super) fn begin_note(&mut self, element: NodeId, number: u32) {
        self.end_line();
        self.heading = 0;
        let blocks = Vec::new();
        self.frames.push((element, Frame::Note { number, blocks }));
    }

    /// Ends the note of `element`.
    pub(super) fn end_note(&mut self, dom: &Dom<'_>, element: NodeId) {
        self.end_line();
        if let Some((_, frame)) = self.frames.pop_if(|(open, _)| *open == element) {
            self.end(Some(dom), frame);
        }
    }

    /// Container that an element opens; `None` if it opens none.
    fn frame(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) -> Option<Frame> {
        if self.frames.len() >= MAX_NESTING {
            return None;
        }
        let number = |name: &str| dom.attr(id, name)?.trim().parse::<i32>().ok();
        Some(match (tag, self.frames.last_mut().map(|(_, frame)| frame)) {
            (Tag::UL | Tag::OL | Tag::MENU | Tag::DIR, _) => {
                let mut list = List {
                    ordered: tag == Tag::OL,
                    ..List::default()
                };
                let mut first = 1;
                if list.ordered {
                    list.reversed = dom.attr(id, "reversed").is_some();
                    let items = || {
                        let items = dom
                            .children(id)
                            .filter(|child| dom.html_tag(*child) == Some(Tag::LI));
                        i32::try_from(items.count()).unwrap_or(i32::MAX)
                    };
                    first = number("start").unwrap_or_else(|| if list.reversed { items() } else { 1 });
                    list.start = (first != 1).then_some(first);
                    list.style = dom.attr(id, "type").and_then(|style| {
                        let mut chars = style.trim().chars();
                        let style = chars
                            .next()
                            .filter(|style| matches!(style, 'a' | 'A' | 'i' | 'I'));
                        style.filter(|_| chars.next().is_none())
                    });
                }
                Frame::List {
                    list,
                    passed: None,
                    first,
                    of_posts: holds_posts(dom, id),
                }
            }
            (
                Tag::LI,
                Some(Frame::List {
                    list, passed, first, ..
                }),
            ) => {
                let mut item = Item {
                    checked: check_box(dom, id),
                    ..Item::default()
                };
                if list.ordered {
                    item.value = item_value(dom, id, list, passed, *first);
                }
                Frame::Item {
                    item,
                    wraps: wraps_list(dom, id),
                    continues: false,
                }
            }
            // No container: a note may itself be an `li`; terms, captions and tables hold no blocks.
            (
                Tag::LI,
                Some(
                    Frame::Note { .. }
                    | Frame::Term
                    | Frame::Caption
                    | Frame::Definitions(_)
                    | Frame::Table { .. },
                ),
            ) => return None,
            (Tag::LI, _) => Frame::Item {
                item: Item::default(),
                wraps: false,
                continues: follows_item(dom, id),
            },
            (Tag::DL, _) => Frame::Definitions(Vec::new()),
            (Tag::DT, Some(Frame::Definitions(items))) => {
                // A dropped `dd` still separates its term from the next: `<dt>a<dd>..<dt>b` are two entries.
                let opens =
                    items.last().is_none_or(|item| !item.definitions.is_empty()) || !follows_term(dom, id);
                if opens {
                    items.push(Definition::default());
                }
                if let Some(item) = items.last_mut() {
                    item.terms.push(Vec::new());
                }
                Frame::Term
            }
            (Tag::DD, Some(Frame::Definitions(_))) => Frame::Meaning(Vec::new()),
            (Tag::TABLE, _) if is_grid(dom, id) => Frame::Table {
                grid: Grid::of(dom, id),
                caption: Vec::new(),
            },
            (Tag::TD | Tag::TH, Some(Frame::Table { grid, .. })) => Frame::Cell {
                cell: grid.find(id)?,
                blocks: Vec::new(),
            },
            (Tag::BLOCKQUOTE | Tag::DIV | Tag::TD, _) if is_quote(dom, id, tag) => Frame::Quote(Vec::new()),
            (Tag::FIGURE, _) => Frame::Figure {
                blocks: Vec::new(),
                caption: Vec::new(),
            },
            (Tag::CAPTION, Some(Frame::Table { .. })) | (Tag::FIGCAPTION, Some(Frame::Figure { .. })) => {
                Frame::Caption
            }
            _ => return None,
        })
    }

    /// Handles the start of an element that holds kept text.
    pub(super) fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        if is_in_line(dom, id, tag) {
            self.line.touching.begin(dom, id, tag);
            if let Some(kind) = self.kind(dom, id, tag) {
                self.line.open(id, kind);
            }
            return;
        }
        self.end_line();
        if let Some(level) = tag.heading_level() {
            self.heading = level;
        } else if let Some(frame) = self.frame(dom, id, tag) {
            self.frames.push((id, frame));
        }
    }

    /// Handles the end of an element that holds kept text.
    pub(super) fn close(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        if is_in_line(dom, id, tag) {
            self.line.touching.end(id, tag);
            return self.line.close(id);
        }
        self.end_line();
        if tag.heading_level().is_some() {
            self.heading = 0;
        }
        if let Some((_, frame)) = self.frames.pop_if(|(open, _)| *open == id) {
            self.end(Some(dom), frame);
        }
    }

    /// Effect of a phrasing element on its text; `None` if it has none.
    fn kind(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) -> Option<OpenKind> {
        Some(match tag {
            Tag::A if self.base.is_some() => {
                let target = self.address(&dom.known_attr(id, AttrName::HREF)?)?;
                let title = title(dom, id, "title");
                OpenKind::Link { target, title }
            }
            Tag::CODE | Tag::TT => OpenKind::Code(CodeKind::Code),
            Tag::KBD => OpenKind::Code(CodeKind::Keyboard),
            Tag::SAMP => OpenKind::Code(CodeKind::Sample),
            _ => OpenKind::Marked(mark(tag)?),
        })
    }

    /// Absolute address, if there is room left; `None` otherwise, or if the address cannot be followed.
    fn address(&mut self, address: &str) -> Option<String> {
        let address = self.base.as_ref()?.resolve(address)?;
        match self.room.checked_sub(address.len()) {
            Some(left) => {
                self.room = left;
                Some(address)
            }
            None => {
                self.cut = true;
                None
            }
        }
    }

    /// Adds kept text, with white space as in the source.
    pub(super) fn text(&mut self, text: &str) {
        let mut at = 0;
        loop {
            let start = skip_white(text, at);
            if start > at {
                self.line.add_space();
            }
            let run = run(text, start);
            if run.end == start {
                return;
            }
            self.line.add_text(&text[start..run.end]);
            at = run.end;
        }
    }

    /// Adds kept text from the block table.
    pub(super) fn words(&mut self, words: Words<'_>) {
        if words.space_before {
            self.line.add_space();
        }
        self.line.add_text(words.text);
        if words.space_after {
            self.line.add_space();
        }
    }

    /// Adds white space.
    pub(super) fn space(&mut self) {
        self.line.add_space();
    }

    /// Sets the class of the following text; called only if classes are known, and not for body text.
    pub(super) fn class(&mut self, class: BlockClass) {
        self.class = Some(class);
    }

    /// Records an element without text, such as an image. Breaks on its two sides are not consecutive.
    pub(super) fn unseen(&mut self) {
        self.line.part_breaks();
    }

    /// Adds a line break inside a paragraph; two in a row end it.
    pub(super) fn line_break(&mut self) {
        // Headings, terms and captions are one line: two breaks do not end them.
        let is_line =
            self.heading > 0 || matches!(self.frames.last(), Some((_, Frame::Term | Frame::Caption)));
        if self.line.is_broken() && !is_line {
            self.end_line();
        } else {
            self.line.add_break();
        }
    }

    /// Adds a paragraph that belongs to no element.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.end_line();
        self.text(text);
        self.end_line();
    }

    /// Adds a code block. Links whose address cannot be followed are dropped.
    pub(super) fn code(&mut self, language: String, code: FoundCode) {
        self.end_line();
        if !code.text.trim().is_empty() {
            let mut links = Vec::new();
            for (range, address) in code.links {
                if let Some(target) = self.address(&address) {
                    links.push(CodeLink::new(range, target));
                }
            }
            self.put(Block::Code {
                language: (!language.is_empty()).then_some(language),
                text: code.text,
                links,
            });
        }
    }

    /// Adds an image, if its address can be resolved.
    pub(super) fn image(&mut self, found: FoundImage) {
        if let Some(src) = self.address(&found.src) {
            // Some pages repeat an image for readers without scripts.
            if !(self.line.ends_in_image(&src) || self.line.is_empty() && self.follows_image(&src)) {
                self.line.add_span(image(src, found.alt, found.title));
            }
        }
    }

    /// Adds a video or sound, unless neither its address nor its title is known. It does not join the words beside it.
    pub(super) fn player(&mut self, found: FoundPlayer) {
        let src = found.src.and_then(|src| self.address(&src));
        let poster = found.poster.and_then(|poster| self.address(&poster));
        if src.is_some() || poster.is_some() || found.title.is_some() {
            self.line.add_space();
            self.line.add_span(player(found.kind, src, poster, found.title));
            self.line.add_space();
        }
    }

    /// Adds a formula; inside a heading it is not displayed on its own line.
    pub(super) fn formula(&mut self, found: FoundFormula) {
        let mut formula = found.formula;
        formula.display &= self.heading == 0;
        self.line.add_span(Span::Formula(formula));
    }

    /// Adds a reference to a note.
    pub(super) fn note(&mut self, number: u32) {
        self.line.add_span(Span::Note { number });
    }

    /// Adds ruby text: base texts with their readings.
    pub(super) fn ruby(&mut self, parts: Vec<(String, String)>) {
        self.line.add_span(ruby(parts));
    }
}

fn paragraph(inlines: Vec<Inline>) -> Block {
    Block::Paragraph { inlines, class: None }
}

/// Appends a line to a term or a caption.
fn join(lines: &mut Vec<Inline>, inlines: Vec<Inline>) {
    if !lines.is_empty() {
        lines.push(Inline::span(Span::Break));
    }
    lines.extend(inlines);
}

/// Whether `blocks` contain a paragraph with an image.
fn holds_image(blocks: &[Block]) -> bool {
    let is_image = |inline: &Inline| match inline.as_span() {
        Some(Span::Image(_)) => true,
        Some(Span::Link { inlines, .. }) => inlines
            .iter()
            .any(|inline| matches!(inline.as_span(), Some(Span::Image(_)))),
        _ => false,
    };
    blocks
        .iter()
        .any(|block| matches!(block, Block::Paragraph { inlines, .. } if inlines.iter().any(is_image)))
}

/// Whether an element is part of the surrounding line.
pub(super) fn is_in_line(dom: &Dom<'_>, id: NodeId, tag: Tag) -> bool {
    is_phrasing(tag) || is_in_sentence(dom, id, tag)
}

/// Mark that a tag gives to its text; `None` if it gives none.
fn mark(tag: Tag) -> Option<Mark> {
    Some(match tag {
        Tag::B | Tag::STRONG => Mark::Strong,
        Tag::I | Tag::EM => Mark::Emphasis,
        Tag::DEL | Tag::S | Tag::STRIKE => Mark::Deleted,
        Tag::INS => Mark::Inserted,
        Tag::MARK => Mark::Highlight,
        Tag::SUB => Mark::Subscript,
        Tag::SUP => Mark::Superscript,
        Tag::Q => Mark::Quote,
        Tag::CITE => Mark::Title,
        Tag::VAR => Mark::Variable,
        _ => return None,
    })
}
