//! Features of the elements above a line.
//!
//! Almost all of them are inherited: the distance of the nearest mark of a kind is 0 if the element has such a mark, else that of its
//! parent and one. So each element is visited once, at the first line below it, and only open elements are kept.

use crate::label::model::name_groups::NAME_GROUPS;
use crate::label::model::page_table::{Element, Membership, NONE, PageTable, Sums, TAG_GROUPS};
use crate::label::model::row::Row;

/// Kinds of marks whose nearest distance is a feature: tags, groups of names, and `itemprop`.
const MARK_KINDS: usize = TAG_GROUPS.len() + NAME_GROUPS.len() + 1;

/// Elements whose distance is a feature: the one with the highest score, those that hold the two cores, that of the title line.
const TARGETS: usize = 4;

/// Containers that are described: the prefix of their features, and steps up from the line's own element.
pub(crate) const LEVELS: [(&str, usize); 6] = [
    ("in", 0),
    ("in1", 1),
    ("in2", 2),
    ("in3", 3),
    ("in5", 5),
    ("in8", 8),
];

/// Distance of a mark that the element and its ancestors lack.
const NO_DISTANCE: u8 = u8::MAX;

/// An element that holds the current line, with the features that its children inherit.
#[derive(Clone, Copy)]
struct OpenElement {
    element: u32,
    /// Of the lines in it: share of the page's text, link density, tokens per line, shares of long lines and of sentences.
    measures: [f32; 5],
    /// The highest score among it and its ancestors.
    score: f32,
    inside_best: bool,
    /// Steps up to the innermost common ancestor with each target, and down from there.
    target_distances: [(f32, f32); TARGETS],
    /// Steps up to the nearest mark of each kind.
    mark_distances: [u8; MARK_KINDS],
    /// The nearest group of siblings of one style, the nearest of one set of marks, the largest of one style.
    siblings: [SiblingFeatures; 3],
}

/// Features of a group of siblings that the element or one of its ancestors belongs to.
#[derive(Clone, Copy)]
struct SiblingFeatures {
    /// Tokens of the group.
    tokens: f32,
    /// In the order of [`SIBLING_COLUMNS`]; the first, the number of steps up to the group, is -1 without a group.
    values: [f32; 9],
}

/// Columns of [`SiblingFeatures`].
const SIBLING_COLUMNS: [&str; 9] = [
    "up", "members", "tokens", "ordinal", "own", "links", "ends", "share", "long",
];

impl SiblingFeatures {
    const NONE: SiblingFeatures = SiblingFeatures {
        tokens: -1.0,
        values: [-1.0, 0.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
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
            values: [
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
        let up = &mut self.values[0];
        *up = if *up < 0.0 { *up } else { *up + 1.0 };
        self
    }
}

/// Writes the features of the elements that hold the current line.
pub(crate) struct AncestorFeatures<'p> {
    page: &'p PageTable,
    total: f32,
    best_score: f32,
    /// The elements from the root to each target.
    target_paths: [Vec<u32>; TARGETS],
    open: Vec<OpenElement>,
    /// Elements still to open, the innermost first.
    to_open: Vec<u32>,
}

/// The feature of each distance of a mark: 1 for the element itself, less for those above, 0 for none.
static NEARNESS: [f32; 256] = {
    let mut all = [0.0; 256];
    let mut distance = 0;
    while distance < NO_DISTANCE {
        all[distance as usize] = 1.0 / (1.0 + distance as f32);
        distance += 1;
    }
    all
};

impl<'p> AncestorFeatures<'p> {
    pub(crate) fn new(page: &'p PageTable) -> Self {
        let path = |from: usize| {
            let up = std::iter::successors(Some(from), |&e| page.elements[e].parent());
            let mut path: Vec<u32> = up.map(|e| e as u32).collect();
            path.reverse();
            path
        };
        let title_line = page.lines[page.title_line.0].context as usize;
        let targets = [
            page.best,
            page.cores[0].container,
            page.cores[1].container,
            title_line,
        ];
        AncestorFeatures {
            page,
            total: page.page.tokens.max(1.0),
            best_score: page.elements[page.best].score.max(1.0),
            target_paths: targets.map(path),
            open: Vec::new(),
            to_open: Vec::new(),
        }
    }

    /// Closes and opens elements until `context` is the innermost open one.
    fn move_to(&mut self, context: usize) {
        let elements = &self.page.elements;
        let mut at = context as u32;
        while at != NONE {
            let element = &elements[at as usize];
            let depth = element.depth as usize;
            if self.open.get(depth).is_some_and(|current| current.element == at) {
                self.open.truncate(depth + 1);
                break;
            }
            self.to_open.push(at);
            at = element.parent;
        }
        if at == NONE {
            self.open.clear();
        }
        while let Some(element) = self.to_open.pop() {
            let current = self.open_element(element);
            self.open.push(current);
        }
    }

    fn open_element(&self, number: u32) -> OpenElement {
        let (page, element) = (self.page, &self.page.elements[number as usize]);
        let depth = element.depth as usize;
        let mut current = match self.open.last() {
            Some(above) => OpenElement {
                mark_distances: above
                    .mark_distances
                    .map(|d| if d >= NO_DISTANCE - 1 { d } else { d + 1 }),
                siblings: above.siblings.map(SiblingFeatures::one_step_up),
                ..*above
            },
            None => OpenElement {
                element: number,
                measures: [0.0; 5],
                score: 0.0,
                inside_best: false,
                target_distances: std::array::from_fn(|k| (0.0, self.target_paths[k].len() as f32)),
                mark_distances: [NO_DISTANCE; MARK_KINDS],
                siblings: [SiblingFeatures::NONE; 3],
            },
        };
        current.element = number;
        current.measures = measures_of(&element.sums, self.total);
        current.score = current.score.max(element.score);
        current.inside_best |= number as usize == page.best;
        for (distance, path) in current.target_distances.iter_mut().zip(&self.target_paths) {
            if path.get(depth) == Some(&number) {
                *distance = (0.0, (path.len() - 1 - depth) as f32);
            } else {
                distance.0 += 1.0;
            }
        }
        let mut kinds = u64::from(element.tag_groups)
            | u64::from(element.groups) << TAG_GROUPS.len()
            | u64::from(element.itemprop) << (TAG_GROUPS.len() + NAME_GROUPS.len());
        while kinds != 0 {
            current.mark_distances[kinds.trailing_zeros() as usize] = 0;
            kinds &= kinds - 1;
        }
        if let Some(siblings) = SiblingFeatures::of(page, element, element.siblings, self.total) {
            current.siblings[0] = siblings;
            if siblings.tokens >= current.siblings[2].tokens {
                current.siblings[2] = siblings;
            }
        }
        if let Some(siblings) = SiblingFeatures::of(page, element, element.tag_siblings, self.total) {
            current.siblings[1] = siblings;
        }
        current
    }

    pub(crate) fn put(&mut self, row: &mut impl Row, context: usize) {
        self.move_to(context);
        let (page, own) = (self.page, &self.page.elements[context]);
        let Some(current) = self.open.last() else {
            return;
        };
        row.put("depth", own.depth.min(60) as f32);
        row.put("score-best-above", current.score / self.best_score);
        row.put("score", own.score / self.best_score);
        row.flag("score-inside", current.inside_best);
        row.put("score-up", current.target_distances[0].0);
        row.put("score-down", current.target_distances[0].1);
        for (k, name) in ["core", "wide-core"].into_iter().enumerate() {
            row.put_named(name, "up", current.target_distances[k + 1].0);
            row.put_named(name, "down", current.target_distances[k + 1].1);
            row.put_named(
                name,
                "alike",
                f32::from(u8::from(own.style == page.cores[k].style)),
            );
        }
        row.put("title-up", current.target_distances[3].0);
        row.put("title-down", current.target_distances[3].1);
        for (siblings, name) in current.siblings.iter().zip(["family", "tags", "large-family"]) {
            row.put_all(name, SIBLING_COLUMNS, &siblings.values);
        }
        let alike = &page.by_style[own.style as usize];
        row.put("alike-share", alike.tokens / self.total);
        row.put("alike-links", alike.link_density());
        row.put("alike-lines", alike.lines);
        row.put("alike-ends", alike.ends_share());
        row.put("alike-mean", alike.mean());
        for (name, k) in LEVELS {
            let measures = &self.open[self.open.len().saturating_sub(1 + k)].measures;
            row.put_all(name, ["share", "links", "mean", "long", "ends"], measures);
        }
        let shares = current
            .mark_distances
            .map(|distance| NEARNESS[usize::from(distance)]);
        let (tag_groups, names) = shares.split_at(TAG_GROUPS.len());
        row.put_all("below", TAG_GROUPS.iter().map(|(name, _)| *name), tag_groups);
        let (groups, itemprop) = names.split_at(NAME_GROUPS.len());
        row.put_all("named", NAME_GROUPS.iter().map(|(name, _)| *name), groups);
        row.put_all("", ["itemprop"], itemprop);
    }
}

fn measures_of(sums: &Sums, total: f32) -> [f32; 5] {
    [
        sums.tokens / total,
        sums.link_density(),
        sums.mean(),
        sums.long_share(),
        sums.ends_share(),
    ]
}
