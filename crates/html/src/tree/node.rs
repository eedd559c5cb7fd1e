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
    /// Text of the source, of a script, a style or the like, that may hold carriage returns but no references.
    RawText,
    /// The contents of a `template`: its only child. No page shows them.
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

/// The link to no node.
pub(crate) const NONE: u32 = u32::MAX;

/// One node: links, name and a range whose meaning depends on [`NodeKind`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) next: u32,
    pub(crate) prev: u32,
    pub(crate) tag: Tag,
    pub(crate) kind: NodeKind,
    pub(crate) namespace: Namespace,
    /// Text: start of its range. Element: number of its first attribute.
    pub(crate) lo: u32,
    /// Text: end of its range. Element: number past its last attribute.
    pub(crate) hi: u32,
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
