//! A layout joined to the tree and the blocks of its page.

use dehusk_html::tree::{Dom, NodeId};

use super::record::{Layout, LayoutStyle, Rect, TreeShape};
use crate::analysis::blocks::table::BlockTable;

/// Where the blocks and elements of a page were drawn.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PageLayout {
    /// Width and height of the window.
    pub viewport: (u32, u32),
    /// Width and height of the page.
    pub page: (u32, u32),
    /// The place of each block; `None` if the browser saw none of its texts.
    pub blocks: Vec<Option<BlockLayout>>,
    /// Boxes of elements, by the numbers of their nodes.
    pub boxes: Vec<PlacedBox>,
    /// The styles that blocks name.
    pub styles: Vec<LayoutStyle>,
}

/// Where and how a block was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BlockLayout {
    /// The smallest rectangle around its texts.
    pub rect: Rect,
    /// Most lines of one of its texts.
    pub lines: u32,
    /// Number of the style that most of its area has, if the layout tells it.
    pub style: Option<usize>,
    /// Whether any of its texts can be seen.
    pub drawn: bool,
    /// Whether it keeps its place in the window when the page is scrolled.
    pub fixed: bool,
}

/// The box of one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlacedBox {
    /// The element.
    pub element: NodeId,
    /// Where it is.
    pub rect: Rect,
    /// Whether it keeps its place in the window when the page is scrolled.
    pub fixed: bool,
}

/// No element.
const NONE: u32 = u32::MAX;

/// What is known of the elements of a tree by their numbers in it.
struct Numbering {
    shape: TreeShape,
    /// The elements in document order.
    elements: Vec<NodeId>,
    /// For each text node the number of its parent and the elements before it; [`NONE`] for other nodes.
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
        // For each element its number and the children it had so far.
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
    /// Why it is not of this page.
    pub(crate) fn join(layout: &Layout, dom: &Dom<'_>, table: &BlockTable) -> Result<PageLayout, String> {
        let numbering = Numbering::of(dom);
        let shape = numbering.shape;
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

    /// The style of a block.
    pub fn style(&self, block: &BlockLayout) -> Option<&LayoutStyle> {
        self.styles.get(block.style?)
    }
}

/// The texts of a layout by their places in the tree.
struct PlacedTexts<'l> {
    layout: &'l Layout,
    /// Place in the tree, and number in the layout.
    order: Vec<((u32, u32), u32)>,
}

impl<'l> PlacedTexts<'l> {
    fn new(layout: &'l Layout) -> Self {
        let texts = (0..).zip(&layout.texts);
        let mut order: Vec<_> = texts.map(|(i, text)| ((text.element, text.behind), i)).collect();
        order.sort_unstable();
        PlacedTexts { layout, order }
    }

    /// The block whose text nodes have these places.
    fn block(&self, places: impl Iterator<Item = (u32, u32)>) -> Option<BlockLayout> {
        let mut found: Option<BlockLayout> = None;
        let mut largest = -1.0;
        let mut last = (NONE, 0);
        for place in places {
            // Nodes that only a comment parts have one place.
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
