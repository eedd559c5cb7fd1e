//! Changes to the links of a tree.

use super::links::Tree;
use super::node::{Marks, NONE, Namespace, Node, NodeId, NodeKind, TablePart};
use super::tag::Tag;
use crate::narrow;

impl Tree {
    /// Adds a node without a parent. It may be inserted anywhere, so the tree counts as reordered from then on.
    pub(crate) fn push(
        &mut self,
        kind: NodeKind,
        tag: Tag,
        namespace: Namespace,
        lo: u32,
        hi: u32,
    ) -> NodeId {
        let id = NodeId(narrow::to_u32(self.nodes.len()));
        let (parent, first_child, last_child, next, prev) = (NONE, NONE, NONE, NONE, NONE);
        // The node may be inserted anywhere, so its number says nothing about its place.
        self.reordered = true;
        self.nodes.push(Node {
            parent,
            first_child,
            last_child,
            next,
            prev,
            tag,
            kind,
            marks: Marks::of_any(namespace),
            lo,
            hi,
        });
        id
    }

    /// Copies the tree, with capacity for `more` nodes.
    pub fn with_room(&self, more: usize) -> Tree {
        let mut nodes = Vec::with_capacity(self.nodes.len() + more);
        nodes.extend_from_slice(&self.nodes);
        let reordered = self.reordered;
        Tree { nodes, reordered }
    }

    /// Renames an element. `tag` must be a constant or the tag of another element of the same document.
    pub fn set_tag(&mut self, id: NodeId, tag: Tag) {
        self.nodes[id.index()].tag = tag;
    }

    /// Lets an HTML element act as a part of a table; its tag and its name stay.
    pub fn set_table_part(&mut self, id: NodeId, part: TablePart) {
        self.nodes[id.index()].marks.set_part(part);
    }

    /// Creates an HTML element without parent and attributes.
    pub fn push_element(&mut self, tag: Tag) -> NodeId {
        self.push(NodeKind::Element, tag, Namespace::Html, 0, 0)
    }

    /// Makes `child` the last child of `parent`. `child` must have no parent and must not be an ancestor of `parent`.
    pub fn append(&mut self, parent: NodeId, child: NodeId) {
        self.reordered = true;
        let last = self.nodes[parent.index()].last_child;
        let node = &mut self.nodes[child.index()];
        // Links of three nodes change: the child, its new previous sibling and the parent.
        (node.parent, node.prev, node.next) = (parent.0, last, NONE);
        match last {
            NONE => self.nodes[parent.index()].first_child = child.0,
            _ => self.nodes[last as usize].next = child.0,
        }
        self.nodes[parent.index()].last_child = child.0;
    }

    /// Inserts `child`, which must have no parent, before `sibling`.
    pub fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.reordered = true;
        let Node { parent, prev, .. } = self.nodes[sibling.index()];
        let node = &mut self.nodes[child.index()];
        (node.parent, node.prev, node.next) = (parent, prev, sibling.0);
        self.nodes[sibling.index()].prev = child.0;
        match prev {
            NONE if parent != NONE => self.nodes[parent as usize].first_child = child.0,
            NONE => {}
            _ => self.nodes[prev as usize].next = child.0,
        }
    }

    /// Removes `id` with its subtree from its parent.
    pub fn detach(&mut self, id: NodeId) {
        self.reordered = true;
        let Node {
            parent, prev, next, ..
        } = self.nodes[id.index()];
        // Without a previous sibling the node is its parent's first child, unless it is detached.
        match prev {
            NONE if parent != NONE => self.nodes[parent as usize].first_child = next,
            NONE => {}
            _ => self.nodes[prev as usize].next = next,
        }
        match next {
            NONE if parent != NONE => self.nodes[parent as usize].last_child = prev,
            NONE => {}
            _ => self.nodes[next as usize].prev = prev,
        }
        let node = &mut self.nodes[id.index()];
        (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
    }

    /// Moves all children of `from` to the end of `to`.
    pub fn reparent_children(&mut self, from: NodeId, to: NodeId) {
        // Each child is detached first, so that links stay consistent at every step.
        while let Some(child) = self.first_child(from) {
            self.detach(child);
            self.append(to, child);
        }
    }

    /// Replaces `old` by `new`, which must have no parent. `old` leaves the tree together with its children.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        self.insert_before(old, new);
        self.detach(old);
    }
}
