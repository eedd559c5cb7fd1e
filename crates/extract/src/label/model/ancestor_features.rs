//! Features of the elements above a line.
//!
//! Most of these features are inherited: the distance to the nearest mark of a kind is 0 if the element itself has the mark, and
//! otherwise one more than the distance of its parent. Each element is therefore visited once, at the first line below it. For each kind
//! of mark, the depth of the innermost open element with that mark is kept, so that elements without marks cost nothing.

use dehusk_html::narrow;

use crate::label::model::name_groups::NAME_GROUPS;
use crate::label::model::page_table::{Element, Membership, NONE, PageTable, SiblingGroup, TAG_GROUPS};
use crate::label::model::row::Row;

/// Kinds of marks whose nearest distance is a feature: tags, groups of names, and `itemprop`.
const MARK_KINDS: usize = TAG_GROUPS.len() + NAME_GROUPS.len() + 1;

/// Elements to which the distance of each line is a feature: the element with the highest score, the containers of the two cores, and the
/// element of the title line.
const TARGETS: usize = 4;

/// Ancestors that are described by features: the prefix of the feature names, and the number of steps up from the line's own element.
pub(crate) const LEVELS: [(&str, usize); 6] = [
    ("in", 0),
    ("in1", 1),
    ("in2", 2),
    ("in3", 3),
    ("in5", 5),
    ("in8", 8),
];

/// Initial capacity for open elements.
const USUAL_DEPTH: usize = 32;

/// Distances are capped at this value: all marks farther away look the same.
const MAX_DISTANCE: f32 = 254.0;

/// An element that contains the current line.
#[derive(Clone, Copy)]
struct OpenElement {
    element: u32,
    /// Highest score of the element and its ancestors.
    score: f32,
}

impl OpenElement {
    const NONE: OpenElement = OpenElement {
        element: NONE,
        score: 0.0,
    };
}

/// The mark depth that an element replaced when it was opened. It is restored when the element is closed.
struct Covered {
    /// Depth of the element that replaced the mark.
    depth: u32,
    kind: u8,
    /// Depth of the innermost element with this mark before.
    before: f32,
}

/// A group of siblings that an open element belongs to.
#[derive(Clone, Copy)]
struct OpenGroup {
    group: u32,
    /// Depth of the member element.
    depth: u32,
    /// Tokens of the group.
    tokens: f32,
    /// Index of the element in the group, from 0. `own`: tokens of the element relative to the mean of the group's members.
    ordinal: f32,
    own: f32,
}

impl OpenGroup {
    #[inline]
    fn of(page: &PageTable, element: &Element, membership: Membership) -> Option<OpenGroup> {
        let group = page.siblings(membership)?;
        Some(OpenGroup {
            group: membership.group,
            depth: element.depth,
            tokens: group.sums.tokens,
            ordinal: membership.ordinal,
            own: element.sums.tokens * group.members / group.sums.tokens.max(1.0),
        })
    }
}

/// Features of a sibling group above a line. They are equal for all members of the group.
struct GroupColumns {
    /// Values in the order of [`GROUP_SIZE`].
    size: [f32; GROUP_SIZE.len()],
    /// Values in the order of [`GROUP_TEXT`].
    text: [f32; GROUP_TEXT.len()],
}

/// Names of the columns of [`GroupColumns::size`].
const GROUP_SIZE: [&str; 2] = ["members", "tokens"];

/// Names of the columns of [`GroupColumns::text`].
const GROUP_TEXT: [&str; 4] = ["links", "ends", "share", "long"];

impl GroupColumns {
    /// Values for a line without a sibling group.
    const NONE: GroupColumns = GroupColumns {
        size: [0.0, -1.0],
        text: [-1.0; GROUP_TEXT.len()],
    };

    fn of(group: &SiblingGroup, total: f32) -> GroupColumns {
        let SiblingGroup { members, sums } = group;
        GroupColumns {
            size: [*members, sums.tokens / members],
            text: [
                sums.link_density(),
                sums.ends_share(),
                sums.tokens / total,
                sums.long_share(),
            ],
        }
    }
}

/// Writes the features of the elements that hold the current line.
pub(crate) struct AncestorFeatures<'p> {
    page: &'p PageTable,
    total: f32,
    best_score: f32,
    /// Per element: bit `k` is set if the element is or contains target `k`.
    holds_targets: Vec<u8>,
    /// Depth of each target. `on_path[k]`: number of open elements on the path from the root to target `k`.
    target_depths: [u32; TARGETS],
    on_path: [u32; TARGETS],
    open: Vec<OpenElement>,
    /// Depth of the innermost open element with a mark of each kind; -infinity if absent.
    marks: [f32; MARK_KINDS],
    covered: Vec<Covered>,
    /// Sibling groups of the open elements, innermost last. Three stacks: groups of one style, groups of one tag set, and groups of one
    /// style with at least as many tokens as every group below them in the stack.
    siblings: [Vec<OpenGroup>; 3],
    /// Columns per sibling group; [`GroupColumns::NONE`] for groups with too few members.
    group_columns: Vec<GroupColumns>,
}

impl<'p> AncestorFeatures<'p> {
    pub(crate) fn new(page: &'p PageTable) -> Self {
        let title_line = page.lines[page.title_line.0].context as usize;
        let targets = [
            page.best,
            page.cores[0].container,
            page.cores[1].container,
            title_line,
        ];
        // Each target sets its bit for itself and for all its ancestors.
        let mut holds_targets = vec![0; page.elements.len()];
        for (k, target) in targets.into_iter().enumerate() {
            let up = std::iter::successors(Some(target), |&e| page.elements[e].parent());
            up.for_each(|e| holds_targets[e] |= 1 << k);
        }
        let total = page.page.tokens.max(1.0);
        let of_group = |group: &SiblingGroup| match group.has_enough() {
            true => GroupColumns::of(group, total),
            false => GroupColumns::NONE,
        };
        AncestorFeatures {
            page,
            total,
            best_score: page.elements[page.best].score.max(1.0),
            holds_targets,
            target_depths: targets.map(|target| page.elements[target].depth),
            on_path: [0; TARGETS],
            open: Vec::with_capacity(USUAL_DEPTH),
            marks: [f32::NEG_INFINITY; MARK_KINDS],
            covered: Vec::with_capacity(USUAL_DEPTH),
            siblings: std::array::from_fn(|_| Vec::with_capacity(USUAL_DEPTH / 2)),
            group_columns: page.sibling_groups.iter().map(of_group).collect(),
        }
    }

    /// Closes and opens elements until `context` is the innermost open element.
    ///
    /// The stored values are loaded as vectors by [`put`](Self::put). Such a load stalls while narrower stores to the same bytes are
    /// pending, so write other features between the two calls.
    #[inline]
    pub(crate) fn move_to(&mut self, context: usize) {
        let elements = &self.page.elements;
        let (before, mut stay) = (self.open.len(), elements[context].depth as usize + 1);
        // Entries of the previous path up to this depth are compared below; deeper ones are cut off.
        self.open.resize(stay, OpenElement::NONE);
        // From the innermost element outwards, up to the first one that is already open. Afterwards `stay` is
        // the number of elements that both paths share.
        let mut at = narrow::to_u32(context);
        for open in self.open.iter_mut().rev() {
            if open.element == at {
                break;
            }
            open.element = at;
            at = elements[at as usize].parent;
            stay -= 1;
        }
        if stay < before {
            self.close(stay);
        }
        // Outermost first: each element takes over the highest score of the elements around it.
        for depth in stay..self.open.len() {
            self.open_element(depth);
        }
    }

    /// Restores the state from before the elements at depth `stay` and deeper were opened.
    fn close(&mut self, stay: usize) {
        let is_open = |depth: u32| (depth as usize) < stay;
        while let Some(covered) = self.covered.pop_if(|covered| !is_open(covered.depth)) {
            self.marks[usize::from(covered.kind)] = covered.before;
        }
        for siblings in &mut self.siblings {
            while siblings.pop_if(|group| !is_open(group.depth)).is_some() {}
        }
        for on_path in &mut self.on_path {
            *on_path = (*on_path).min(narrow::to_u32(stay));
        }
    }

    /// Opens the element at a depth: updates its score, the paths to the targets, the marks and the stacks of
    /// sibling groups.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "one of 64 bits has a number of one byte"
    )]
    fn open_element(&mut self, depth: usize) {
        let number = self.open[depth].element;
        let (page, element) = (self.page, &self.page.elements[number as usize]);
        let above = depth.checked_sub(1).map_or(0.0, |above| self.open[above].score);
        self.open[depth].score = element.score.max(above);
        let depth = element.depth;
        let holds = self.holds_targets[number as usize];
        if holds != 0 {
            for (k, on_path) in self.on_path.iter_mut().enumerate() {
                *on_path = if holds >> k & 1 == 1 { depth + 1 } else { *on_path };
            }
        }
        // One bit per kind of mark, in the order of `marks`: tag groups, name groups, `itemprop`.
        let mut kinds = u64::from(element.tag_groups)
            | u64::from(element.groups) << TAG_GROUPS.len()
            | u64::from(element.itemprop) << (TAG_GROUPS.len() + NAME_GROUPS.len());
        while kinds != 0 {
            let kind = kinds.trailing_zeros();
            kinds &= kinds - 1;
            let mark = &mut self.marks[kind as usize];
            self.covered.push(Covered {
                depth,
                kind: kind as u8,
                before: *mark,
            });
            *mark = depth as f32;
        }
        let [styles, marks, largest] = &mut self.siblings;
        if let Some(siblings) = OpenGroup::of(page, element, element.siblings) {
            styles.push(siblings);
            // Smaller groups are skipped, so that the top of the stack is the largest of all open groups.
            if largest.last().is_none_or(|last| siblings.tokens >= last.tokens) {
                largest.push(siblings);
            }
        }
        if let Some(siblings) = OpenGroup::of(page, element, element.tag_siblings) {
            marks.push(siblings);
        }
    }

    /// Writes the features of a line whose element is `context`. The element must be the innermost open one.
    #[inline(always)]
    pub(crate) fn put(&self, row: &mut impl Row, context: usize) {
        let (page, own) = (self.page, &self.page.elements[context]);
        let Some(current) = self.open.last() else {
            debug_assert!(false, "the element of a line is open");
            return;
        };
        let depth = own.depth as f32;
        // Steps up to the innermost common ancestor with each target, and from there down to the target.
        let targets: [_; TARGETS] = std::array::from_fn(|k| {
            let (on_path, length) = (self.on_path[k], self.target_depths[k] + 1);
            (depth + 1.0 - on_path as f32, (length - on_path) as f32)
        });
        row.put("depth", own.depth.min(60) as f32);
        row.put("score-best-above", current.score / self.best_score);
        row.put("score", own.score / self.best_score);
        row.flag("score-inside", targets[0].1 == 0.0);
        row.put("score-up", targets[0].0);
        row.put("score-down", targets[0].1);
        for (k, name) in ["core", "wide-core"].into_iter().enumerate() {
            row.put_named(name, "up", targets[k + 1].0);
            row.put_named(name, "down", targets[k + 1].1);
            row.put_named(
                name,
                "alike",
                f32::from(u8::from(own.style == page.cores[k].style)),
            );
        }
        row.put("title-up", targets[3].0);
        row.put("title-down", targets[3].1);
        for (siblings, name) in self.siblings.iter().zip(["family", "tags", "large-family"]) {
            let (up, ordinal, share, group) =
                siblings
                    .last()
                    .map_or((-1.0, -1.0, -1.0, &GroupColumns::NONE), |siblings| {
                        let up = (own.depth - siblings.depth) as f32;
                        let group = &self.group_columns[siblings.group as usize];
                        (up, siblings.ordinal, siblings.own, group)
                    });
            row.put_named(name, "up", up);
            row.put_all(name, GROUP_SIZE, &group.size);
            row.put_named(name, "ordinal", ordinal);
            row.put_named(name, "own", share);
            row.put_all(name, GROUP_TEXT, &group.text);
        }
        let alike = &page.by_style[own.style as usize];
        row.put("alike-share", alike.tokens / self.total);
        row.put("alike-links", alike.link_density());
        row.put("alike-lines", alike.lines);
        row.put("alike-ends", alike.ends_share());
        row.put("alike-mean", alike.mean());
        for (name, k) in LEVELS {
            // Near the root, the outermost element stands in for levels that do not exist.
            let open = &self.open[self.open.len().saturating_sub(1 + k)];
            let measures = &page.elements[open.element as usize].measures;
            row.put_all(name, ["share", "links", "mean", "long", "ends"], measures);
        }
        // 1 if the element itself has the mark, less for marks of ancestors, 0 if absent.
        let mut shares = [0.0; MARK_KINDS];
        for (share, mark) in shares.iter_mut().zip(&self.marks) {
            // Infinite if no open element has the mark.
            let steps = depth - mark;
            let nearness = 1.0 / (1.0 + if steps < MAX_DISTANCE { steps } else { MAX_DISTANCE });
            *share = if steps == f32::INFINITY { 0.0 } else { nearness };
        }
        let (tag_groups, names) = shares.split_at(TAG_GROUPS.len());
        row.put_all("below", TAG_GROUPS.iter().map(|(name, _)| *name), tag_groups);
        let (groups, itemprop) = names.split_at(NAME_GROUPS.len());
        row.put_all("named", NAME_GROUPS.iter().map(|(name, _)| *name), groups);
        row.put_all("", ["itemprop"], itemprop);
    }
}
