//! Fills the table in one walk over the tree, without recursion.

use std::ops::Range;

use crate::analysis::blocks::block::{Block, BlockKind, Boundary, Context};
use crate::analysis::blocks::counts::BlockCounts;
use crate::analysis::blocks::elements::{Role, is_formula_source, is_hidden};
use crate::analysis::blocks::table::{BlockTable, Media, NodeText};
use crate::analysis::blocks::words::{run, skip_white};
use dehusk_html::budget::{Budget, Meter};
use dehusk_html::fnv;
use dehusk_html::limits::Limits;
use dehusk_html::tree::{Dom, Namespace, Node, NodeId, NodeKind, Tag};

impl BlockTable {
    /// Reads all blocks of a page. Text of scripts, styles, templates, frames, SVG, form fields and the head is no block.
    pub fn fill(dom: &Dom<'_>) -> BlockTable {
        BlockTable::default().refill(dom, &Budget::start(&Limits::default(), dom.source().len()))
    }

    /// As [`fill`](BlockTable::fill), into the memory of a table that is no longer needed. It ends where the budget does.
    pub(crate) fn refill(mut self, dom: &Dom<'_>, budget: &Budget) -> BlockTable {
        self.clear();
        Filler::new(dom, self).run(budget.meter("reading blocks"))
    }
}

/// One open element while the table is filled.
#[derive(Clone, Copy)]
struct OpenElement {
    id: NodeId,
    context: Option<u32>,
    kind: BlockKind,
    heading: u8,
    lists: u16,
    tables: u16,
    links: u16,
    hidden: bool,
    /// What its tags put between blocks; `None` if it is inline.
    boundary: Option<Boundary>,
    level: u32,
}

/// What is known of text outside of all elements.
const OUTSIDE: OpenElement = OpenElement {
    id: NodeId::DOCUMENT,
    context: None,
    kind: BlockKind::Text,
    heading: 0,
    lists: 0,
    tables: 0,
    links: 0,
    hidden: false,
    boundary: None,
    level: 0,
};

/// How the walk goes on behind a node.
enum Way {
    /// To its children.
    Into,
    /// Past its children.
    Past,
    /// Past it and all elements like it that follow, as none of them has children: all of them end a block as the first did.
    PastRow,
}

struct Filler<'d, 's> {
    dom: &'d Dom<'s>,
    table: BlockTable,
    /// The open elements, behind what holds outside of them.
    open: Vec<OpenElement>,
    boundary: Boundary,
    /// Where the current block begins in the text and in the list of nodes; and the innermost open element at its first character.
    text_start: usize,
    nodes_start: usize,
    first: Option<OpenElement>,
    space: bool,
    /// The parts of the current block that are linked, none next to another.
    links: Vec<Range<usize>>,
    /// Text of which references are resolved.
    decoded: String,
}

impl<'d, 's> Filler<'d, 's> {
    fn new(dom: &'d Dom<'s>, mut table: BlockTable) -> Self {
        // Enough for most pages.
        let capacity = |nodes: usize| (dom.len() / nodes).min(1000);
        table.text.reserve(dom.source().len() / 8);
        table.blocks.reserve(capacity(8));
        table.counts.reserve(capacity(8));
        table.nodes.reserve(capacity(6));
        table.node_texts.reserve(capacity(6));
        table.contexts.reserve(capacity(5));
        let mut open = Vec::with_capacity(64);
        open.push(OUTSIDE);
        Filler {
            dom,
            table,
            open,
            boundary: Boundary::Block,
            text_start: 0,
            nodes_start: 0,
            first: None,
            space: false,
            links: Vec::new(),
            decoded: String::new(),
        }
    }

    fn run(mut self, mut meter: Meter<'_>) -> BlockTable {
        let tree = self.dom.tree();
        let mut next = Some(NodeId::DOCUMENT);
        while let Some(mut at) = next {
            if !meter.step(1) {
                self.flush();
                return self.table;
            }
            let mut node = self.dom.node(at);
            if let Some(parent) = node.parent() {
                self.leave_for(parent);
            }
            let way = self.enter(at, node);
            if let Way::PastRow = way {
                let (last, passed) = tree.pass_row(at, |_| true);
                if passed > 0 {
                    (at, node) = (last, self.dom.node(last));
                    meter.step(passed);
                }
            }
            next = match way {
                Way::Past if node.first_child().is_some() => tree.after_subtree(NodeId::DOCUMENT, at),
                _ => tree.after(NodeId::DOCUMENT, at),
            };
        }
        self.leave_for(NodeId::DOCUMENT);
        self.flush();
        self.table
    }

    /// The innermost open element.
    #[inline]
    fn innermost(&self) -> &OpenElement {
        self.open.last().unwrap_or(&OUTSIDE)
    }

    /// Leaves the open elements in which the children of `parent`, which is open, do not lie.
    #[inline]
    fn leave_for(&mut self, parent: NodeId) {
        while self.innermost().id != parent && self.open.len() > 1 {
            if let Some(boundary) = self.innermost().boundary {
                self.end_block(boundary);
            }
            self.open.pop();
        }
    }

    /// Enters a node; returns how the walk goes on.
    #[inline]
    fn enter(&mut self, id: NodeId, node: &Node) -> Way {
        match node.kind() {
            NodeKind::Blank => {
                self.space = true;
                Way::Past
            }
            NodeKind::Text | NodeKind::EncodedText | NodeKind::RawText => {
                self.text(id);
                Way::Past
            }
            NodeKind::Document => Way::Into,
            NodeKind::Fragment => Way::Past,
            NodeKind::Element => self.enter_element(id, node),
        }
    }

    #[inline]
    fn enter_element(&mut self, id: NodeId, node: &Node) -> Way {
        let Some((namespace, tag)) = node.element() else {
            return Way::Past;
        };
        let role = match namespace {
            Namespace::Html => Role::of(tag),
            Namespace::MathMl if tag == Tag::MATH => &Role::MEDIA,
            Namespace::MathMl => &Role::PHRASE,
            Namespace::Svg => &Role::SKIPPED,
        };
        if role.skipped {
            if tag == Tag::SCRIPT && is_formula_source(self.dom, id) {
                self.add_formula_script(id);
            }
            // Skipped elements do not end a block.
            return Way::Past;
        }
        if let Some(boundary) = role.boundary {
            self.end_block(boundary);
        }
        // An element without children is a boundary and no more, so that it need not be opened.
        let is_empty = node.first_child().is_none();
        if is_empty && !role.media {
            return Way::PastRow;
        }
        let hidden = self.innermost().hidden || is_hidden(self.dom, id);
        if role.media {
            self.table.media.push(Media {
                node: id,
                before: self.table.blocks.len() as u32,
                hidden,
            });
        }
        if is_empty {
            return Way::Past;
        }
        let above = self.innermost();
        let open = OpenElement {
            id,
            context: None,
            kind: above.kind.with(role.kind),
            heading: if role.heading > 0 {
                role.heading
            } else {
                above.heading
            },
            lists: above.lists.saturating_add(role.lists.into()),
            tables: above.tables.saturating_add(role.tables.into()),
            links: above.links.saturating_add(role.links.into()),
            hidden,
            boundary: role.boundary,
            level: above.level + u32::from(role.boundary.is_some() || role.links > 0),
        };
        self.open.push(open);
        Way::Into
    }

    /// Records a script that holds a formula; it does not end a block.
    fn add_formula_script(&mut self, id: NodeId) {
        self.table.media.push(Media {
            node: id,
            before: self.table.blocks.len() as u32,
            hidden: self.innermost().hidden,
        });
    }

    fn end_block(&mut self, boundary: Boundary) {
        if self.first.is_some() {
            self.flush();
        }
        self.space = false;
        self.boundary = self.boundary.max(boundary);
    }

    fn text(&mut self, id: NodeId) {
        let linked = self.innermost().links > 0;
        let text = self.dom.text_in(id, &mut self.decoded);
        let start = self.table.text.len();
        let mut at = skip_white(text, 0);
        let space_before = at > 0;
        self.space |= space_before;
        while at < text.len() {
            let run = run(text, at);
            if self.first.is_none() {
                self.first = self.open.last().copied();
            } else if self.space {
                self.table.text.push(' ');
            }
            let part = &text[at..run.end];
            if run.nul {
                // Results must not contain NUL.
                self.table.text.push_str(&part.replace('\0', "\u{FFFD}"));
            } else {
                self.table.text.push_str(part);
            }
            at = skip_white(text, run.end);
            self.space = at > run.end;
        }
        let end = self.table.text.len();
        if end > start {
            self.table.nodes.push(id);
            self.table.node_texts.push(NodeText {
                end: end as u32,
                space_before,
                space_after: self.space,
            });
            if linked {
                match self.links.last_mut().filter(|last| last.end == start) {
                    Some(last) => last.end = end,
                    None => self.links.push(start..end),
                }
            }
        }
    }

    fn flush(&mut self) {
        let Some(first) = self.first.take() else {
            self.space = false;
            return;
        };
        let text = self.text_start..self.table.text.len();
        let counts = BlockCounts::of(&self.table.text[text.clone()], text.start, &self.links);
        let (element, context) = self.context().unwrap_or((first.id, 0));
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
            level: first.level,
            chars: counts.chars,
            link_chars: counts.link_chars,
            words: counts.words,
            link_words: counts.link_words,
            lines: counts.lines,
            words_in_lines: counts.words_in_lines,
        });
        self.table.chars += counts.chars as usize;
        self.table.counts.push(counts.counts);
        self.boundary = Boundary::Phrase;
        self.text_start = self.table.text.len();
        self.nodes_start = self.table.nodes.len();
        self.space = false;
        self.links.clear();
    }

    /// The innermost open element that is not inline, and its context. Contexts of its ancestors are made on first use.
    fn context(&mut self) -> Option<(NodeId, u32)> {
        let end = 1 + self.open.iter().rposition(|o| o.boundary.is_some())?;
        let known = self.open[..end].iter().rposition(|o| o.context.is_some());
        let mut parent = known.and_then(|i| self.open[i].context);
        for i in known.map_or(0, |i| i + 1)..end {
            let OpenElement { id, boundary, .. } = self.open[i];
            if boundary.is_none() {
                continue;
            }
            let above = parent
                .and_then(|p| self.table.contexts.get(p as usize))
                .map_or(0, |c| c.path_hash);
            let mut path_hash = above ^ 0x9E37_79B9_7F4A_7C15;
            for byte in self.dom.name(id).bytes() {
                path_hash = fnv::extend(path_hash, byte.into());
            }
            let names = self.table.names.number(self.dom, id);
            self.table.contexts.push(Context {
                parent,
                element: id,
                path_hash: path_hash.rotate_left(23),
                names,
            });
            parent = Some(self.table.contexts.len() as u32 - 1);
            self.open[i].context = parent;
        }
        Some((self.open[end - 1].id, parent?))
    }
}
