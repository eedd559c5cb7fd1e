//! A learnt decision for every line of a page: its features, and the trees that weigh them.
//!
//! Blocks are decided one by one, never the kind of page. The trees are grown by `cargo xtask train` on labelled pages of
//! several collections, with whole domains held out; see the header of `lines.model`.

mod above;
mod candidate;
pub mod features;
mod ids;
mod names;
mod near;
mod page;
mod title;
mod trees;
mod unit;
mod vote;

pub use trees::Settle;
pub(crate) use unit::{is_unspaced, tokens};

use features::Features;

use crate::block::BlockTable;
use crate::extractor::{BoilerpipeArticle, Extractor as _, Labels, View};
use crate::front;
use crate::limits::Deadline;
use crate::options::{Focus, Options};

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
    let (dom, _) = front::parse_shown(options.front, html, options.limits, &deadline);
    let table = BlockTable::fill(&dom);
    let metadata = crate::metadata::read(&dom, &table, url, &mut Vec::new());
    let view = View {
        dom: &dom,
        table: &table,
        title: metadata.title.as_deref(),
        metadata: &metadata,
        options: &options,
        deadline: &deadline,
    };
    let features = Features::of(&view, &BoilerpipeArticle.label(&view));
    let text = |blocks: &std::ops::Range<usize>| {
        let texts = table.blocks()[blocks.clone()].iter().map(|b| table.text(b));
        texts.collect::<Vec<_>>().join(" ")
    };
    let texts = features.blocks.iter().map(text).collect();
    Lines { features, texts }
}

/// Expected F1 of the lines that are more likely than not, from which they are the answer.
pub const TRUSTED: f64 = 0.75;

/// Chance below which a line of any other page is never kept, and at which it always is; between them expected F1 decides.
const FLOOR: f32 = 0.2;
const SURE: f32 = 0.6;

/// Chance from which a line is kept by those who want no husk, and by those who want to miss nothing.
const CERTAIN: f32 = 0.75;
const POSSIBLE: f32 = 0.2;

fn at_least(chances: &[f32], least: f32) -> Vec<bool> {
    chances.iter().map(|&chance| chance >= least).collect()
}

/// What the model says of a page.
#[derive(Debug)]
pub(crate) struct Decision {
    /// Whether to keep each block.
    pub(crate) kept: Vec<bool>,
    /// Chance of each block to be main text, 0 to 1.
    pub(crate) chances: Vec<f32>,
    /// Expected F1 of the words kept, 0 to 1.
    pub(crate) confidence: f64,
}

/// Decides about every block of a page. `labels` is what `boilerpipe-article` says.
pub(crate) fn decide(view: &View<'_>, labels: &Labels) -> Decision {
    let trees = trees::trees();
    let mut chances = Vec::new();
    let features = Features::each(view, labels, |rows| {
        trees.chances(rows, view.options.fast, &mut chances);
    });
    let lines = match view.options.focus {
        Focus::Balanced => select(&chances, &features.tokens, TRUSTED),
        Focus::Precision => at_least(&chances, CERTAIN),
        Focus::Recall => at_least(&chances, POSSIBLE),
    };
    let blocks = view.table.blocks().len();
    let mut out = Decision {
        kept: vec![false; blocks],
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

/// Which lines to keep, given the chance of each to be main text.
///
/// Those that are more likely than not, if by the chances that is a good answer, with an expected F1 of at least `trusted`;
/// else as [`choose`]. Cross-validation over whole domains has chosen so: a fixed half loses listings and collections, where much is doubtful, and expected F1 alone
/// keeps the feeds of old portals beside their articles, where little is.
pub fn select(chances: &[f32], tokens: &[u32], trusted: f64) -> Vec<bool> {
    let likely: Vec<bool> = chances.iter().map(|&chance| chance >= 0.5).collect();
    if confidence(chances, tokens, &likely) >= trusted {
        likely
    } else {
        choose(chances, tokens, FLOOR, SURE)
    }
}

/// Which lines to keep, given the chance of each to be main text: those of the set with the highest expected F1 whose chance
/// is at least `floor`, and all whose chance is at least `sure`.
///
/// The expected F1 of a set is twice its expected tokens of main text by the sum of its tokens and the expected tokens of main
/// text on the whole page. It is highest for all lines above some chance, which lies low where much is doubtful.
pub fn choose(chances: &[f32], tokens: &[u32], floor: f32, sure: f32) -> Vec<bool> {
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
    chances
        .iter()
        .map(|&p| (p >= cut && p >= floor) || p >= sure)
        .collect()
}
