//! The set of kept nodes of a page.

use dehusk_html::tree::{Dom, NodeId};

/// Kept nodes of a page: kept texts, images, players and formulas, and the elements that contain them.
pub(super) struct KeptNodes {
    /// For each node: 0 if it is not kept, [`KEPT`], [`MEDIA`], or [`NODES_FROM`] plus the index of a text
    /// node in the block table.
    marks: Vec<u32>,
}

/// Mark of an element around kept nodes, and of a kept text without a block.
const KEPT: u32 = 1;
/// Mark of an image, player or formula, or of the wrapper of a formula.
const MEDIA: u32 = 2;
/// Mark of the first text node of the block table; the others count on from it.
const NODES_FROM: u32 = 3;

impl KeptNodes {
    /// Creates an empty set for a page, reusing the memory of `marks`.
    pub(super) fn none_of(dom: &Dom<'_>, mut marks: Vec<u32>) -> Self {
        marks.clear();
        marks.resize(dom.len(), 0);
        KeptNodes { marks }
    }

    /// Returns the memory for reuse.
    pub(super) fn into_memory(self) -> Vec<u32> {
        self.marks
    }

    /// Adds a text node, given its index in the block table.
    pub(super) fn add_text(&mut self, dom: &Dom<'_>, node: NodeId, number: u32) {
        self.mark(dom, node, NODES_FROM + number);
    }

    /// Adds an image, a player or a formula.
    pub(super) fn add_media(&mut self, dom: &Dom<'_>, node: NodeId) {
        self.mark(dom, node, MEDIA);
    }

    /// Adds a text node that is in no kept block.
    pub(super) fn add(&mut self, dom: &Dom<'_>, node: NodeId) {
        if !self.holds(node) {
            self.mark(dom, node, KEPT);
        }
    }

    /// Removes a node, so that a walk over the nodes around it skips its subtree.
    pub(super) fn remove(&mut self, node: NodeId) {
        self.marks[node.index()] = 0;
    }

    /// Adds a removed node again.
    pub(super) fn restore(&mut self, node: NodeId) {
        self.marks[node.index()] = KEPT;
    }

    /// Whether a node is a kept image, player or formula, or the wrapper of a formula.
    pub(super) fn is_media(&self, node: NodeId) -> bool {
        self.marks[node.index()] == MEDIA
    }

    /// Marks a node with `mark`, and its ancestors as kept.
    fn mark(&mut self, dom: &Dom<'_>, node: NodeId, mark: u32) {
        self.marks[node.index()] = mark;
        for ancestor in dom.ancestors(node) {
            let mark = &mut self.marks[ancestor.index()];
            // The ancestors of a marked element are marked already, so all climbs together visit each
            // element once. A wrapper of a formula keeps its own mark.
            if matches!(*mark, KEPT | MEDIA) {
                break;
            }
            *mark = KEPT;
        }
    }

    /// Whether a node is kept, or contains a kept node.
    pub(super) fn holds(&self, node: NodeId) -> bool {
        self.marks[node.index()] != 0
    }

    /// Index of a kept text node in the block table; `None` for other nodes.
    pub(super) fn number(&self, node: NodeId) -> Option<u32> {
        self.marks[node.index()].checked_sub(NODES_FROM)
    }
}
