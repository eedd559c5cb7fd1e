//! A tree that is being filled.

use std::collections::BTreeMap;

use super::dom::Dom;
use super::links::Tree;
use super::node::{Attr, Namespace, NodeKind};
#[cfg(any(test, feature = "html5ever"))]
use super::node::{Node, NodeId};
use super::tag::Tag;

/// A [`Dom`] that is being filled, with what only filling it needs.
#[derive(Debug)]
pub(crate) struct Builder<'s> {
    pub(crate) dom: Dom<'s>,
    numbers: BTreeMap<Box<str>, Tag>,
    /// How often a name was asked for when there was no number left for it.
    pub(crate) nameless: usize,
}

impl<'s> Builder<'s> {
    /// A tree that holds the document alone. `source` must be shorter than 4 GiB less the side buffer: [`crate::decode`]
    /// sees to that.
    pub(crate) fn new(source: &'s str) -> Self {
        let mut tree = Tree {
            nodes: Vec::with_capacity(source.len() / 24 + 16),
        };
        tree.push(NodeKind::Document, Tag(u16::MAX), Namespace::Html, 0, 0);
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
    pub(crate) fn tag(&mut self, name: &str) -> Tag {
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
    pub(crate) fn keep(&mut self, text: &str) -> (u32, u32) {
        let lo = self.dom.source.len() + self.dom.side.len();
        self.dom.side.push_str(text);
        // A range in the side buffer must not be empty at the border, where it would count as source: harmless, as the
        // source's part there is empty too.
        (lo as u32, (lo + text.len()) as u32)
    }

    /// Appends `text` to a text node that holds its characters as they are. `known` is where it lies in the source.
    #[cfg(any(test, feature = "html5ever"))]
    pub(crate) fn extend_text(&mut self, id: NodeId, text: &str, known: Option<usize>) {
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
    pub(crate) fn push_attr(&mut self, name: (u32, u32), value: (u32, u32)) {
        self.dom.attrs.push(Attr { name, value });
    }
}

/// Names without a constant that one document may use: custom elements are a handful in practice.
pub(crate) const MAX_NAMES: usize = 4096;
