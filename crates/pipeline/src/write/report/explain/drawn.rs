//! The page as a browser rendered it: the boxes of its elements and blocks, drawn to scale.

use dehusk_extract::layout::{PageLayout, Rect};

use super::verdict::BlockVerdict;
use crate::write::report::markup::Html;

/// Maximum number of element boxes that are drawn, largest first.
const MAX_BOXES: usize = 1_000;
/// Maximum number of blocks that are drawn.
const MAX_BLOCKS: usize = 5_000;
/// Maximum height of the drawing, in widths of the page. The rest of an endless page is cut off.
const MAX_HEIGHT: f64 = 40.0;

/// Writes the drawing. Each block links to its place in the marked page, which shows why it was kept or dropped.
pub(super) fn drawing(html: &mut Html, layout: &PageLayout, verdicts: &[BlockVerdict]) {
    let width = f64::from(layout.page.0.max(layout.viewport.0).max(1));
    let height = f64::from(layout.page.1.max(layout.viewport.1).max(1)).min(width * MAX_HEIGHT);
    let view = format!("0 0 {width} {height}");
    let label = "The boxes of the page; what each block holds is told beside";
    html.within(
        "svg",
        &[
            ("class", &"drawn"),
            ("viewBox", &view),
            ("role", &"img"),
            ("aria-label", &label),
        ],
        |html| {
            shape(html, &"paper", &Rect::new(0, 0, layout.page.0, layout.page.1));
            let mut boxes: Vec<&Rect> = layout.boxes.iter().map(|placed| &placed.rect).collect();
            // Large boxes first, so that small ones are drawn over them.
            boxes.sort_by(|a, b| (b.width() * b.height()).total_cmp(&(a.width() * a.height())));
            for rect in boxes.into_iter().take(MAX_BOXES) {
                shape(html, &"element", rect);
            }
            let blocks = layout.blocks.iter().zip(verdicts).enumerate();
            for (i, (block, verdict)) in blocks.take(MAX_BLOCKS) {
                if let Some(block) = block.filter(|block| block.drawn) {
                    let target = format!("#b{i}");
                    html.within("a", &[("href", &target), ("tabindex", &"-1")], |html| {
                        shape(html, &verdict.name(), &block.rect);
                    });
                }
            }
        },
    );
    let unseen = layout
        .blocks
        .iter()
        .filter(|block| !block.is_some_and(|block| block.drawn))
        .count();
    let (window, page) = (layout.viewport, layout.page);
    let note = format!(
        "{} by {} pixels, in a window of {} by {}; {unseen} of {} blocks are not to be seen.",
        page.0,
        page.1,
        window.0,
        window.1,
        layout.blocks.len()
    );
    html.element("p", &[("class", &"note")], note);
}

/// Draws a rectangle of the page.
fn shape(html: &mut Html, class: &dyn std::fmt::Display, rect: &Rect) {
    html.shape(
        "rect",
        &[
            ("class", class),
            ("x", &rect.left),
            ("y", &rect.top),
            ("width", &rect.width()),
            ("height", &rect.height()),
        ],
    );
}
