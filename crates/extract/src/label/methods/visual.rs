//! `visual`: the column of text that a reader sees in the middle of the page.
//!
//! Looks at nothing but where and how a browser drew the page (see [`crate::layout`]), and at how many characters of a text are linked.
//! The idea of dividing a page by what separates its parts for the eye, rather than by its tags, is that of Cai, Yu, Wen and Ma, *VIPS:
//! a Vision-based Page Segmentation Algorithm*, MSR-TR-2003-79; that main text has a place and a size, of Song, Liu, Wen and Ma,
//! *Learning Block Importance Models for Web Pages*, WWW 2004; that it has a font and a width of line of its own, of Luo, Fan and others,
//! *Web Article Extraction for Web Printing: a DOM+Visual based Approach*, DocEng 2009. Neither rules nor parameters are theirs:
//! VIPS divides from the top by thirteen rules about tags and detects separators, and neither is done here.
//!
//! 1. The *body font* is the one of most characters that are not linked.
//! 2. The *column* is the narrowest of the boxes around the longest texts in which most of the text in that font stands, each character
//!    counting the less, the farther its block stands from the middle of the page.
//! 3. Gaps and changes of the background cut the column into *runs*. A run counts by [`center_score`]; the best one is main text,
//!    and so are other runs of running text, and what stands between them and is not mostly links.
//! 4. Inside, lines that are all links, and small print at the ends, are left out.

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};
use crate::layout::page_layout::{BlockLayout, PageLayout};
use crate::layout::record::Rect;

/// The extractor `visual`.
#[derive(Debug)]
pub(crate) struct Visual;

/// How far a text may stand out of its column, in pixels.
const COLUMN_SLACK: i32 = 8;
/// Share of the text, weighed by its distance from the middle, that stands in the column.
const COLUMN_SHARE: f64 = 0.75;
/// Texts whose boxes may be the column, the longest first, and boxes above each.
const COLUMN_TEXTS: usize = 12;
const COLUMN_BOXES: usize = 24;
/// Narrowest column, in pixels.
const MIN_COLUMN: f64 = 120.0;
/// Gap that ends a run, in sizes of the body font.
const RUN_GAP: f64 = 5.0;
/// How much a run must have of what the best one has, to be main text, too.
const RUN_SHARE: f64 = 0.1;
/// Largest share of linked characters of such a run.
const RUN_LINKS: f64 = 0.5;
/// Parts of a page, from its edges, where less is main text, and how much less.
const EDGE_BAND: f64 = 0.12;
const EDGE_FACTOR: f64 = 0.25;
/// Share of linked characters from which a line is nothing but links.
const LINK_LINE: f64 = 0.9;

impl Extractor for Visual {
    fn name(&self) -> &'static str {
        "visual"
    }

    fn summary(&self) -> &'static str {
        "the middle column of text, by a layout that `dehusk render` made (after VIPS; Cai and others, 2003)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let dropped = |reason| vec![Verdict::drop(reason); view.table.blocks().len()];
        let mut labels = Labels::new(self.name(), Vec::new());
        let Some(layout) = view.layout else {
            labels.verdicts = dropped("no-layout");
            labels.abstained = Some(
                "it needs a layout of the page, which `dehusk render` makes and `--layout` names".to_owned(),
            );
            return labels;
        };
        match column_of(view, layout) {
            Some(column) => labels.verdicts = column.verdicts(),
            None => {
                labels.verdicts = dropped("not-drawn");
                labels.abstained = Some("the browser drew no text".to_owned());
            }
        }
        labels
    }
}

/// How much a box looks like main text: its characters that are not linked, less the farther its middle is from that of the page, and
/// much less if it lies at the upper or lower edge. `page` is the width and the height of the page.
pub(crate) fn center_score(rect: &Rect, chars: f64, link_chars: f64, (width, height): (f64, f64)) -> f64 {
    if rect.width() <= 0.0 || rect.height() <= 0.0 || chars <= 0.0 || width <= 0.0 {
        return 0.0;
    }
    let middle = f64::from(rect.left) + rect.width() / 2.0;
    let centrality = (1.0 - (middle - width / 2.0).abs() / (width / 2.0)).max(0.0);
    let at_edge =
        f64::from(rect.bottom) < EDGE_BAND * height || f64::from(rect.top) > (1.0 - EDGE_BAND) * height;
    let edge = if at_edge { EDGE_FACTOR } else { 1.0 };
    chars * (1.0 - link_chars / chars).clamp(0.0, 1.0) * centrality * edge
}

/// One block that was drawn.
#[derive(Clone, Copy, Debug)]
struct DrawnBlock {
    index: usize,
    rect: Rect,
    chars: f64,
    link_chars: f64,
    /// Size of its font in pixels.
    size: f64,
    style: usize,
    is_body: bool,
}

impl DrawnBlock {
    fn unlinked(&self) -> f64 {
        (self.chars - self.link_chars).max(0.0)
    }
}

/// The column of main text with its runs.
struct Column {
    verdicts: Vec<Verdict>,
}

impl Column {
    fn verdicts(self) -> Vec<Verdict> {
        self.verdicts
    }
}

/// The middle column of a page; `None` if it shows no text.
fn column_of(view: &PageView<'_>, layout: &PageLayout) -> Option<Column> {
    let mut verdicts: Vec<Verdict> = layout
        .blocks
        .iter()
        .map(|block| match block {
            Some(block) if block.drawn && block.fixed => Verdict::drop("fixed"),
            Some(block) if block.drawn => Verdict::drop("out-of-column"),
            _ => Verdict::drop("not-drawn"),
        })
        .collect();
    let mut drawn = drawn_blocks(view, layout);
    mark_body(&mut drawn, layout);
    let page = (
        f64::from(layout.page.0.max(layout.viewport.0)),
        f64::from(layout.page.1.max(1)),
    );
    let bounds = column_bounds(view, layout, &drawn, page)?;
    let inside: Vec<DrawnBlock> = drawn.into_iter().filter(|block| is_within(&block.rect, bounds)).collect();
    let body_size = inside.iter().find(|block| block.is_body).map_or(16.0, |block| block.size);
    let runs = cut(&inside, layout, body_size);
    let kept = kept_runs(&inside, &runs, page);
    for (run, kept) in runs.iter().zip(kept) {
        for block in &inside[run.clone()] {
            verdicts[block.index] = match kept {
                true if block.link_chars >= LINK_LINE * block.chars => Verdict::drop("links"),
                true => Verdict::keep("column"),
                false => Verdict::drop("other-run"),
            };
        }
    }
    Some(Column { verdicts })
}

fn is_within(rect: &Rect, (left, right): (i32, i32)) -> bool {
    rect.left >= left.saturating_sub(COLUMN_SLACK) && rect.right <= right.saturating_add(COLUMN_SLACK)
}

/// The blocks that can be seen and move with the page.
fn drawn_blocks(view: &PageView<'_>, layout: &PageLayout) -> Vec<DrawnBlock> {
    let blocks = view.table.blocks().iter().zip(&layout.blocks).enumerate();
    let drawn = blocks.filter_map(|(index, (block, place))| {
        let place: &BlockLayout = place.as_ref().filter(|place| place.drawn && !place.fixed)?;
        Some(DrawnBlock {
            index,
            rect: place.rect,
            chars: block.chars.into(),
            link_chars: block.link_chars.into(),
            size: layout.style(place).map_or(16.0, |style| f64::from(style.size)),
            style: place.style?,
            is_body: false,
        })
    });
    drawn.collect()
}

/// Marks the blocks in the font of most characters that are not linked.
fn mark_body(drawn: &mut [DrawnBlock], layout: &PageLayout) {
    let mut sums: Vec<(f64, &str, f64)> = Vec::new();
    let mut of_style: Vec<Option<usize>> = vec![None; layout.styles.len()];
    for block in drawn.iter() {
        let style = &layout.styles[block.style];
        let place = *of_style[block.style].get_or_insert_with(|| {
            let key = (f64::from(style.size).round(), style.family.as_str());
            let known = sums.iter().position(|(size, family, _)| (*size, *family) == key);
            known.unwrap_or_else(|| {
                sums.push((key.0, key.1, 0.0));
                sums.len() - 1
            })
        });
        sums[place].2 += block.unlinked();
    }
    let body = sums.iter().enumerate().max_by(|(_, a), (_, b)| a.2.total_cmp(&b.2));
    let Some((body, _)) = body else { return };
    for block in drawn {
        block.is_body = of_style[block.style] == Some(body);
    }
}

/// Left and right edge of the column.
fn column_bounds(
    view: &PageView<'_>,
    layout: &PageLayout,
    drawn: &[DrawnBlock],
    page: (f64, f64),
) -> Option<(i32, i32)> {
    let score = |block: &DrawnBlock| {
        let score = center_score(&block.rect, block.chars, block.link_chars, page);
        if block.is_body { score } else { score / 4.0 }
    };
    let mut longest: Vec<(f64, &DrawnBlock)> = drawn.iter().map(|block| (score(block), block)).collect();
    longest.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.index.cmp(&y.index)));
    longest.truncate(COLUMN_TEXTS);
    let mut candidates: Vec<(i32, i32)> = Vec::new();
    for (_, block) in &longest {
        let table = view.table;
        let mut boxes = 0;
        let mut at = Some(table.blocks()[block.index].element);
        while let Some(element) = at.filter(|_| boxes < COLUMN_BOXES) {
            let known = layout.boxes.binary_search_by_key(&element, |known| known.element);
            if let Some(known) = known.ok().and_then(|i| layout.boxes.get(i)) {
                candidates.push((known.rect.left, known.rect.right));
                boxes += 1;
            }
            at = view.dom.parent(element);
        }
        candidates.push((block.rect.left, block.rect.right));
    }
    candidates.sort_unstable();
    candidates.dedup();
    let steps = candidates.len() * drawn.len() / 8;
    if !view.budget.charge("looking for the column", steps) {
        return None;
    }
    let total: f64 = drawn.iter().map(score).sum();
    let held = |bounds: (i32, i32)| -> f64 {
        let inside = drawn.iter().filter(|block| is_within(&block.rect, bounds));
        inside.map(score).sum()
    };
    let width = |(left, right): (i32, i32)| f64::from(right) - f64::from(left);
    let fit = candidates
        .iter()
        .copied()
        .filter(|&bounds| width(bounds) >= MIN_COLUMN && held(bounds) >= COLUMN_SHARE * total)
        .min_by(|&a, &b| width(a).total_cmp(&width(b)).then(a.cmp(&b)));
    let all = || {
        let left = drawn.iter().map(|block| block.rect.left).min()?;
        let right = drawn.iter().map(|block| block.rect.right).max()?;
        Some((left, right))
    };
    fit.or_else(all)
}

/// Cuts the blocks of the column where a gap or another background begins.
fn cut(inside: &[DrawnBlock], layout: &PageLayout, body_size: f64) -> Vec<std::ops::Range<usize>> {
    let background = |block: &DrawnBlock| layout.styles[block.style].background.as_str();
    let mut runs = Vec::new();
    let mut start = 0;
    let mut bottom = i32::MIN;
    for (i, block) in inside.iter().enumerate() {
        let cut = i > 0 && {
            let before = &inside[i - 1];
            let gap = f64::from(block.rect.top) - f64::from(bottom);
            gap > RUN_GAP * body_size || background(before) != background(block)
        };
        if cut {
            runs.push(start..i);
            start = i;
            bottom = i32::MIN;
        }
        bottom = bottom.max(block.rect.bottom);
    }
    if start < inside.len() {
        runs.push(start..inside.len());
    }
    runs
}

/// What counts of a run.
struct RunFigures {
    score: f64,
    body: f64,
    chars: f64,
    link_chars: f64,
}

fn figures(blocks: &[DrawnBlock], page: (f64, f64)) -> RunFigures {
    let sum = |of: &dyn Fn(&DrawnBlock) -> f64| -> f64 { blocks.iter().map(of).sum() };
    let body = sum(&|block| if block.is_body { block.unlinked() } else { 0.0 });
    let (chars, link_chars) = (sum(&|block| block.chars), sum(&|block| block.link_chars));
    let rect = blocks
        .iter()
        .map(|block| block.rect)
        .reduce(|a, b| a.union(&b))
        .unwrap_or_default();
    let counted = body + (chars - link_chars - body) / 4.0;
    RunFigures {
        score: center_score(&rect, counted, 0.0, page),
        body,
        chars,
        link_chars,
    }
}

/// Which runs are main text.
fn kept_runs(inside: &[DrawnBlock], runs: &[std::ops::Range<usize>], page: (f64, f64)) -> Vec<bool> {
    let figures: Vec<RunFigures> = runs.iter().map(|run| figures(&inside[run.clone()], page)).collect();
    let best = figures.iter().map(|run| run.score).fold(0.0, f64::max);
    let is_text = |run: &RunFigures| run.link_chars < RUN_LINKS * run.chars;
    let mut kept: Vec<bool> = figures
        .iter()
        .map(|run| run.score >= best || is_text(run) && run.score >= RUN_SHARE * best && run.body > 0.0)
        .collect();
    let (first, last) = (
        kept.iter().position(|&kept| kept),
        kept.iter().rposition(|&kept| kept),
    );
    if let (Some(first), Some(last)) = (first, last) {
        for i in first..last {
            kept[i] |= is_text(&figures[i]);
        }
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
        let page = (number(&parameters["page_width"]), number(&parameters["page_height"]));
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
