//! Features of the elements above a line.
//!
//! Almost all of them pass from an element to its children: the nearest mark of a kind is the element's own, or that of its parent
//! one step further up. So each element is visited once, at the first line below it, and only open elements are kept.

use crate::label::model::name_groups::GROUPS;
use crate::label::model::page_table::{Element, MARKS, Membership, NONE, PageTable, Sums};
use crate::label::model::row::Row;

/// Kinds of marks whose nearest distance is tracked: tags, groups of names, and `itemprop`.
const KINDS: usize = MARKS.len() + GROUPS.len() + 1;

/// Elements whose distance is a feature: the best by score, both cores, the title line's.
const TARGETS: usize = 4;

/// Names and heights of the containers that are described.
pub(crate) const LEVELS: [(&str, usize); 6] = [
    ("in", 0),
    ("in1", 1),
    ("in2", 2),
    ("in3", 3),
    ("in5", 5),
    ("in8", 8),
];

/// The distance of a mark that no element above has.
const NOWHERE: u8 = u8::MAX;

/// One open element, with what it inherits.
#[derive(Clone, Copy)]
struct Level {
    element: u32,
    /// Share of the page's text, link density, tokens a line, shares of long lines and of sentences below it.
    below: [f32; 5],
    /// The highest score of it and those above.
    score: f32,
    inside_best: bool,
    /// Steps up to the innermost common ancestor with each target, and down from there.
    ways: [(f32, f32); TARGETS],
    /// Steps up to the nearest of each kind.
    nearest: [u8; KINDS],
    /// The nearest group of siblings of one style, the nearest of one set of marks, the largest of one style.
    siblings: [SiblingFeatures; 3],
}

/// Features of a group of siblings that the element or one above it belongs to.
#[derive(Clone, Copy)]
struct SiblingFeatures {
    /// Tokens of the group.
    tokens: f32,
    /// In the order of [`SIBLING_COLUMNS`]; the first, steps up to it, is -1 without a group.
    figures: [f32; 9],
}

/// Columns of [`SiblingFeatures`].
const SIBLING_COLUMNS: [&str; 9] = [
    "up", "members", "tokens", "ordinal", "own", "links", "ends", "share", "long",
];

impl SiblingFeatures {
    const NONE: SiblingFeatures = SiblingFeatures {
        tokens: -1.0,
        figures: [-1.0, 0.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
    };

    fn of(
        page: &PageTable,
        element: &Element,
        membership: Membership,
        total: f32,
    ) -> Option<SiblingFeatures> {
        let group = page.sibling_groups.get(membership.group as usize)?;
        let sums = &group.sums;
        Some(SiblingFeatures {
            tokens: sums.tokens,
            figures: [
                0.0,
                group.members,
                sums.tokens / group.members,
                membership.ordinal as f32,
                element.sums.tokens * group.members / sums.tokens.max(1.0),
                sums.link_density(),
                sums.ends_share(),
                sums.tokens / total,
                sums.long_share(),
            ],
        })
    }

    fn one_step_up(mut self) -> SiblingFeatures {
        let up = &mut self.figures[0];
        *up = if *up < 0.0 { *up } else { *up + 1.0 };
        self
    }
}

/// The elements above the current line.
pub(crate) struct AncestorFeatures<'p> {
    page: &'p PageTable,
    total: f32,
    best_score: f32,
    /// The elements from the root to each target.
    chains: [Vec<u32>; TARGETS],
    open: Vec<Level>,
    /// Elements still to open, the innermost first.
    todo: Vec<u32>,
    shares: [f32; 256],
}

impl<'p> AncestorFeatures<'p> {
    pub(crate) fn new(page: &'p PageTable) -> Self {
        let chain = |from: usize| {
            let up = std::iter::successors(Some(from), |&e| page.elements[e].parent());
            let mut chain: Vec<u32> = up.map(|e| e as u32).collect();
            chain.reverse();
            chain
        };
        let title_line = page.lines[page.title_line.0].context as usize;
        let targets = [
            page.best,
            page.cores[0].container,
            page.cores[1].container,
            title_line,
        ];
        let mut shares = std::array::from_fn(|distance| 1.0 / (1.0 + distance as f32));
        shares[usize::from(NOWHERE)] = 0.0;
        AncestorFeatures {
            page,
            total: page.page.tokens.max(1.0),
            best_score: page.elements[page.best].score.max(1.0),
            chains: targets.map(chain),
            open: Vec::new(),
            todo: Vec::new(),
            shares,
        }
    }

    /// Closes and opens elements until `context` is the innermost one.
    fn go_to(&mut self, context: usize) {
        let elements = &self.page.elements;
        let mut at = context as u32;
        while at != NONE {
            let element = &elements[at as usize];
            let depth = element.depth as usize;
            if self.open.get(depth).is_some_and(|level| level.element == at) {
                self.open.truncate(depth + 1);
                break;
            }
            self.todo.push(at);
            at = element.parent;
        }
        if at == NONE {
            self.open.clear();
        }
        while let Some(element) = self.todo.pop() {
            let level = self.level(element);
            self.open.push(level);
        }
    }

    fn level(&self, number: u32) -> Level {
        let (page, element) = (self.page, &self.page.elements[number as usize]);
        let depth = element.depth as usize;
        let mut level = match self.open.last() {
            Some(above) => Level {
                nearest: above.nearest.map(|d| if d >= NOWHERE - 1 { d } else { d + 1 }),
                siblings: above.siblings.map(SiblingFeatures::one_step_up),
                ..*above
            },
            None => Level {
                element: number,
                below: [0.0; 5],
                score: 0.0,
                inside_best: false,
                ways: std::array::from_fn(|k| (0.0, self.chains[k].len() as f32)),
                nearest: [NOWHERE; KINDS],
                siblings: [SiblingFeatures::NONE; 3],
            },
        };
        level.element = number;
        level.below = figures(&element.sums, self.total);
        level.score = level.score.max(element.score);
        level.inside_best |= number as usize == page.best;
        for (way, chain) in level.ways.iter_mut().zip(&self.chains) {
            if chain.get(depth) == Some(&number) {
                *way = (0.0, (chain.len() - 1 - depth) as f32);
            } else {
                way.0 += 1.0;
            }
        }
        let mut kinds = u64::from(element.marks)
            | u64::from(element.groups) << MARKS.len()
            | u64::from(element.itemprop) << (MARKS.len() + GROUPS.len());
        while kinds != 0 {
            level.nearest[kinds.trailing_zeros() as usize] = 0;
            kinds &= kinds - 1;
        }
        if let Some(siblings) = SiblingFeatures::of(page, element, element.siblings, self.total) {
            level.siblings[0] = siblings;
            if siblings.tokens >= level.siblings[2].tokens {
                level.siblings[2] = siblings;
            }
        }
        if let Some(siblings) = SiblingFeatures::of(page, element, element.tag_siblings, self.total) {
            level.siblings[1] = siblings;
        }
        level
    }

    pub(crate) fn put(&mut self, row: &mut impl Row, context: usize) {
        self.go_to(context);
        let (page, own) = (self.page, &self.page.elements[context]);
        let Some(level) = self.open.last() else { return };
        row.put("depth", own.depth.min(60) as f32);
        row.put("score-best-above", level.score / self.best_score);
        row.put("score", own.score / self.best_score);
        row.flag("score-inside", level.inside_best);
        row.put("score-up", level.ways[0].0);
        row.put("score-down", level.ways[0].1);
        for (k, name) in ["core", "wide-core"].into_iter().enumerate() {
            row.named(name, "up", level.ways[k + 1].0);
            row.named(name, "down", level.ways[k + 1].1);
            row.named(
                name,
                "alike",
                f32::from(u8::from(own.style == page.cores[k].style)),
            );
        }
        row.put("title-up", level.ways[3].0);
        row.put("title-down", level.ways[3].1);
        for (siblings, name) in level.siblings.iter().zip(["family", "tags", "large-family"]) {
            row.several(name, SIBLING_COLUMNS, &siblings.figures);
        }
        let alike = &page.by_style[own.style as usize];
        row.put("alike-share", alike.tokens / self.total);
        row.put("alike-links", alike.link_density());
        row.put("alike-lines", alike.lines);
        row.put("alike-ends", alike.ends_share());
        row.put("alike-mean", alike.mean());
        for (name, k) in LEVELS {
            let figures = &self.open[self.open.len().saturating_sub(1 + k)].below;
            row.several(name, ["share", "links", "mean", "long", "ends"], figures);
        }
        let shares = level.nearest.map(|distance| self.shares[usize::from(distance)]);
        let (marks, names) = shares.split_at(MARKS.len());
        row.several("below", MARKS.iter().map(|(name, _)| *name), marks);
        let (groups, itemprop) = names.split_at(GROUPS.len());
        row.several("named", GROUPS.iter().map(|(name, _)| *name), groups);
        row.several("", ["itemprop"], itemprop);
    }
}

fn figures(sums: &Sums, total: f32) -> [f32; 5] {
    [
        sums.tokens / total,
        sums.link_density(),
        sums.mean(),
        sums.long_share(),
        sums.ends_share(),
    ]
}
