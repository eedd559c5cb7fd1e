//! Which nodes of a page are kept.

use dehusk_html::tree::{Dom, NodeId};

/// Which nodes of a page are kept: the kept texts, images and formulas, and the elements that hold them.
pub(super) struct KeptNodes {
    /// 0 for a node that is not kept, [`KEPT`], [`MEDIA`], or [`NODES_FROM`] and the number of a text node in the block table.
    marks: Vec<u32>,
}

const KEPT: u32 = 1;
const MEDIA: u32 = 2;
const NODES_FROM: u32 = 3;

impl KeptNodes {
    /// None of the nodes of a page, in this memory.
    pub(super) fn none_of(dom: &Dom<'_>, mut marks: Vec<u32>) -> Self {
        marks.clear();
        marks.resize(dom.len(), 0);
        KeptNodes { marks }
    }

    /// The memory, for the next page.
    pub(super) fn into_memory(self) -> Vec<u32> {
        self.marks
    }

    /// Adds a text node, given its number in the block table.
    pub(super) fn add_text(&mut self, dom: &Dom<'_>, node: NodeId, number: u32) {
        self.mark(dom, node, NODES_FROM + number);
    }

    /// Adds an image or a formula.
    pub(super) fn add_media(&mut self, dom: &Dom<'_>, node: NodeId) {
        self.mark(dom, node, MEDIA);
    }

    /// Adds a text that is in no kept block.
    pub(super) fn add(&mut self, dom: &Dom<'_>, node: NodeId) {
        if !self.holds(node) {
            self.mark(dom, node, KEPT);
        }
    }

    /// Takes a node away, with all that it holds, from the walk over what lies around it.
    pub(super) fn remove(&mut self, node: NodeId) {
        self.marks[node.index()] = 0;
    }

    /// Gives a node back that was taken away.
    pub(super) fn restore(&mut self, node: NodeId) {
        self.marks[node.index()] = KEPT;
    }

    /// Whether a node is an image or a formula that is kept, or holds one with its copies.
    pub(super) fn is_media(&self, node: NodeId) -> bool {
        self.marks[node.index()] == MEDIA
    }

    /// Marks a node, and as kept the elements that hold it.
    fn mark(&mut self, dom: &Dom<'_>, node: NodeId, mark: u32) {
        self.marks[node.index()] = mark;
        for ancestor in dom.ancestors(node) {
            let mark = &mut self.marks[ancestor.index()];
            // What holds a formula with its copies stays marked as that.
            if matches!(*mark, KEPT | MEDIA) {
                break;
            }
            *mark = KEPT;
        }
    }

    /// Whether a node is kept or holds what is.
    pub(super) fn holds(&self, node: NodeId) -> bool {
        self.marks[node.index()] != 0
    }

    /// The number of a kept text node in the block table.
    pub(super) fn number(&self, node: NodeId) -> Option<u32> {
        self.marks[node.index()].checked_sub(NODES_FROM)
    }
}
