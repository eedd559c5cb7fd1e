//! Which nodes of a page are kept.

use dehusk_html::tree::{Dom, NodeId};

/// Which nodes of a page are kept: the kept texts, images and formulas, and the elements that hold them.
pub(super) struct KeptNodes {
    /// 0 for a node that is not kept, [`KEPT`], or [`NODES_FROM`] and the number of a text node in the block table.
    marks: Vec<u32>,
}

const KEPT: u32 = 1;
const NODES_FROM: u32 = 2;

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
        self.mark(dom, node, KEPT);
    }

    /// Marks a node, and as kept the elements that hold it.
    fn mark(&mut self, dom: &Dom<'_>, node: NodeId, mark: u32) {
        self.marks[node.index()] = mark;
        for ancestor in dom.ancestors(node) {
            if std::mem::replace(&mut self.marks[ancestor.index()], KEPT) == KEPT {
                break;
            }
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
