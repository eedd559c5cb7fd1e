//! Nodes and attributes as they are stored.

use super::attr_name::AttrName;
use super::tag::Tag;

/// Number of a node in its [`Dom`](super::Dom), in the order in which nodes were made; the document has number 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root of every tree.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// Index into tables that have one entry for each node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum NodeKind {
    /// The root.
    Document,
    /// An element.
    Element,
    /// Text that is stored as it is read.
    Text,
    /// Text of the source that may hold character references and carriage returns.
    EncodedText,
    /// Text of the source, of a script, a style or the like, that may hold carriage returns, and U+0000 for which U+FFFD stands, but no
    /// references.
    RawText,
    /// Text of the source that is white space of ASCII alone, as it is between most tags. Other kinds of text may be white space, too.
    Blank,
    /// The contents of a `template`: its only child. No page shows them.
    Fragment,
}

impl NodeKind {
    /// Whether it is text of any kind.
    #[inline]
    pub fn is_text(self) -> bool {
        use NodeKind::{Blank, EncodedText, RawText, Text};
        matches!(self, Text | EncodedText | RawText | Blank)
    }
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

/// The namespace of an element, and whether it may have an attribute that hides it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks(u8);

impl Marks {
    /// Set if one of [`HIDING`](Marks::HIDING) may be among its attributes.
    const MAY_BE_HIDDEN: u8 = 1 << 7;

    /// The names of attributes that can hide an element, as bits.
    const HIDING: u32 = AttrName::STYLE.bit() | AttrName::HIDDEN.bit() | AttrName::ARIA_HIDDEN.bit();

    /// The marks of an element with attributes of these names, as bits.
    #[inline]
    pub(crate) fn new(namespace: Namespace, names: u32) -> Marks {
        Marks(
            namespace as u8
                | if names & Marks::HIDING == 0 {
                    0
                } else {
                    Marks::MAY_BE_HIDDEN
                },
        )
    }

    /// The marks of an element of which it is not known what attributes it has, or will have.
    pub(crate) fn of_any(namespace: Namespace) -> Marks {
        Marks(namespace as u8 | Marks::MAY_BE_HIDDEN)
    }

    #[inline]
    pub(crate) fn namespace(self) -> Namespace {
        match self.0 & !Marks::MAY_BE_HIDDEN {
            0 => Namespace::Html,
            1 => Namespace::Svg,
            _ => Namespace::MathMl,
        }
    }
}

/// The link to no node.
pub(crate) const NONE: u32 = u32::MAX;

/// One node: links, name and a range whose meaning depends on [`NodeKind`]. For who asks a node for several of them, and looks it up once.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) next: u32,
    pub(crate) prev: u32,
    pub(crate) tag: Tag,
    pub(crate) kind: NodeKind,
    pub(crate) marks: Marks,
    /// Text: start of its range. Element: number of its first attribute.
    pub(crate) lo: u32,
    /// Text: end of its range. Element: number past its last attribute.
    pub(crate) hi: u32,
}

impl Node {
    /// A number that is equal for elements of the same tag and namespace: one comparison instead of three.
    #[inline]
    pub(crate) fn kind_and_tag(&self) -> u32 {
        u32::from(self.tag.0)
            | (self.kind as u32) << 16
            | u32::from(self.marks.0 & !Marks::MAY_BE_HIDDEN) << 24
    }

    /// What it is.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// Namespace and tag of an element; `None` for other nodes.
    #[inline]
    pub fn element(&self) -> Option<(Namespace, Tag)> {
        (self.kind == NodeKind::Element).then_some((self.marks.namespace(), self.tag))
    }

    /// Tag of an HTML element; `None` for elements of SVG and MathML and for other nodes.
    #[inline]
    pub fn html_tag(&self) -> Option<Tag> {
        (self.kind == NodeKind::Element && self.marks.namespace() == Namespace::Html).then_some(self.tag)
    }

    /// Whether a `style`, `hidden` or `aria-hidden` may be among its attributes: if not, they need not be looked at for it.
    #[inline]
    pub fn may_be_hidden(&self) -> bool {
        self.marks.0 & Marks::MAY_BE_HIDDEN != 0
    }

    /// Its first child.
    #[inline]
    pub fn first_child(&self) -> Option<NodeId> {
        link(self.first_child)
    }

    /// The node that follows it among the children of its parent.
    #[inline]
    pub fn next_sibling(&self) -> Option<NodeId> {
        link(self.next)
    }

    /// Its parent; `None` for the document and for detached nodes.
    #[inline]
    pub fn parent(&self) -> Option<NodeId> {
        link(self.parent)
    }
}

/// The node that a link leads to.
#[inline]
pub(crate) fn link(to: u32) -> Option<NodeId> {
    (to != NONE).then_some(NodeId(to))
}

/// Name and value of one attribute, as ranges of the joined space "source, then side buffer". Values in the source may
/// hold character references, values in the side buffer do not; names in the source may be in upper case.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    pub(crate) name: (u32, u32),
    pub(crate) value: (u32, u32),
    pub(crate) known: AttrName,
}

impl Attr {
    /// Whether this is its name, in upper or lower case: cheaper than [`Dom::is_named`](super::Dom::is_named).
    #[inline]
    pub fn is(&self, name: AttrName) -> bool {
        self.known == name
    }

    /// The name, if it is one of the constants.
    #[inline]
    pub fn known_name(&self) -> AttrName {
        self.known
    }

    /// Bytes of the name.
    #[inline]
    pub fn name_len(&self) -> usize {
        (self.name.1 - self.name.0) as usize
    }

    /// Bytes of the value, as it stands in the source.
    #[inline]
    pub(crate) fn value_len(&self) -> usize {
        (self.value.1 - self.value.0) as usize
    }
}
