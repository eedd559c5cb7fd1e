//! Roles: elements of different pages that are the same part of a site.
//!
//! The trees of all pages are merged from the root down. Children of a role with equal tag, id and classes
//! share a role. Classes and ids that occur on single pages are ignored. So a role is a path that pages
//! share, and it may occur several times on each page.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::Range;

use dehusk_html::narrow;

use super::repeated::{heading_level, only_lines};
use crate::analysis::key_numbers::{KeyHash, KeyNumbers};
use crate::site::hash::{SEED, hash_name, hash_text, mix};
use crate::site::sample::{Element, Sample};

/// Minimum Jaccard similarity of the classes of two elements of one part.
pub(super) const SIMILAR: f64 = 0.34;

/// A part of a site's pages: the common properties of its elements.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Role {
    /// Role of the parent element, which has a smaller number; `None` at the root.
    pub(crate) parent: Option<u32>,
    pub(crate) tag: String,
    pub(crate) id: Option<String>,
    /// Sorted classes.
    pub(crate) classes: Vec<String>,
    /// Position among siblings with the same signature, for columns without other differences.
    pub(crate) position: Position,
    /// Text of the only line of its elements, which most pages have; for a section, the text of its heading.
    pub(crate) text: Option<String>,
}

impl Role {
    /// Returns whether the part is a section: a repeated heading and its siblings up to the next heading. No
    /// element is a section, so its tag is empty.
    pub(crate) fn is_section(&self) -> bool {
        self.tag.is_empty()
    }

    /// Returns a step in the syntax of selectors: `div#main.post.wide`, with `[2/3]` for a position.
    pub(crate) fn step(&self) -> String {
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
        if let Some((at, of)) = self.position {
            let _ = write!(out, "[{at}/{of}]");
        }
        if let Some(text) = &self.text {
            let _ = write!(out, "[{text}]");
        }
        out
    }
}

/// Tag of an element, and its id and classes if they are names of the site. Elements with the same parent
/// role and equal signatures share a role.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Signature {
    pub(super) tag: u64,
    pub(super) id: u64,
    /// Sorted hashes.
    pub(super) classes: Vec<u64>,
    /// Hash of the text of its only line; 0 if the text does not matter.
    pub(super) text: u64,
}

impl Signature {
    pub(super) fn as_ref(&self) -> SignatureRef<'_> {
        SignatureRef {
            tag: self.tag,
            id: self.id,
            classes: &self.classes,
            text: self.text,
        }
    }
}

/// A borrowed [`Signature`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SignatureRef<'c> {
    tag: u64,
    id: u64,
    classes: &'c [u64],
    text: u64,
}

impl SignatureRef<'_> {
    fn hash(&self) -> u64 {
        let start = mix(mix(mix(SEED, self.tag), self.id), self.text);
        self.classes.iter().fold(start, |h, &c| mix(h, c))
    }

    /// Key of the list of signatures that equal this one.
    fn whole_key(&self, scope: u64) -> u64 {
        mix(mix(self.hash(), scope), 0)
    }

    /// Key of the list of signatures with this tag, this id and a class.
    fn class_key(&self, scope: u64, class: u64) -> u64 {
        mix(mix(mix(mix(SEED, self.tag), self.id), scope), class)
    }
}

/// Maximum number of signatures that one signature is compared with. On real sites, fewer siblings of one tag
/// share a class. Hostile pages have thousands, and each would be compared with all others.
const MAX_COMPARED: usize = 256;

/// Finds signatures that share a class without comparing all signatures.
#[derive(Clone, Debug, Default)]
pub(super) struct SignatureIndex {
    /// Numbers of signatures in the order of insertion, by the key of the whole signature and by the key of
    /// each class.
    lists: HashMap<u64, Vec<u32>, KeyHash>,
}

impl SignatureIndex {
    /// Adds a signature under a number. Only signatures of one `scope` are found together.
    pub(super) fn insert(&mut self, scope: u64, signature: SignatureRef<'_>, number: u32) {
        let classes = signature
            .classes
            .iter()
            .map(|&class| signature.class_key(scope, class));
        for key in classes.chain([signature.whole_key(scope)]) {
            self.lists.entry(key).or_default().push(number);
        }
    }

    /// Returns at most [`MAX_COMPARED`] numbers of signatures equal to the given one. Hashes may collide, so
    /// callers compare the signatures.
    fn equal(&self, scope: u64, signature: SignatureRef<'_>) -> &[u32] {
        let list = self.lists.get(&signature.whole_key(scope));
        list.map_or(&[], |list| &list[..list.len().min(MAX_COMPARED)])
    }

    /// Returns at most [`MAX_COMPARED`] numbers of signatures with equal tag and id that share a class, those
    /// of rare classes first. Sorted and distinct.
    pub(super) fn sharing_a_class(&self, scope: u64, signature: SignatureRef<'_>) -> Vec<u32> {
        let keys = signature
            .classes
            .iter()
            .map(|&class| signature.class_key(scope, class));
        let mut lists: Vec<&Vec<u32>> = keys.filter_map(|key| self.lists.get(&key)).collect();
        lists.sort_by_key(|list| list.len());
        let mut out: Vec<u32> = lists.into_iter().flatten().copied().take(MAX_COMPARED).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// Position among siblings, from 1, and number of siblings; `None` if the position does not matter.
pub(super) type Position = Option<(u32, u32)>;

/// All roles of a site, with indexes for lookups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roles {
    pub(crate) list: Vec<Role>,
    /// Ids and classes that are names of the site, by hash.
    vocabulary: HashMap<u64, String, KeyHash>,
    /// Signatures of all roles; the scope is that of the parent role.
    index: SignatureIndex,
    signatures: Vec<Signature>,
    /// Number of each section, by its parent role and the hash of its heading.
    sections: HashMap<u64, u32, KeyHash>,
    /// Hashes of repeated texts that are parts.
    texts: HashSet<u64, KeyHash>,
}

/// The role of an element of a page, or that of its nearest ancestor with a role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Assigned {
    pub(crate) role: Option<u32>,
    /// Whether it is the role of the element itself.
    pub(crate) exact: bool,
}

impl Roles {
    /// Adds a role and returns its number. Its parent must have been added before.
    pub(super) fn push(&mut self, role: Role) -> u32 {
        let number = narrow::to_u32(self.list.len());
        let mut classes: Vec<u64> = role.classes.iter().map(|c| hash_name(c)).collect();
        classes.sort_unstable();
        let signature = Signature {
            tag: hash_name(&role.tag),
            id: role.id.as_ref().map_or(0, |id| hash_name(id)),
            classes,
            text: role.text.as_deref().map_or(0, hash_text),
        };
        if role.is_section() {
            let key = section_key(role.parent, signature.text);
            self.sections.entry(key).or_insert(number);
        } else {
            self.index
                .insert(scope_of(role.parent), signature.as_ref(), number);
            self.texts.extend(role.text.is_some().then_some(signature.text));
        }
        self.signatures.push(signature);
        self.list.push(role);
        number
    }

    /// Creates roles with the names of the site. Parents must precede their children.
    pub(crate) fn new(list: Vec<Role>, names: Vec<String>) -> Roles {
        let mut out = Roles {
            vocabulary: names.into_iter().map(|n| (hash_name(&n), n)).collect(),
            ..Roles::default()
        };
        for role in list {
            out.push(role);
        }
        out
    }

    /// Returns the ids and classes that are names of the site, sorted.
    #[cfg(feature = "template-files")]
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut out: Vec<&str> = self.vocabulary.values().map(String::as_str).collect();
        out.sort_unstable();
        out
    }

    /// Returns whether a class or id of an element is a name of the site.
    pub(super) fn is_site_name(&self, page: &Sample, element: &Element, name: u64) -> bool {
        is_named(page, element) && self.vocabulary.contains_key(&name)
    }

    /// Returns the signature of an element, without names that are not the site's and without a text.
    pub(super) fn signature(&self, page: &Sample, element: &Element) -> Signature {
        let is_known = |name: u64| self.is_site_name(page, element, name);
        let mut classes: Vec<u64> = page
            .classes(element)
            .iter()
            .map(|c| c.hash)
            .filter(|&c| is_known(c))
            .collect();
        classes.sort_unstable();
        Signature {
            tag: element.tag.hash,
            id: page
                .id(element)
                .map_or(0, |id| if is_known(id.hash) { id.hash } else { 0 }),
            classes,
            text: 0,
        }
    }

    /// Returns whether roles depend on texts, so that a page needs the hashes of its lines.
    pub(crate) fn need_texts(&self) -> bool {
        !self.texts.is_empty() || !self.sections.is_empty()
    }

    /// Finds the role of every element of a page.
    pub(crate) fn assign(&self, page: &Sample) -> Vec<Assigned> {
        self.assign_below(page).0
    }

    /// Finds the role of every element of a page, and the role above it: that of its parent or of a section
    /// of its parent; `None` if the parent has no role of its own.
    pub(super) fn assign_below(&self, page: &Sample) -> (Vec<Assigned>, Vec<Option<u32>>) {
        // Ids and classes of the page that are names of the site, per set of names.
        let mut classes: Vec<u64> = Vec::new();
        let name_sets: Vec<(u64, Range<usize>)> = page
            .name_sets()
            .map(|(id, all)| {
                let is_known = |name: &u64| self.vocabulary.contains_key(name);
                let start = classes.len();
                classes.extend(all.iter().map(|class| class.hash).filter(is_known));
                classes[start..].sort_unstable();
                (
                    id.map(|id| id.hash).filter(is_known).unwrap_or(0),
                    start..classes.len(),
                )
            })
            .collect();
        let signature_of = |element: &Element| {
            let (id, range) = match is_named(page, element) {
                true => name_sets[element.name_set as usize].clone(),
                false => (0, 0..0),
            };
            SignatureRef {
                tag: element.tag.hash,
                id,
                classes: &classes[range],
                text: 0,
            }
        };
        // Position of each element among its siblings of the same signature on the page.
        let mut kinds = KeyNumbers::new(page.elements.len());
        let mut numbers: Vec<u32> = vec![0; page.elements.len()];
        let positions: Vec<(u32, u32)> = page
            .elements
            .iter()
            .map(|element| {
                let parent = element.parent.map_or(0, |p| u64::from(p) + 1);
                let kind = kinds.id(mix(signature_of(element).hash(), parent));
                numbers[kind as usize] += 1;
                (kind, numbers[kind as usize])
            })
            .collect();
        let lines = self.need_texts().then(|| only_lines(page));
        let text_of = |i: usize| lines.as_ref().and_then(|lines| lines[i]).map(|line| line.hash);
        // For each element: the section that its children are in so far. Empty if no role depends on texts.
        let mut sections = vec![None; lines.as_ref().map_or(0, |_| page.elements.len())];
        let mut out: Vec<Assigned> = Vec::with_capacity(page.elements.len());
        let mut all_above: Vec<Option<u32>> = Vec::with_capacity(page.elements.len());
        for (i, element) in page.elements.iter().enumerate() {
            let parent = element.parent.map(|p| out[p as usize]);
            let mut above = parent.and_then(|parent| parent.role);
            // Roles are found from the root down: below an element without a role of its own, no element has
            // one.
            let is_known = parent.is_none_or(|parent| parent.exact);
            if let Some(section) = element.parent.and_then(|p| sections.get_mut(p as usize))
                && is_known
            {
                self.move_section(section, above, page.str(element.tag), text_of(i));
                above = section.map_or(above, |(section, _)| Some(section));
            }
            let (kind, at) = positions[i];
            let place = (at, numbers[kind as usize]);
            let find = |signature| self.find(above, signature, place);
            let repeated = text_of(i).filter(|text| self.texts.contains(text));
            let signature = signature_of(element);
            let own = match is_known {
                // A role of a repeated text is more specific than one of the same names.
                true => repeated
                    .and_then(|text| find(SignatureRef { text, ..signature }))
                    .or_else(|| find(signature)),
                false => None,
            };
            out.push(Assigned {
                role: own.or(above),
                exact: own.is_some(),
            });
            all_above.push(above.filter(|_| is_known));
        }
        (out, all_above)
    }

    /// Updates the open section of a part at the next of its elements, with this tag and text. A repeated
    /// heading begins its section. Any other heading ends the section, unless its level is below that of the
    /// section's heading. A section is given by its role and the level of its heading.
    fn move_section(
        &self,
        section: &mut Option<(u32, u32)>,
        part: Option<u32>,
        tag: &str,
        text: Option<u64>,
    ) {
        let Some(level) = heading_level(tag) else { return };
        let own = text.and_then(|text| self.sections.get(&section_key(part, text)));
        match own {
            Some(&own) => *section = Some((own, level)),
            None => *section = section.filter(|(_, above)| *above < level),
        }
    }

    /// Returns the role of an element, given the role above it, its signature, and its position among
    /// siblings of this signature with their number: an equal role, or else the most similar one.
    pub(super) fn find(
        &self,
        parent: Option<u32>,
        signature: SignatureRef<'_>,
        (at, of): (u32, u32),
    ) -> Option<u32> {
        let fits = |role: u32| match self.list[role as usize].position {
            None => true,
            // If the page has more siblings than usual, the last role gets the rest. If it has fewer, positions count from the first.
            Some((own, usual)) if of == usual => own == at,
            Some((own, usual)) => own == at.min(usual),
        };
        let scope = scope_of(parent);
        let is_equal = |role: u32| self.signatures[role as usize].as_ref() == signature;
        let mut equal = self.index.equal(scope, signature).iter().copied();
        // Nothing is more similar than an equal signature, so the others need no comparison.
        if let Some(role) = equal.find(|&role| is_equal(role) && fits(role)) {
            return Some(role);
        }
        let is_candidate = |role: u32| {
            let other = &self.signatures[role as usize];
            (other.tag, other.id, other.text) == (signature.tag, signature.id, signature.text) && fits(role)
        };
        let candidates = self.index.sharing_a_class(scope, signature).into_iter();
        candidates
            .filter(|&role| is_candidate(role))
            .map(|role| {
                (
                    similarity(&self.signatures[role as usize].classes, signature.classes),
                    role,
                )
            })
            .filter(|(similar, _)| *similar >= SIMILAR)
            // Of equally similar roles, the one that was added first.
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, role)| role)
    }

    /// For each role of `other`, returns the role that its elements would have here; `None` if absent.
    pub(crate) fn of_others(&self, other: &Roles) -> Vec<Option<u32>> {
        let is_known = |name: &u64| self.vocabulary.contains_key(name);
        let mut out: Vec<Option<u32>> = Vec::with_capacity(other.list.len());
        for (role, signature) in other.list.iter().zip(&other.signatures) {
            // Names that the pages of this site do not have are ignored, as they are on its pages.
            let shared = Signature {
                tag: signature.tag,
                id: if is_known(&signature.id) { signature.id } else { 0 },
                classes: signature.classes.iter().copied().filter(is_known).collect(),
                text: signature.text,
            };
            let find = |above| match role.is_section() {
                true => self.sections.get(&section_key(above, shared.text)).copied(),
                false => self.find(above, shared.as_ref(), role.position.unwrap_or((1, 1))),
            };
            out.push(match role.parent.map(|p| out[p as usize]) {
                None => find(None),
                // Without a counterpart of the parent the role has no counterpart either.
                Some(None) => None,
                Some(above) => find(above),
            });
        }
        out
    }

    /// Returns the steps from the root to a role: `html/body/div#main`. Of a path longer than [`MAX_PATH`],
    /// only the last steps are returned, after `…`.
    pub(crate) fn path(&self, role: u32) -> String {
        let mut steps = Vec::new();
        let (mut at, mut chars) = (Some(role), 0);
        while let Some(role) = at.and_then(|r| self.list.get(r as usize)) {
            if chars > MAX_PATH {
                steps.push("…".to_owned());
                break;
            }
            let step = cut_step(role.step());
            chars += step.len();
            steps.push(step);
            at = role.parent;
        }
        steps.reverse();
        steps.join("/")
    }
}

/// Maximum number of bytes of a step in a path; and (`MAX_PATH`) number of bytes after which no more steps
/// are added. Every part has its path, so a long name of an element would be repeated for each part in it.
const MAX_STEP: usize = 500;
const MAX_PATH: usize = 2_000;

fn cut_step(mut step: String) -> String {
    if step.len() > MAX_STEP {
        step.truncate(step.floor_char_boundary(MAX_STEP));
        step.push('…');
    }
    step
}

/// Key of a section in [`Roles::sections`].
fn section_key(parent: Option<u32>, text: u64) -> u64 {
    mix(mix(SEED, scope_of(parent)), text)
}

/// Scope of the children of a role in a [`SignatureIndex`].
fn scope_of(parent: Option<u32>) -> u64 {
    parent.map_or(0, |parent| u64::from(parent) + 1)
}

/// Returns whether ids and classes of an element count. Those of `html` and `body` often name the single page, which would split the site.
fn is_named(page: &Sample, element: &Element) -> bool {
    !matches!(page.str(element.tag), "html" | "body")
}

/// Returns the Jaccard similarity of two sorted lists; 1 if both are empty.
pub(super) fn similarity(a: &[u64], b: &[u64]) -> f64 {
    if a == b {
        return 1.0;
    }
    let (a, b) = if a.len() < b.len() { (a, b) } else { (b, a) };
    // Lists of such different lengths cannot be similar enough. The check saves comparing lists of thousands of classes.
    if (a.len() as f64) < SIMILAR * b.len() as f64 {
        return 0.0;
    }
    let shared = a.iter().filter(|c| b.binary_search(c).is_ok()).count();
    shared as f64 / (a.len() + b.len() - shared) as f64
}
