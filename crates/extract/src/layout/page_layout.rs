//! A layout joined to the tree and the blocks of its page.

use dehusk_html::tree::{Dom, NodeId};

use super::record::{Layout, LayoutStyle, Rect, TreeShape};
use crate::analysis::blocks::table::BlockTable;

/// Positions at which the blocks and elements of a page were drawn.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PageLayout {
    /// Width and height of the window, in CSS pixels.
    pub viewport: (u32, u32),
    /// Width and height of the page, in CSS pixels.
    pub page: (u32, u32),
    /// Layout of each block; `None` if the layout has none of its texts.
    pub blocks: Vec<Option<BlockLayout>>,
    /// Boxes of elements, sorted by node number.
    pub boxes: Vec<PlacedBox>,
    /// Styles, to which blocks refer by index.
    pub styles: Vec<LayoutStyle>,
}

/// Position and style of a drawn block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BlockLayout {
    /// The smallest rectangle around its visible texts; empty if no text is visible.
    pub rect: Rect,
    /// Largest number of lines of one of its visible texts; 0 if no text is visible.
    pub lines: u32,
    /// Index in [`PageLayout::styles`] of the style of its largest text; `None` if the layout does not state it.
    pub style: Option<usize>,
    /// Whether any of its texts is visible.
    pub drawn: bool,
    /// Whether it keeps its position in the window when the page is scrolled.
    pub fixed: bool,
}

/// The box of one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlacedBox {
    /// The element.
    pub element: NodeId,
    /// Its position.
    pub rect: Rect,
    /// Whether it keeps its position in the window when the page is scrolled.
    pub fixed: bool,
}

/// Placeholder for a missing element.
const NONE: u32 = u32::MAX;

/// Elements of a tree by their number in document order.
struct Numbering {
    shape: TreeShape,
    /// The elements in document order.
    elements: Vec<NodeId>,
    /// For each text node, the number of its parent and the number of elements before it in the parent.
    /// [`NONE`] and 0 for other nodes.
    places: Vec<(u32, u32)>,
}

impl Numbering {
    fn of(dom: &Dom<'_>) -> Numbering {
        let tree = dom.tree();
        let mut numbering = Numbering {
            shape: TreeShape::EMPTY,
            elements: Vec::new(),
            places: vec![(NONE, 0); dom.len()],
        };
        // For each element, its number and the number of its child elements so far.
        let mut seen: Vec<(u32, u32)> = vec![(NONE, 0); dom.len()];
        for id in tree.preorder(NodeId::DOCUMENT) {
            let parent = tree.parent(id);
            if tree.is_element(id) {
                if let Some(parent) = parent {
                    seen[parent.index()].1 += 1;
                }
                seen[id.index()].0 = numbering.shape.elements;
                numbering.shape.add(dom.name(id));
                numbering.elements.push(id);
            } else if tree.is_text(id)
                && let Some(parent) = parent
            {
                // Position of the text: its parent, and the elements before it in the parent.
                numbering.places[id.index()] = seen[parent.index()];
            }
        }
        numbering
    }
}

impl PageLayout {
    /// Joins a layout to the page it was measured on.
    ///
    /// # Errors
    /// If the layout is of another page. The message explains the difference.
    pub(crate) fn join(layout: &Layout, dom: &Dom<'_>, table: &BlockTable) -> Result<PageLayout, String> {
        let numbering = Numbering::of(dom);
        let shape = numbering.shape;
        // The hash covers the names of all elements in order, so equal shapes mean the same tree up to
        // attributes and texts.
        if (shape.elements, shape.tags_hash) != (layout.elements, layout.tags_hash) {
            return Err(format!(
                "its tree has {} elements and this one {}, or they have other names",
                layout.elements, shape.elements
            ));
        }
        let texts = PlacedTexts::new(layout);
        let blocks = table.blocks().iter().map(|block| {
            let nodes = table.nodes(block).iter();
            texts.block(nodes.map(|node| numbering.places[node.index()]))
        });
        let boxes = layout.boxes.iter().filter_map(|known| {
            // Records are input: a box of an element that does not exist is ignored.
            let element = *numbering.elements.get(known.element as usize)?;
            Some(PlacedBox {
                element,
                rect: known.rect,
                fixed: known.fixed,
            })
        });
        let mut boxes: Vec<PlacedBox> = boxes.collect();
        boxes.sort_by_key(|placed| placed.element);
        Ok(PageLayout {
            viewport: layout.viewport,
            page: layout.page,
            blocks: blocks.collect(),
            boxes,
            styles: layout.styles.clone(),
        })
    }

    /// Returns the style of a block; `None` if it is unknown.
    pub fn style(&self, block: &BlockLayout) -> Option<&LayoutStyle> {
        self.styles.get(block.style?)
    }
}

/// The texts of a layout, by their position in the tree.
struct PlacedTexts<'l> {
    layout: &'l Layout,
    /// Pairs of position in the tree and index in the layout, sorted.
    order: Vec<((u32, u32), u32)>,
}

impl<'l> PlacedTexts<'l> {
    fn new(layout: &'l Layout) -> Self {
        let texts = (0..).zip(&layout.texts);
        let mut order: Vec<_> = texts.map(|(i, text)| ((text.element, text.behind), i)).collect();
        order.sort_unstable();
        PlacedTexts { layout, order }
    }

    /// Returns the layout of the block whose text nodes have these positions in the tree; `None` if the
    /// layout has none of them.
    fn block(&self, places: impl Iterator<Item = (u32, u32)>) -> Option<BlockLayout> {
        let mut found: Option<BlockLayout> = None;
        let mut largest = -1.0;
        let mut last = (NONE, 0);
        for place in places {
            // Text nodes that are separated only by a comment have the same position.
            if std::mem::replace(&mut last, place) == place {
                continue;
            }
            let from = self.order.partition_point(|(known, _)| *known < place);
            let here = self.order[from..].iter().take_while(|(known, _)| *known == place);
            for text in here.filter_map(|(_, i)| self.layout.texts.get(*i as usize)) {
                let block = found.get_or_insert(BlockLayout {
                    rect: Rect::default(),
                    lines: 0,
                    style: None,
                    drawn: false,
                    fixed: false,
                });
                // Records are input: a style index out of range is ignored.
                let known_style = (text.style as usize) < self.layout.styles.len();
                let area = text.rect.width() * text.rect.height();
                if known_style && area > largest {
                    largest = area;
                    block.style = Some(text.style as usize);
                }
                if text.drawn {
                    block.rect = match block.drawn {
                        true => block.rect.union(&text.rect),
                        false => text.rect,
                    };
                    block.lines = block.lines.max(text.lines);
                    block.fixed |= text.fixed;
                    block.drawn = true;
                }
            }
        }
        found
    }
}
