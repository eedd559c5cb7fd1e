//! Merges the trees of pages into roles, from the root down.

use std::collections::{BTreeMap, BTreeSet};

use dehusk_html::narrow;

use super::repeated::{Members, by_text, only_lines, sections, words};
use super::roles::{Assigned, Position, Role, Roles, SIMILAR, Signature, SignatureIndex, similarity};
use crate::site::sample::{Line, Sample};

/// Tags of layout containers, which may be distinguished by their position, down to the depth [`MAX_LAYOUT_DEPTH`].
const LAYOUT_TAGS: &[&str] = &["div", "td", "tr", "table", "section", "center"];
const MAX_LAYOUT_DEPTH: u32 = 12;
/// Maximum number of siblings that are distinguished by position.
const MAX_POSITIONS: usize = 8;
/// Minimum share of the pages that must have the same number of siblings for positions to be used.
const STEADY: f64 = 0.9;
/// Share of the pages below which a part gets no role of its own.
const RARE: f64 = 0.05;
/// Minimum share of the pages that must have a class or id for it to be a name of the site.
const COMMON_NAME: f64 = 0.1;
/// Like [`COMMON_NAME`], for a class or id with a digit. Digits number posts, categories and dates.
const COMMON_NUMBER: f64 = 0.5;
/// Maximum number of roles of a template that grows page by page.
const MAX_ROLES: usize = 20_000;

/// Elements that get one role, with what distinguishes them from others of the same names.
struct Part {
    position: Position,
    /// Text of their only line, if it is repeated.
    text: Option<String>,
    members: Members,
}

impl Roles {
    /// Merges the trees of all pages. Parts that too few pages have get no role.
    pub(crate) fn learn(pages: &[&Sample]) -> Roles {
        let mut out = Roles::new(Vec::new(), vocabulary(pages));
        let children: Vec<Vec<Vec<u32>>> = pages.iter().map(|page| children(page)).collect();
        let lines: Vec<_> = pages.iter().map(|page| only_lines(page)).collect();
        let words: Vec<_> = pages.iter().map(|page| words(page)).collect();
        let roots: Members = pages
            .iter()
            .enumerate()
            .flat_map(|(p, page)| {
                (0..narrow::to_u32(page.elements.len()))
                    .filter(move |&e| page.elements[e as usize].parent.is_none())
                    .map(move |e| (p, e))
            })
            .collect();
        // Groups of elements whose parents share a role: (parent role, depth, elements).
        let mut open = vec![(None, 0, roots)];
        while let Some((parent, depth, elements)) = open.pop() {
            let (outside, below_headings) = match parent {
                Some(_) => sections(pages, &lines, &words, elements),
                None => (elements, Vec::new()),
            };
            let mut groups = vec![(parent, Some(depth), outside)];
            for (text, elements) in below_headings {
                let section = out.push(Role {
                    parent,
                    text: Some(text),
                    ..Role::default()
                });
                // Positions count all siblings, and a section has only some of them.
                groups.push((Some(section), None, elements));
            }
            for (parent, layout_depth, elements) in groups {
                for part in out.parts(pages, &lines, layout_depth, &elements) {
                    // A role gets its number before its children are visited: parents precede children in the
                    // list, which all later passes rely on.
                    let number = out.add(pages, parent, &part);
                    let below: Members = part
                        .members
                        .iter()
                        .flat_map(|&(p, e)| children[p][e as usize].iter().map(move |&c| (p, c)))
                        .collect();
                    if !below.is_empty() {
                        open.push((Some(number), depth + 1, below));
                    }
                }
            }
        }
        out
    }

    /// Divides elements whose parents share a role into parts: by names, by position if `depth` is that of a
    /// layout, and by repeated texts. Parts that too few pages have are left out.
    fn parts(
        &self,
        pages: &[&Sample],
        lines: &[Vec<Option<&Line>>],
        depth: Option<u32>,
        elements: &[(usize, u32)],
    ) -> Vec<Part> {
        let mut out = Vec::new();
        // By names first, then by position, then by text: each divides what the one before left together.
        for members in self.grouped(pages, elements) {
            if (pages_of(&members).len() as f64) < RARE * pages.len() as f64 {
                continue;
            }
            let positions = match depth {
                Some(depth) => by_position(pages, depth, members),
                None => vec![(None, members)],
            };
            for (position, members) in positions {
                let (others, repeated) = by_text(pages, lines, members);
                let others = [(None, others)].into_iter();
                let repeated = repeated.into_iter().map(|(text, members)| (Some(text), members));
                out.extend(others.chain(repeated).map(|(text, members)| Part {
                    position,
                    text,
                    members,
                }));
            }
        }
        out
    }

    /// Adds roles for the elements of a page that have none.
    pub(crate) fn extend(&mut self, page: &Sample) {
        let (mut assigned, above) = self.assign_below(page);
        for (e, element) in page.elements.iter().enumerate() {
            if assigned[e].exact {
                continue;
            }
            // Elements are in document order, so the parent was visited. If it still has no role, none could
            // be added, and its children get none either.
            let holder = element.parent.map(|p| assigned[p as usize]);
            if holder.is_some_and(|a| !a.exact) || self.list.len() >= MAX_ROLES {
                continue;
            }
            // A parent that got its role from this page has no sections.
            let parent = above[e].or_else(|| holder.and_then(|a| a.role));
            let signature = self.signature(page, element);
            // The role may have been added for an earlier element of this page.
            let role = match self.find(parent, signature.as_ref(), (1, 1)) {
                Some(role) => role,
                None => {
                    let part = Part {
                        position: None,
                        text: None,
                        members: vec![(0, narrow::to_u32(e))],
                    };
                    self.add(&[page], parent, &part)
                }
            };
            assigned[e] = Assigned {
                role: Some(role),
                exact: true,
            };
        }
    }

    /// Groups elements with equal tag and id and similar classes. Groups with common signatures come first.
    fn grouped(&self, pages: &[&Sample], elements: &[(usize, u32)]) -> Vec<Members> {
        let mut exact: BTreeMap<Signature, Members> = BTreeMap::new();
        for &(p, e) in elements {
            exact
                .entry(self.signature(pages[p], &pages[p].elements[e as usize]))
                .or_default()
                .push((p, e));
        }
        let mut groups: Vec<_> = exact.into_iter().collect();
        // Common signatures come first, so that they absorb rare ones.
        groups.sort_by_cached_key(|(_, members)| std::cmp::Reverse(pages_of(members).len()));
        let mut out: Vec<Group> = Vec::new();
        let mut index = SignatureIndex::default();
        for (signature, members) in groups {
            let siblings = Siblings::of(pages, &members);
            let candidates = index.sharing_a_class(0, signature.as_ref()).into_iter();
            let mut similar: Vec<(f64, usize)> = candidates
                .map(|i| (i as usize, &out[i as usize].signature))
                .filter(|(_, other)| (other.tag, other.id) == (signature.tag, signature.id))
                .map(|(i, other)| (similarity(&other.classes, &signature.classes), i))
                .filter(|(similar, _)| *similar >= SIMILAR)
                .collect();
            // The most similar group first; of equals, the more common one.
            similar.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            // Groups that are mostly siblings are two parts of the page, however similar their classes are.
            let is_home = |i: &usize| !are_neighbors(&out[*i].siblings, &siblings);
            match similar.into_iter().map(|(_, i)| i).find(is_home) {
                Some(i) => {
                    out[i].members.extend(members);
                    out[i].siblings.add(siblings);
                }
                None => {
                    index.insert(0, signature.as_ref(), narrow::to_u32(out.len()));
                    out.push(Group {
                        signature,
                        members,
                        siblings,
                    });
                }
            }
        }
        out.into_iter()
            .map(|mut group| {
                group.members.sort_unstable();
                group.members
            })
            .collect()
    }

    /// Adds a role for a group of elements. It has the classes that at least half of them have.
    fn add(&mut self, pages: &[&Sample], parent: Option<u32>, part: &Part) -> u32 {
        let members = &part.members;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for &(p, e) in members {
            let page = pages[p];
            for class in page.classes(&page.elements[e as usize]) {
                if self.is_site_name(page, &page.elements[e as usize], class.hash) {
                    *counts.entry(page.str(*class)).or_default() += 1;
                }
            }
        }
        // A part always has members: `grouped`, `by_position` and `by_text` return no empty groups.
        let (p, e) = members[0];
        let element = &pages[p].elements[e as usize];
        let id = pages[p]
            .id(element)
            .filter(|id| self.is_site_name(pages[p], element, id.hash))
            .map(|id| pages[p].str(id).to_owned());
        let classes = counts
            .into_iter()
            .filter(|(_, n)| 2 * n >= members.len())
            .map(|(class, _)| class.to_owned())
            .collect();
        self.push(Role {
            parent,
            tag: pages[p].str(element.tag).to_owned(),
            id,
            classes,
            position: part.position,
            text: part.text.clone(),
        })
    }
}

/// Splits layout containers by position if their number is the same on nearly all pages.
fn by_position(pages: &[&Sample], depth: u32, members: Members) -> Vec<(Position, Members)> {
    let (p, e) = members[0];
    let page = pages[p];
    let tag = page.str(page.elements[e as usize].tag);
    let mut groups: BTreeMap<(usize, Option<u32>), Vec<u32>> = BTreeMap::new();
    for &(p, e) in &members {
        groups
            .entry((p, pages[p].elements[e as usize].parent))
            .or_default()
            .push(e);
    }
    let holders = groups.len();
    // Positions are used only if every page has exactly one parent of these elements.
    if depth > MAX_LAYOUT_DEPTH || !LAYOUT_TAGS.contains(&tag) || holders != pages_of(&members).len() {
        return vec![(None, members)];
    }
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for group in groups.values() {
        *counts.entry(group.len()).or_default() += 1;
    }
    debug_assert!(!groups.is_empty(), "a role has members");
    // The most frequent number of siblings; of equals, the smaller one.
    let (&count, &holders_of) = counts
        .iter()
        .max_by_key(|&(count, n)| (*n, std::cmp::Reverse(*count)))
        .unwrap_or((&1, &0));
    if !(2..=MAX_POSITIONS).contains(&count) || (holders_of as f64) < STEADY * holders as f64 || holders < 2 {
        return vec![(None, members)];
    }
    let mut out: Vec<Members> = vec![Vec::new(); count];
    for ((p, _), group) in &groups {
        for (i, &e) in group.iter().enumerate() {
            // Surplus elements belong to the last position.
            out[i.min(count - 1)].push((*p, e));
        }
    }
    out.into_iter()
        .enumerate()
        .map(|(i, members)| (Some((narrow::to_u32(i) + 1, narrow::to_u32(count))), members))
        .collect()
}

/// Elements with equal tag and id and similar classes.
struct Group {
    /// Signature of the elements that were grouped first.
    signature: Signature,
    members: Members,
    siblings: Siblings,
}

/// How many elements of a group each parent has.
#[derive(Default)]
struct Siblings {
    /// Number of elements, by page and parent.
    by_parent: BTreeMap<(usize, Option<u32>), usize>,
    elements: usize,
}

impl Siblings {
    fn of(pages: &[&Sample], members: &[(usize, u32)]) -> Siblings {
        let mut out = Siblings::default();
        for &(p, e) in members {
            let parent = pages[p].elements[e as usize].parent;
            *out.by_parent.entry((p, parent)).or_default() += 1;
        }
        out.elements = members.len();
        out
    }

    fn add(&mut self, other: Siblings) {
        for (parent, n) in other.by_parent {
            *self.by_parent.entry(parent).or_default() += n;
        }
        self.elements += other.elements;
    }
}

/// Returns whether the elements of one group mostly have siblings in the other, so that the groups are two parts of a page.
///
/// Returns false if there are many siblings of both groups, and the first group also occurs elsewhere without
/// the second. Then they are items of one kind on a page that lists them, such as posts with their categories
/// as classes.
fn are_neighbors(a: &Siblings, b: &Siblings) -> bool {
    // Many small groups may be compared with a large one, so the work is that of the smaller.
    let (small, large) = match a.by_parent.len() < b.by_parent.len() {
        true => (a, b),
        false => (b, a),
    };
    // Parents of both groups, and their elements of the first and of the second one.
    let (mut shared, mut of_small, mut of_large) = (0, 0, 0);
    for (parent, n) in &small.by_parent {
        if let Some(other) = large.by_parent.get(parent) {
            (shared, of_small, of_large) = (shared + 1, of_small + n, of_large + other);
        }
    }
    if 2 * shared <= small.by_parent.len() {
        return false;
    }
    let here = of_small + of_large;
    let of_first = if std::ptr::eq(small, a) {
        of_small
    } else {
        of_large
    };
    let (others, elsewhere) = (a.by_parent.len() - shared, a.elements - of_first);
    // Per parent, at least three of these elements where both groups occur, and three times as many as where
    // only the first occurs.
    let listed = others > 0 && here >= MIN_LIST * shared && here * others >= MIN_LIST * elsewhere * shared;
    !listed
}

/// Minimum number of siblings that form a list, and minimum ratio to their number elsewhere.
const MIN_LIST: usize = 3;

fn pages_of(members: &[(usize, u32)]) -> BTreeSet<usize> {
    members.iter().map(|m| m.0).collect()
}

/// Returns the child elements of each element, in order.
fn children(page: &Sample) -> Vec<Vec<u32>> {
    let mut out = vec![Vec::new(); page.elements.len()];
    for (i, element) in page.elements.iter().enumerate() {
        if let Some(parent) = element.parent {
            out[parent as usize].push(narrow::to_u32(i));
        }
    }
    out
}

/// Returns the ids and classes that are names of the site rather than of one page: those on a tenth of the
/// pages, but at least on two. Names with a digit must be on half of the pages, since digits number posts,
/// categories and dates.
fn vocabulary(pages: &[&Sample]) -> Vec<String> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (p, page) in pages.iter().enumerate() {
        for element in &page.elements {
            let names = page.classes(element).iter().copied().chain(page.id(element));
            for name in names {
                let (n, last) = counts.entry(page.str(name)).or_insert((0, usize::MAX));
                // `last` is the last page counted, so that every page counts once.
                if *last != p {
                    (*n, *last) = (*n + 1, p);
                }
            }
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a share of a number of pages, rounded up"
    )]
    let least = |share: f64| (share * pages.len() as f64).ceil() as usize;
    let rare = least(COMMON_NAME).max(2).min(pages.len());
    let half = least(COMMON_NUMBER).max(rare);
    counts
        .into_iter()
        .filter(|(name, (n, _))| {
            *n >= if name.bytes().any(|b| b.is_ascii_digit()) {
                half
            } else {
                rare
            }
        })
        .map(|(name, _)| name.to_owned())
        .collect()
}
