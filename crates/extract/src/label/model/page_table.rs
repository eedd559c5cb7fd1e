//! Measurements of a page that the features of its lines are computed from: two passes over its elements, one up and one down.

use std::sync::LazyLock;

use crate::analysis::blocks::block::Context;
use crate::analysis::blocks::table::BlockTable;
use crate::analysis::key_numbers::KeyNumbers;
use crate::label::extractor::PageView;
use crate::label::model::lines::{Line, lines};
use crate::label::model::name_groups::{self, NameTraits, digitless_key};
use crate::label::model::title_line::find_title_line;
use dehusk_html::tree::{AttrName, Tag};

/// Sums over the lines in an element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) tokens: f32,
    pub(crate) chars: f32,
    pub(crate) linked: f32,
    pub(crate) lines: f32,
    /// Tokens of long lines with few links.
    pub(crate) long: f32,
    /// Tokens of lines that end like sentences.
    pub(crate) ends: f32,
}

impl Sums {
    fn of(line: &Line) -> Self {
        let tokens = line.counts.tokens as f32;
        Sums {
            tokens,
            chars: line.chars as f32,
            linked: line.link_chars as f32,
            lines: 1.0,
            long: if line.counts.tokens >= 20 && line.link_density() < 0.35 {
                tokens
            } else {
                0.0
            },
            ends: if line.counts.ends { tokens } else { 0.0 },
        }
    }

    fn add(&mut self, other: &Sums) {
        self.tokens += other.tokens;
        self.chars += other.chars;
        self.linked += other.linked;
        self.lines += other.lines;
        self.long += other.long;
        self.ends += other.ends;
    }

    pub(crate) fn link_density(&self) -> f32 {
        self.linked / self.chars.max(1.0)
    }

    /// Tokens per line.
    pub(crate) fn mean(&self) -> f32 {
        self.tokens / self.lines.max(1.0)
    }

    pub(crate) fn long_share(&self) -> f32 {
        self.long / self.tokens.max(1.0)
    }

    pub(crate) fn ends_share(&self) -> f32 {
        self.ends / self.tokens.max(1.0)
    }
}

/// Groups of tags; the distance from a line up to the nearest element of each group is a feature.
pub(crate) const TAG_GROUPS: &[(&str, &[Tag])] = &[
    ("nav", &[Tag::NAV]),
    ("footer", &[Tag::FOOTER]),
    ("header", &[Tag::HEADER]),
    ("aside", &[Tag::ASIDE]),
    ("form", &[Tag::FORM, Tag::FIELDSET]),
    ("main", &[Tag::MAIN]),
    ("article", &[Tag::ARTICLE]),
    ("section", &[Tag::SECTION]),
    ("table", &[Tag::TABLE]),
    ("list", &[Tag::UL, Tag::OL, Tag::DL, Tag::MENU]),
    ("p", &[Tag::P]),
    ("quote", &[Tag::BLOCKQUOTE]),
    ("figure", &[Tag::FIGURE]),
    ("control", &[Tag::BUTTON, Tag::LABEL, Tag::SELECT, Tag::OPTION]),
    ("dialog", &[Tag::DIALOG, Tag::DETAILS]),
    ("pre", &[Tag::PRE]),
];

/// The number of no element and of no group.
pub(crate) const NONE: u32 = u32::MAX;

/// Siblings that share a style or a tag group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SiblingGroup {
    pub(crate) members: f32,
    pub(crate) sums: Sums,
}

/// Place of an element in a group of siblings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership {
    /// Number of the group, [`NONE`] if there is none.
    pub(crate) group: u32,
    /// Number of this member, from 0.
    pub(crate) ordinal: u32,
}

impl Membership {
    const NONE: Membership = Membership {
        group: NONE,
        ordinal: 0,
    };
}

/// An element that holds lines.
#[derive(Debug)]
pub(crate) struct Element {
    /// [`NONE`] at the root.
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    pub(crate) sums: Sums,
    /// Score given by the paragraphs in it, as in Readability.
    pub(crate) score: f32,
    pub(crate) groups: u32,
    pub(crate) tag_groups: u16,
    pub(crate) itemprop: bool,
    /// Whether its ARIA role tells that it is no content.
    pub(crate) side_by_role: bool,
    /// Number of its style: equal for elements with the same tags from the root and the same class and id.
    pub(crate) style: u32,
    /// Its siblings of the same style, and those of the same tag group, if there are three or more.
    pub(crate) siblings: Membership,
    pub(crate) tag_siblings: Membership,
}

impl Element {
    pub(crate) fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}

/// A run of lines that holds most of the page's text.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) share: f32,
    /// Style of the elements that hold most of its text.
    pub(crate) style: u32,
    /// The element that holds all of it.
    pub(crate) container: usize,
}

/// What is measured on the whole page before the features of its lines are written.
#[derive(Debug)]
pub(crate) struct PageTable {
    pub(crate) lines: Vec<Line>,
    pub(crate) elements: Vec<Element>,
    pub(crate) sibling_groups: Vec<SiblingGroup>,
    pub(crate) page: Sums,
    pub(crate) best: usize,
    pub(crate) cores: [Core; 2],
    /// Sums over the lines in elements of each style.
    pub(crate) by_style: Vec<Sums>,
    /// Number of each line's text, and how many lines have each text.
    pub(crate) texts: Vec<u32>,
    pub(crate) copies: Vec<u32>,
    /// The line most like the title, and their similarity.
    pub(crate) title_line: (usize, f32),
    pub(crate) first_heading: Option<usize>,
    /// What class and id of elements tell, by the number of these names.
    pub(crate) names: Vec<NameTraits>,
    /// Share of the page's text in elements with a name of each group.
    pub(crate) group_shares: Vec<f32>,
    /// Share of lines that name a sum of money.
    pub(crate) money: f32,
    /// `article` elements that hold text.
    pub(crate) articles: f32,
}

impl PageTable {
    /// `None` for a page without lines.
    pub(crate) fn new(view: &PageView<'_>) -> Option<Self> {
        let lines = lines(view.dom, view.table);
        if lines.is_empty() {
            return None;
        }
        let names: Vec<NameTraits> = view.table.all_names().map(NameTraits::of).collect();
        let mut styles = StyleSignatures::new(view.table, &names);
        let mut children = Children::new(view.table);
        let (mut elements, all_groups) = elements(view, &mut styles, &mut children);
        let mut by_style = vec![Sums::default(); styles.len()];
        sum_up(&mut elements, &mut by_style, &lines);
        let mut page = Sums::default();
        for element in elements.iter().filter(|e| e.parent == NONE) {
            page.add(&element.sums);
        }
        let sibling_groups = sibling_groups(&mut elements, &children);
        let mut best = 0;
        for (i, element) in elements.iter().enumerate() {
            if element.score > elements[best].score {
                best = i;
            }
        }
        let mut ids = KeyNumbers::new(lines.len());
        let (mut texts, mut copies) = (Vec::with_capacity(lines.len()), Vec::with_capacity(lines.len()));
        for line in &lines {
            let text = ids.id(line.counts.hash());
            texts.push(text);
            match copies.get_mut(text as usize) {
                Some(copies) => *copies += 1,
                None => copies.push(1),
            }
        }
        let total = page.tokens.max(1.0);
        let mut group_shares = vec![0.0; name_groups::NAME_GROUPS.len()];
        for line in lines.iter().filter(|line| !line.hidden) {
            let mut groups = all_groups[line.context as usize];
            while groups != 0 {
                if let Some(share) = group_shares.get_mut(groups.trailing_zeros() as usize) {
                    *share += line.counts.tokens as f32 / total;
                }
                groups &= groups - 1;
            }
        }
        let article = TAG_GROUPS
            .iter()
            .position(|(name, _)| *name == "article")
            .unwrap_or(0);
        let articles = elements
            .iter()
            .filter(|e| e.tag_groups >> article & 1 == 1)
            .count() as f32;
        let money = lines.iter().filter(|line| line.counts.money).count() as f32 / lines.len() as f32;
        let cores = [6.0, 20.0].map(|price| core(&elements, &lines, &styles, price, total));
        Some(PageTable {
            title_line: find_title_line(view, &lines),
            names,
            group_shares,
            money,
            articles,
            first_heading: lines.iter().position(|line| line.heading == 1 && !line.hidden),
            lines,
            elements,
            sibling_groups,
            page,
            best,
            cores,
            by_style,
            texts,
            copies,
        })
    }
}

/// The groups that each HTML tag belongs to, as bits.
static TAG_GROUPS_OF: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let tag_groups = |tag| {
        let tag_groups = TAG_GROUPS
            .iter()
            .enumerate()
            .filter(|(_, (_, tags))| tags.contains(&tag));
        tag_groups.fold(0, |all, (i, _)| all | 1 << i)
    };
    Tag::ALL.iter().map(|&tag| tag_groups(tag)).collect()
});

/// Numbers the styles of elements. A style is the path of tags from the root with the element's class and id, without digits, since
/// digits often number copies of one element.
struct StyleSignatures<'t> {
    table: &'t BlockTable,
    names: &'t [NameTraits],
    ids: KeyNumbers,
    /// The first context of each style.
    first: Vec<u32>,
}

impl<'t> StyleSignatures<'t> {
    fn new(table: &'t BlockTable, names: &'t [NameTraits]) -> Self {
        StyleSignatures {
            table,
            names,
            ids: KeyNumbers::new(table.contexts().len() / 4),
            first: Vec::with_capacity(table.contexts().len()),
        }
    }

    /// Number of a context's style. Of siblings that follow each other and have the same tag and names, only the first is looked up.
    fn of(&mut self, i: usize, context: &Context, previous: Option<(&Context, u32)>) -> u32 {
        if let Some((other, style)) = previous
            && (other.path_hash, other.names()) == (context.path_hash, context.names())
        {
            return style;
        }
        let key = context.path_hash ^ self.names[context.names()].digitless.rotate_left(32);
        let style = self.ids.id(key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        if style as usize == self.first.len() {
            self.first.push(i as u32);
        }
        style
    }

    fn len(&self) -> usize {
        self.first.len()
    }

    /// A hash of a style that does not depend on the other styles of the page.
    fn key(&self, style: u32) -> u64 {
        let context = &self.table.contexts()[self.first[style as usize] as usize];
        let names = self.table.names(context).bytes();
        names.fold(context.path_hash, digitless_key)
    }
}

/// The children of elements, as far as they are elements that hold lines.
struct Children {
    /// Of each element, how many it has, and the last one that was added.
    of: Vec<(u32, u32)>,
    /// Of each element, the sibling before it.
    previous: Vec<u32>,
}

impl Children {
    fn new(table: &BlockTable) -> Self {
        Children {
            of: vec![(0, NONE); table.contexts().len()],
            previous: Vec::with_capacity(table.contexts().len()),
        }
    }

    /// Adds the next element, and returns the sibling before it.
    fn add(&mut self, parent: Option<u32>) -> Option<usize> {
        let number = self.previous.len() as u32;
        let previous = parent.map_or(NONE, |parent| {
            let (children, last) = &mut self.of[parent as usize];
            *children += 1;
            std::mem::replace(last, number)
        });
        self.previous.push(previous);
        (previous != NONE).then_some(previous as usize)
    }
}

/// All elements, and for each the name groups of it and its ancestors.
fn elements(
    view: &PageView<'_>,
    styles: &mut StyleSignatures<'_>,
    children: &mut Children,
) -> (Vec<Element>, Vec<u32>) {
    let (dom, table) = (view.dom, view.table);
    let tag_groups_of = &*TAG_GROUPS_OF;
    let mut out: Vec<Element> = Vec::with_capacity(table.contexts().len());
    let mut all_groups: Vec<u32> = Vec::with_capacity(table.contexts().len());
    for (i, context) in table.contexts().iter().enumerate() {
        let (depth, groups_above) = context
            .parent
            .map_or((0, 0), |p| (out[p as usize].depth + 1, all_groups[p as usize]));
        let (mut role, mut itemprop) = (0, false);
        for attr in dom.attrs_of(context.element) {
            if attr.is(AttrName::ROLE) {
                role = name_groups::of_role(&dom.attr_value(attr));
            } else if attr.is(AttrName::ITEMPROP) {
                let value = dom.attr_value(attr);
                itemprop = value.contains("articleBody") || value == "text" || value == "description";
            }
        }
        let tag_groups = dom
            .html_tag(context.element)
            .and_then(|tag| tag_groups_of.get(tag.index()));
        let previous = children.add(context.parent);
        let previous = previous.map(|other| (&table.contexts()[other], out[other].style));
        let groups = styles.names[context.names()].groups | role;
        all_groups.push(groups | groups_above);
        out.push(Element {
            parent: context.parent.unwrap_or(NONE),
            depth,
            sums: Sums::default(),
            score: 0.0,
            groups,
            tag_groups: tag_groups.copied().unwrap_or(0),
            itemprop,
            side_by_role: name_groups::is_side_role(role),
            style: styles.of(i, context, previous),
            siblings: Membership::NONE,
            tag_siblings: Membership::NONE,
        });
    }
    (out, all_groups)
}

/// Divisors of a paragraph's score for its own element and its ancestors.
const SHARES: [f32; 6] = [1.0, 1.0, 2.0, 6.0, 9.0, 12.0];

/// Sums up the lines in elements and those of each style, and scores the elements.
fn sum_up(elements: &mut [Element], by_style: &mut [Sums], lines: &[Line]) {
    for line in lines {
        let (element, sums) = (&mut elements[line.context as usize], Sums::of(line));
        by_style[element.style as usize].add(&sums);
        if line.hidden {
            continue;
        }
        element.sums.add(&sums);
        if line.chars < 25 {
            continue;
        }
        let score = 2.0 + line.counts.commas as f32 + (line.chars as f32 / 100.0).min(3.0);
        let score = score * (1.0 - line.link_density());
        let mut at = Some(line.context as usize);
        for share in SHARES {
            let Some(i) = at else { break };
            elements[i].score += score / share;
            at = elements[i].parent();
        }
    }
    for i in (1..elements.len()).rev() {
        if let Some(parent) = elements[i].parent() {
            let sums = elements[i].sums;
            elements[parent].sums.add(&sums);
        }
    }
    for element in elements {
        element.score *= 1.0 - element.sums.link_density();
    }
}

/// Members that a group of siblings has at least.
const MIN_MEMBERS: u32 = 3;

/// Groups siblings and sets the membership of each element.
fn sibling_groups(elements: &mut [Element], children: &Children) -> Vec<SiblingGroup> {
    let mut ids = KeyNumbers::new(elements.len() / 4);
    let mut out: Vec<SiblingGroup> = Vec::new();
    for i in 0..elements.len() {
        let element = &elements[i];
        let siblings = element.parent().map_or(0, |parent| children.of[parent].0);
        if siblings < MIN_MEMBERS {
            continue;
        }
        let keys = |element: &Element| [element.style << 1, u32::from(element.tag_groups) << 1 | 1];
        // Most siblings that follow each other are of one group.
        let other = elements.get(children.previous[i] as usize);
        let others = other.map(|other| (keys(other), [other.siblings.group, other.tag_siblings.group]));
        let mut groups = [NONE; 2];
        for (k, group) in groups.iter_mut().enumerate() {
            let key = keys(element)[k];
            *group = match others {
                Some((keys, groups)) if keys[k] == key => groups[k],
                _ => ids.id(u64::from(element.parent) << 32 | u64::from(key)),
            };
            if *group as usize == out.len() {
                out.push(SiblingGroup::default());
            }
            let found = &mut out[*group as usize];
            found.members += 1.0;
            found.sums.add(&element.sums);
        }
        [elements[i].siblings, elements[i].tag_siblings] =
            groups.map(|group| Membership { group, ordinal: 0 });
    }
    let mut next = vec![0; out.len()];
    for element in elements {
        let memberships = [element.siblings, element.tag_siblings].map(|Membership { group, .. }| match out
            .get(group as usize)
        {
            Some(found) if found.members >= MIN_MEMBERS as f32 => {
                let ordinal = next[group as usize];
                next[group as usize] += 1;
                Membership { group, ordinal }
            }
            _ => Membership::NONE,
        });
        [element.siblings, element.tag_siblings] = memberships;
    }
    out
}

/// The run of lines with the highest sum: lines of text add to it, lines without much text subtract `price`.
fn core(elements: &[Element], lines: &[Line], styles: &StyleSignatures<'_>, price: f32, total: f32) -> Core {
    let (mut best, mut most) = (0..1, f32::MIN);
    let (mut start, mut sum) = (0, 0.0);
    for (i, line) in lines.iter().enumerate() {
        let weak = line.hidden || line.link_density() > 0.4 || line.counts.tokens < 6;
        let value = match (line.counts.tokens as f32).min(60.0) {
            _ if weak => -price,
            tokens if line.counts.ends => tokens - 3.0,
            tokens => tokens / 2.0 - 3.0,
        };
        if sum <= 0.0 {
            (start, sum) = (i, 0.0);
        }
        sum += value;
        if sum > most {
            (best, most) = (start..i + 1, sum);
        }
    }
    let inside = &lines[best.clone()];
    let mut tokens = vec![0.0; styles.len()];
    for line in inside {
        tokens[elements[line.context as usize].style as usize] += line.counts.tokens as f32;
    }
    let tokens_of = |style: &u32| tokens[*style as usize];
    let of_inside = || inside.iter().map(|line| elements[line.context as usize].style);
    let most = of_inside().map(|style| tokens_of(&style)).fold(0.0, f32::max);
    let mut equals: Vec<u32> = of_inside().filter(|style| tokens_of(style) == most).collect();
    equals.sort_unstable();
    equals.dedup();
    let style = match *equals.as_slice() {
        [style] => style,
        // Of styles with equally many tokens the one with the greatest key is taken.
        _ => equals
            .into_iter()
            .max_by_key(|&style| styles.key(style))
            .unwrap_or(0),
    };
    let mut container = None;
    let mut known = None;
    for line in inside.iter().map(|line| line.context as usize) {
        if known.replace(line) != Some(line) {
            container = Some(container.map_or(line, |at| common_ancestor(elements, at, line)));
        }
    }
    Core {
        share: inside.iter().map(|line| line.counts.tokens as f32).sum::<f32>() / total,
        start: best.start,
        end: best.end,
        style,
        container: container.unwrap_or(0),
    }
}

/// The innermost element that holds both `a` and `b`; the smaller of their roots if there is none.
fn common_ancestor(elements: &[Element], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let (up, other) = if elements[a].depth >= elements[b].depth {
            (&mut a, b)
        } else {
            (&mut b, a)
        };
        match elements[*up].parent() {
            Some(parent) => *up = parent,
            None => return other.min(*up),
        }
    }
    a
}
