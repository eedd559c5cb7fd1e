//! Lengths and counts of subtrees, summed bottom-up.

use crate::label::methods::readability::attempt::Attempt;
use crate::label::methods::readability::constants::FRAGMENT_LINK;
use crate::label::methods::readability::page_context::PageContext;
use crate::label::methods::readability::text_stat::TextStat;
use dehusk_html::tree::{NodeId, Tag, Tree};

/// Lengths and counts of a subtree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SubtreeCounts {
    pub(crate) text: TextStat,
    /// Characters in links. Links within the page count less; see [`FRAGMENT_LINK`].
    pub(crate) linked: f64,
    pub(crate) in_headings: u32,
    pub(crate) in_lists: u32,
    /// Characters in elements that usually contain text.
    pub(crate) textish: u32,
    pub(crate) paragraphs: u32,
    pub(crate) images: u32,
    pub(crate) items: u32,
    pub(crate) inputs: u32,
    pub(crate) embeds: u32,
    /// Number of child elements. `rules`: number of `br` and `hr` anywhere inside.
    pub(crate) children: u32,
    pub(crate) rules: u32,
    /// Whether a child element has more than one child element.
    pub(crate) wide_child: bool,
    pub(crate) video: bool,
    pub(crate) data_table: bool,
    /// Whether it contains an element that prevents a `div` from being a paragraph.
    pub(crate) block_below: bool,
    /// Whether it is phrasing content.
    pub(crate) phrasing: bool,
}

impl SubtreeCounts {
    /// Returns the counts of a text node, which is phrasing content.
    fn of_text(text: TextStat) -> SubtreeCounts {
        SubtreeCounts {
            text,
            phrasing: true,
            ..SubtreeCounts::default()
        }
    }

    pub(crate) fn link_density(&self) -> f64 {
        if self.text.chars == 0 {
            0.0
        } else {
            self.linked / f64::from(self.text.chars)
        }
    }

    /// Adds the counts of a child. Children must be added from last to first.
    pub(crate) fn prepend(&mut self, child: &SubtreeCounts, tag: Option<Tag>) {
        // The child precedes the children that were added before it.
        self.text = child.text.then(self.text);
        self.linked += child.linked;
        self.in_headings += child.in_headings;
        self.in_lists += child.in_lists;
        self.textish += child.textish;
        self.paragraphs += child.paragraphs;
        self.images += child.images;
        self.items += child.items;
        self.inputs += child.inputs;
        self.embeds += child.embeds;
        self.rules += child.rules;
        self.video |= child.video;
        self.data_table |= child.data_table;
        self.phrasing &= child.phrasing;
        self.block_below |= child.block_below || tag.is_some_and(is_block);
        // The child itself, if it is an element.
        if let Some(tag) = tag {
            self.children += 1;
            self.wide_child |= child.children > 1;
            let chars = child.text.chars;
            match tag {
                Tag::P => self.paragraphs += 1,
                Tag::IMG => self.images += 1,
                Tag::LI => self.items += 1,
                Tag::INPUT => self.inputs += 1,
                Tag::OBJECT | Tag::EMBED | Tag::IFRAME => self.embeds += 1,
                Tag::BR | Tag::HR => self.rules += 1,
                Tag::UL | Tag::OL => self.in_lists += chars,
                _ if tag.heading_level().is_some() => self.in_headings += chars,
                _ => {}
            }
            if is_block(tag) || matches!(tag, Tag::SPAN | Tag::LI | Tag::TD) {
                self.textish += chars;
            }
        }
    }
}

/// Returns whether an element prevents a `div` from being a paragraph.
fn is_block(tag: Tag) -> bool {
    // The list `DIV_TO_P_ELEMS` of Readability.js.
    matches!(
        tag,
        Tag::BLOCKQUOTE | Tag::DL | Tag::DIV | Tag::IMG | Tag::OL | Tag::P | Tag::PRE | Tag::TABLE | Tag::UL
    )
}

/// Returns whether an element is phrasing content, given whether all its children are.
fn is_phrasing(tag: Option<Tag>, children: bool) -> bool {
    let Some(tag) = tag else { return false };
    // The list `PHRASING_ELEMS` of Readability.js. Links and changes count if their content does.
    match tag {
        Tag::A | Tag::DEL | Tag::INS => children,
        _ => matches!(
            tag,
            Tag::ABBR
                | Tag::AUDIO
                | Tag::B
                | Tag::BDO
                | Tag::BR
                | Tag::BUTTON
                | Tag::CITE
                | Tag::CODE
                | Tag::DATA
                | Tag::DATALIST
                | Tag::DFN
                | Tag::EM
                | Tag::EMBED
                | Tag::I
                | Tag::IMG
                | Tag::INPUT
                | Tag::KBD
                | Tag::LABEL
                | Tag::MARK
                | Tag::MATH
                | Tag::METER
                | Tag::NOSCRIPT
                | Tag::OBJECT
                | Tag::OUTPUT
                | Tag::PROGRESS
                | Tag::Q
                | Tag::RUBY
                | Tag::SAMP
                | Tag::SCRIPT
                | Tag::SELECT
                | Tag::SMALL
                | Tag::SPAN
                | Tag::STRONG
                | Tag::SUB
                | Tag::SUP
                | Tag::TEXTAREA
                | Tag::TIME
                | Tag::VAR
                | Tag::WBR
        ),
    }
}

/// The counts of the elements of a subtree while they are summed. Text nodes have no entry: up to half of the nodes of a page are texts,
/// and their counts need no summation.
pub(crate) struct Sums {
    /// Index into `counts` of each node of the tree, or [`NO_PLACE`].
    places: Vec<u32>,
    counts: Vec<SubtreeCounts>,
}

/// Index for text nodes, and for nodes outside the subtree.
const NO_PLACE: u32 = u32::MAX;

impl Sums {
    /// Creates empty counts for the nodes of a subtree.
    pub(crate) fn new(tree: &Tree, nodes: &[NodeId]) -> Sums {
        let (mut places, mut elements) = (vec![NO_PLACE; tree.len()], 0);
        for &id in nodes.iter().filter(|id| !tree.is_text(**id)) {
            places[id.index()] = elements;
            elements += 1;
        }
        Sums {
            places,
            counts: vec![SubtreeCounts::of_text(TextStat::default()); elements as usize],
        }
    }

    fn get_mut(&mut self, id: NodeId) -> Option<&mut SubtreeCounts> {
        self.counts.get_mut(self.places[id.index()] as usize)
    }

    /// Completes the counts of a node after all its children were added, and returns them.
    pub(crate) fn finish(&mut self, tree: &Tree, page: &PageContext<'_>, id: NodeId) -> SubtreeCounts {
        let Some(counts) = self.get_mut(id) else {
            return SubtreeCounts::of_text(page.text(id));
        };
        let tag = tree.html_tag(id);
        // Up to here, `phrasing` says whether all children are phrasing content.
        counts.phrasing = is_phrasing(tag, counts.phrasing);
        if tag == Some(Tag::A) {
            let share = if page.names(id).fragment_link {
                FRAGMENT_LINK
            } else {
                1.0
            };
            counts.linked += share * f64::from(counts.text.chars);
        }
        counts.video |= page.names(id).video;
        *counts
    }

    /// Adds the counts of a child; see [`SubtreeCounts::prepend`].
    pub(crate) fn prepend(&mut self, parent: NodeId, child: &SubtreeCounts, tag: Option<Tag>) {
        if let Some(counts) = self.get_mut(parent) {
            counts.prepend(child, tag);
        }
    }
}

/// Counts of a root and of every node below it.
pub(crate) struct Stats<'p> {
    page: &'p PageContext<'p>,
    sums: Sums,
}

impl Stats<'_> {
    /// Returns the counts of a node.
    pub(crate) fn get(&self, id: NodeId) -> SubtreeCounts {
        // Elements that were created later have no counts.
        let Some(&place) = self.sums.places.get(id.index()) else {
            return SubtreeCounts::default();
        };
        let counts = self.sums.counts.get(place as usize);
        counts
            .copied()
            .unwrap_or_else(|| SubtreeCounts::of_text(self.page.text(id)))
    }
}

impl<'p> Attempt<'p, '_> {
    /// Computes the counts of the subtree of `root`.
    pub(crate) fn stats(&self, root: NodeId) -> Stats<'p> {
        let order: Vec<NodeId> = self.tree.preorder(root).collect();
        let mut sums = Sums::new(&self.tree, &order);
        // In reverse preorder, all children of a node are finished before the node, the last child first.
        for &id in order.iter().rev() {
            let counts = sums.finish(&self.tree, self.page, id);
            if let Some(parent) = self.tree.parent(id).filter(|_| id != root) {
                sums.prepend(parent, &counts, self.element_tag(id));
            }
        }
        Stats {
            page: self.page,
            sums,
        }
    }

    /// Returns the tag of an element, with one tag for all SVG and MathML elements; `None` for other nodes.
    pub(crate) fn element_tag(&self, id: NodeId) -> Option<Tag> {
        self.tree
            .is_element(id)
            .then(|| self.tree.html_tag(id).unwrap_or(Tag::SVG))
    }
}
