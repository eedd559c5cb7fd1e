//! Measurements that a browser made on a page, as written by `dehusk render`.

use dehusk_html::fnv;
use dehusk_html::tree::Dom;
use serde::Deserialize;

/// The version of records that this library reads.
pub const LAYOUT_VERSION: u32 = 1;

/// The layout of one page: the positions at which a browser drew its texts and boxes, in whole CSS pixels
/// from the corner of the page. Elements are identified by their number in document order, from the root.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[non_exhaustive]
pub struct Layout {
    /// Version of the record.
    pub version: u32,
    /// Id of the page.
    pub id: String,
    /// Hash of the decoded page that was rendered; see [`source_hash`].
    pub source_hash: String,
    /// The page as built by its scripts, if they ran. The layout then belongs to this page.
    #[serde(default)]
    pub html: Option<String>,
    /// Width and height of the window, in CSS pixels.
    pub viewport: (u32, u32),
    /// Width and height of the page, in CSS pixels.
    pub page: (u32, u32),
    /// Number of elements.
    pub elements: u32,
    /// Hash of the names of all elements; see [`TreeShape`].
    pub tags_hash: u32,
    /// Styles, to which texts refer by index.
    pub styles: Vec<LayoutStyle>,
    /// Texts that are not only white space.
    pub texts: Vec<LayoutText>,
    /// Boxes of elements that are not inline, except boxes that coincide with that of the parent.
    pub boxes: Vec<LayoutBox>,
}

/// The appearance of texts.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[non_exhaustive]
pub struct LayoutStyle {
    /// Font size in CSS pixels.
    pub size: f32,
    /// Font weight, 100 to 900.
    pub weight: u32,
    /// Font families, the preferred first.
    pub family: String,
    /// Text color.
    pub color: String,
    /// Background color, that of the nearest element with one; empty if absent.
    pub background: String,
    /// Alignment of the lines.
    pub align: String,
}

/// A text node. Text nodes that are separated only by a comment have the same position in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "(u32, u32, i32, i32, u32, u32, u32, u32, u8)")]
#[non_exhaustive]
pub struct LayoutText {
    /// Number of the parent element.
    pub element: u32,
    /// Number of elements that precede it among the children of its parent.
    pub behind: u32,
    /// Its position; empty if it is not drawn.
    pub rect: Rect,
    /// Number of lines.
    pub lines: u32,
    /// Index of its style.
    pub style: u32,
    /// Whether it is visible when the page is scrolled to it.
    pub drawn: bool,
    /// Whether it keeps its position in the window when the page is scrolled.
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
            // Bit 0: not drawn. Bit 1: keeps its position when the page is scrolled.
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
    /// Its position.
    pub rect: Rect,
    /// Whether it keeps its position in the window when the page is scrolled.
    pub fixed: bool,
}

impl From<(u32, i32, i32, u32, u32, u8)> for LayoutBox {
    fn from((element, x, y, width, height, flags): (u32, i32, i32, u32, u32, u8)) -> Self {
        LayoutBox {
            element,
            rect: Rect::new(x, y, width, height),
            // Bit 0: keeps its position when the page is scrolled.
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
    /// Right edge, at least `left`.
    pub right: i32,
    /// Lower edge, at least `top`.
    pub bottom: i32,
}

impl Rect {
    /// Creates a rectangle from its upper left corner and its size.
    pub fn new(left: i32, top: i32, width: u32, height: u32) -> Self {
        let end = |start: i32, size: u32| start.saturating_add(i32::try_from(size).unwrap_or(i32::MAX));
        Rect {
            left,
            top,
            right: end(left, width),
            bottom: end(top, height),
        }
    }

    /// Returns the width.
    pub fn width(&self) -> f64 {
        f64::from(self.right) - f64::from(self.left)
    }

    /// Returns the height.
    pub fn height(&self) -> f64 {
        f64::from(self.bottom) - f64::from(self.top)
    }

    /// Returns the smallest rectangle that contains both.
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

/// Returns the hash of a decoded page, which identifies the page of a layout: 64-bit FNV-1a over its UTF-8,
/// as 16 hexadecimal digits.
pub fn source_hash(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(fnv::START, |hash, byte| fnv::extend(hash, byte.into()));
    format!("{hash:016x}")
}

/// Fingerprint of the elements of a tree, to compare it with that of a browser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TreeShape {
    /// Number of elements, without the contents of templates.
    pub elements: u32,
    /// 32-bit FNV-1a over the UTF-16 of their names in lower case, each followed by a slash, in document order.
    pub tags_hash: u32,
}

impl TreeShape {
    /// The shape of a tree without elements.
    pub(super) const EMPTY: TreeShape = TreeShape {
        elements: 0,
        // Offset basis of 32-bit FNV-1a.
        tags_hash: 0x811c_9dc5,
    };

    /// Adds an element of this name.
    pub(super) fn add(&mut self, name: &str) {
        let units = name.encode_utf16().chain(std::iter::once(u16::from(b'/')));
        // UTF-16 and ASCII case folding, since the browser computes this hash from the units of its own strings.
        for unit in units {
            let lower = match unit {
                0x41..=0x5a => unit + 0x20,
                _ => unit,
            };
            self.tags_hash = (self.tags_hash ^ u32::from(lower)).wrapping_mul(0x0100_0193);
        }
        self.elements += 1;
    }

    /// Returns the shape of a page.
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
