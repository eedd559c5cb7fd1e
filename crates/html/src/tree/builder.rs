//! Builds trees.

#[cfg(any(test, feature = "html5ever"))]
use super::attr_name::AttrName;
use super::buffers::TreeBuffers;
use super::dom::Dom;
use super::links::Tree;
#[cfg(any(test, feature = "html5ever"))]
use super::node::{Attr, Node, NodeId};
use super::node::{Namespace, NodeKind};
use super::tag::Tag;
use crate::narrow;

/// A [`Dom`] under construction.
#[derive(Debug)]
pub(crate) struct Builder<'s> {
    pub(crate) dom: Dom<'s>,
    /// Tags without a constant, sorted by name.
    in_order: Vec<Tag>,
    /// Number of times that a name got the last number because all numbers were used up.
    pub(crate) names_past_limit: usize,
}

impl<'s> Builder<'s> {
    /// Creates a tree with only the document node, reusing the memory of `buffers`. `source` and the side
    /// buffer together must be shorter than 4 GiB, which [`Limits::bytes`](crate::Limits::bytes) ensures.
    pub(crate) fn new(source: &'s str, buffers: TreeBuffers) -> Self {
        let TreeBuffers {
            mut nodes,
            mut attrs,
            side,
            names,
            metadata,
        } = buffers;
        // Estimates from the page's length: too little room costs a copy of the list.
        make_room(&mut nodes, source.len() / 24 + 16);
        make_room(&mut attrs, (source.len() / 128).min(2000));
        let mut tree = Tree {
            nodes,
            reordered: false,
        };
        tree.push(NodeKind::Document, Tag(u16::MAX), Namespace::Html, 0, 0);
        // `push` marks the tree as reordered, but its only node is the document.
        tree.reordered = false;
        let dom = Dom {
            source,
            side,
            tree,
            attrs,
            names,
            quirks: false,
            noscript_bytes: 0,
            metadata,
        };
        Builder {
            dom,
            in_order: Vec::new(),
            names_past_limit: 0,
        }
    }

    /// Tag for `name`; a new one if the document has not used the name yet. When the numbers are used up,
    /// all further names share the last one.
    pub(crate) fn tag(&mut self, name: &str) -> Tag {
        if let Some(tag) = Tag::known(name) {
            return tag;
        }
        let names = &mut self.dom.names;
        let place = self
            .in_order
            .binary_search_by(|tag| (*names[usize::from(tag.0 - Tag::KNOWN)]).cmp(name));
        let place = match place {
            Ok(found) => return self.in_order[found],
            Err(place) => place,
        };
        if names.len() >= MAX_NAMES {
            self.names_past_limit += 1;
            // The page is damaged or hostile: all further names share the last number, and one warning says
            // so.
            return Tag(Tag::KNOWN + narrow::to_u16(names.len() - 1));
        }
        let tag = Tag(Tag::KNOWN + narrow::to_u16(names.len()));
        names.push(name.into());
        self.in_order.insert(place, tag);
        tag
    }

    /// Copies `text` to the side buffer and returns its range (see [`Dom::slice`]).
    pub(crate) fn keep(&mut self, text: &str) -> (u32, u32) {
        let lo = self.dom.source.len() + self.dom.side.len();
        self.dom.side.push_str(text);
        // An empty range at the start of the side buffer counts as part of the source, where it is also empty.
        (narrow::to_u32(lo), narrow::to_u32(lo + text.len()))
    }

    /// Appends `text` to a node of kind [`NodeKind::Text`]. `known` is its offset in the source, if known.
    #[cfg(any(test, feature = "html5ever"))]
    pub(crate) fn extend_text(&mut self, id: NodeId, text: &str, known: Option<usize>) {
        let Node { lo, hi, .. } = *self.dom.node(id);
        let (source, end) = (self.dom.source, hi as usize);
        let follows = known.is_none_or(|at| at == end);
        let grown = if end <= source.len() {
            // The offset of short pieces is unknown. If the same bytes follow in the source, these are used.
            follows && source.get(end..end + text.len()) == Some(text)
        } else {
            end == source.len() + self.dom.side.len()
        };
        let (lo, hi) = if !grown {
            // The new text does not follow the old one, so both are copied to the end of the side buffer.
            let both = [self.dom.slice(lo, hi), text].concat();
            self.keep(&both)
        } else {
            if end > source.len() {
                self.dom.side.push_str(text);
            }
            (lo, hi + narrow::to_u32(text.len()))
        };
        let node = &mut self.dom.tree.nodes[id.index()];
        (node.lo, node.hi) = (lo, hi);
    }

    /// Adds an attribute, given the ranges of its name and value.
    #[cfg(any(test, feature = "html5ever"))]
    pub(crate) fn push_attr(&mut self, name: (u32, u32), value: (u32, u32)) {
        let known = AttrName::of(self.dom.slice(name.0, name.1).as_bytes());
        self.dom.attrs.push(Attr { name, value, known });
    }
}

/// Ensures capacity in an empty buffer. [`Vec::reserve`] would copy the old contents of its memory.
fn make_room<T>(buffer: &mut Vec<T>, room: usize) {
    if buffer.capacity() < room {
        *buffer = Vec::with_capacity(room);
    }
}

/// Maximum number of names without a constant in one document. Real pages use a few.
pub(crate) const MAX_NAMES: usize = 4096;
