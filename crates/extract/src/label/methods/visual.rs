//! `visual`: the column of text that a reader sees in the middle of the page.
//!
//! Uses only where and how a browser drew the page (see [`crate::layout`]), and how many characters of a text are linked. Segmenting a
//! page by visual separation rather than by tags is the idea of Cai, Yu, Wen and Ma, *VIPS: a Vision-based Page Segmentation Algorithm*,
//! MSR-TR-2003-79. That main text has a typical position and size is from Song, Liu, Wen and Ma, *Learning Block Importance Models for
//! Web Pages*, WWW 2004. The rules and parameters differ from both: VIPS divides top-down, by rules about tags, fonts and colors, and
//! searches for separators between the parts; here tags divide nothing, and gaps are the only separators.
//!
//! 1. Each block has a [`center_score`]: its characters that are not linked, reduced with the distance from the middle.
//! 2. The *column* is one of the boxes around the blocks with the highest scores: the box with the largest share of the total score, less
//!    a price for its width ([`WIDTH_PRICE`]). Blocks of the column hardly reach out of it, and begin in its left half.
//! 3. Gaps cut the column into *runs*. The run with the highest score is main text. So are other runs that are not mostly links, unless
//!    their scores are negligible, and text runs between these.
//!
//! The thresholds were chosen on sixteen sites. Tried without gain: cutting where the background changes, weighting text in other fonts
//! less, dropping lines that are all links, and dropping small print.

use std::ops::Range;

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};
use crate::layout::page_layout::{BlockLayout, PageLayout};
use crate::layout::record::Rect;

/// The extractor `visual`.
#[derive(Debug)]
pub(crate) struct Visual;

/// Price of a column as wide as the page, as a share of the total score. Prices from 0.3 to 0.8 give about the same results. On short
/// pages, where much of the text is boilerplate, a low price keeps all of it.
const WIDTH_PRICE: f64 = 0.6;
/// How far a block may reach out of its column, in pixels. `COLUMN_OVERLAP`: the share of its width that must be inside.
const COLUMN_SLACK: f64 = 8.0;
const COLUMN_OVERLAP: f64 = 0.9;
/// Blocks of the column begin within this share of its width, from the left.
const COLUMN_STARTS: f64 = 0.5;
/// Minimum width of a column, in pixels.
const MIN_COLUMN: f64 = 120.0;
/// Number of blocks with the highest scores whose boxes are candidates for the column. `COLUMN_BOXES`: number of boxes around each.
const COLUMN_TEXTS: usize = 12;
const COLUMN_BOXES: usize = 24;
/// Gap that ends a run, in multiples of the size of the main font.
const RUN_GAP: f64 = 3.0;
/// Minimum score of a run of main text, as a share of the best score.
const RUN_SHARE: f64 = 0.01;
/// Share of linked characters below which a run is text.
const RUN_LINKS: f64 = 0.7;
/// Height of the bands at the top and bottom of a page with little main text, as a share of its height. `EDGE_FACTOR` multiplies scores
/// there.
const EDGE_BAND: f64 = 0.12;
const EDGE_FACTOR: f64 = 0.25;

impl Extractor for Visual {
    fn name(&self) -> &'static str {
        "visual"
    }

    fn summary(&self) -> &'static str {
        "the middle column of text, by a layout that `dehusk render` made (after VIPS; Cai and others, 2003)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let mut labels = Labels::new(self.name(), Vec::new());
        match view.layout {
            Some(layout) => {
                labels.verdicts = verdicts(view, layout);
                if !labels.verdicts.iter().any(|verdict| verdict.kept) {
                    labels.abstained = Some("the browser drew no text that is not linked".to_owned());
                }
            }
            None => {
                labels.verdicts = vec![Verdict::drop("no-layout"); view.table.blocks().len()];
                let needed =
                    "it needs a layout of the page, which `dehusk render` makes and `--layout` names";
                labels.abstained = Some(needed.to_owned());
            }
        }
        labels
    }
}

/// Scores how much a box looks like main text: its characters that are not linked, weighted by its horizontal centrality, and reduced in
/// the bands at the top and bottom of the page. The last argument is the width and height of the page.
fn center_score(rect: &Rect, chars: f64, link_chars: f64, (width, height): (f64, f64)) -> f64 {
    if rect.width() <= 0.0 || rect.height() <= 0.0 || chars <= 0.0 || width <= 0.0 {
        return 0.0;
    }
    let middle = f64::from(rect.left) + rect.width() / 2.0;
    // 1 in the middle of the page, 0 at its edges.
    let centrality = (1.0 - (middle - width / 2.0).abs() / (width / 2.0)).max(0.0);
    let at_edge =
        f64::from(rect.bottom) < EDGE_BAND * height || f64::from(rect.top) > (1.0 - EDGE_BAND) * height;
    let edge = if at_edge { EDGE_FACTOR } else { 1.0 };
    chars * (1.0 - link_chars / chars).clamp(0.0, 1.0) * centrality * edge
}

/// A visible block that scrolls with the page.
#[derive(Clone, Copy, Debug)]
struct DrawnBlock {
    index: usize,
    rect: Rect,
    chars: f64,
    link_chars: f64,
    style: usize,
    score: f64,
}

/// Left and right edge of a column.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
struct Column(f64, f64);

impl Column {
    fn of(rect: &Rect) -> Self {
        Column(rect.left.into(), rect.right.into())
    }

    fn width(self) -> f64 {
        self.1 - self.0
    }

    /// Returns whether a block is in the column.
    fn holds(self, rect: &Rect) -> bool {
        let (left, right) = (f64::from(rect.left), f64::from(rect.right));
        let overlap = right.min(self.1 + COLUMN_SLACK) - left.max(self.0 - COLUMN_SLACK);
        let begins = (self.0 - COLUMN_SLACK..self.1).contains(&left);
        // A block may be wider than the column. Then it has to cover the column instead of itself.
        begins && overlap >= COLUMN_OVERLAP * (right - left).max(1.0).min(self.width())
    }

    /// Returns whether a block of the column begins where main text does.
    fn begins(self, rect: &Rect) -> bool {
        f64::from(rect.left) <= self.0 + COLUMN_STARTS * self.width()
    }
}

/// Returns the verdict of each block, given the layout of the page.
fn verdicts(view: &PageView<'_>, layout: &PageLayout) -> Vec<Verdict> {
    // Verdicts for blocks that end up in no run of the column.
    let first = layout.blocks.iter().map(|block| match block {
        Some(block) if block.drawn && block.fixed => Verdict::drop("fixed"),
        Some(block) if block.drawn => Verdict::drop("out-of-column"),
        _ => Verdict::drop("not-drawn"),
    });
    let mut verdicts: Vec<Verdict> = first.collect();
    // The height of the page is that of its content: a short page is not as tall as the window.
    let drawn = layout
        .blocks
        .iter()
        .flatten()
        .filter(|block| block.drawn && !block.fixed);
    let bottom = drawn.map(|block| block.rect.bottom).max().unwrap_or(0);
    let page = (
        f64::from(layout.page.0.max(layout.viewport.0)),
        f64::from(bottom.max(1)),
    );
    let mut blocks = drawn_blocks(view, layout, page);
    // Without any text that is not linked, nothing is kept.
    let Some(font) = main_font(&blocks, layout) else {
        return verdicts;
    };
    // Without a column, for lack of candidates or of time, all drawn blocks are cut into runs.
    if let Some(column) = column(view, layout, &blocks, page.0) {
        blocks.retain(|block| column.holds(&block.rect) && column.begins(&block.rect));
    }
    let is_in_font = |block: &DrawnBlock| of_font(layout, block.style) == font;
    let runs = cut(&blocks, RUN_GAP * font.0);
    for (run, kept) in runs.iter().zip(kept_runs(&blocks, &runs, page, is_in_font)) {
        for block in &blocks[run.clone()] {
            verdicts[block.index] = match kept {
                true => Verdict::keep("column"),
                false => Verdict::drop("other-run"),
            };
        }
    }
    verdicts
}

/// Returns the visible blocks that scroll with the page, with their scores.
fn drawn_blocks(view: &PageView<'_>, layout: &PageLayout, page: (f64, f64)) -> Vec<DrawnBlock> {
    let blocks = view.table.blocks().iter().zip(&layout.blocks).enumerate();
    let drawn = blocks.filter_map(|(index, (block, place))| {
        let place: &BlockLayout = place.as_ref().filter(|place| place.drawn && !place.fixed)?;
        let (chars, link_chars) = (block.chars.into(), block.link_chars.into());
        Some(DrawnBlock {
            index,
            rect: place.rect,
            chars,
            link_chars,
            style: place.style?,
            score: center_score(&place.rect, chars, link_chars, page),
        })
    });
    drawn.collect()
}

/// Returns size, in whole pixels, and font families of a style.
fn of_font(layout: &PageLayout, style: usize) -> (f64, &str) {
    let style = &layout.styles[style];
    (f64::from(style.size).round(), style.family.as_str())
}

/// Returns the font with the most characters that are not linked; `None` if absent.
fn main_font<'l>(blocks: &[DrawnBlock], layout: &'l PageLayout) -> Option<(f64, &'l str)> {
    let mut of_style = vec![0.0; layout.styles.len()];
    for block in blocks {
        of_style[block.style] += (block.chars - block.link_chars).max(0.0);
    }
    // Many styles have the same font and differ in color alone, so equal fonts are merged after sorting.
    let mut fonts: Vec<((f64, &str), f64)> = Vec::new();
    let styles = of_style.iter().enumerate().filter(|(_, chars)| **chars > 0.0);
    let mut sorted: Vec<((f64, &str), f64)> = styles
        .map(|(style, chars)| (of_font(layout, style), *chars))
        .collect();
    sorted.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    for (font, chars) in sorted {
        match fonts.last_mut().filter(|(known, _)| *known == font) {
            Some((_, sum)) => *sum += chars,
            None => fonts.push((font, chars)),
        }
    }
    fonts
        .into_iter()
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(font, _)| font)
}

/// Returns the column of the page; `None` if there is no candidate or the budget is exhausted.
fn column(
    view: &PageView<'_>,
    layout: &PageLayout,
    blocks: &[DrawnBlock],
    page_width: f64,
) -> Option<Column> {
    let mut best: Vec<&DrawnBlock> = blocks.iter().collect();
    best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
    let mut candidates: Vec<Column> = Vec::new();
    for block in best.into_iter().take(COLUMN_TEXTS) {
        let element = view.table.blocks()[block.index].element;
        let above = std::iter::once(element).chain(view.dom.ancestors(element));
        let boxes = above.filter_map(|element| {
            let found = layout
                .boxes
                .binary_search_by_key(&element, |placed| placed.element);
            found.ok().map(|i| Column::of(&layout.boxes[i].rect))
        });
        candidates.extend(
            boxes
                .take(COLUMN_BOXES)
                .filter(|column| column.width() >= MIN_COLUMN),
        );
    }
    let order = |a: &Column, b: &Column| {
        let by_width = a.width().total_cmp(&b.width());
        by_width.then(a.0.total_cmp(&b.0))
    };
    candidates.sort_by(order);
    // Nested elements often have equal boxes.
    candidates.dedup();
    if !view
        .budget
        .charge("looking for the column", candidates.len() * blocks.len() / 16)
    {
        return None;
    }
    let all: f64 = blocks.iter().map(|block| block.score).sum();
    let worth = |column: &Column| {
        let held = blocks.iter().filter(|block| column.holds(&block.rect));
        let share = held.map(|block| block.score).sum::<f64>() / all.max(f64::MIN_POSITIVE);
        share - WIDTH_PRICE * column.width() / page_width.max(1.0)
    };
    let worths = candidates.into_iter().map(|column| (worth(&column), column));
    // Candidates are sorted by width, so that the narrower of two equally good ones wins.
    let better = |best: (f64, Column), next: (f64, Column)| if next.0 > best.0 { next } else { best };
    worths.reduce(better).map(|(_, column)| column)
}

/// Cuts the blocks of the column into runs at gaps of more than `gap` pixels.
fn cut(blocks: &[DrawnBlock], gap: f64) -> Vec<Range<usize>> {
    // An infinite `bottom` means that the first block does not follow a gap.
    let (mut runs, mut start, mut bottom) = (Vec::new(), 0, f64::INFINITY);
    for (i, block) in blocks.iter().enumerate() {
        let (top, end) = (f64::from(block.rect.top), f64::from(block.rect.bottom));
        if top - bottom > gap {
            runs.push(start..i);
            start = i;
            bottom = end;
        }
        bottom = if i == start { end } else { bottom.max(end) };
    }
    if start < blocks.len() {
        runs.push(start..blocks.len());
    }
    runs
}

/// Figures of a run.
struct RunFigures {
    score: f64,
    /// Whether it is not mostly links.
    is_text: bool,
    /// Whether some of its text is in the main font.
    has_font: bool,
}

/// Returns the figures of a run. Its score is that of the box around all its blocks.
fn figures(blocks: &[DrawnBlock], page: (f64, f64), is_in_font: impl Fn(&DrawnBlock) -> bool) -> RunFigures {
    let chars: f64 = blocks.iter().map(|block| block.chars).sum();
    let link_chars: f64 = blocks.iter().map(|block| block.link_chars).sum();
    let rect = blocks.iter().map(|block| block.rect).reduce(|a, b| a.union(&b));
    RunFigures {
        score: center_score(&rect.unwrap_or_default(), chars, link_chars, page),
        is_text: link_chars < RUN_LINKS * chars,
        has_font: blocks
            .iter()
            .any(|block| block.chars > block.link_chars && is_in_font(block)),
    }
}

/// Returns whether each run is main text.
fn kept_runs(
    blocks: &[DrawnBlock],
    runs: &[Range<usize>],
    page: (f64, f64),
    is_in_font: impl Fn(&DrawnBlock) -> bool,
) -> Vec<bool> {
    let of_run = |run: &Range<usize>| figures(&blocks[run.clone()], page, &is_in_font);
    let figures: Vec<RunFigures> = runs.iter().map(of_run).collect();
    let best = figures.iter().map(|run| run.score).fold(0.0, f64::max);
    let counts =
        // The best run is kept even if it is mostly links.
        |run: &RunFigures| run.score >= best || run.is_text && run.has_font && run.score >= RUN_SHARE * best;
    if best <= 0.0 {
        return vec![false; runs.len()];
    }
    let mut kept: Vec<bool> = figures.iter().map(counts).collect();
    let first = kept.iter().position(|&kept| kept).unwrap_or(0);
    let last = kept.iter().rposition(|&kept| kept).unwrap_or(0);
    // Between the first and the last run of main text, a text run stays whatever its score.
    for i in first..last {
        kept[i] |= figures[i].is_text;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tests::worked_example;

    #[test]
    fn the_worked_example_has_these_scores() {
        let example = worked_example("visual_center_score");
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let parameters = &example["params"];
        let page = (
            number(&parameters["page_width"]),
            number(&parameters["page_height"]),
        );
        let boxes = example["input"].as_array().unwrap();
        assert!(boxes.len() > 2);
        for known in boxes {
            let length = |name: &str| number(&known[name]) as u32;
            let rect = Rect::new(length("x") as i32, length("y") as i32, length("w"), length("h"));
            let got = center_score(&rect, number(&known["chars"]), number(&known["link_chars"]), page);
            let wanted = number(&example["expected"]["scores"][known["id"].as_str().unwrap()]);
            assert!((got - wanted).abs() < 1e-3, "{known}: {got}, not {wanted}");
        }
    }
}
