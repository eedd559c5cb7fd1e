//! What a browser measured on a page, as `dehusk render` writes it.

use dehusk_html::fnv;
use dehusk_html::tree::Dom;
use serde::Deserialize;

/// The form of records that this version reads.
pub const LAYOUT_VERSION: u32 = 1;

/// The layout of one page: where a browser drew its texts and boxes, in whole CSS pixels from the corner of the page. Elements are
/// named by their number in document order, the root first.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[non_exhaustive]
pub struct Layout {
    /// The form of the record.
    pub version: u32,
    /// Id of the page.
    pub id: String,
    /// Hash of the decoded page that was rendered, see [`source_hash`].
    pub source_hash: String,
    /// The page as its scripts built it, if they ran: the layout is that of this page.
    #[serde(default)]
    pub html: Option<String>,
    /// Width and height of the window.
    pub viewport: (u32, u32),
    /// Width and height of the page.
    pub page: (u32, u32),
    /// Number of elements.
    pub elements: u32,
    /// Hash of the names of all elements, see [`TreeShape`].
    pub tags_hash: u32,
    /// The styles that texts name.
    pub styles: Vec<LayoutStyle>,
    /// Texts with white space and more.
    pub texts: Vec<LayoutText>,
    /// Boxes of elements that are not inline; one that lies where its parent does is left out.
    pub boxes: Vec<LayoutBox>,
}

/// How texts look.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[non_exhaustive]
pub struct LayoutStyle {
    /// Size of the font in CSS pixels.
    pub size: f32,
    /// Weight of the font, 100 to 900.
    pub weight: u32,
    /// Families of fonts, the preferred first.
    pub family: String,
    /// Color of the text.
    pub color: String,
    /// Color behind it: that of the nearest element with one; empty if there is none.
    pub background: String,
    /// Alignment of its lines.
    pub align: String,
}

/// One text node. Nodes with only a comment between them have the same place in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "(u32, u32, i32, i32, u32, u32, u32, u32, u8)")]
#[non_exhaustive]
pub struct LayoutText {
    /// Number of its parent.
    pub element: u32,
    /// Elements that precede it among the children of its parent.
    pub behind: u32,
    /// Where it stands; empty if it stands nowhere.
    pub rect: Rect,
    /// Number of its lines.
    pub lines: u32,
    /// Number of its style.
    pub style: u32,
    /// Whether it can be seen when the page is scrolled there.
    pub drawn: bool,
    /// Whether it keeps its place in the window when the page is scrolled.
    pub fixed: bool,
}

impl From<(u32, u32, i32, i32, u32, u32, u32, u32, u8)> for LayoutText {
    fn from(of: (u32, u32, i32, i32, u32, u32, u32, u32, u8)) -> Self {
        let (element, behind, x, y, width, height, lines, style, flags) = of;
        LayoutText {
            element,
            behind,
            rect: Rect::new(x, y, width, height),
            lines,
            style,
            drawn: flags & 1 == 0,
            fixed: flags & 2 != 0,
        }
    }
}

/// The box of one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "(u32, i32, i32, u32, u32, u8)")]
#[non_exhaustive]
pub struct LayoutBox {
    /// Number of the element.
    pub element: u32,
    /// Where it is.
    pub rect: Rect,
    /// Whether it keeps its place in the window when the page is scrolled.
    pub fixed: bool,
}

impl From<(u32, i32, i32, u32, u32, u8)> for LayoutBox {
    fn from((element, x, y, width, height, flags): (u32, i32, i32, u32, u32, u8)) -> Self {
        LayoutBox {
            element,
            rect: Rect::new(x, y, width, height),
            fixed: flags & 1 != 0,
        }
    }
}

/// A rectangle of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Rect {
    /// Left edge.
    pub left: i32,
    /// Upper edge.
    pub top: i32,
    /// Right edge, not below the left one.
    pub right: i32,
    /// Lower edge, not above the upper one.
    pub bottom: i32,
}

impl Rect {
    /// A rectangle with this corner and of this size.
    pub fn new(left: i32, top: i32, width: u32, height: u32) -> Self {
        let end = |start: i32, size: u32| start.saturating_add(i32::try_from(size).unwrap_or(i32::MAX));
        Rect {
            left,
            top,
            right: end(left, width),
            bottom: end(top, height),
        }
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        f64::from(self.right) - f64::from(self.left)
    }

    /// Its height.
    pub fn height(&self) -> f64 {
        f64::from(self.bottom) - f64::from(self.top)
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(&self, other: &Rect) -> Rect {
        Rect {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// Hash of a decoded page, by which a layout is known to be of it: FNV-1a of 64 bits over its UTF-8, as 16 hexadecimal digits.
pub fn source_hash(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(fnv::START, |hash, byte| fnv::extend(hash, byte.into()));
    format!("{hash:016x}")
}

/// What tells whether a tree has the elements that a browser saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TreeShape {
    /// Number of elements, contents of templates left out.
    pub elements: u32,
    /// FNV-1a of 32 bits over the UTF-16 of their names in lower case, a slash behind each, in document order.
    pub tags_hash: u32,
}

impl TreeShape {
    /// The shape before the first element.
    pub(super) const EMPTY: TreeShape = TreeShape {
        elements: 0,
        tags_hash: 0x811c_9dc5,
    };

    /// Adds an element of this name.
    pub(super) fn add(&mut self, name: &str) {
        let units = name.encode_utf16().chain(std::iter::once(u16::from(b'/')));
        for unit in units {
            let lower = match unit {
                0x41..=0x5a => unit + 0x20,
                _ => unit,
            };
            self.tags_hash = (self.tags_hash ^ u32::from(lower)).wrapping_mul(0x0100_0193);
        }
        self.elements += 1;
    }

    /// The shape of a page.
    pub fn of(dom: &Dom<'_>) -> TreeShape {
        let mut shape = TreeShape::EMPTY;
        let tree = dom.tree();
        for id in tree.preorder(dehusk_html::tree::NodeId::DOCUMENT) {
            if tree.is_element(id) {
                shape.add(dom.name(id));
            }
        }
        shape
    }
}
