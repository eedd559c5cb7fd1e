//! One page as a tree in one flat arena.
//!
//! Nodes are 32 bytes each and link to each other by number; text and attributes are ranges of the page's decoded source
//! or, where the parser had to compose them, of a side buffer. Nothing here recurses and nothing says which parser filled
//! the tree: `crate::parser` alone knows that. Character references in ranges of the source are resolved when a text or
//! an attribute is read, not when it is parsed.

mod build;
pub mod charref;
mod tag;
mod walk;

use std::borrow::Cow;
use std::ops::Range;

pub use build::{Builder, MAX_NAMES};
pub use tag::NAMES;
pub use tag::Tag;
pub use walk::{Ancestors, Attributes, Children, Preorder};

/// Number of a node in its [`Dom`]. The document is number 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of every tree.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// Position in tables that hold one entry a node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// The root.
    Document,
    /// An element; its range numbers its attributes.
    Element,
    /// Text whose range holds the characters as they are.
    Text,
    /// Text whose range lies in the source and may hold character references and carriage returns.
    EncodedText,
    /// Text of a script, a style and the like: its range lies in the source and may hold carriage returns, but no
    /// references.
    RawText,
    /// Contents of a `template`, a child of it. Never part of what a page shows.
    Fragment,
}

/// Namespace of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

pub const NONE: u32 = u32::MAX;

/// One node: links, name and a range whose meaning depends on [`Kind`].
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub parent: u32,
    pub first_child: u32,
    pub last_child: u32,
    pub next: u32,
    pub prev: u32,
    pub tag: Tag,
    pub kind: Kind,
    pub namespace: Namespace,
    /// Text: start of its range. Element: number of its first attribute.
    pub lo: u32,
    /// Text: end of its range. Element: number past its last attribute.
    pub hi: u32,
}

/// Name and value of one attribute, as ranges of the joined space "source, then side buffer". A value that lies in the
/// source may hold character references, one in the side buffer does not; names in the source may be in upper case.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    pub name: (u32, u32),
    pub value: (u32, u32),
}

impl Attr {
    /// Bytes of the name.
    pub fn name_len(&self) -> usize {
        (self.name.1 - self.name.0) as usize
    }
}

/// The links of a tree without its texts: what an extractor copies when it wants a tree it may change.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
}

/// One parsed page.
#[derive(Debug)]
pub struct Dom<'s> {
    pub source: &'s str,
    pub side: String,
    pub tree: Tree,
    pub attrs: Vec<Attr>,
    /// Names of the tags past [`Tag::KNOWN`].
    pub names: Vec<Box<str>>,
    pub quirks: bool,
}

impl<'s> Dom<'s> {
    /// Number of nodes, those detached while parsing included.
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Never true: every tree has its document.
    pub fn is_empty(&self) -> bool {
        self.tree.nodes.is_empty()
    }

    /// The decoded page this tree was made from.
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// Whether the page asked for the rendering of old browsers.
    pub fn quirks(&self) -> bool {
        self.quirks
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.tree.nodes[id.index()]
    }

    /// What `id` is.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// Whether `id` is text of any kind.
    pub fn is_text(&self, id: NodeId) -> bool {
        self.tree.is_text(id)
    }

    /// Tag of an HTML element; `None` for elements of SVG and MathML and for other nodes.
    pub fn html_tag(&self, id: NodeId) -> Option<Tag> {
        self.tree.html_tag(id)
    }

    /// Tag of an element of any namespace.
    pub fn tag(&self, id: NodeId) -> Option<Tag> {
        let node = self.node(id);
        (node.kind == Kind::Element).then_some(node.tag)
    }

    /// Namespace of an element.
    pub fn namespace(&self, id: NodeId) -> Namespace {
        self.node(id).namespace
    }

    /// Local name of an element, empty for other nodes.
    pub fn name(&self, id: NodeId) -> &str {
        self.tag(id).map_or("", |tag| self.tag_name(tag))
    }

    /// The name that `tag` stands for in this document.
    pub fn tag_name(&self, tag: Tag) -> &str {
        tag.known_name().unwrap_or_else(|| {
            let i = usize::from(tag.0 - Tag::KNOWN);
            self.names.get(i).map_or("", |name| name)
        })
    }

    /// Parent of `id`, `None` for the document and for detached nodes.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.tree.parent(id)
    }

    /// Children of `id` in document order.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        self.tree.children(id)
    }

    /// Ancestors of `id`, the parent first.
    pub fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        self.tree.ancestors(id)
    }

    /// `id` and its descendants in document order, contents of templates left out.
    pub fn preorder(&self, id: NodeId) -> Preorder<'_> {
        self.tree.preorder(id)
    }

    /// First element below `id` with this HTML tag, in document order.
    pub fn find(&self, id: NodeId, tag: Tag) -> Option<NodeId> {
        self.preorder(id).find(|&n| self.html_tag(n) == Some(tag))
    }

    /// The text of a text node, references resolved and newlines normalized; empty for other nodes.
    pub fn text(&self, id: NodeId) -> Cow<'_, str> {
        let node = self.node(id);
        match node.kind {
            Kind::Text => Cow::Borrowed(self.slice(node.lo, node.hi)),
            Kind::EncodedText => charref::decode_text(self.slice(node.lo, node.hi)),
            Kind::RawText => charref::normalize_newlines(self.slice(node.lo, node.hi)),
            _ => Cow::Borrowed(""),
        }
    }

    /// Where a text node lies in the source, in bytes; `None` if the parser composed it.
    pub fn source_range(&self, id: NodeId) -> Option<Range<usize>> {
        let node = self.node(id);
        (self.is_text(id) && node.hi as usize <= self.source.len())
            .then_some(node.lo as usize..node.hi as usize)
    }

    /// Value of the attribute `name` (lower case), the first one if it repeats.
    pub fn attr(&self, id: NodeId, name: &str) -> Option<Cow<'_, str>> {
        let found = self.attrs_of(id).iter().find(|attr| self.is_named(attr, name))?;
        Some(self.attr_value(found))
    }

    /// Names (as the parser left them: lower-case them before comparing) and values of all attributes.
    pub fn attributes(&self, id: NodeId) -> Attributes<'_, 's> {
        Attributes {
            dom: self,
            rest: self.attrs_of(id).iter(),
        }
    }

    /// The attributes of `id` as they were written; none unless it is an element.
    pub fn attrs_of(&self, id: NodeId) -> &[Attr] {
        let node = self.node(id);
        if node.kind == Kind::Element {
            &self.attrs[node.lo as usize..node.hi as usize]
        } else {
            &[]
        }
    }

    /// Whether an attribute has the name `name` (lower case). Most are told apart by the length of their names.
    pub fn is_named(&self, attr: &Attr, name: &str) -> bool {
        attr.name_len() == name.len() && {
            let found = self.bytes(attr.name.0, attr.name.1);
            // Most names differ in their first letter.
            let first = |bytes: &[u8]| bytes.first().map(|byte| byte | 0x20);
            first(found) == first(name.as_bytes()) && found.eq_ignore_ascii_case(name.as_bytes())
        }
    }

    pub fn attr_value(&self, attr: &Attr) -> Cow<'_, str> {
        let raw = self.slice(attr.value.0, attr.value.1);
        if (attr.value.1 as usize) <= self.source.len() {
            charref::decode_attribute(raw)
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// The value of an attribute as it is stored, and whether character references in it are to be resolved.
    pub fn attr_bytes(&self, attr: &Attr) -> (&[u8], bool) {
        let (lo, hi) = attr.value;
        (self.bytes(lo, hi), hi as usize <= self.source.len())
    }

    /// Text of all text nodes below `id`, joined as they are.
    pub fn text_content(&self, id: NodeId) -> String {
        let mut out = String::new();
        for n in self.preorder(id) {
            if self.is_text(n) {
                out.push_str(&self.text(n));
            }
        }
        out
    }

    /// As [`Dom::slice`], as bytes.
    fn bytes(&self, lo: u32, hi: u32) -> &[u8] {
        let (lo, hi, len) = (lo as usize, hi as usize, self.source.len());
        let part = if hi <= len {
            self.source.as_bytes().get(lo..hi)
        } else {
            self.side.as_bytes().get(lo - len..hi - len)
        };
        part.unwrap_or_default()
    }

    /// A range of the joined space "source, then side buffer". A range never crosses the border, and an empty range at the
    /// border counts as source.
    pub fn slice(&self, lo: u32, hi: u32) -> &str {
        let (lo, hi, len) = (lo as usize, hi as usize, self.source.len());
        let part = if hi <= len {
            self.source.get(lo..hi)
        } else {
            self.side.get(lo - len..hi - len)
        };
        part.unwrap_or("")
    }
}
