//! A learnt decision for every line of a page: its features, and the trees that weigh them.
//!
//! Blocks are decided one by one, never the kind of page. The trees are grown by `cargo xtask train` on labelled pages of
//! several collections, with whole domains held out; see the headers of `lines.model` and `second.model`.

mod above;
mod candidate;
pub mod features;
mod lexicon;
mod names;
mod near;
mod page;
mod second;
mod title;
mod trees;
mod unit;
mod vote;
mod words;

pub use lexicon::Said;
pub use second::Around;
pub use trees::Settle;
pub use words::{Wording, spelled};

use std::ops::Range;

use features::Features;

use crate::analysis::blocks::BlockTable;
use crate::label::extractor::Focus;
use crate::label::extractor::{Extractor as _, PageView};
use crate::label::methods::boilerpipe_article::BoilerpipeArticle;
use crate::options::Options;
use dehusk_html::limits::Deadline;

/// The lines of a page with their figures: what training needs.
#[derive(Debug)]
pub struct Lines {
    /// A row for each line.
    pub features: Features,
    /// Texts of the lines.
    pub texts: Vec<String>,
}

/// Takes a decoded page apart.
pub fn lines(html: &str, url: Option<&str>) -> Lines {
    let options = Options::default();
    let deadline = Deadline::start(&options.limits, html.len());
    let (dom, _) = crate::analysis::noscript::parse_shown(options.parser, html, options.limits, &deadline);
    let table = BlockTable::fill(&dom);
    let metadata = crate::analysis::metadata::read(&dom, &table, url, &mut Vec::new());
    let view = PageView {
        dom: &dom,
        table: &table,
        title: metadata.title.as_deref(),
        metadata: &metadata,
        focus: options.focus,
        fast: options.fast,
        limits: options.limits,
        deadline: &deadline,
    };
    let features = Features::of(&view, &BoilerpipeArticle.label(&view).kept_blocks());
    let text = |blocks: &Range<usize>| {
        let texts = table.blocks()[blocks.clone()].iter().map(|b| table.text(b));
        texts.collect::<Vec<_>>().join(" ")
    };
    let texts = features.blocks.iter().map(text).collect();
    Lines { features, texts }
}

/// Chance from which a line is kept on a page that the trees are sure of.
const LIKELY: f32 = 0.5;

/// By how much the chance that is enough lies below the mean chance of what is likely, per token.
///
/// The best set has all lines above half its F1 if lines are right and wrong independently of one another (Lipton, Elkan and
/// Naryanaswamy, 2014). They are not: where the likely lines of a page are doubtful, the rest is as often main text, too, since it
/// is the kind of page that the trees cannot tell. So the chance that is enough falls faster. Against a fixed 0.5 (held out in ten
/// parts) wcxb goes from .863 to .868, daniel from .937 to .932, zh_news stays at .951.
const BELOW_MEAN: f32 = 0.35;

/// Chance from which a line is kept by those who want no husk, and by those who want to miss nothing.
const CERTAIN: f32 = 0.75;
const POSSIBLE: f32 = 0.2;

/// Which lines have a chance of at least `least`.
pub fn at_least(chances: &[f32], least: f32) -> Vec<bool> {
    chances.iter().map(|&chance| chance >= least).collect()
}

/// What the model says of a page.
#[derive(Debug)]
pub(crate) struct Decision {
    /// Whether to keep each block.
    pub(crate) kept: Vec<bool>,
    /// Whether the page is husk alone, so that nothing is kept.
    pub(crate) husk: bool,
    /// Chance of each block to be main text, 0 to 1.
    pub(crate) chances: Vec<f32>,
    /// Expected F1 of the words kept, 0 to 1.
    pub(crate) confidence: f64,
}

/// Decides about every block of a page. `article` is whether `boilerpipe-article` keeps each.
pub(crate) fn decide(view: &PageView<'_>, article: &[bool]) -> Decision {
    let (first, second) = trees::trees();
    let mut chances = Vec::new();
    let features = Features::each(view, article, |rows| {
        first.chances(rows, view.fast, &mut chances);
    });
    let mut words = LineWords {
        table: view.table,
        blocks: &features.blocks,
        lexicon: lexicon::lexicon(),
        said: vec![None; features.blocks.len()],
    };
    let mut chances = features.around.corrected(second, chances, &mut words);
    features.around.complete(&mut chances);
    let lines = match view.focus {
        Focus::Balanced => select(&chances, &features.tokens),
        Focus::Precision => at_least(&chances, CERTAIN),
        Focus::Recall => at_least(&chances, POSSIBLE),
    };
    let blocks = view.table.blocks().len();
    let mut out = Decision {
        kept: vec![false; blocks],
        husk: view.focus != Focus::Recall && !lines.contains(&true) && is_husk(&chances, &features.tokens),
        chances: vec![0.0; blocks],
        confidence: 0.0,
    };
    out.confidence = confidence(&chances, &features.tokens, &lines);
    for (i, line) in features.blocks.iter().enumerate() {
        for block in line.clone() {
            out.kept[block] = lines[i];
            out.chances[block] = chances[i];
        }
    }
    out
}

/// What the words of the lines of a page say.
struct LineWords<'a> {
    table: &'a BlockTable,
    /// The blocks of each line.
    blocks: &'a [Range<usize>],
    lexicon: &'static lexicon::Lexicon,
    /// What is known: that of a heading is asked for again and again.
    said: Vec<Option<Said>>,
}

impl LineWords<'_> {
    fn texts(&self, line: usize) -> impl Iterator<Item = &str> {
        let blocks = &self.table.blocks()[self.blocks[line].clone()];
        blocks.iter().map(|block| self.table.text(block))
    }
}

impl second::Words for LineWords<'_> {
    fn said(&mut self, line: usize) -> Said {
        let said = self.said[line].unwrap_or_else(|| self.lexicon.said(self.texts(line)));
        self.said[line] = Some(said);
        said
    }

    fn phrase(&mut self, line: usize) -> f32 {
        self.lexicon.phrase(self.texts(line))
    }
}

/// Expected F1 of the tokens of the lines in `kept`, 0 to 1, given the chance of each line to be main text.
pub fn confidence(chances: &[f32], tokens: &[u32], kept: &[bool]) -> f64 {
    let (mut right, mut size, mut expected) = (0.0, 0.0, 0.0);
    for ((&chance, &tokens), &kept) in chances.iter().zip(tokens).zip(kept) {
        let (chance, tokens) = (f64::from(chance), f64::from(tokens));
        expected += chance * tokens;
        if kept {
            right += chance * tokens;
            size += tokens;
        }
    }
    if size > 0.0 {
        (2.0 * right / (size + expected)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Which lines to keep, given the chance of each to be main text: none if there is husk alone; else those above a chance that is
/// lower, from 0.5 down to 0.2, the less sure the likely ones are; if none is likely, those of the set with the highest expected F1.
///
/// The expected F1 of a set is twice its expected tokens of main text by the sum of its tokens and the expected tokens of main
/// text on the whole page. It is highest for all lines above some chance, which lies low where much is doubtful.
pub fn select(chances: &[f32], tokens: &[u32]) -> Vec<bool> {
    let least = if is_husk(chances, tokens) {
        f32::INFINITY
    } else {
        enough(chances, tokens).unwrap_or_else(|| best_cut(chances, tokens))
    };
    at_least(chances, least)
}

/// The chance that is enough for a line of this page, if there are likely ones.
fn enough(chances: &[f32], tokens: &[u32]) -> Option<f32> {
    let (mut right, mut size) = (0.0, 0.0);
    for (&chance, &tokens) in chances.iter().zip(tokens) {
        if chance >= LIKELY {
            // A line without a word counts a little.
            let tokens = (tokens as f32).max(0.01);
            right += chance * tokens;
            size += tokens;
        }
    }
    (size > 0.0).then(|| (right / size - BELOW_MEAN).clamp(POSSIBLE, LIKELY))
}

/// Whether a page shows menus and notes alone, as those do that a script fills: so few tokens of it are expected to be main text, of
/// so many, and no line is at all sure to be. Nothing is then a better answer than the least unlikely menu.
fn is_husk(chances: &[f32], tokens: &[u32]) -> bool {
    let (mut expected, mut all) = (0.0, 0.0);
    for (&chance, &tokens) in chances.iter().zip(tokens) {
        if chance >= HUSK.best {
            return false;
        }
        expected += chance * tokens as f32;
        all += tokens as f32;
    }
    all >= HUSK.tokens && expected < HUSK.expected && expected < HUSK.share * all
}

/// Below what a page is husk alone.
struct Husk {
    /// Tokens of a page that shows menus at all: of less nothing can be said.
    tokens: f32,
    /// Chance of the best line.
    best: f32,
    /// Tokens expected to be main text, and their share of all.
    expected: f32,
    share: f32,
}

const HUSK: Husk = Husk {
    tokens: 10.0,
    best: 0.6,
    expected: 40.0,
    share: 0.2,
};

/// The chance from which lines make up the set with the highest expected F1.
pub fn best_cut(chances: &[f32], tokens: &[u32]) -> f32 {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]).then(a.cmp(&b)));
    let expected: f64 = chances
        .iter()
        .zip(tokens)
        .map(|(&p, &t)| f64::from(p) * f64::from(t))
        .sum();
    let (mut right, mut size, mut best, mut cut) = (0.0, 0.0, 0.0, 1.0_f32);
    for &i in &order {
        right += f64::from(chances[i]) * f64::from(tokens[i]);
        size += f64::from(tokens[i]);
        let f1 = right / (size + expected).max(1e-9);
        if f1 > best {
            (best, cut) = (f1, chances[i]);
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of some lines of ten tokens each are kept.
    fn kept(chances: &[f32]) -> Vec<bool> {
        select(chances, &vec![10; chances.len()])
    }

    #[test]
    fn less_is_enough_where_the_likely_lines_are_doubtful() {
        assert_eq!(kept(&[0.99, 0.95, 0.45, 0.1]), [true, true, false, false]);
        assert_eq!(kept(&[0.7, 0.65, 0.35, 0.3]), [true, true, true, false]);
        assert_eq!(kept(&[0.52, 0.5, 0.21, 0.15]), [true, true, true, false]);
        // Lines without a word are kept by the chance alone.
        assert_eq!(select(&[0.9, 0.45], &[0, 0]), [true, false]);
        assert_eq!(select(&[], &[]), [false; 0]);
    }

    #[test]
    fn where_none_is_likely_the_best_set_is_kept_unless_all_is_husk() {
        let chances = [0.45, 0.4, 0.05];
        assert_eq!(select(&chances, &[100, 100, 100]), [true, true, false]);
        assert_eq!(select(&chances, &[10, 10, 300]), [false; 3]);
        assert_eq!(select(&[0.1], &[3]), [true]);
    }
}
