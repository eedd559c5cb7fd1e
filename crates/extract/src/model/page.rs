//! What the features of all lines of a page rest on, computed once: two passes over the elements above lines, one up and one
//! down.

use std::collections::BTreeMap;

use super::names;
use super::unit::{Unit, units};
use crate::dom::Tag;
use crate::extractor::View;

/// Sums over the lines below an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) tokens: f32,
    pub(super) chars: f32,
    pub(super) linked: f32,
    pub(super) units: f32,
    /// Tokens of long lines with few links.
    pub(super) long: f32,
    /// Tokens of lines that end like sentences.
    pub(super) ends: f32,
}

impl Sums {
    fn of(unit: &Unit) -> Self {
        let tokens = unit.tokens as f32;
        Sums {
            tokens,
            chars: unit.chars as f32,
            linked: unit.link_chars as f32,
            units: 1.0,
            long: if unit.tokens >= 20 && unit.link_density() < 0.35 {
                tokens
            } else {
                0.0
            },
            ends: if unit.ends { tokens } else { 0.0 },
        }
    }

    fn add(&mut self, other: &Sums) {
        self.tokens += other.tokens;
        self.chars += other.chars;
        self.linked += other.linked;
        self.units += other.units;
        self.long += other.long;
        self.ends += other.ends;
    }

    pub(super) fn link_density(&self) -> f32 {
        self.linked / self.chars.max(1.0)
    }

    /// Tokens a line.
    pub(super) fn mean(&self) -> f32 {
        self.tokens / self.units.max(1.0)
    }

    pub(super) fn long_share(&self) -> f32 {
        self.long / self.tokens.max(1.0)
    }

    pub(super) fn ends_share(&self) -> f32 {
        self.ends / self.tokens.max(1.0)
    }
}

/// Elements whose distance above a line is a feature.
pub(super) const MARKS: &[(&str, &[Tag])] = &[
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

/// A group of siblings that look alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    pub(super) members: f32,
    pub(super) sums: Sums,
    /// Number of this member, from 0.
    pub(super) ordinal: f32,
    /// Its tokens.
    pub(super) own: f32,
}

/// One element above some line.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) parent: Option<usize>,
    pub(super) depth: u32,
    pub(super) sums: Sums,
    /// What paragraphs below give, as in Readability.
    pub(super) score: f32,
    pub(super) groups: u32,
    /// Groups of this element and those above.
    pub(super) all_groups: u32,
    pub(super) marks: u32,
    pub(super) itemprop: bool,
    /// Hash of tags and classes from the root: equal for elements that look alike.
    pub(super) look: u64,
    /// Siblings with the same tag and classes, and with the same tag, if there are three or more.
    pub(super) family: Option<Family>,
    pub(super) tag_family: Option<Family>,
}

/// Two runs of lines that hold most of the page's text, for two prices of a weak line between.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) share: f32,
    /// Look of the elements that hold most of its text.
    pub(super) look: u64,
    /// The element that holds all of it, and those above.
    pub(super) chain: Vec<usize>,
}

/// Everything that is known of a page before its lines are looked at one by one.
#[derive(Debug)]
pub(super) struct PageTable {
    pub(super) units: Vec<Unit>,
    pub(super) elements: Vec<Element>,
    pub(super) page: Sums,
    pub(super) best: usize,
    pub(super) best_chain: Vec<usize>,
    pub(super) cores: [Core; 2],
    /// Lines under elements of the same look.
    pub(super) by_look: BTreeMap<u64, Sums>,
    /// Lines with the same text.
    pub(super) copies: BTreeMap<u64, u32>,
    /// The line most like the title, and how like.
    pub(super) anchor: (usize, f32),
    /// Elements above that line, the innermost first.
    pub(super) anchor_chain: Vec<usize>,
    pub(super) first_heading: Option<usize>,
    /// Share of the page's text below names of each group.
    pub(super) named: Vec<f32>,
    /// Share of lines that name a sum of money.
    pub(super) money: f32,
    /// `article` elements that hold text.
    pub(super) articles: f32,
}

impl PageTable {
    /// `None` for a page without lines.
    pub(super) fn new(view: &View<'_>) -> Option<Self> {
        let units = units(view.dom, view.table);
        if units.is_empty() {
            return None;
        }
        let mut elements = elements(view);
        gather(&mut elements, &units);
        let mut page = Sums::default();
        for element in elements.iter().filter(|e| e.parent.is_none()) {
            page.add(&element.sums);
        }
        families(&mut elements);
        let mut best = 0;
        for (i, element) in elements.iter().enumerate() {
            if element.score > elements[best].score {
                best = i;
            }
        }
        let (mut by_look, mut copies) = (BTreeMap::<u64, Sums>::new(), BTreeMap::new());
        for unit in &units {
            by_look
                .entry(elements[unit.context as usize].look)
                .or_default()
                .add(&Sums::of(unit));
            *copies.entry(unit.hash).or_default() += 1;
        }
        let total = page.tokens.max(1.0);
        let mut named = vec![0.0; names::GROUPS.len()];
        for unit in units.iter().filter(|u| !u.hidden) {
            let groups = elements[unit.context as usize].all_groups;
            for (k, share) in named.iter_mut().enumerate() {
                *share += (groups >> k & 1) as f32 * unit.tokens as f32 / total;
            }
        }
        let article = MARKS.iter().position(|(name, _)| *name == "article").unwrap_or(0);
        let articles = elements.iter().filter(|e| e.marks >> article & 1 == 1).count() as f32;
        let money = units.iter().filter(|u| u.money).count() as f32 / units.len() as f32;
        let anchor = anchor(view, &units);
        let cores = [6.0, 20.0].map(|price| core(&elements, &units, price, total));
        Some(PageTable {
            best_chain: chain(&elements, best),
            anchor,
            anchor_chain: chain(&elements, units[anchor.0].context as usize),
            named,
            money,
            articles,
            first_heading: units.iter().position(|u| u.heading == 1 && !u.hidden),
            units,
            elements,
            page,
            best,
            cores,
            by_look,
            copies,
        })
    }

    /// An element and those above it, the innermost first.
    pub(super) fn chain(&self, from: usize) -> Vec<usize> {
        chain(&self.elements, from)
    }
}

fn elements(view: &View<'_>) -> Vec<Element> {
    let (dom, table) = (view.dom, view.table);
    let mut out: Vec<Element> = Vec::with_capacity(table.contexts().len());
    for context in table.contexts() {
        let parent = context.parent.map(|p| p as usize);
        let tag = dom.html_tag(context.element);
        let names = table.names(context);
        let (mut role, mut itemprop) = (None, false);
        for (name, value) in dom.attributes(context.element) {
            if name.eq_ignore_ascii_case("role") {
                role = Some(value);
            } else if name.eq_ignore_ascii_case("itemprop") {
                itemprop = value.contains("articleBody") || value == "text" || value == "description";
            }
        }
        let mut marks = 0;
        for (i, (_, tags)) in MARKS.iter().enumerate() {
            if tag.is_some_and(|t| tags.contains(&t)) {
                marks |= 1 << i;
            }
        }
        // Numbers tell copies of an element apart; what stands before them is common to all.
        let mut look = context.path_hash;
        for byte in names.bytes().filter(|b| !b.is_ascii_digit()) {
            look = (look ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let groups = names::groups(names, role.as_deref());
        out.push(Element {
            parent,
            all_groups: groups | parent.map_or(0, |p| out[p].all_groups),
            depth: parent.map_or(0, |p| out[p].depth + 1),
            sums: Sums::default(),
            score: 0.0,
            groups,
            marks,
            itemprop,
            look,
            family: None,
            tag_family: None,
        });
    }
    out
}

/// Shares of a paragraph's score that its own element and those above receive.
const SHARES: [f32; 6] = [1.0, 1.0, 2.0, 6.0, 9.0, 12.0];

fn gather(elements: &mut [Element], units: &[Unit]) {
    for unit in units.iter().filter(|u| !u.hidden) {
        elements[unit.context as usize].sums.add(&Sums::of(unit));
        if unit.chars < 25 {
            continue;
        }
        let score = 2.0 + unit.commas as f32 + (unit.chars as f32 / 100.0).min(3.0);
        let score = score * (1.0 - unit.link_density());
        let mut at = Some(unit.context as usize);
        for share in SHARES {
            let Some(i) = at else { break };
            elements[i].score += score / share;
            at = elements[i].parent;
        }
    }
    for i in (1..elements.len()).rev() {
        if let Some(parent) = elements[i].parent {
            let sums = elements[i].sums;
            elements[parent].sums.add(&sums);
        }
    }
    for element in elements {
        element.score *= 1.0 - element.sums.link_density();
    }
}

fn families(elements: &mut [Element]) {
    let mut by_look: BTreeMap<(usize, u64), Vec<usize>> = BTreeMap::new();
    let mut by_marks: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
    for (i, element) in elements.iter().enumerate() {
        if let Some(parent) = element.parent {
            by_look.entry((parent, element.look)).or_default().push(i);
            by_marks.entry((parent, element.marks)).or_default().push(i);
        }
    }
    let family = |elements: &[Element], members: &[usize]| {
        let mut sums = Sums::default();
        for &m in members {
            sums.add(&elements[m].sums);
        }
        Family {
            members: members.len() as f32,
            sums,
            ordinal: 0.0,
            own: 0.0,
        }
    };
    for members in by_look.values().filter(|m| m.len() >= 3) {
        let found = family(elements, members);
        for (k, &m) in members.iter().enumerate() {
            elements[m].family = Some(Family {
                ordinal: k as f32,
                own: elements[m].sums.tokens,
                ..found
            });
        }
    }
    for members in by_marks.values().filter(|m| m.len() >= 3) {
        let found = family(elements, members);
        for (k, &m) in members.iter().enumerate() {
            elements[m].tag_family = Some(Family {
                ordinal: k as f32,
                own: elements[m].sums.tokens,
                ..found
            });
        }
    }
}

fn chain(elements: &[Element], from: usize) -> Vec<usize> {
    std::iter::successors(Some(from), |&i| elements[i].parent).collect()
}

/// The run of lines with the highest sum of text, each weak line costing `price`.
fn core(elements: &[Element], units: &[Unit], price: f32, total: f32) -> Core {
    let (mut best, mut most) = (0..1, f32::MIN);
    let (mut start, mut sum) = (0, 0.0);
    for (i, unit) in units.iter().enumerate() {
        let weak = unit.hidden || unit.link_density() > 0.4 || unit.tokens < 6;
        let value = match (unit.tokens as f32).min(60.0) {
            _ if weak => -price,
            tokens if unit.ends => tokens - 3.0,
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
    let inside = &units[best.clone()];
    let mut looks: BTreeMap<u64, f32> = BTreeMap::new();
    for unit in inside {
        *looks.entry(elements[unit.context as usize].look).or_default() += unit.tokens as f32;
    }
    let look = looks
        .iter()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(look, _)| *look);
    let container = inside.iter().fold(None, |at: Option<usize>, unit| {
        let other = unit.context as usize;
        Some(at.map_or(other, |at| common(elements, at, other)))
    });
    Core {
        share: inside.iter().map(|u| u.tokens as f32).sum::<f32>() / total,
        start: best.start,
        end: best.end,
        look,
        chain: chain(elements, container.unwrap_or(0)),
    }
}

/// The innermost element that holds both; the outermost of the first if there is none.
fn common(elements: &[Element], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let (up, other) = if elements[a].depth >= elements[b].depth {
            (&mut a, b)
        } else {
            (&mut b, a)
        };
        match elements[*up].parent {
            Some(parent) => *up = parent,
            None => return other.min(*up),
        }
    }
    a
}

fn anchor(view: &View<'_>, units: &[Unit]) -> (usize, f32) {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let title = words(view.title.unwrap_or(""));
    let mut best = (0, 0.0);
    if title.is_empty() || title.len() > 100 {
        return best;
    }
    for (i, unit) in units.iter().enumerate() {
        if unit.hidden || unit.tokens > 3 * title.len() as u32 + 10 || unit.chars > 400 {
            continue;
        }
        let mut own = Vec::new();
        for block in &view.table.blocks()[unit.blocks.clone()] {
            own.extend(words(view.table.text(block)));
        }
        let shared = own.iter().filter(|w| title.contains(w)).count() as f32;
        let alike =
            2.0 * shared / (own.len() + title.len()) as f32 + if unit.heading > 0 { 0.1 } else { 0.0 };
        if alike > best.1 + 1e-6 {
            best = (i, alike);
        }
    }
    best
}
