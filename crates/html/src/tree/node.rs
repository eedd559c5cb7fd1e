//! Stored form of nodes and attributes.

use super::attr_name::AttrName;
use super::tag::Tag;

/// Number of a node in its [`Dom`](super::Dom), in order of creation; the document is number 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root of every tree.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// Index into tables with one entry per node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum NodeKind {
    /// The root.
    Document,
    /// An element.
    Element,
    /// Text that needs no processing when it is read.
    Text,
    /// Text of the source that may contain character references and carriage returns.
    EncodedText,
    /// Text of the source, from a script, a style or a similar element. It may contain carriage returns,
    /// and U+0000, which reads as U+FFFD, but no character references.
    RawText,
    /// Text of the source that consists of spaces and characters from U+0009 to U+000D, as between most
    /// tags. Text of other kinds may be white space, too.
    Blank,
    /// Contents of a `template`, as its only child. They are never shown.
    Fragment,
}

impl NodeKind {
    /// Whether the node is text of any kind.
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

/// Part of a table that another element plays, because of its `role` or its style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum TablePart {
    /// Acts as `table`.
    Table = 1,
    /// Acts as `caption`.
    Caption,
    /// Acts as `thead`.
    Head,
    /// Acts as `tr`.
    Row,
    /// Acts as `td`.
    Cell,
    /// Acts as `th`.
    HeaderCell,
}

/// Tags of the table parts, by their numbers. The first and the last entry are not used: they make every
/// index of three bits valid.
const PART_TAGS: [Tag; 8] = [
    Tag::TABLE,
    Tag::TABLE,
    Tag::CAPTION,
    Tag::THEAD,
    Tag::TR,
    Tag::TD,
    Tag::TH,
    Tag::TD,
];

/// Namespace of an element, the table part that it plays, and whether it may have an attribute that hides it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks(u8);

impl Marks {
    /// Set if the attributes may include one of [`HIDING`](Marks::HIDING).
    const MAY_BE_HIDDEN: u8 = 1 << 7;
    /// Bits of the namespace.
    const NAMESPACE: u8 = 0b11;
    /// Bits of the table part; 0 for elements that play none.
    const TABLE_PART: u8 = 0b1_1100;
    /// Position of the lowest of these bits.
    const TABLE_PART_SHIFT: u32 = Marks::TABLE_PART.trailing_zeros();

    /// Bit set of the attribute names that can hide an element.
    const HIDING: u32 = AttrName::STYLE.bit() | AttrName::HIDDEN.bit() | AttrName::ARIA_HIDDEN.bit();

    /// Marks of an element, given the bit set of its attribute names.
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

    /// Marks of an element with unknown or future attributes.
    pub(crate) fn of_any(namespace: Namespace) -> Marks {
        Marks(namespace as u8 | Marks::MAY_BE_HIDDEN)
    }

    #[inline]
    pub(crate) fn namespace(self) -> Namespace {
        match self.0 & Marks::NAMESPACE {
            0 => Namespace::Html,
            1 => Namespace::Svg,
            _ => Namespace::MathMl,
        }
    }

    /// Sets the table part that an element plays.
    pub(crate) fn set_part(&mut self, part: TablePart) {
        // A part that was set before is replaced.
        self.0 = self.0 & !Marks::TABLE_PART | (part as u8) << Marks::TABLE_PART_SHIFT;
    }
}

/// Value of a link that leads to no node.
pub(crate) const NONE: u32 = u32::MAX;

/// One node: links, name and a range whose meaning depends on [`NodeKind`]. Looking up the node once is
/// faster than several queries by id.
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
    /// Text: start of its range. Element: index of its first attribute.
    pub(crate) lo: u32,
    /// Text: end of its range. Element: index after its last attribute.
    pub(crate) hi: u32,
}

impl Node {
    /// A number that is equal for elements of the same tag and namespace: one comparison instead of three.
    #[inline]
    pub(crate) fn kind_and_tag(&self) -> u32 {
        // The bit for hiding attributes is left out: it differs between otherwise equal elements.
        u32::from(self.tag.0)
            | (self.kind as u32) << 16
            | u32::from(self.marks.0 & !Marks::MAY_BE_HIDDEN) << 24
    }

    /// Kind of the node.
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

    /// Like [`html_tag`](Node::html_tag), but for an element that plays a part of a table, the tag of that part.
    #[inline]
    pub fn acting_tag(&self) -> Option<Tag> {
        let tag = self.html_tag()?;
        Some(
            match (self.marks.0 & Marks::TABLE_PART) >> Marks::TABLE_PART_SHIFT {
                0 => tag,
                part => PART_TAGS[usize::from(part)],
            },
        )
    }

    /// Whether the attributes may include `style`, `hidden` or `aria-hidden`; if not, they need not be
    /// searched for them.
    #[inline]
    pub fn may_be_hidden(&self) -> bool {
        self.marks.0 & Marks::MAY_BE_HIDDEN != 0
    }

    /// First child.
    #[inline]
    pub fn first_child(&self) -> Option<NodeId> {
        link(self.first_child)
    }

    /// Next sibling.
    #[inline]
    pub fn next_sibling(&self) -> Option<NodeId> {
        link(self.next)
    }

    /// Parent; `None` for the document and for detached nodes.
    #[inline]
    pub fn parent(&self) -> Option<NodeId> {
        link(self.parent)
    }
}

/// Target of a link; `None` if it leads to no node.
#[inline]
pub(crate) fn link(to: u32) -> Option<NodeId> {
    (to != NONE).then_some(NodeId(to))
}

/// Name and value of an attribute, as ranges of the source followed by the side buffer.
///
/// Values in the source may contain character references, values in the side buffer do not. Names in the
/// source may contain upper case.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    pub(crate) name: (u32, u32),
    pub(crate) value: (u32, u32),
    pub(crate) known: AttrName,
}

impl Attr {
    /// Whether the attribute has this name, in any case; cheaper than [`Dom::is_named`](super::Dom::is_named).
    #[inline]
    pub fn is(&self, name: AttrName) -> bool {
        self.known == name
    }

    /// Constant of the name; [`AttrName::OTHER`] if it has none.
    #[inline]
    pub fn known_name(&self) -> AttrName {
        self.known
    }

    /// Length of the name in bytes.
    #[inline]
    pub fn name_len(&self) -> usize {
        (self.name.1 - self.name.0) as usize
    }

    /// Length of the value in bytes, as written in the source.
    #[inline]
    pub(crate) fn value_len(&self) -> usize {
        (self.value.1 - self.value.0) as usize
    }
}
