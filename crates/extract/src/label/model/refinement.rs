//! The refinement: corrects the chances of doubtful lines from the chances of the lines around them.
//!
//! The first pass decides about every line on its own. But lines of one style are mostly of one kind, such as the teasers under an
//! article, and a paragraph between two certain ones is rarely boilerplate. So a few small trees correct each doubtful chance. Their
//! features are the chances of the neighboring lines, of the containers, of the lines of the same style and of the whole page (stacking;
//! Wolpert, 1992), and the log odds of words: of the line itself, of the heading before it, and of short lines next to it. They were
//! trained on pages of domains that were used neither for the trees of the first pass nor for the odds of words.

use dehusk_html::narrow;

use crate::label::extractor::PageView;
use crate::label::model::ancestor_features::LEVELS;
use crate::label::model::lexicon::WordOdds;
use crate::label::model::page_table::{NONE, PageTable};
use crate::label::model::parts::Parts;
use crate::label::model::row::{BATCH, ColumnNames, Row, RowWriter, STRIDE, rounded};
use crate::label::model::select::{DEFAULT_THRESHOLD, threshold};
use crate::label::model::title_line::MIN_TITLE;
use crate::label::model::trees::Trees;
use crate::label::model::units::{Chances, Units, multiplied};
use crate::label::scratch::Scratch;

/// Positions of the lines of a page in its tree, as the refinement needs them.
#[derive(Debug, Default)]
pub struct LineContext {
    lines: Vec<LinePlace>,
    elements: Vec<ElementPlace>,
    sibling_groups: usize,
    styles: usize,
    /// Index of the line most similar to the title, if it is similar enough.
    title: Option<usize>,
    /// Lines that are the title or copies of it, in ascending order.
    titles: Vec<u32>,
    parts: Parts,
    units: Units,
}

#[derive(Clone, Copy, Debug)]
struct LinePlace {
    context: u32,
    tokens: f64,
    heading: bool,
}

/// Position of an element in the tree.
#[derive(Clone, Copy, Debug)]
struct ElementPlace {
    /// Number of the parent; [`NONE`] at the root.
    parent: u32,
    /// Number of the sibling group; [`NONE`] if fewer than three siblings share the style.
    siblings: u32,
    style: u32,
}

/// Looks up the log odds of the words of a line.
pub(crate) trait WordOddsLookup {
    fn odds(&mut self, line: usize) -> WordOdds;

    /// Returns [`WordOdds::phrase`] alone, for lines whose other odds are not needed.
    fn phrase(&mut self, line: usize) -> f32 {
        self.odds(line).phrase
    }
}

/// Lines past the end of the slice have no known words.
impl WordOddsLookup for &[WordOdds] {
    fn odds(&mut self, line: usize) -> WordOdds {
        self.get(line).copied().unwrap_or_default()
    }
}

/// Number of tokens, and the number of them expected to be main text.
#[derive(Clone, Copy, Default)]
struct ExpectedTokens {
    tokens: f64,
    expected: f64,
}

impl ExpectedTokens {
    fn add(&mut self, other: ExpectedTokens) {
        self.tokens += other.tokens;
        self.expected += other.expected;
    }

    fn chance(self) -> f64 {
        self.expected / self.tokens.max(f64::MIN_POSITIVE)
    }
}

/// Chance above which a line counts as sure main text. The distance to the nearest sure line is a feature.
const SURE_CHANCE: f32 = 0.85;

/// Chances that are refined. Outside this range the first pass is final. With 0.03 to 0.97, a third of the lines would be refined instead
/// of a fifth, with the same F1 on held-out pages.
const UNCERTAIN: std::ops::RangeInclusive<f32> = 0.1..=0.9;

/// Divisor of the odds of title lines.
///
/// Of fifteen labelled sets, three include the title in the text more often than not, and it is the most frequent error on news pages.
/// With whole sets held out, the mean F1 is .9206 without division, .9222 to .9224 for divisors from 2.3 to 5.5, and .9217 if titles are
/// removed. The smallest of these divisors loses the fewest headlines to readers.
const TITLE_ODDS: f32 = 2.3;

/// Divisor of the odds of lines that ask readers to subscribe, to follow or to share. Such lines often look like the paragraphs between
/// which they occur, but few labelled pages include them.
const PROMOTION_ODDS: f32 = 2.0;

/// Factor for the odds of hidden lines, and (`COPY_ODDS`) for the odds of lines that repeat another line.
const HIDDEN_ODDS: f32 = 0.002;
const COPY_ODDS: f32 = 0.0005;

/// Expected tokens of main text below which a page has next to no text. `ODDS_OF_MAIN` is the factor for the odds of the lines in its
/// `main` element then.
const SHORT_PAGE: f64 = 40.0;
const ODDS_OF_MAIN: f32 = 8.0;

/// Factor for the odds of a button that opens a part of the text, and of a question, if the text after it is kept.
const ODDS_OF_PANEL_HEADING: f32 = 15.0;

/// Factor for the odds of lines of a letter to subscribers.
const ODDS_OF_MAIL: f32 = 100.0;

/// Share of the expected main text above which hidden text is kept: a script probably shows it.
const MAX_HIDDEN: f64 = 0.4;

/// Chances from which promotions are lowered. Half the odds of 0.667 still give 0.5, the highest threshold.
const DOUBTFUL: std::ops::RangeInclusive<f32> = 0.4..=0.667;

/// Distance used if there is no sure line.
const NO_DISTANCE: u32 = 1000;

/// Chances of the sibling groups of an element and its ancestors.
#[derive(Clone, Copy)]
struct SiblingChances {
    /// Chance, and share of the page's tokens, of the nearest group. `largest`: of the group with the most tokens.
    nearest: (f32, f32),
    largest: (f32, f32),
}

impl LineContext {
    pub(crate) fn new(view: &PageView<'_>, page: &PageTable) -> Self {
        let lines = page.lines.iter().map(|line| LinePlace {
            context: line.context,
            tokens: f64::from(line.counts.tokens).max(0.5),
            heading: line.heading > 0,
        });
        // Few groups have enough members. Only these are numbered, from 0.
        let (mut numbers, mut sibling_groups) = (vec![NONE; page.sibling_groups.len()], 0);
        let mut number_of = |group: u32| {
            let number = &mut numbers[group as usize];
            if *number == NONE {
                *number = sibling_groups;
                sibling_groups += 1;
            }
            *number
        };
        let elements = page.elements.iter().map(|element| ElementPlace {
            parent: element.parent,
            siblings: match page.siblings(element.siblings) {
                Some(_) => number_of(element.siblings.group),
                None => NONE,
            },
            style: element.style,
        });
        let parts = Parts::new(view, page);
        let units = Units::new(view, page, &parts.panels);
        LineContext {
            lines: lines.collect(),
            elements: elements.collect(),
            sibling_groups: sibling_groups as usize,
            styles: page.by_style.len(),
            title: (page.title_line.1 > 0.5).then_some(page.title_line.0),
            titles: titles(page),
            parts,
            units,
        }
    }

    /// Returns the rows of all lines in row-major order, given the chance and the word odds of each line. Lines past the end of `odds`
    /// have no known words.
    pub fn rows(&self, chances: &[f32], odds: &[WordOdds]) -> Vec<f32> {
        let width = LineContext::names().len();
        let sums = Sums::new(self, chances);
        let mut out = Vec::with_capacity(width * chances.len());
        let mut row = [0.0; STRIDE];
        for i in 0..chances.len() {
            sums.put(&mut RowWriter::new(&mut row), i, &mut &*odds);
            out.extend(row[..width].iter().map(|&feature| rounded(feature)));
        }
        out
    }

    /// Returns whether a line with this chance is refined.
    pub fn is_uncertain(chance: f32) -> bool {
        UNCERTAIN.contains(&chance)
    }

    /// Returns the names of the columns.
    pub fn names() -> Vec<String> {
        let page = LineContext {
            lines: vec![LinePlace {
                context: 0,
                tokens: 1.0,
                heading: false,
            }],
            elements: vec![ElementPlace {
                parent: NONE,
                siblings: NONE,
                style: 0,
            }],
            sibling_groups: 0,
            styles: 1,
            title: None,
            titles: Vec::new(),
            parts: Parts::default(),
            units: Units::default(),
        };
        let mut names = ColumnNames::default();
        Sums::new(&page, &[0.5]).put(&mut names, 0, &mut &[][..]);
        names.0
    }

    /// Refines the chances of the first pass by `trees`.
    pub(crate) fn refine(
        &self,
        trees: &Trees,
        mut chances: Vec<f32>,
        words: &mut impl WordOddsLookup,
        scratch: &Scratch,
    ) -> Vec<f32> {
        let open: Vec<usize> = (0..chances.len())
            .filter(|&i| LineContext::is_uncertain(chances[i]))
            .collect();
        if open.is_empty() {
            return chances;
        }
        // All features are computed from the chances of the first pass, so that the order of the lines does not matter. A second round on
        // refined chances lost .0016 in F1 on held-out sets.
        let sums = Sums::new(self, &chances);
        let (rows, walk) = (&mut *scratch.rows.borrow_mut(), &mut *scratch.walk.borrow_mut());
        let mut out = Vec::with_capacity(open.len());
        for lines in open.chunks(BATCH) {
            let rows = rows.fill(lines.len(), |row, i| sums.put(row, lines[i], words));
            trees.chances(rows, false, walk, &mut out);
        }
        for (i, chance) in open.into_iter().zip(out) {
            chances[i] = chance;
        }
        chances
    }

    /// Adjusts refined chances of titles, of promotions (`is_promotion`), of parts of the page that markup identifies, and of units.
    pub fn settle(&self, chances: &mut [f32], mut is_promotion: impl FnMut(usize) -> bool) {
        let divide = |chance: &mut f32, odds: f32| *chance /= *chance + odds * (1.0 - *chance);
        for &title in &self.titles {
            divide(&mut chances[title as usize], TITLE_ODDS);
        }
        for (line, chance) in chances.iter_mut().enumerate() {
            if DOUBTFUL.contains(chance) && is_promotion(line) {
                divide(chance, PROMOTION_ODDS);
            }
        }
        self.drop_hidden(chances);
        self.drop_copies(chances);
        for (line, chance) in chances.iter_mut().enumerate() {
            let odds = self.parts.odds(line);
            if odds != 1.0 {
                *chance = multiplied(*chance, odds);
            }
        }
        self.raise_short_main(chances);
        for &line in &self.parts.mail {
            let chance = &mut chances[line as usize];
            *chance = multiplied(*chance, ODDS_OF_MAIL);
        }
        #[expect(clippy::cast_possible_truncation, reason = "weights are f32")]
        let tokens = self.lines.iter().map(|line| line.tokens as f32);
        // The threshold is that of the adjusted chances.
        let least = threshold(chances.iter().copied().zip(tokens)).unwrap_or(DEFAULT_THRESHOLD);
        let context_of = |line: usize| self.lines[line].context;
        self.units
            .settle(self, self.elements.len(), context_of, chances, least);
        // Last, since it depends on the final chances of the texts that the headings open.
        for &(heading, text) in &self.parts.panel_headings {
            if chances[text as usize] >= least && !self.is_dropped(heading as usize) {
                let chance = &mut chances[heading as usize];
                *chance = multiplied(*chance, ODDS_OF_PANEL_HEADING);
            }
        }
    }

    /// Returns why a line is dropped, if its position on the page is the reason.
    pub(crate) fn reason(&self, line: usize) -> Option<&'static str> {
        let number = narrow::to_u32(line);
        if self
            .parts
            .copies
            .binary_search_by_key(&number, |copy| copy.0)
            .is_ok()
        {
            return Some("copy");
        }
        self.parts.reason(line)
    }

    /// Lowers the chances of hidden lines, unless they make up much of the expected main text.
    fn drop_hidden(&self, chances: &mut [f32]) {
        if self.parts.hidden.is_empty() {
            return;
        }
        let expected = |line: usize| self.lines[line].tokens * f64::from(chances[line]);
        let all: f64 = (0..chances.len()).map(expected).sum();
        let hidden: f64 = self
            .parts
            .hidden
            .iter()
            .map(|&line| expected(line as usize))
            .sum();
        if hidden < MAX_HIDDEN * all {
            for &line in &self.parts.hidden {
                let chance = &mut chances[line as usize];
                *chance = multiplied(*chance, HIDDEN_ODDS);
            }
        }
    }

    /// Raises the chances of lines that markup declares as content, on a page with next to no text, such as the cards of a landing page.
    fn raise_short_main(&self, chances: &mut [f32]) {
        let expected: f64 = self
            .lines
            .iter()
            .zip(&*chances)
            .map(|(line, &chance)| line.tokens * f64::from(chance))
            .sum();
        if expected < SHORT_PAGE {
            for &line in &self.parts.main {
                let chance = &mut chances[line as usize];
                *chance = multiplied(*chance, ODDS_OF_MAIN);
            }
        }
    }

    /// Lowers the chances of lines that repeat likely ones.
    fn drop_copies(&self, chances: &mut [f32]) {
        for &(copy, original) in &self.parts.copies {
            if original.abs_diff(copy) == 1 {
                // Adjacent copies show one text. The line that stays gets the higher chance of the two.
                let best = chances[original as usize].max(chances[copy as usize]);
                chances[original as usize] = best;
                chances[copy as usize] = multiplied(chances[copy as usize], COPY_ODDS);
                continue;
            }
            if chances[original as usize] >= DEFAULT_THRESHOLD || self.titles.binary_search(&copy).is_ok() {
                let chance = &mut chances[copy as usize];
                *chance = multiplied(*chance, COPY_ODDS);
            }
        }
    }
}

impl Chances for LineContext {
    fn is_dropped(&self, line: usize) -> bool {
        self.parts.reason(line).is_some() || self.parts.hidden.binary_search(&narrow::to_u32(line)).is_ok()
    }

    fn tokens(&self, line: usize) -> f64 {
        self.lines[line].tokens
    }

    fn parent(&self, element: u32) -> u32 {
        self.elements
            .get(element as usize)
            .map_or(NONE, |place| place.parent)
    }
}

/// Returns the distance of a line to the nearest sure one, given the distance of the adjacent line and the line's own chance.
fn distance_after(beside: u32, chance: f32) -> u32 {
    if chance > SURE_CHANCE {
        0
    } else {
        (beside + 1).min(NO_DISTANCE)
    }
}

/// Sums over the lines of a page and their chances.
struct Sums<'a> {
    line_context: &'a LineContext,
    chances: &'a [f32],
    /// Sums over the lines in each element; `styles`: over the lines of each style.
    elements: Vec<ExpectedTokens>,
    styles: Vec<ExpectedTokens>,
    siblings: Vec<SiblingChances>,
    /// Prefix sums per line, with a final entry for the end of the page.
    lines: Vec<LineSums>,
    /// Distance from each line to the next sure line; 0 if the line itself is sure.
    until: Vec<u32>,
    page: [f64; 8],
}

/// Sums over the lines before a line, and the nearest lines of interest among them.
#[derive(Clone, Copy)]
struct LineSums {
    before: ExpectedTokens,
    /// Tokens of the sure lines.
    sure_before: f64,
    /// Distance to the last sure line, 0 if this line is sure.
    since: u32,
    /// Number of the last heading; [`NONE`] if absent.
    heading: u32,
}

impl<'a> Sums<'a> {
    fn new(line_context: &'a LineContext, chances: &'a [f32]) -> Self {
        let n = chances.len();
        let mut elements = vec![ExpectedTokens::default(); line_context.elements.len()];
        let mut styles = vec![ExpectedTokens::default(); line_context.styles];
        let mut at = LineSums {
            before: ExpectedTokens::default(),
            sure_before: 0.0,
            since: NO_DISTANCE,
            heading: NONE,
        };
        let (mut likely, mut certain, mut open, mut best) = (ExpectedTokens::default(), 0.0, 0.0, 0.0_f32);
        let mut lines = Vec::with_capacity(n + 1);
        let of_lines = line_context.lines.iter().zip(chances).zip(0_u32..);
        lines.extend(of_lines.map(|((line, &chance), i)| {
            let context = line.context as usize;
            let expected = ExpectedTokens {
                tokens: line.tokens,
                expected: line.tokens * f64::from(chance),
            };
            elements[context].add(expected);
            styles[line_context.elements[context].style as usize].add(expected);
            if chance >= 0.5 {
                likely.add(expected);
            }
            if chance > 0.9 {
                certain += line.tokens;
            }
            if chance > 0.3 && chance < 0.7 {
                open += line.tokens;
            }
            best = best.max(chance);
            at.since = distance_after(at.since, chance);
            // The sums exclude the line itself, but `since` already includes it: 0 if the line is sure.
            let sums = at;
            at.before.add(expected);
            if chance > SURE_CHANCE {
                at.sure_before += line.tokens;
            }
            if line.heading {
                at.heading = i;
            }
            sums
        }));
        lines.push(at);
        let (all, sure) = (at.before, at.sure_before);
        let (mut distance, mut until) = (NO_DISTANCE, vec![NO_DISTANCE; n]);
        for (until, &chance) in until.iter_mut().zip(chances).rev() {
            distance = distance_after(distance, chance);
            *until = distance;
        }
        // Parents precede their children: each sum is complete before it is added to the parent. At the root, `NONE` is out of range.
        for i in (0..elements.len()).rev() {
            let below = elements[i];
            if let Some(parent) = elements.get_mut(line_context.elements[i].parent as usize) {
                parent.add(below);
            }
        }
        let siblings = sibling_chances(line_context, &elements, all.tokens);
        let page_tokens = all.tokens.max(1.0);
        let open = open / page_tokens;
        Sums {
            page: [
                certain / page_tokens,
                sure,
                open,
                // Expected F1 if the lines with a chance of at least 0.5 were kept.
                2.0 * likely.expected / (likely.tokens + all.expected).max(f64::MIN_POSITIVE),
                all.chance(),
                f64::from(best),
                all.tokens,
                open * all.tokens / sure.max(1.0),
            ],
            lines,
            until,
            line_context,
            chances,
            elements,
            styles,
            siblings,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "features are f32")]
    fn put(&self, row: &mut impl Row, i: usize, words: &mut impl WordOddsLookup) {
        let (line_context, n) = (self.line_context, self.chances.len());
        row.put("chance", self.chances[i]);
        let context = line_context.lines[i].context as usize;
        let (mut at, mut steps) = (context, 0);
        // The levels ascend, so each continues from the one before. Above the root, the outermost element stands in.
        for (name, level) in LEVELS {
            while steps < level && line_context.elements[at].parent != NONE {
                at = line_context.elements[at].parent as usize;
                steps += 1;
            }
            row.put_named(name, "chance", self.elements[at].chance() as f32);
        }
        for (name, reach) in [("near", 3), ("wide", 10)] {
            // Lines `i - reach` to `i + reach`.
            let (from, to) = (
                self.lines[i.saturating_sub(reach)].before,
                self.lines[(i + reach + 1).min(n)].before,
            );
            let between = ExpectedTokens {
                tokens: to.tokens - from.tokens,
                expected: to.expected - from.expected,
            };
            row.put_named(name, "chance", between.chance() as f32);
        }
        let siblings = &self.siblings[context];
        for (name, (chance, share)) in [("family", siblings.nearest), ("large-family", siblings.largest)] {
            row.put_named(name, "chance", chance);
            row.put_named(name, "share", share);
        }
        let style = line_context.elements[context].style as usize;
        row.put("alike-chance", self.styles[style].chance() as f32);
        let line = &self.lines[i];
        row.put("since-sure", line.since as f32);
        row.put("until-sure", self.until[i] as f32);
        let sure = self.lines[n].sure_before;
        let share = if sure > 0.0 { line.sure_before / sure } else { -1.0 };
        row.put("sure-before", share as f32);
        let title = line_context
            .title
            .map(|title| (self.chances[title], i as f32 - title as f32));
        let (chance, distance) = title.unwrap_or((-1.0, 0.0));
        row.put("title-chance", chance);
        row.put("title-distance", distance);
        for (name, value) in [
            "certain",
            "sure",
            "open",
            "expected",
            "chance",
            "best",
            "tokens",
            "open-by-sure",
        ]
        .into_iter()
        .zip(self.page)
        {
            row.put_named("page", name, value as f32);
        }
        let own = words.odds(i);
        row.put("words-mean", own.mean);
        row.put("words-least", own.least);
        row.put("words-most", own.most);
        row.put("words-known", own.known);
        row.put("phrase", own.phrase);
        let heading = match line.heading {
            NONE => WordOdds::default(),
            line => words.odds(line as usize),
        };
        row.put("heading-words-mean", heading.mean);
        row.put("heading-words-least", heading.least);
        row.put("heading-phrase", heading.phrase);
        for (name, line) in [
            ("before", i.checked_sub(1)),
            ("after", (i + 1 < n).then_some(i + 1)),
        ] {
            // All odds of uncertain neighbors are computed anyway, when their own rows are written, and cached.
            let phrase = line.map_or(0.0, |line| match self.chances[line] {
                chance if LineContext::is_uncertain(chance) => words.odds(line).phrase,
                _ => words.phrase(line),
            });
            row.put_named(name, "phrase", phrase);
        }
    }
}

/// Returns the lines that are the title or copies of it, in ascending order.
fn titles(page: &PageTable) -> Vec<u32> {
    let (title, alike) = page.title_line;
    if alike < MIN_TITLE {
        return Vec::new();
    }
    let lines = page.texts.iter().zip(0_u32..);
    lines
        .filter(|(text, _)| **text == page.texts[title])
        .map(|(_, line)| line)
        .collect()
}

/// Returns the chances of the sibling groups of every element and its ancestors.
fn sibling_chances(line_context: &LineContext, below: &[ExpectedTokens], total: f64) -> Vec<SiblingChances> {
    let mut sibling_groups = vec![ExpectedTokens::default(); line_context.sibling_groups];
    for (place, below) in line_context.elements.iter().zip(below) {
        if let Some(group) = sibling_groups.get_mut(place.siblings as usize) {
            group.add(*below);
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "features are f32")]
    let figures = |group: &ExpectedTokens| (group.chance() as f32, (group.tokens / total.max(1.0)) as f32);
    let figures: Vec<(f32, f32)> = sibling_groups.iter().map(figures).collect();
    let mut out: Vec<SiblingChances> = Vec::with_capacity(below.len());
    for place in &line_context.elements {
        // Parents precede their children, so that their entry exists. At the root, `NONE` is out of range.
        debug_assert!(place.parent == NONE || (place.parent as usize) < out.len());
        let mut siblings = out.get(place.parent as usize).copied().unwrap_or(SiblingChances {
            nearest: (-1.0, 0.0),
            largest: (-1.0, 0.0),
        });
        if let Some(&group) = figures.get(place.siblings as usize) {
            siblings.nearest = group;
            if siblings.nearest.1 >= siblings.largest.1 {
                siblings.largest = siblings.nearest;
            }
        }
        out.push(siblings);
    }
    out
}

#[cfg(test)]
mod tests;
