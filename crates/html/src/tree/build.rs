//! Changing the links of a tree: what a parser needs, and extractors that work on a copy.

use std::collections::BTreeMap;

use super::{Attr, Dom, Kind, NONE, Namespace, Node, NodeId, Tag, Tree};

impl Tree {
    /// Adds a node without parent.
    pub fn push(&mut self, kind: Kind, tag: Tag, namespace: Namespace, lo: u32, hi: u32) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let (parent, first_child, last_child, next, prev) = (NONE, NONE, NONE, NONE, NONE);
        self.nodes.push(Node {
            parent,
            first_child,
            last_child,
            next,
            prev,
            tag,
            kind,
            namespace,
            lo,
            hi,
        });
        id
    }

    /// A new HTML element without parent and attributes.
    pub fn push_element(&mut self, tag: Tag) -> NodeId {
        self.push(Kind::Element, tag, Namespace::Html, 0, 0)
    }

    /// Makes `child`, which has no parent, the last child of `parent`.
    pub fn append(&mut self, parent: NodeId, child: NodeId) {
        let last = self.nodes[parent.index()].last_child;
        let node = &mut self.nodes[child.index()];
        (node.parent, node.prev, node.next) = (parent.0, last, NONE);
        match last {
            NONE => self.nodes[parent.index()].first_child = child.0,
            _ => self.nodes[last as usize].next = child.0,
        }
        self.nodes[parent.index()].last_child = child.0;
    }

    /// Puts `child`, which has no parent, before `sibling`, which has one.
    pub fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
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

    /// Takes `id` with its subtree out of its parent.
    pub fn detach(&mut self, id: NodeId) {
        let Node {
            parent, prev, next, ..
        } = self.nodes[id.index()];
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
        while let Some(child) = self.first_child(from) {
            self.detach(child);
            self.append(to, child);
        }
    }

    /// Puts `new`, which has no parent, in the place of `old`, which leaves the tree without its children's links changed.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        self.insert_before(old, new);
        self.detach(old);
    }
}

/// A [`Dom`] that is being filled, with what only filling it needs.
#[derive(Debug)]
pub struct Builder<'s> {
    pub dom: Dom<'s>,
    numbers: BTreeMap<Box<str>, Tag>,
    /// How often a name was asked for when there was no number left for it.
    pub nameless: usize,
}

impl<'s> Builder<'s> {
    /// A tree that holds the document alone. `source` must be shorter than 4 GiB less the side buffer: [`crate::decode`]
    /// sees to that.
    pub fn new(source: &'s str) -> Self {
        let mut tree = Tree {
            nodes: Vec::with_capacity(source.len() / 24 + 16),
        };
        tree.push(Kind::Document, Tag(u16::MAX), Namespace::Html, 0, 0);
        let dom = Dom {
            source,
            side: String::new(),
            tree,
            attrs: Vec::with_capacity((source.len() / 128).min(2000)),
            names: Vec::new(),
            quirks: false,
        };
        Builder {
            dom,
            numbers: BTreeMap::new(),
            nameless: 0,
        }
    }

    /// The tag for `name`, a new one if the document has not used it yet. When the numbers are used up, all further names
    /// share the last one.
    pub fn tag(&mut self, name: &str) -> Tag {
        if let Some(tag) = Tag::known(name) {
            return tag;
        }
        if let Some(&tag) = self.numbers.get(name) {
            return tag;
        }
        let names = &mut self.dom.names;
        if names.len() >= MAX_NAMES {
            self.nameless += 1;
            return Tag(Tag::KNOWN + (names.len() - 1) as u16);
        }
        let tag = Tag(Tag::KNOWN + names.len() as u16);
        names.push(name.into());
        self.numbers.insert(name.into(), tag);
        tag
    }

    /// Copies `text` to the side buffer and returns its range in the joined space.
    pub fn keep(&mut self, text: &str) -> (u32, u32) {
        let lo = self.dom.source.len() + self.dom.side.len();
        self.dom.side.push_str(text);
        // A range in the side buffer must not be empty at the border, where it would count as source: harmless, as the
        // source's part there is empty too.
        (lo as u32, (lo + text.len()) as u32)
    }

    /// Appends `text` to a text node that holds its characters as they are. `known` is where it lies in the source.
    #[cfg(any(test, feature = "html5ever"))]
    pub fn extend_text(&mut self, id: NodeId, text: &str, known: Option<usize>) {
        let Node { lo, hi, .. } = *self.dom.node(id);
        let (source, end) = (self.dom.source, hi as usize);
        let follows = known.is_none_or(|at| at == end);
        let grown = if end <= source.len() {
            // Short pieces do not tell where they come from; equal bytes at the right place serve as well.
            follows && source.get(end..end + text.len()) == Some(text)
        } else {
            end == source.len() + self.dom.side.len()
        };
        let (lo, hi) = if !grown {
            let both = [self.dom.slice(lo, hi), text].concat();
            self.keep(&both)
        } else {
            if end > source.len() {
                self.dom.side.push_str(text);
            }
            (lo, hi + text.len() as u32)
        };
        let node = &mut self.dom.tree.nodes[id.index()];
        (node.lo, node.hi) = (lo, hi);
    }

    /// Records an attribute whose parts are ranges already.
    pub fn push_attr(&mut self, name: (u32, u32), value: (u32, u32)) {
        self.dom.attrs.push(Attr { name, value });
    }
}

/// Names without a constant that one document may use: custom elements are a handful in practice.
pub const MAX_NAMES: usize = 4096;
