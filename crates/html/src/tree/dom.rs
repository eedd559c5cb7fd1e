//! A parsed page: texts, attributes and names, and the links between nodes.

use std::borrow::Cow;
use std::ops::Range;

use super::attr_name::AttrName;
use super::character_reference;
use super::links::{Ancestors, Children, Preorder, Tree};
use super::node::{Attr, Namespace, Node, NodeId, NodeKind};
use super::tag::Tag;

/// One parsed page.
///
/// Methods panic if a [`NodeId`] belongs to another tree.
///
/// ```
/// use dehusk_html::{NodeId, Parser, Tag};
///
/// let (dom, _) = Parser::default().parse("<p>See <a href='/a?b&amp;c'>this</a>.");
/// let link = dom.find(NodeId::DOCUMENT, Tag::A).unwrap();
/// assert_eq!(dom.attr(link, "href").as_deref(), Some("/a?b&c"));
/// let names: Vec<&str> = dom.ancestors(link).map(|id| dom.name(id)).collect();
/// assert_eq!(names, ["p", "body", "html", ""]);
/// ```
#[derive(Debug)]
pub struct Dom<'s> {
    pub(crate) source: &'s str,
    /// The side buffer: text that the parser composed.
    pub(crate) side: String,
    pub(crate) tree: Tree,
    pub(crate) attrs: Vec<Attr>,
    /// Names of the tags without a constant.
    pub(crate) names: Vec<Box<str>>,
    pub(crate) quirks: bool,
    /// See [`Dom::noscript_bytes`].
    pub(crate) noscript_bytes: usize,
    /// Nodes sorted by number, including all of [`Dom::metadata_elements`].
    pub(crate) metadata: Vec<NodeId>,
}

impl<'s> Dom<'s> {
    /// Number of nodes, including detached nodes.
    #[inline]
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Always false: every tree has a document node.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.tree.nodes.is_empty()
    }

    /// Links between the nodes: siblings, children, order.
    #[inline]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Links between the nodes, for moving, renaming or removing nodes.
    #[inline]
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// The decoded page from which the tree was built.
    #[inline]
    pub fn source(&self) -> &'s str {
        self.source
    }

    /// Whether the page is in quirks mode, which imitates old browsers.
    #[inline]
    pub fn quirks(&self) -> bool {
        self.quirks
    }

    /// Upper bound on the bytes of text in `noscript` elements whose content was parsed as text. On most
    /// pages it is 0 or small.
    #[inline]
    pub fn noscript_bytes(&self) -> usize {
        self.noscript_bytes
    }

    /// The node with this id.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.tree.nodes[id.index()]
    }

    /// Kind of a node.
    #[inline]
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// Whether `id` is text of any kind.
    #[inline]
    pub fn is_text(&self, id: NodeId) -> bool {
        self.tree.is_text(id)
    }

    /// Tag of an HTML element; `None` for elements of SVG and MathML and for other nodes.
    #[inline]
    pub fn html_tag(&self, id: NodeId) -> Option<Tag> {
        self.tree.html_tag(id)
    }

    /// Like [`html_tag`](Dom::html_tag), but for an element that plays a part of a table, the tag of that part.
    #[inline]
    pub fn acting_tag(&self, id: NodeId) -> Option<Tag> {
        self.node(id).acting_tag()
    }

    /// Tag of an element of any namespace.
    #[inline]
    pub fn tag(&self, id: NodeId) -> Option<Tag> {
        let node = self.node(id);
        (node.kind == NodeKind::Element).then_some(node.tag)
    }

    /// Namespace and tag of an element; `None` for other nodes.
    #[inline]
    pub fn element(&self, id: NodeId) -> Option<(Namespace, Tag)> {
        self.node(id).element()
    }

    /// Namespace of an element.
    #[inline]
    pub fn namespace(&self, id: NodeId) -> Namespace {
        self.node(id).marks.namespace()
    }

    /// Local name of an element; empty for other nodes.
    #[inline]
    pub fn name(&self, id: NodeId) -> &str {
        self.tag(id).map_or("", |tag| self.tag_name(tag))
    }

    /// Name of a tag in this document.
    #[inline]
    pub fn tag_name(&self, tag: Tag) -> &str {
        tag.known_name().unwrap_or_else(|| {
            // Tags from `KNOWN` on are indices into the names of this document.
            let i = usize::from(tag.0 - Tag::KNOWN);
            self.names.get(i).map_or("", |name| name)
        })
    }

    /// Parent of `id`; `None` for the document and for detached nodes.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.tree.parent(id)
    }

    /// Children of `id` in document order.
    #[inline]
    pub fn children(&self, id: NodeId) -> Children<'_> {
        self.tree.children(id)
    }

    /// Ancestors of `id`, nearest first.
    #[inline]
    pub fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        self.tree.ancestors(id)
    }

    /// `id` and its descendants in document order, without the contents of templates.
    #[inline]
    pub fn preorder(&self, id: NodeId) -> Preorder<'_> {
        self.tree.preorder(id)
    }

    /// First HTML element with this tag in the subtree of `id`, in document order.
    #[inline]
    pub fn find(&self, id: NodeId, tag: Tag) -> Option<NodeId> {
        self.preorder(id).find(|&n| self.html_tag(n) == Some(tag))
    }

    /// Text of a text node, with references resolved and newlines normalized; empty for other nodes.
    #[inline]
    pub fn text(&self, id: NodeId) -> Cow<'_, str> {
        let node = self.node(id);
        match node.kind {
            NodeKind::Text => Cow::Borrowed(self.slice(node.lo, node.hi)),
            NodeKind::EncodedText => character_reference::decode_text(self.slice(node.lo, node.hi)),
            NodeKind::RawText | NodeKind::Blank => {
                character_reference::decode_raw(self.slice(node.lo, node.hi))
            }
            _ => Cow::Borrowed(""),
        }
    }

    /// Like [`Dom::text`], but writes a text that must be composed into `buffer`, replacing its contents.
    /// Saves allocations when many texts are read.
    #[inline(always)]
    pub fn text_in<'a>(&'a self, id: NodeId, buffer: &'a mut String) -> &'a str {
        let node = self.node(id);
        let raw = self.raw_text(id);
        match node.kind {
            NodeKind::EncodedText => character_reference::decode_text_in(raw, buffer),
            NodeKind::RawText | NodeKind::Blank => match character_reference::decode_raw(raw) {
                Cow::Borrowed(text) => text,
                Cow::Owned(text) => {
                    *buffer = text;
                    buffer
                }
            },
            _ => raw,
        }
    }

    /// Text of a text node as written in the source, including character references and carriage returns; empty for
    /// other nodes.
    #[inline]
    pub fn raw_text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        if node.kind.is_text() {
            self.slice(node.lo, node.hi)
        } else {
            ""
        }
    }

    /// Like [`Dom::raw_text`], as bytes.
    #[inline]
    pub fn raw_bytes(&self, id: NodeId) -> &[u8] {
        let node = self.node(id);
        if node.kind.is_text() {
            self.bytes(node.lo, node.hi)
        } else {
            &[]
        }
    }

    /// Byte range of a text node in [`Dom::source`]; `None` for text that the parser composed, and for other nodes.
    #[inline]
    pub fn source_range(&self, id: NodeId) -> Option<Range<usize>> {
        let node = self.node(id);
        (self.is_text(id) && node.hi as usize <= self.source.len())
            .then_some(node.lo as usize..node.hi as usize)
    }

    /// Value of the attribute `name` (lower case); the first one if it repeats, `None` if it is missing.
    #[inline]
    pub fn attr(&self, id: NodeId, name: &str) -> Option<Cow<'_, str>> {
        let found = self.attrs_of(id).iter().find(|attr| self.is_named(attr, name))?;
        Some(self.attr_value(found))
    }

    /// Like [`Dom::attr`], but faster, for a name that has a constant.
    #[inline]
    pub fn known_attr(&self, id: NodeId, name: AttrName) -> Option<Cow<'_, str>> {
        let found = self.attrs_of(id).iter().find(|attr| attr.is(name))?;
        Some(self.attr_value(found))
    }

    /// Value of an attribute that is at most `most` bytes long in the source; `None` for longer values. The
    /// bound limits the cost of attributes that are read repeatedly.
    pub fn short_attr(&self, id: NodeId, name: &str, most: usize) -> Option<Cow<'_, str>> {
        let found = self.attrs_of(id).iter().find(|attr| self.is_named(attr, name))?;
        (self.attr_bytes(found).0.len() <= most).then(|| self.attr_value(found))
    }

    /// Names and values of all attributes in source order. Names are as written in the source and may
    /// contain upper case: compare them ignoring case.
    #[inline]
    pub fn attributes(&self, id: NodeId) -> Attributes<'_, 's> {
        Attributes {
            dom: self,
            rest: self.attrs_of(id).iter(),
        }
    }

    /// Attributes of an element, undecoded; empty for other nodes. [`Dom::is_named`] and
    /// [`Dom::attr_value`] decode them.
    #[inline]
    pub fn attrs_of(&self, id: NodeId) -> &[Attr] {
        let node = self.node(id);
        if node.kind == NodeKind::Element {
            &self.attrs[node.lo as usize..node.hi as usize]
        } else {
            &[]
        }
    }

    /// Whether an attribute has the name `name` (lower case).
    #[inline]
    pub fn is_named(&self, attr: &Attr, name: &str) -> bool {
        attr.name_len() == name.len() && {
            let found = self.bytes(attr.name.0, attr.name.1);
            // Most names differ in their first letter, so it is compared first.
            let first = |bytes: &[u8]| bytes.first().map(|byte| byte | 0x20);
            first(found) == first(name.as_bytes()) && found.eq_ignore_ascii_case(name.as_bytes())
        }
    }

    /// Value of an attribute, with references resolved and newlines normalized.
    #[inline]
    pub fn attr_value(&self, attr: &Attr) -> Cow<'_, str> {
        let raw = self.slice(attr.value.0, attr.value.1);
        // Values in the side buffer were decoded when they were stored.
        if (attr.value.1 as usize) <= self.source.len() {
            character_reference::decode_attribute(raw)
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// Value of an attribute as stored, with references and newlines as written in the source.
    #[inline]
    pub fn raw_attr_value(&self, attr: &Attr) -> &str {
        self.slice(attr.value.0, attr.value.1)
    }

    /// Value of an attribute as stored, and whether it may contain character references.
    #[inline]
    pub fn attr_bytes(&self, attr: &Attr) -> (&[u8], bool) {
        let (lo, hi) = attr.value;
        (self.bytes(lo, hi), hi as usize <= self.source.len())
    }

    /// Concatenated texts of all text nodes in the subtree of `id`, including scripts and styles.
    #[inline]
    pub fn text_content(&self, id: NodeId) -> String {
        self.text_below(id).into_owned()
    }

    /// Like [`Dom::text_content`], but without copying if there is a single text node, as in most titles and scripts.
    pub fn text_below(&self, id: NodeId) -> Cow<'_, str> {
        // Texts are copied only from the second one on.
        let mut texts = self.preorder(id).filter(|&node| self.is_text(node));
        let mut out = texts.next().map_or(Cow::Borrowed(""), |only| self.text(only));
        for more in texts {
            out.to_mut().push_str(&self.text(more));
        }
        out
    }

    /// Like [`Dom::slice`], as bytes.
    #[inline]
    fn bytes(&self, lo: u32, hi: u32) -> &[u8] {
        let (lo, hi, len) = (lo as usize, hi as usize, self.source.len());
        let part = if hi <= len {
            // A range that ends in the source lies in it entirely.
            self.source.as_bytes().get(lo..hi)
        } else {
            self.side.as_bytes().get(lo - len..hi - len)
        };
        debug_assert!(part.is_some(), "no text has the range {lo}..{hi}");
        part.unwrap_or_default()
    }

    /// Text of a range. Offsets continue from the source into the side buffer; no range spans both, and an
    /// empty range between them counts as part of the source.
    #[inline]
    pub(crate) fn slice(&self, lo: u32, hi: u32) -> &str {
        let (lo, hi, len) = (lo as usize, hi as usize, self.source.len());
        let part = if hi <= len {
            self.source.get(lo..hi)
        } else {
            self.side.get(lo - len..hi - len)
        };
        debug_assert!(part.is_some(), "no text has the range {lo}..{hi}");
        part.unwrap_or("")
    }
}

/// Attributes of an element in source order.
#[derive(Clone, Debug)]
pub struct Attributes<'d, 's> {
    dom: &'d Dom<'s>,
    rest: std::slice::Iter<'d, Attr>,
}

impl<'d> Iterator for Attributes<'d, '_> {
    type Item = (&'d str, Cow<'d, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let attr = self.rest.next()?;
        Some((
            self.dom.slice(attr.name.0, attr.name.1),
            self.dom.attr_value(attr),
        ))
    }
}
