//! Links between nodes, and iterators over them that need no stack.

use super::node::{NONE, Node, NodeId, NodeKind, link};
use super::tag::Tag;
use crate::narrow;

/// Links of a tree and names of its elements, without texts and attributes: cheap to copy and to change.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Whether a node was moved, detached, inserted before another node, or put into a template. Until
    /// then, document order is the order of creation.
    pub(crate) reordered: bool,
}

impl Tree {
    /// Number of nodes, including detached nodes.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: every tree has a document node.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in order of creation, including detached nodes.
    #[inline]
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..narrow::to_u32(self.nodes.len())).map(NodeId)
    }

    /// All elements with this tag, of any namespace, in order of creation, including detached nodes.
    pub fn ids_of(&self, tag: Tag) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.nodes.iter().zip(0_u32..);
        let found = nodes.filter(move |(node, _)| node.tag == tag && node.kind == NodeKind::Element);
        found.map(|(_, id)| NodeId(id))
    }

    /// Tag of an element of any namespace.
    #[inline]
    pub fn tag(&self, id: NodeId) -> Option<Tag> {
        let node = &self.nodes[id.index()];
        (node.kind == NodeKind::Element).then_some(node.tag)
    }

    /// Tag of an HTML element; `None` for elements of SVG and MathML and for other nodes.
    #[inline]
    pub fn html_tag(&self, id: NodeId) -> Option<Tag> {
        self.nodes[id.index()].html_tag()
    }

    /// Whether `id` is text of any kind.
    #[inline]
    pub fn is_text(&self, id: NodeId) -> bool {
        self.nodes[id.index()].kind.is_text()
    }

    /// Whether `id` is an element of any namespace.
    #[inline]
    pub fn is_element(&self, id: NodeId) -> bool {
        self.nodes[id.index()].kind == NodeKind::Element
    }

    /// Parent of `id`; `None` for the document and for detached nodes.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].parent()
    }

    /// Next sibling of `id`.
    #[inline]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].next_sibling()
    }

    /// Previous sibling of `id`.
    #[inline]
    pub fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        link(self.nodes[id.index()].prev)
    }

    /// Last child of `id`.
    #[inline]
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        link(self.nodes[id.index()].last_child)
    }

    /// First child of `id`.
    #[inline]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].first_child()
    }

    /// Children of `id` in document order.
    #[inline]
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            tree: self,
            next: self.nodes[id.index()].first_child,
        }
    }

    /// Ancestors of `id`, nearest first.
    #[inline]
    pub fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        Ancestors {
            tree: self,
            next: self.nodes[id.index()].parent,
        }
    }

    /// `id` and its descendants in document order, without the contents of templates.
    #[inline]
    pub fn preorder(&self, id: NodeId) -> Preorder<'_> {
        Preorder {
            tree: self,
            root: id,
            next: id.0,
        }
    }

    /// Skips the following siblings of the element `id` that have the same tag and no children and are
    /// accepted by `is_passed`. Returns the last of them, or `id`, and their number.
    ///
    /// Walks that find nothing in such elements skip the whole row in one step.
    #[inline]
    pub fn pass_row(&self, id: NodeId, is_passed: impl Fn(NodeId) -> bool) -> (NodeId, usize) {
        // Kind, tag and namespace are compared at once.
        let (mut at, mut passed) = (id, 0);
        let node = &self.nodes[at.index()];
        let like = node.kind_and_tag();
        let mut next = node.next;
        // `NONE` is past the end of the list, so the loop ends at the last sibling.
        while let Some(node) = self.nodes.get(next as usize)
            && node.kind_and_tag() == like
            && node.first_child == NONE
            && is_passed(NodeId(next))
        {
            at = NodeId(next);
            next = node.next;
            passed += 1;
        }
        (at, passed)
    }

    /// Next node after `id` and its descendants, in document order within the subtree of `root`; `None` at its end.
    #[inline]
    pub fn after_subtree(&self, root: NodeId, id: NodeId) -> Option<NodeId> {
        let mut at = id;
        // Climbs from the end of the subtree until an ancestor has a next sibling.
        while at != root {
            let node = &self.nodes[at.index()];
            if node.next != NONE {
                return Some(NodeId(node.next));
            }
            at = NodeId(if node.parent == NONE {
                return None;
            } else {
                node.parent
            });
        }
        None
    }

    /// Next node after `id`, in document order within the subtree of `root`, without the contents of
    /// templates; `None` at its end.
    #[inline]
    pub fn after(&self, root: NodeId, id: NodeId) -> Option<NodeId> {
        if root == NodeId::DOCUMENT && !self.reordered {
            // Nodes are in document order by number.
            return (id.index() + 1 < self.nodes.len()).then_some(NodeId(id.0 + 1));
        }
        let node = &self.nodes[id.index()];
        if node.first_child != NONE && node.kind != NodeKind::Fragment {
            return Some(NodeId(node.first_child));
        }
        self.after_subtree(root, id)
    }
}

/// Children of a node, first to last.
#[derive(Clone, Debug)]
pub struct Children<'d> {
    tree: &'d Tree,
    next: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = link(self.next)?;
        self.next = self.tree.nodes[id.index()].next;
        Some(id)
    }
}

/// Ancestors of a node, nearest first.
#[derive(Clone, Debug)]
pub struct Ancestors<'d> {
    tree: &'d Tree,
    next: u32,
}

impl Iterator for Ancestors<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = link(self.next)?;
        self.next = self.tree.nodes[id.index()].parent;
        Some(id)
    }
}

/// A node and its descendants in document order, without the contents of templates.
#[derive(Clone, Debug)]
pub struct Preorder<'d> {
    tree: &'d Tree,
    root: NodeId,
    next: u32,
}

impl Preorder<'_> {
    /// Skips the descendants of `id`, which must be the node returned last.
    #[inline]
    pub fn skip_subtree(&mut self, id: NodeId) {
        self.next = self.tree.after_subtree(self.root, id).map_or(NONE, |n| n.0);
    }
}

impl Iterator for Preorder<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let id = link(self.next)?;
        self.next = self.tree.after(self.root, id).map_or(NONE, |n| n.0);
        Some(id)
    }
}
