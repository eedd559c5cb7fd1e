//! What the features of all lines of a page rest on, computed once: two passes over the elements above lines, one up and one
//! down.

use std::sync::LazyLock;

use super::names;
use super::title::anchor;
use super::unit::{Unit, units};
use crate::analysis::blocks::{BlockTable, Context};
use crate::analysis::ids::Ids;
use crate::label::extractor::PageView;
use dehusk_html::tree::Tag;

/// Sums over the lines below an element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) tokens: f32,
    pub(crate) chars: f32,
    pub(crate) linked: f32,
    pub(crate) units: f32,
    /// Tokens of long lines with few links.
    pub(crate) long: f32,
    /// Tokens of lines that end like sentences.
    pub(crate) ends: f32,
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

    pub(crate) fn link_density(&self) -> f32 {
        self.linked / self.chars.max(1.0)
    }

    /// Tokens a line.
    pub(crate) fn mean(&self) -> f32 {
        self.tokens / self.units.max(1.0)
    }

    pub(crate) fn long_share(&self) -> f32 {
        self.long / self.tokens.max(1.0)
    }

    pub(crate) fn ends_share(&self) -> f32 {
        self.ends / self.tokens.max(1.0)
    }
}

/// Elements whose distance above a line is a feature.
pub(crate) const MARKS: &[(&str, &[Tag])] = &[
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

/// No element, no family.
pub(crate) const NONE: u32 = u32::MAX;

/// A group of siblings that look alike.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Family {
    pub(crate) members: f32,
    pub(crate) sums: Sums,
}

/// Where an element stands in a family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Membership {
    /// Number of the family, [`NONE`] if there is none.
    pub(crate) family: u32,
    /// Number of this member, from 0.
    pub(crate) ordinal: u32,
}

impl Membership {
    const NONE: Membership = Membership {
        family: NONE,
        ordinal: 0,
    };
}

/// One element above some line.
#[derive(Debug)]
pub(crate) struct Element {
    /// [`NONE`] at the root.
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    pub(crate) sums: Sums,
    /// What paragraphs below give, as in Readability.
    pub(crate) score: f32,
    pub(crate) groups: u32,
    pub(crate) marks: u16,
    pub(crate) itemprop: bool,
    side_by_role: bool,
    /// Number of its look: equal for elements with the same tags from the root and the same names.
    pub(crate) look: u32,
    /// Siblings of the same look, and with the same marks, if there are three or more.
    pub(crate) family: Membership,
    pub(crate) tag_family: Membership,
}

impl Element {
    /// Whether its role says that it is no content.
    pub(crate) fn is_side_by_role(&self) -> bool {
        self.side_by_role
    }

    pub(crate) fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}

/// Two runs of lines that hold most of the page's text, for two prices of a weak line between.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) share: f32,
    /// Look of the elements that hold most of its text.
    pub(crate) look: u32,
    /// The element that holds all of it.
    pub(crate) container: usize,
}

/// Everything that is known of a page before its lines are looked at one by one.
#[derive(Debug)]
pub(crate) struct PageTable {
    pub(crate) units: Vec<Unit>,
    pub(crate) elements: Vec<Element>,
    pub(crate) families: Vec<Family>,
    pub(crate) page: Sums,
    pub(crate) best: usize,
    pub(crate) cores: [Core; 2],
    /// Lines under elements of each look.
    pub(crate) by_look: Vec<Sums>,
    /// Number of each line's text, and how many lines have it.
    pub(crate) texts: Vec<u32>,
    pub(crate) copies: Vec<u32>,
    /// The line most like the title, and how like.
    pub(crate) anchor: (usize, f32),
    pub(crate) first_heading: Option<usize>,
    /// Share of the page's text below names of each group.
    pub(crate) named: Vec<f32>,
    /// Share of lines that name a sum of money.
    pub(crate) money: f32,
    /// `article` elements that hold text.
    pub(crate) articles: f32,
}

impl PageTable {
    /// The lines; all else is forgotten.
    pub(crate) fn units_alone(self) -> Vec<Unit> {
        self.units
    }

    /// `None` for a page without lines.
    pub(crate) fn new(view: &PageView<'_>) -> Option<Self> {
        let units = units(view.dom, view.table);
        if units.is_empty() {
            return None;
        }
        let mut looks = Looks::new(view.table);
        let (mut elements, all_groups) = elements(view, &mut looks);
        gather(&mut elements, &units);
        let mut page = Sums::default();
        for element in elements.iter().filter(|e| e.parent == NONE) {
            page.add(&element.sums);
        }
        let families = families(&mut elements);
        let mut best = 0;
        for (i, element) in elements.iter().enumerate() {
            if element.score > elements[best].score {
                best = i;
            }
        }
        let mut by_look = vec![Sums::default(); looks.len()];
        let mut ids = Ids::new(units.len());
        let (mut texts, mut copies) = (Vec::with_capacity(units.len()), Vec::new());
        for unit in &units {
            by_look[elements[unit.context as usize].look as usize].add(&Sums::of(unit));
            let text = ids.id(unit.hash);
            texts.push(text);
            copies.resize(ids.len(), 0);
            copies[text as usize] += 1;
        }
        let total = page.tokens.max(1.0);
        let mut named = vec![0.0; names::GROUPS.len()];
        for unit in units.iter().filter(|u| !u.hidden) {
            let mut groups = all_groups[unit.context as usize];
            while groups != 0 {
                if let Some(share) = named.get_mut(groups.trailing_zeros() as usize) {
                    *share += unit.tokens as f32 / total;
                }
                groups &= groups - 1;
            }
        }
        let article = MARKS.iter().position(|(name, _)| *name == "article").unwrap_or(0);
        let articles = elements.iter().filter(|e| e.marks >> article & 1 == 1).count() as f32;
        let money = units.iter().filter(|u| u.money).count() as f32 / units.len() as f32;
        let cores = [6.0, 20.0].map(|price| core(&elements, &units, &looks, price, total));
        Some(PageTable {
            anchor: anchor(view, &units),
            named,
            money,
            articles,
            first_heading: units.iter().position(|u| u.heading == 1 && !u.hidden),
            units,
            elements,
            families,
            page,
            best,
            cores,
            by_look,
            texts,
            copies,
        })
    }
}

/// The marks of each HTML tag.
static MARKS_OF: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let marks = |tag| {
        let marks = MARKS
            .iter()
            .enumerate()
            .filter(|(_, (_, tags))| tags.contains(&tag));
        marks.fold(0, |all, (i, _)| all | 1 << i)
    };
    Tag::all().map(marks).collect()
});

/// How elements look: their tags from the root, class and id. Numbers in class and id tell copies of an element apart; what
/// stands around them is common to all.
struct Looks<'t> {
    table: &'t BlockTable,
    ids: Ids,
    /// A key of the different names, digits left out.
    bare: Vec<u64>,
    /// The first context of each look.
    first: Vec<u32>,
}

impl<'t> Looks<'t> {
    fn new(table: &'t BlockTable) -> Self {
        Looks {
            table,
            ids: Ids::new(table.contexts().len()),
            bare: table.all_names().map(|names| bare_key(0, names)).collect(),
            first: Vec::new(),
        }
    }

    /// Number of a context's look.
    fn of(&mut self, i: usize, context: &Context) -> u32 {
        let key = context.path_hash ^ self.bare[context.names()].rotate_left(32);
        let look = self.ids.id(key.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        if look as usize == self.first.len() {
            self.first.push(i as u32);
        }
        look
    }

    fn len(&self) -> usize {
        self.first.len()
    }

    /// A number for a look that no other on the page has anything to do with.
    fn key(&self, look: u32) -> u64 {
        let context = &self.table.contexts()[self.first[look as usize] as usize];
        bare_key(context.path_hash, self.table.names(context))
    }
}

fn bare_key(before: u64, names: &str) -> u64 {
    let letters = names.bytes().filter(|byte| !byte.is_ascii_digit());
    letters.fold(before, |key, byte| {
        (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// All elements, and the groups of each and those above.
fn elements(view: &PageView<'_>, looks: &mut Looks<'_>) -> (Vec<Element>, Vec<u32>) {
    let (dom, table) = (view.dom, view.table);
    let marks_of = &*MARKS_OF;
    let groups_of: Vec<u32> = table.all_names().map(names::groups).collect();
    let mut out: Vec<Element> = Vec::with_capacity(table.contexts().len());
    let mut all_groups: Vec<u32> = Vec::with_capacity(table.contexts().len());
    for (i, context) in table.contexts().iter().enumerate() {
        let (depth, groups_above) = context
            .parent
            .map_or((0, 0), |p| (out[p as usize].depth + 1, all_groups[p as usize]));
        let (mut role, mut itemprop) = (0, false);
        for attr in dom.attrs_of(context.element) {
            match attr.name_len() {
                4 if dom.is_named(attr, "role") => role = names::of_role(&dom.attr_value(attr)),
                8 if dom.is_named(attr, "itemprop") => {
                    let value = dom.attr_value(attr);
                    itemprop = value.contains("articleBody") || value == "text" || value == "description";
                }
                _ => {}
            }
        }
        let marks = dom
            .html_tag(context.element)
            .and_then(|tag| marks_of.get(tag.index()));
        let groups = groups_of[context.names()] | role;
        all_groups.push(groups | groups_above);
        out.push(Element {
            parent: context.parent.unwrap_or(NONE),
            depth,
            sums: Sums::default(),
            score: 0.0,
            groups,
            marks: marks.copied().unwrap_or(0),
            itemprop,
            side_by_role: names::is_side_role(role),
            look: looks.of(i, context),
            family: Membership::NONE,
            tag_family: Membership::NONE,
        });
    }
    (out, all_groups)
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

/// Finds the families of all elements, and tells their members.
fn families(elements: &mut [Element]) -> Vec<Family> {
    let mut ids = Ids::new(2 * elements.len());
    let mut out: Vec<Family> = Vec::new();
    for element in elements.iter_mut() {
        let keys = [element.look << 1, u32::from(element.marks) << 1 | 1];
        let memberships = keys.map(|key| {
            if element.parent == NONE {
                return Membership::NONE;
            }
            let id = ids.id(u64::from(element.parent) << 32 | u64::from(key));
            out.resize(ids.len(), Family::default());
            let family = &mut out[id as usize];
            family.members += 1.0;
            family.sums.add(&element.sums);
            Membership {
                family: id,
                ordinal: 0,
            }
        });
        [element.family, element.tag_family] = memberships;
    }
    let mut next = vec![0; out.len()];
    for element in elements {
        let memberships = [element.family, element.tag_family].map(|Membership { family, .. }| {
            match out.get(family as usize) {
                Some(found) if found.members >= 3.0 => {
                    let ordinal = next[family as usize];
                    next[family as usize] += 1;
                    Membership { family, ordinal }
                }
                _ => Membership::NONE,
            }
        });
        [element.family, element.tag_family] = memberships;
    }
    out
}

/// The run of lines with the highest sum of text, each weak line costing `price`.
fn core(elements: &[Element], units: &[Unit], looks: &Looks<'_>, price: f32, total: f32) -> Core {
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
    let mut tokens = vec![0.0; looks.len()];
    for unit in inside {
        tokens[elements[unit.context as usize].look as usize] += unit.tokens as f32;
    }
    let tokens_of = |look: &u32| tokens[*look as usize];
    let of_inside = || inside.iter().map(|unit| elements[unit.context as usize].look);
    let most = of_inside().map(|look| tokens_of(&look)).fold(0.0, f32::max);
    let mut equals: Vec<u32> = of_inside().filter(|look| tokens_of(look) == most).collect();
    equals.sort_unstable();
    equals.dedup();
    let look = match *equals.as_slice() {
        [look] => look,
        // The key decides between equals.
        _ => equals
            .into_iter()
            .max_by_key(|&look| looks.key(look))
            .unwrap_or(0),
    };
    let mut container = None;
    let mut known = None;
    for unit in inside.iter().map(|unit| unit.context as usize) {
        if known.replace(unit) != Some(unit) {
            container = Some(container.map_or(unit, |at| common(elements, at, unit)));
        }
    }
    Core {
        share: inside.iter().map(|u| u.tokens as f32).sum::<f32>() / total,
        start: best.start,
        end: best.end,
        look,
        container: container.unwrap_or(0),
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
        match elements[*up].parent() {
            Some(parent) => *up = parent,
            None => return other.min(*up),
        }
    }
    a
}
