//! Roles: elements of different pages that stand for the same part of a site.
//!
//! The trees of all pages are laid over one another from the root down. Children of a role that agree in tag, id and
//! classes are one role again; names that only single pages have are not seen. So a role is a path that all pages share,
//! however often it occurs on each of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::ops::Range;

use super::settings::Settings;
use crate::analysis::ids::{Ids, Keys};
use crate::site::sample::{Element, Sample};
use crate::site::text::{SEED, hash_name, mix};

/// A part of a site's pages: what is known of the elements that take it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::site) struct Role {
    /// Role of the element around it, always with a smaller number; `None` at the root.
    pub(in crate::site) parent: Option<u32>,
    pub(in crate::site) tag: String,
    pub(in crate::site) id: Option<String>,
    /// Sorted.
    pub(in crate::site) classes: Vec<String>,
    /// Place among its fellows of the same name, from 1, and their number: for columns that nothing else tells apart.
    pub(in crate::site) place: Option<(u32, u32)>,
}

impl Role {
    /// As in selectors: `div#main.post.wide`, with `[2/3]` for a place.
    pub(in crate::site) fn step(&self) -> String {
        let mut out = self.tag.clone();
        for (mark, name) in self
            .id
            .iter()
            .map(|id| ('#', id))
            .chain(self.classes.iter().map(|c| ('.', c)))
        {
            out.push(mark);
            out.push_str(name);
        }
        if let Some((place, of)) = self.place {
            let _ = write!(out, "[{place}/{of}]");
        }
        out
    }
}

/// What of an element's names counts. Two elements with the same parent role and equal signatures are fellows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Signature {
    tag: u64,
    id: u64,
    /// Sorted hashes.
    classes: Vec<u64>,
}

impl Signature {
    fn seen(&self) -> Seen<'_> {
        Seen {
            tag: self.tag,
            id: self.id,
            classes: &self.classes,
        }
    }
}

/// A [`Signature`] whose classes stand elsewhere.
#[derive(Clone, Copy, Debug)]
struct Seen<'c> {
    tag: u64,
    id: u64,
    classes: &'c [u64],
}

impl Seen<'_> {
    fn hash(&self) -> u64 {
        let start = mix(mix(SEED, self.tag), self.id);
        self.classes.iter().fold(start, |h, &c| mix(h, c))
    }
}

/// Tags of columns and frames: such elements without telling names are told apart by their place, down to this depth.
const FRAMES: &[&str] = &["div", "td", "tr", "table", "section", "center"];
const FRAME_DEPTH: u32 = 8;
/// Most fellows that are told apart by place.
const MOST_PLACES: usize = 8;
/// Most roles of a template that grows page by page.
const MOST_ROLES: usize = 20_000;

/// Which of several fellows, and of how many.
type Place = Option<(u32, u32)>;

/// Elements, by page and number.
type Members = Vec<(usize, u32)>;

/// All roles of a site, with what finds them.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct Roles {
    pub(in crate::site) list: Vec<Role>,
    /// Ids and classes that count, by hash.
    vocabulary: HashMap<u64, String, Keys>,
    children: HashMap<(Option<u32>, u64), Vec<u32>, Keys>,
    signatures: Vec<Signature>,
}

/// The role of each element of a page: its own, or that of the nearest element around it that has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::site) struct Taken {
    pub(in crate::site) role: Option<u32>,
    /// Whether it is the element's own.
    pub(in crate::site) own: bool,
}

impl Roles {
    fn push(&mut self, role: Role) -> u32 {
        let number = self.list.len() as u32;
        let mut classes: Vec<u64> = role.classes.iter().map(|c| hash_name(c)).collect();
        classes.sort_unstable();
        let signature = Signature {
            tag: hash_name(&role.tag),
            id: role.id.as_ref().map_or(0, |id| hash_name(id)),
            classes,
        };
        self.children
            .entry((role.parent, signature.tag))
            .or_default()
            .push(number);
        self.signatures.push(signature);
        self.list.push(role);
        number
    }

    /// Roles that were written down, with the names that count: each after the one around it.
    pub(in crate::site) fn restore(list: Vec<Role>, names: Vec<String>) -> Roles {
        let mut out = Roles {
            vocabulary: names.into_iter().map(|n| (hash_name(&n), n)).collect(),
            ..Roles::default()
        };
        for role in list {
            out.push(role);
        }
        out
    }

    /// Ids and classes that count, sorted.
    pub(in crate::site) fn names(&self) -> Vec<&str> {
        let mut out: Vec<&str> = self.vocabulary.values().map(String::as_str).collect();
        out.sort_unstable();
        out
    }

    /// Lays the trees of all pages over one another. Parts on fewer than one page in twenty get no role.
    pub(in crate::site) fn learn(pages: &[&Sample], settings: &Settings) -> Roles {
        let mut out = Roles {
            vocabulary: vocabulary(pages, settings),
            ..Roles::default()
        };
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
            for members in out.fellows(pages, &elements, settings) {
                if (pages_of(&members).len() as f64) < settings.rare * pages.len() as f64 {
                    continue;
                }
                for (place, members) in places(pages, depth, members, settings) {
                    let number = out.add(pages, parent, place, &members);
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

    /// Gives roles to the parts of a page that have none.
    pub(in crate::site) fn extend(&mut self, page: &Sample, settings: &Settings) {
        let mut taken = self.take(page, settings);
        for (e, element) in page.elements.iter().enumerate() {
            if taken[e].own {
                continue;
            }
            let above = element.parent.map(|p| taken[p as usize]);
            if above.is_some_and(|a| !a.own) || self.list.len() >= MOST_ROLES {
                continue;
            }
            let parent = above.and_then(|a| a.role);
            let signature = self.signature(page, element);
            // A fellow of an earlier element of this page may have made the role already.
            let role = match self.find(parent, signature.seen(), (1, 1), settings) {
                Some(role) => role,
                None => self.add(&[page], parent, None, &[(0, e as u32)]),
            };
            taken[e] = Taken {
                role: Some(role),
                own: true,
            };
        }
    }

    /// Parts elements into those that agree in tag, id and nearly in classes. The order is that of the signatures.
    fn fellows(&self, pages: &[&Sample], elements: &[(usize, u32)], settings: &Settings) -> Vec<Members> {
        let mut exact: BTreeMap<Signature, Members> = BTreeMap::new();
        for &(p, e) in elements {
            exact
                .entry(self.signature(pages[p], &pages[p].elements[e as usize]))
                .or_default()
                .push((p, e));
        }
        let mut groups: Vec<_> = exact.into_iter().collect();
        // Common signatures take up rare ones.
        groups.sort_by_key(|(_, members)| std::cmp::Reverse(pages_of(members).len()));
        let mut out: Vec<(Signature, Members)> = Vec::new();
        for (signature, members) in groups {
            let home = out
                .iter()
                .enumerate()
                .filter(|(_, (other, _))| other.tag == signature.tag && other.id == signature.id)
                .map(|(i, (other, fellows))| (alike(&other.classes, &signature.classes), i, fellows))
                .filter(|(alike, _, fellows)| *alike >= settings.alike && !beside(pages, fellows, &members))
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

    /// A new role for elements that go together; it carries the names most of them have.
    fn add(
        &mut self,
        pages: &[&Sample],
        parent: Option<u32>,
        place: Option<(u32, u32)>,
        members: &[(usize, u32)],
    ) -> u32 {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for &(p, e) in members {
            let page = pages[p];
            for class in page.classes(&page.elements[e as usize]) {
                if self.counts(page, &page.elements[e as usize], class.hash) {
                    *counts.entry(page.str(*class)).or_default() += 1;
                }
            }
        }
        let (p, e) = members[0];
        let element = &pages[p].elements[e as usize];
        let id = pages[p]
            .id(element)
            .filter(|id| self.counts(pages[p], element, id.hash))
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
            place,
        })
    }

    /// Whether a name of an element is looked at.
    fn counts(&self, page: &Sample, element: &Element, name: u64) -> bool {
        is_named(page, element) && self.vocabulary.contains_key(&name)
    }

    fn signature(&self, page: &Sample, element: &Element) -> Signature {
        let counts = |name: u64| self.counts(page, element, name);
        let mut classes: Vec<u64> = page
            .classes(element)
            .iter()
            .map(|c| c.hash)
            .filter(|&c| counts(c))
            .collect();
        classes.sort_unstable();
        Signature {
            tag: element.tag.hash,
            id: page
                .id(element)
                .map_or(0, |id| if counts(id.hash) { id.hash } else { 0 }),
            classes,
        }
    }

    /// Finds the role of every element of a page that may be new.
    pub(in crate::site) fn take(&self, page: &Sample, settings: &Settings) -> Vec<Taken> {
        // What counts of all ids and classes.
        let mut classes: Vec<u64> = Vec::new();
        let namings: Vec<(u64, Range<usize>)> = page
            .namings()
            .map(|(id, all)| {
                let counts = |name: &u64| self.vocabulary.contains_key(name);
                let start = classes.len();
                classes.extend(all.iter().map(|class| class.hash).filter(counts));
                classes[start..].sort_unstable();
                (
                    id.map(|id| id.hash).filter(counts).unwrap_or(0),
                    start..classes.len(),
                )
            })
            .collect();
        let seen_as = |element: &Element| {
            let (id, range) = match is_named(page, element) {
                true => namings[element.naming as usize].clone(),
                false => (0, 0..0),
            };
            Seen {
                tag: element.tag.hash,
                id,
                classes: &classes[range],
            }
        };
        // Place of each element among its fellows on the page.
        let mut kinds = Ids::new(page.elements.len());
        let mut seen: Vec<u32> = vec![0; page.elements.len()];
        let places: Vec<(u32, u32)> = page
            .elements
            .iter()
            .map(|element| {
                let parent = element.parent.map_or(0, |p| u64::from(p) + 1);
                let kind = kinds.id(mix(seen_as(element).hash(), parent));
                seen[kind as usize] += 1;
                (kind, seen[kind as usize])
            })
            .collect();
        let mut out: Vec<Taken> = Vec::with_capacity(page.elements.len());
        for (i, element) in page.elements.iter().enumerate() {
            let above = element.parent.map(|p| out[p as usize]);
            let (kind, place) = places[i];
            let find = |above| self.find(above, seen_as(element), (place, seen[kind as usize]), settings);
            let own = match above {
                Some(Taken { own: false, .. }) => None,
                Some(Taken { role, .. }) => find(role),
                None => find(None),
            };
            out.push(match own {
                Some(role) => Taken {
                    role: Some(role),
                    own: true,
                },
                None => Taken {
                    role: above.and_then(|a| a.role),
                    own: false,
                },
            });
        }
        out
    }

    fn find(
        &self,
        parent: Option<u32>,
        signature: Seen<'_>,
        (place, of): (u32, u32),
        settings: &Settings,
    ) -> Option<u32> {
        let candidates = self.children.get(&(parent, signature.tag))?;
        let fits = |role: u32| match self.list[role as usize].place {
            None => true,
            // With more or fewer fellows than usual, places count from the start, and the last one takes the rest.
            Some((at, usual)) if of == usual => at == place,
            Some((at, usual)) => at == place.min(usual),
        };
        candidates
            .iter()
            .copied()
            .filter(|&role| self.signatures[role as usize].id == signature.id && fits(role))
            .map(|role| {
                (
                    alike(&self.signatures[role as usize].classes, signature.classes),
                    role,
                )
            })
            .filter(|(alike, _)| *alike >= settings.alike)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, role)| role)
    }

    /// For each role of `other` the one that elements of it take here.
    pub(in crate::site) fn of_others(&self, other: &Roles, settings: &Settings) -> Vec<Option<u32>> {
        let counts = |name: &u64| self.vocabulary.contains_key(name);
        let mut out: Vec<Option<u32>> = Vec::with_capacity(other.list.len());
        for (role, signature) in other.list.iter().zip(&other.signatures) {
            let seen = Signature {
                tag: signature.tag,
                id: if counts(&signature.id) { signature.id } else { 0 },
                classes: signature.classes.iter().copied().filter(counts).collect(),
            };
            let find = |above| self.find(above, seen.seen(), role.place.unwrap_or((1, 1)), settings);
            out.push(match role.parent.map(|p| out[p as usize]) {
                None => find(None),
                Some(None) => None,
                Some(above) => find(above),
            });
        }
        out
    }

    /// Steps from the root to a role: `html/body/div#main`.
    pub(in crate::site) fn path(&self, role: u32) -> String {
        let mut steps = Vec::new();
        let mut at = Some(role);
        while let Some(role) = at.and_then(|r| self.list.get(r as usize)) {
            steps.push(role.step());
            at = role.parent;
        }
        steps.reverse();
        steps.join("/")
    }
}

/// Parts frames by their place where their number is the same on nearly all pages.
fn places(pages: &[&Sample], depth: u32, members: Members, settings: &Settings) -> Vec<(Place, Members)> {
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
    if depth > FRAME_DEPTH || !FRAMES.contains(&tag) || holders != pages_of(&members).len() {
        return vec![(None, members)];
    }
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for group in groups.values() {
        *counts.entry(group.len()).or_default() += 1;
    }
    let (&count, &holders_of) = counts
        .iter()
        .max_by_key(|&(count, n)| (*n, std::cmp::Reverse(*count)))
        .unwrap_or((&1, &0));
    if !(2..=MOST_PLACES).contains(&count)
        || (holders_of as f64) < settings.steady * holders as f64
        || holders < 2
    {
        return vec![(None, members)];
    }
    let mut out: Vec<Members> = vec![Vec::new(); count];
    for ((p, _), group) in &groups {
        for (i, &e) in group.iter().enumerate() {
            out[i.min(count - 1)].push((*p, e));
        }
    }
    out.into_iter()
        .enumerate()
        .map(|(i, members)| (Some((i as u32 + 1, count as u32)), members))
        .collect()
}

/// Whether ids and classes of an element count. Generators put what tells a page into those of `html` and `body`, which would part
/// the whole site.
fn is_named(page: &Sample, element: &Element) -> bool {
    !matches!(page.str(element.tag), "html" | "body")
}

/// Shared names by all names; 1 if neither has any.
fn alike(a: &[u64], b: &[u64]) -> f64 {
    if a == b {
        return 1.0;
    }
    let shared = a.iter().filter(|c| b.binary_search(c).is_ok()).count();
    shared as f64 / (a.len() + b.len() - shared) as f64
}

/// Whether the elements of one group stand beside those of another, below the same element, on most of the pages that have
/// the rarer: then they are two parts. But where both together come in numbers, and the first is alone elsewhere, they are
/// items of one kind: posts with the names of their categories, on a page that lists them.
fn beside(pages: &[&Sample], a: &[(usize, u32)], b: &[(usize, u32)]) -> bool {
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
        others > 0 && here >= LISTED * shared.len() && here * others >= LISTED * elsewhere * shared.len();
    !listed
}

/// How many fellows below one element make a list, and how many times as many as elsewhere.
const LISTED: usize = 3;

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

/// Ids and classes that belong to the site rather than to one page: those on a tenth of the pages, two at least; half of
/// them where the name holds a digit, as numbers count posts, categories and dates.
fn vocabulary(pages: &[&Sample], settings: &Settings) -> HashMap<u64, String, Keys> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (p, page) in pages.iter().enumerate() {
        for element in &page.elements {
            let names = page.classes(element).iter().copied().chain(page.id(element));
            for name in names {
                let (n, last) = counts.entry(page.str(name)).or_insert((0, usize::MAX));
                if *last != p {
                    (*n, *last) = (*n + 1, p);
                }
            }
        }
    }
    let least = |share: f64| (share * pages.len() as f64).ceil() as usize;
    let rare = least(settings.common_name).max(2).min(pages.len());
    let half = least(settings.common_number).max(rare);
    counts
        .into_iter()
        .filter(|(name, (n, _))| {
            *n >= if name.bytes().any(|b| b.is_ascii_digit()) {
                half
            } else {
                rare
            }
        })
        .map(|(name, _)| (hash_name(name), name.to_owned()))
        .collect()
}
