//! Decides about every block of a page: computes the features of its lines, applies the trees, and chooses the lines to keep.

use std::ops::Range;

use crate::analysis::blocks::table::BlockTable;
use crate::label::classes::begins_as_promotion;
use crate::label::extractor::{Focus, PageView};
use crate::label::model::features::Features;
use crate::label::model::lexicon::{self, WordOdds};
use crate::label::model::line_tokens::LineTokens;
use crate::label::model::lone_lines::{self, empty_headings, lone_lines};
use crate::label::model::refinement::WordOddsLookup;
use crate::label::model::select::{
    PRECISION_THRESHOLD, RECALL_THRESHOLD, at_least, confidence, is_boilerplate, select, sure_share,
};
use crate::label::model::trees;

/// Decision of the model for one page.
#[derive(Debug)]
pub(crate) struct Decision {
    /// Per block: whether to keep it.
    pub(crate) kept: Vec<bool>,
    /// Whether the page consists of boilerplate alone. Nothing is kept then.
    pub(crate) boilerplate_alone: bool,
    /// Per block: reason for dropping it, if its position in the page is the reason; otherwise `None`.
    pub(crate) reasons: Vec<Option<&'static str>>,
    /// Per block: probability of being main text, 0 to 1.
    pub(crate) chances: Vec<f32>,
    /// Expected F1 of the kept words, 0 to 1.
    pub(crate) confidence: f64,
    /// [`sure_share`] of the page.
    pub(crate) sure_share: Option<f64>,
}

/// Decides about every block of a page.
pub(crate) fn decide(view: &PageView<'_>) -> Decision {
    let (first, refinement) = trees::trees();
    let mut chances = Vec::new();
    // Batch by batch, since the rows of a long page need several hundred times its bytes.
    let features = Features::for_each_batch(view, |rows| {
        first.chances(rows, view.fast, &mut view.scratch.walk.borrow_mut(), &mut chances);
    });
    let mut words = PageWords {
        table: view.table,
        blocks: &features.blocks,
        lexicon: lexicon::lexicon(),
        odds: vec![None; features.blocks.len()],
        phrases: vec![None; features.blocks.len()],
        tokens: LineTokens::default(),
    };
    let mut chances = features
        .line_context
        .refine(refinement, chances, &mut words, view.scratch);
    features.line_context.settle(&mut chances, |line| {
        words.texts(line).next().is_some_and(begins_as_promotion)
    });
    let mut lines = match view.focus {
        Focus::Balanced => select(&chances, &features.tokens),
        Focus::Precision => at_least(&chances, PRECISION_THRESHOLD),
        Focus::Recall => at_least(&chances, RECALL_THRESHOLD),
    };
    let mut alone = Vec::new();
    if view.focus != Focus::Recall {
        // Empty headings first: without them, an announcement may be the last kept line.
        alone = empty_headings(view, &features.blocks, &lines);
        alone.iter().for_each(|line| lines[*line] = false);
        let last = lone_lines(view, &features.blocks, &lines);
        last.iter().for_each(|line| lines[*line] = false);
        alone.extend(last);
    }
    let blocks = view.table.blocks().len();
    let mut out = Decision {
        kept: vec![false; blocks],
        boilerplate_alone: view.focus != Focus::Recall
            && !lines.contains(&true)
            && is_boilerplate(&chances, &features.tokens),
        reasons: vec![None; blocks],
        chances: vec![0.0; blocks],
        confidence: 0.0,
        sure_share: sure_share(&chances, &features.tokens),
    };
    out.confidence = confidence(&chances, &features.tokens, &lines);
    // The blocks of a line share its verdict.
    for (i, line) in features.blocks.iter().enumerate() {
        for block in line.clone() {
            out.kept[block] = lines[i];
            out.reasons[block] = match alone.contains(&i) {
                true => Some(lone_lines::REASON),
                false => features.line_context.reason(i),
            };
            out.chances[block] = chances[i];
        }
    }
    out
}

/// Log odds of the words of each line, computed on demand.
struct PageWords<'a> {
    table: &'a BlockTable,
    /// Blocks of each line.
    blocks: &'a [Range<usize>],
    lexicon: lexicon::Lexicon<'static>,
    /// Odds by line; `None` if not computed yet. Cached because every line after a heading reads the odds of the heading.
    odds: Vec<Option<WordOdds>>,
    /// Phrase odds by line; `None` if not computed yet. Cached because adjacent lines share neighbors.
    phrases: Vec<Option<f32>>,
    /// Reusable buffer for the words of one line.
    tokens: LineTokens,
}

impl<'a> PageWords<'a> {
    /// Returns the texts of the blocks of a line.
    fn texts(&self, line: usize) -> impl Iterator<Item = &'a str> + use<'a> {
        let table = self.table;
        let blocks = &table.blocks()[self.blocks[line].clone()];
        blocks.iter().map(move |block| table.text(block))
    }
}

impl WordOddsLookup for PageWords<'_> {
    fn odds(&mut self, line: usize) -> WordOdds {
        if let Some(odds) = self.odds[line] {
            return odds;
        }
        let texts = self.texts(line);
        let odds = self.lexicon.odds(texts, &mut self.tokens);
        self.odds[line] = Some(odds);
        odds
    }

    fn phrase(&mut self, line: usize) -> f32 {
        // The full odds of a line include those of the phrase.
        let known = self.phrases[line].or(self.odds[line].map(|odds| odds.phrase));
        let odds = known.unwrap_or_else(|| self.lexicon.phrase_odds(self.texts(line)));
        self.phrases[line] = Some(odds);
        odds
    }
}
