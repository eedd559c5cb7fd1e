//! Connects html5ever's tree builder to the tree of this crate.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, LocalName, QualName, local_name, ns};

use crate::limits::Limits;
use crate::narrow;
use crate::parser::limits_hit::LimitsHit;
use crate::tree::{Builder, Namespace, NodeId, NodeKind, Tag, TreeBuffers};

/// A node as html5ever refers to it: its id in the tree and, for elements, the name that html5ever needs.
#[derive(Clone)]
pub(super) struct Handle {
    id: NodeId,
    name: Option<Rc<QualName>>,
    integration_point: bool,
}

impl Handle {
    fn nameless(id: NodeId) -> Self {
        Handle {
            id,
            name: None,
            integration_point: false,
        }
    }
}

pub(super) struct Sink<'s> {
    pub(super) builder: RefCell<Builder<'s>>,
    pub(super) limits: Limits,
    pub(super) limits_hit: RefCell<LimitsHit>,
    /// Memory address of html5ever's copy of the source.
    base: usize,
    /// The innermost open element that is not void, as known from insertions and pops.
    pub(super) current: Cell<Option<NodeId>>,
    /// Depth of each element in the tree, by its id.
    pub(super) depth: RefCell<Vec<u32>>,
    /// Whether text was inserted, or an element was popped, since the current element was opened.
    pub(super) text_written: Cell<bool>,
    nameless: QualName,
}

impl<'s> Sink<'s> {
    pub(super) fn new(buffers: TreeBuffers, source: &'s str, base: usize, limits: Limits) -> Self {
        Sink {
            builder: RefCell::new(Builder::new(source, buffers)),
            limits,
            limits_hit: RefCell::default(),
            base,
            current: Cell::new(None),
            depth: RefCell::new(vec![0]),
            text_written: Cell::new(false),
            nameless: QualName::new(None, ns!(), local_name!("")),
        }
    }

    pub(super) fn depth_of(&self, id: NodeId) -> usize {
        self.depth.borrow().get(id.index()).map_or(0, |&d| d as usize)
    }

    fn set_depth(&self, id: NodeId, depth: usize) {
        let mut all = self.depth.borrow_mut();
        if all.len() <= id.index() {
            all.resize(id.index() + 1, 0);
        }
        all[id.index()] = narrow::to_u32(depth);
    }

    /// Offset of `text` in the source, if html5ever passed on a part of the source; `None` if it composed the text.
    fn offset(&self, text: &StrTendril) -> Option<usize> {
        let builder = self.builder.borrow();
        // The address alone is not conclusive: html5ever may have composed the text in memory beyond the
        // source. So the characters are compared, too.
        let offset = (text.as_ptr() as usize).checked_sub(self.base)?;
        let source = builder.dom.source;
        (source.get(offset..offset + text.len()) == Some(&**text)).then_some(offset)
    }

    /// Adds `text` to the text node before the place of insertion, or creates a text node. Returns the new node.
    fn text(&self, before: Option<NodeId>, text: &StrTendril) -> Option<NodeId> {
        self.text_written.set(true);
        let known = self.offset(text);
        let mut builder = self.builder.borrow_mut();
        // Adjacent texts become one node, also across pieces of input.
        if let Some(id) = before.filter(|&id| builder.dom.is_text(id)) {
            builder.extend_text(id, text, known);
            return None;
        }
        let (lo, hi) = match known {
            Some(offset) => (narrow::to_u32(offset), narrow::to_u32(offset + text.len())),
            None => builder.keep(text),
        };
        Some(
            builder
                .dom
                .tree
                .push(NodeKind::Text, Tag(u16::MAX), Namespace::Html, lo, hi),
        )
    }

    fn add_attrs(&self, attrs: Vec<Attribute>) -> (u32, u32) {
        let mut builder = self.builder.borrow_mut();
        let lo = narrow::to_u32(builder.dom.attrs.len());
        let over = attrs.len().saturating_sub(self.limits.attributes);
        self.limits_hit.borrow_mut().attributes += over;
        for attr in attrs.into_iter().take(self.limits.attributes) {
            // `xmlns` has an empty prefix.
            let name = match attr.name.prefix.as_ref().filter(|prefix| !prefix.is_empty()) {
                Some(prefix) => builder.keep(&format!("{prefix}:{}", attr.name.local)),
                None => builder.keep(&attr.name.local),
            };
            let mut value = &*attr.value;
            if value.len() > self.limits.attribute_bytes {
                self.limits_hit.borrow_mut().attribute_bytes += 1;
                value = &value[..value.floor_char_boundary(self.limits.attribute_bytes)];
            }
            let value = builder.keep(value);
            builder.push_attr(name, value);
        }
        (lo, narrow::to_u32(builder.dom.attrs.len()))
    }

    fn insert(&self, parent: NodeId, sibling: Option<NodeId>, child: NodeOrText<Handle>) {
        // Text joins the node before the place of insertion, whichever parent that has.
        let before = {
            let tree = &self.builder.borrow().dom.tree;
            match sibling {
                Some(sibling) => tree.prev_sibling(sibling),
                None => tree.last_child(parent),
            }
        };
        let child = match child {
            NodeOrText::AppendText(text) => match self.text(before, &text) {
                Some(id) => Handle::nameless(id),
                None => return,
            },
            NodeOrText::AppendNode(node) => node,
        };
        if child.id == NodeId::DOCUMENT {
            return; // comments and processing instructions are not kept
        }
        let tree = &mut self.builder.borrow_mut().dom.tree;
        // Elements may be moved: the adoption agency inserts them again.
        tree.detach(child.id);
        match sibling {
            Some(sibling) => tree.insert_before(sibling, child.id),
            None => tree.append(parent, child.id),
        }
        if child.name.is_some() {
            self.set_depth(child.id, self.depth_of(parent) + 1);
            if !child.name.as_ref().is_some_and(|n| is_void(&n.local)) {
                self.current.set(Some(child.id));
                self.text_written.set(false);
            }
        }
    }
}

impl TreeSink for Sink<'_> {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a>
        = ExpandedName<'a>
    where
        Self: 'a;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::nameless(NodeId::DOCUMENT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target
            .name
            .as_ref()
            .map_or(self.nameless.expanded(), |name| name.expanded())
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let (lo, hi) = self.add_attrs(attrs);
        let mut builder = self.builder.borrow_mut();
        let namespace = match name.ns {
            ns!(svg) => Namespace::Svg,
            ns!(mathml) => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let tag = builder.tag(&name.local);
        if tag == Tag::NOSCRIPT {
            // Its text comes later, in pieces.
            builder.dom.noscript_bytes = builder.dom.source.len();
        }
        let id = builder.dom.tree.push(NodeKind::Element, tag, namespace, lo, hi);
        if flags.template {
            let contents = builder
                .dom
                .tree
                .push(NodeKind::Fragment, Tag(u16::MAX), Namespace::Html, 0, 0);
            builder.dom.tree.append(id, contents);
        }
        let integration_point = flags.mathml_annotation_xml_integration_point;
        Handle {
            id,
            name: Some(Rc::new(name)),
            integration_point,
        }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        Handle::nameless(NodeId::DOCUMENT)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        Handle::nameless(NodeId::DOCUMENT)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, None, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, prev: &Handle, child: NodeOrText<Handle>) {
        if self.builder.borrow().dom.parent(element.id).is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &Handle) {
        if self.current.get() == Some(node.id) {
            self.current.set(self.builder.borrow().dom.parent(node.id));
            // The element that is current now has content, so a further one of its name is not a repetition.
            self.text_written.set(true);
        }
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let builder = self.builder.borrow();
        let contents = builder
            .dom
            .children(target.id)
            .find(|&c| builder.dom.kind(c) == NodeKind::Fragment);
        Handle::nameless(contents.unwrap_or(target.id))
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.builder.borrow_mut().dom.quirks = mode == QuirksMode::Quirks;
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.builder.borrow().dom.parent(sibling.id);
        if let Some(parent) = parent {
            self.insert(parent, Some(sibling.id), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let missing: Vec<Attribute> = {
            let builder = self.builder.borrow();
            attrs
                .into_iter()
                .filter(|a| builder.dom.attr(target.id, &a.name.local).is_none())
                .collect()
        };
        if missing.is_empty() {
            return;
        }
        // Attributes of an element are adjacent in the list, so the old ones are copied in front of the
        // new.
        let old = {
            let builder = self.builder.borrow();
            let node = builder.dom.node(target.id);
            builder.dom.attrs[node.lo as usize..node.hi as usize].to_vec()
        };
        let (lo, _) = {
            let mut builder = self.builder.borrow_mut();
            let lo = narrow::to_u32(builder.dom.attrs.len());
            builder.dom.attrs.extend(old);
            (lo, 0)
        };
        let (_, hi) = self.add_attrs(missing);
        let node = &mut self.builder.borrow_mut().dom.tree.nodes[target.id.index()];
        (node.lo, node.hi) = (lo, hi);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.builder.borrow_mut().dom.tree.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.builder
            .borrow_mut()
            .dom
            .tree
            .reparent_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        handle.integration_point
    }

    fn allow_declarative_shadow_roots(&self, _: &Handle) -> bool {
        false
    }
}

/// Whether an element never has contents.
pub(super) fn is_void(name: &LocalName) -> bool {
    matches!(
        &**name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "image"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}
