//! Merges the trees of pages into roles, from the root down.

use std::collections::{BTreeMap, BTreeSet};

use super::roles::{Assigned, Position, Role, Roles, SIMILAR, Signature, similarity};
use crate::site::sample::Sample;

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

/// Elements, as pairs of page and element number.
type Members = Vec<(usize, u32)>;

impl Roles {
    /// Merges the trees of all pages. Parts that too few pages have get no role.
    pub(crate) fn learn(pages: &[&Sample]) -> Roles {
        let mut out = Roles::new(Vec::new(), vocabulary(pages));
        let children: Vec<Vec<Vec<u32>>> = pages.iter().map(|page| children(page)).collect();
        let roots: Members = pages
            .iter()
            .enumerate()
            .flat_map(|(p, page)| {
                (0..page.elements.len() as u32)
                    .filter(move |&e| page.elements[e as usize].parent.is_none())
                    .map(move |e| (p, e))
            })
            .collect();
        // Groups of elements whose parents share a role: (parent role, depth, elements).
        let mut open = vec![(None, 0, roots)];
        while let Some((parent, depth, elements)) = open.pop() {
            for members in out.grouped(pages, &elements) {
                if (pages_of(&members).len() as f64) < RARE * pages.len() as f64 {
                    continue;
                }
                for (position, members) in by_position(pages, depth, members) {
                    let number = out.add(pages, parent, position, &members);
                    let below: Members = members
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

    /// Adds roles for the elements of a page that have none.
    pub(crate) fn extend(&mut self, page: &Sample) {
        let mut assigned = self.assign(page);
        for (e, element) in page.elements.iter().enumerate() {
            if assigned[e].exact {
                continue;
            }
            let above = element.parent.map(|p| assigned[p as usize]);
            if above.is_some_and(|a| !a.exact) || self.list.len() >= MAX_ROLES {
                continue;
            }
            let parent = above.and_then(|a| a.role);
            let signature = self.signature(page, element);
            // The role may have been added for an earlier element of this page.
            let role = match self.find(parent, signature.as_ref(), (1, 1)) {
                Some(role) => role,
                None => self.add(&[page], parent, None, &[(0, e as u32)]),
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
        groups.sort_by_key(|(_, members)| std::cmp::Reverse(pages_of(members).len()));
        let mut out: Vec<(Signature, Members)> = Vec::new();
        for (signature, members) in groups {
            let home = out
                .iter()
                .enumerate()
                .filter(|(_, (other, _))| other.tag == signature.tag && other.id == signature.id)
                .map(|(i, (other, siblings))| (similarity(&other.classes, &signature.classes), i, siblings))
                .filter(|(similar, _, siblings)| {
                    *similar >= SIMILAR && !are_neighbors(pages, siblings, &members)
                })
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
                .map(|(_, i, _)| i);
            match home {
                Some(i) => out[i].1.extend(members),
                None => out.push((signature, members)),
            }
        }
        out.into_iter()
            .map(|(_, mut members)| {
                members.sort_unstable();
                members
            })
            .collect()
    }

    /// Adds a role for a group of elements. It has the classes that at least half of them have.
    fn add(
        &mut self,
        pages: &[&Sample],
        parent: Option<u32>,
        position: Position,
        members: &[(usize, u32)],
    ) -> u32 {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for &(p, e) in members {
            let page = pages[p];
            for class in page.classes(&page.elements[e as usize]) {
                if self.is_site_name(page, &page.elements[e as usize], class.hash) {
                    *counts.entry(page.str(*class)).or_default() += 1;
                }
            }
        }
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
            position,
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
        .map(|(i, members)| (Some((i as u32 + 1, count as u32)), members))
        .collect()
}

/// Returns whether the elements of one group mostly have siblings in the other, so that the groups are two parts of a page.
///
/// Returns false if there are many siblings of both groups, and the first group also occurs elsewhere without the second. Then they are items of one
/// kind on a page that lists them, such as posts with their categories as classes.
fn are_neighbors(pages: &[&Sample], a: &[(usize, u32)], b: &[(usize, u32)]) -> bool {
    let parents = |members: &[(usize, u32)]| -> BTreeMap<(usize, Option<u32>), usize> {
        let mut out = BTreeMap::new();
        for &(p, e) in members {
            *out.entry((p, pages[p].elements[e as usize].parent)).or_default() += 1;
        }
        out
    };
    let (a, b) = (parents(a), parents(b));
    let shared: Vec<usize> = a
        .iter()
        .filter_map(|(parent, n)| Some(n + b.get(parent)?))
        .collect();
    if 2 * shared.len() <= a.len().min(b.len()) {
        return false;
    }
    let here: usize = shared.iter().sum();
    let alone = a.iter().filter(|(parent, _)| !b.contains_key(parent));
    let (others, elsewhere) = alone.fold((0, 0), |(n, sum), (_, count)| (n + 1, sum + count));
    let listed =
        others > 0 && here >= MIN_LIST * shared.len() && here * others >= MIN_LIST * elsewhere * shared.len();
    !listed
}

/// Minimum number of siblings that form a list, and minimum ratio to their number elsewhere.
const MIN_LIST: usize = 3;

fn pages_of(members: &[(usize, u32)]) -> BTreeSet<usize> {
    members.iter().map(|m| m.0).collect()
}

fn children(page: &Sample) -> Vec<Vec<u32>> {
    let mut out = vec![Vec::new(); page.elements.len()];
    for (i, element) in page.elements.iter().enumerate() {
        if let Some(parent) = element.parent {
            out[parent as usize].push(i as u32);
        }
    }
    out
}

/// Returns the ids and classes that are names of the site rather than of one page: those on a tenth of the pages, but at least on two. Names with a
/// digit must be on half of the pages, since digits number posts, categories and dates.
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
