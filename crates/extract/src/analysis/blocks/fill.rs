//! Fills the block table in one walk over the tree, without recursion.

use std::ops::Range;

use crate::analysis::blocks::block::{Block, Boundary, Context, Inherited};
use crate::analysis::blocks::counts::count_blocks;
use crate::analysis::blocks::elements::{
    Role, draws_formula, holds_formula, is_formula_source, is_hidden, is_image_element, is_in_sentence,
    is_player_element,
};
use crate::analysis::blocks::hiding_rules::HidingRules;
use crate::analysis::blocks::signs::is_sign;
use crate::analysis::blocks::table::{BlockTable, Media, NodeText};
use crate::analysis::blocks::words::{run, skip_white};
use dehusk_html::budget::{Budget, Meter};
use dehusk_html::fnv;
use dehusk_html::limits::Limits;
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, Namespace, Node, NodeId, NodeKind, Tag};

impl BlockTable {
    /// Reads all blocks of a page. Text of scripts, styles, templates, frames, SVG, form fields and the head is left out.
    pub fn fill(dom: &Dom<'_>) -> BlockTable {
        BlockTable::default().refill(dom, &Budget::start(&Limits::default(), dom.source().len()))
    }

    /// Like [`fill`](BlockTable::fill), but reuses the memory of this table. Stops when the budget is
    /// exhausted, and keeps the blocks read until then.
    pub(crate) fn refill(mut self, dom: &Dom<'_>, budget: &Budget) -> BlockTable {
        self.clear();
        Filler::new(dom, self).run(budget.meter("reading blocks"))
    }
}

/// One open element of the walk.
///
/// Its context is computed only when a block needs it, since many elements hold no text of their own.
#[derive(Clone, Copy)]
struct OpenElement {
    id: NodeId,
    /// Index of its context; [`NO_CONTEXT`] until a block needs it, and always for inline elements.
    context: u32,
    level: u32,
    linked: bool,
    hidden: bool,
    /// Boundary that its tags put between blocks; `None` if it is inline.
    boundary: Option<Boundary>,
}

const NO_CONTEXT: u32 = u32::MAX;

/// First stack entry: the state outside of all elements.
const OUTSIDE: OpenElement = OpenElement {
    id: NodeId::DOCUMENT,
    context: NO_CONTEXT,
    level: 0,
    linked: false,
    hidden: false,
    boundary: None,
};

/// State of the innermost open element at the first character of the current block.
struct First {
    id: NodeId,
    level: u32,
    hidden: bool,
}

/// Effect of a node on the blocks around it; `None` for nodes other than elements.
#[inline]
fn role(node: &Node) -> Option<&'static Role> {
    let (namespace, tag) = node.element()?;
    Some(match namespace {
        Namespace::Html => Role::of(node.acting_tag().unwrap_or(tag)),
        Namespace::MathMl if tag == Tag::MATH => &Role::MEDIA,
        Namespace::MathMl => &Role::PHRASE,
        Namespace::Svg => &Role::SKIPPED,
    })
}

/// How the walk continues after a node.
enum Way {
    /// To its children.
    Into,
    /// Past its children.
    Past,
    /// Past this element and the empty elements of its tag after it, which would only repeat its boundary.
    PastRow,
}

struct Filler<'d, 's> {
    dom: &'d Dom<'s>,
    table: BlockTable,
    /// Rules of the page's own style sheets that hide elements.
    hiding: HidingRules,
    /// Stack of open elements. The first entry is [`OUTSIDE`].
    open: Vec<OpenElement>,
    /// Id of the innermost open element.
    innermost: NodeId,
    boundary: Boundary,
    /// Start of the current block in the text and in the node list, and the state at its first character.
    text_start: usize,
    nodes_start: usize,
    first: Option<First>,
    space: bool,
    /// Ranges of the text that are linked; adjacent ranges are merged.
    links: Vec<Range<usize>>,
    /// Buffer for text whose character references are resolved.
    decoded: String,
}

impl<'d, 's> Filler<'d, 's> {
    fn new(dom: &'d Dom<'s>, mut table: BlockTable) -> Self {
        // Estimates that avoid reallocation on most pages.
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
            hiding: HidingRules::read(dom),
            open,
            innermost: OUTSIDE.id,
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
        let mut blanks = 0;
        while let Some(mut at) = next {
            let mut node = self.dom.node(at);
            if node.kind() == NodeKind::Blank {
                // Elements that ended before this node are closed at the next node that is not blank.
                // Closing a block drops the pending space.
                self.space = true;
                blanks += 1;
                next = tree.after(NodeId::DOCUMENT, at);
                continue;
            }
            // Blank nodes are charged to the budget with the next other node.
            if !meter.step(1 + blanks) {
                return self.finish();
            }
            blanks = 0;
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
        self.finish()
    }

    /// Flushes the last block, counts the texts of all blocks and returns the table.
    ///
    /// Texts are counted here in one sequence. At the end of each block, the stores of its text might still be pending.
    fn finish(mut self) -> BlockTable {
        self.flush();
        let BlockTable {
            text,
            blocks,
            counts,
            chars,
            ..
        } = &mut self.table;
        count_blocks(text, &self.links, blocks, counts);
        *chars = blocks.iter().map(|block| block.chars as usize).sum();
        self.table
    }

    /// Innermost open element.
    #[inline]
    fn innermost(&self) -> &OpenElement {
        self.open.last().unwrap_or(&OUTSIDE)
    }

    /// Closes open elements until `parent`, which is open, is the innermost.
    #[inline]
    fn leave_for(&mut self, parent: NodeId) {
        // The first entry stands for the document, so `parent` is always on the stack.
        while self.innermost != parent && self.open.len() > 1 {
            if let Some(boundary) = self.innermost().boundary {
                self.end_block(boundary);
            }
            self.open.pop();
            self.innermost = self.innermost().id;
        }
    }

    /// Enters a node; returns how the walk continues.
    #[inline]
    fn enter(&mut self, id: NodeId, node: &Node) -> Way {
        match node.kind() {
            NodeKind::Text | NodeKind::EncodedText | NodeKind::RawText => {
                self.text(id);
                Way::Past
            }
            NodeKind::Document => Way::Into,
            NodeKind::Blank | NodeKind::Fragment => Way::Past,
            NodeKind::Element => self.enter_element(id, node),
        }
    }

    #[inline]
    fn enter_element(&mut self, id: NodeId, node: &Node) -> Way {
        let Some(role) = role(node) else {
            return Way::Past;
        };
        if role.skipped {
            match node.html_tag() {
                Some(Tag::SCRIPT) if is_formula_source(self.dom, id) => self.add_unseen(id, false),
                Some(tag) if is_player_element(self.dom, id, tag) => {
                    let hidden = is_hidden(self.dom, id) || self.hiding.hide(self.dom, id);
                    self.add_unseen(id, hidden);
                }
                _ => {}
            }
            // Skipped elements do not end a block.
            return Way::Past;
        }
        let tag = node.html_tag();
        let mut boundary = role.boundary;
        match boundary {
            None if tag.is_some_and(|tag| is_sign(self.dom, id, tag)) => return Way::Past,
            Some(Boundary::Block) if tag.is_some_and(|tag| is_in_sentence(self.dom, id, tag)) => {
                boundary = Some(Boundary::Phrase);
            }
            _ => {}
        }
        if let Some(boundary) = boundary {
            self.end_block(boundary);
        }
        // An element without children only marks a boundary and need not be pushed.
        let is_empty = node.first_child().is_none();
        let shows = |tag| is_player_element(self.dom, id, tag) || is_image_element(self.dom, id, tag);
        let is_media = role.media || tag.is_some_and(shows);
        if is_empty && !is_media {
            return Way::PastRow;
        }
        let mut hidden = self.innermost().hidden;
        // The hidden source of a formula, and a drawing that is hidden from screen readers, hide no text.
        let is_known = hidden || boundary.is_none() && holds_formula(self.dom, id);
        if !is_known
            && (is_hidden(self.dom, id) || self.hiding.hide(self.dom, id))
            && !(boundary.is_none() && draws_formula(self.dom, id))
        {
            hidden = true;
            // Hidden content is not part of the surrounding sentence, so it becomes a block of its own.
            if boundary.is_none() {
                boundary = Some(Boundary::Phrase);
                self.end_block(Boundary::Phrase);
            }
        }
        if is_media {
            self.table.media.push(Media {
                node: id,
                before: narrow::to_u32(self.table.blocks.len()),
                hidden,
            });
        }
        if is_empty {
            return Way::Past;
        }
        // Inline elements do not count as levels, but links do.
        let above = self.innermost();
        let open = OpenElement {
            id,
            context: NO_CONTEXT,
            level: above.level + u32::from(boundary.is_some() || role.is_link),
            linked: above.linked || role.is_link,
            hidden,
            boundary,
        };
        self.open.push(open);
        self.innermost = id;
        Way::Into
    }

    /// Records an element without text of the page: a script that holds the source of a formula, or a
    /// player. It does not end a block.
    fn add_unseen(&mut self, id: NodeId, hidden: bool) {
        self.table.media.push(Media {
            node: id,
            before: narrow::to_u32(self.table.blocks.len()),
            hidden: hidden || self.innermost().hidden,
        });
    }

    /// Ends the current block. Of several boundaries before the next block, the strongest counts.
    fn end_block(&mut self, boundary: Boundary) {
        if self.first.is_some() {
            self.flush();
        }
        self.space = false;
        self.boundary = self.boundary.max(boundary);
    }

    /// Appends the words of a text node to the current block, with white space collapsed.
    fn text(&mut self, id: NodeId) {
        let linked = self.innermost().linked;
        let text = self.dom.text_in(id, &mut self.decoded);
        let start = self.table.text.len();
        let mut at = skip_white(text, 0);
        let space_before = at > 0;
        self.space |= space_before;
        while at < text.len() {
            let run = run(text, at);
            // At the start of a block no space is written.
            if self.first.is_none() {
                let OpenElement {
                    id, level, hidden, ..
                } = *self.open.last().unwrap_or(&OUTSIDE);
                self.first = Some(First { id, level, hidden });
            } else {
                // A block counts as shown if part of it is: it may begin with a hidden sign or the hidden
                // copy of a formula.
                if let Some(first) = self.first.as_mut().filter(|first| first.hidden) {
                    first.hidden = self.open.last().is_some_and(|open| open.hidden);
                }
                if self.space {
                    self.table.text.push(' ');
                }
            }
            let part = &text[at..run.end];
            if run.nul {
                // NUL must not occur in results.
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
                end: narrow::to_u32(end),
                space_before,
                space_after: self.space,
            });
            if linked {
                // Text only grows, so the ranges are sorted; texts that touch share one range.
                match self.links.last_mut().filter(|last| last.end == start) {
                    Some(last) => last.end = end,
                    None => self.links.push(start..end),
                }
            }
        }
    }

    /// Adds the current block to the table; does nothing if it has no text.
    fn flush(&mut self) {
        let Some(first) = self.first.take() else {
            self.space = false;
            return;
        };
        let text = self.text_start..self.table.text.len();
        let context = self.context();
        let around = context.and_then(|number| self.table.contexts.get(number as usize));
        let inherited = around.map_or(Inherited::OUTSIDE, |context| context.inherited);
        self.table.blocks.push(Block {
            text: narrow::to_u32(text.start)..narrow::to_u32(text.end),
            nodes: narrow::to_u32(self.nodes_start)..narrow::to_u32(self.table.nodes.len()),
            element: around.map_or(first.id, |context| context.element),
            context: context.unwrap_or(0),
            kind: inherited.kind,
            boundary: self.boundary,
            heading: inherited.heading,
            lists: inherited.lists,
            tables: inherited.tables,
            hidden: first.hidden,
            level: first.level,
            // `count_blocks` fills in the counts.
            chars: 0,
            link_chars: 0,
            words: 0,
            link_words: 0,
            lines: 0,
            words_in_lines: 0,
        });
        self.boundary = Boundary::Phrase;
        self.text_start = self.table.text.len();
        self.nodes_start = self.table.nodes.len();
        self.space = false;
    }

    /// Index of the context of the innermost open element that is not inline; `None` if there is no such element.
    ///
    /// Missing contexts of its ancestors are created on the way.
    fn context(&mut self) -> Option<u32> {
        let innermost = self.open.iter().rposition(|open| open.boundary.is_some())?;
        // Contexts are created from the last known one inward, so that a parent precedes its children.
        let last_known = self.open[..=innermost]
            .iter()
            .rposition(|open| open.context != NO_CONTEXT);
        let mut parent = last_known.map(|known| self.open[known].context);
        for open in &mut self.open[last_known.map_or(0, |known| known + 1)..=innermost] {
            if open.boundary.is_none() {
                continue;
            }
            let node = self.dom.node(open.id);
            let above = parent.and_then(|number| self.table.contexts.get(number as usize));
            let (path, inherited) = above.map_or((0, Inherited::OUTSIDE), |above| {
                (above.path_hash, above.inherited)
            });
            let tag = self.dom.name(open.id).bytes();
            // The constant and the rotation mark where a tag ends: `a/bc` and `ab/c` differ.
            let path_hash = tag.fold(path ^ 0x9E37_79B9_7F4A_7C15, |hash, byte| {
                fnv::extend(hash, byte.into())
            });
            let context = Context {
                parent,
                element: open.id,
                path_hash: path_hash.rotate_left(23),
                names: self.table.names.number(self.dom, open.id),
                inherited: role(node).map_or(inherited, |role| role.inside(inherited)),
            };
            open.context = narrow::to_u32(self.table.contexts.len());
            parent = Some(open.context);
            self.table.contexts.push(context);
        }
        parent
    }
}
