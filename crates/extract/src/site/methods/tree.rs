//! Pages as trees of elements with their own text, and the similarity of two trees.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analysis::blocks::words::collapsed;
use crate::analyze::analyze_page;
use crate::options::Options;
use crate::page::Page;
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId, NodeKind, Tag};

/// Placeholder for the number of a missing element.
const NONE: u32 = u32::MAX;

/// An element and its links to other elements.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Element {
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    /// Index of its name among the names of the tree.
    name: u32,
    /// Number of characters of its own text; `link_chars`: how many of them are in links.
    pub(super) chars: u32,
    pub(super) link_chars: u32,
}

impl Element {
    /// Returns the number of the parent element, which is smaller than its own.
    pub(super) fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}

/// A page as a tree: the elements from `body` down, without scripts, styles and the like, and the texts in document order.
///
/// Stored in flat lists, without an allocation per element: a page may consist almost entirely of tags, and a
/// group holds the trees of all its pages.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ElementTree {
    /// The elements in document order.
    pub(super) elements: Vec<Element>,
    /// Distinct names of elements, in the order of their first occurrence.
    names: Vec<Box<str>>,
    /// All texts concatenated, with white space collapsed.
    texts: String,
    /// Element that contains each text, and the end of the text in `texts`.
    ends: Vec<(u32, usize)>,
}

impl ElementTree {
    /// Copies a page.
    pub fn from_dom(dom: &Dom<'_>) -> ElementTree {
        let mut out = ElementTree::default();
        let mut known: BTreeMap<Box<str>, u32> = BTreeMap::new();
        // Last child of each element so far.
        let mut last: Vec<u32> = Vec::new();
        // The parser puts a body into every document except framesets, which show no text.
        let body = dom.find(NodeId::DOCUMENT, Tag::BODY);
        // Node, number of the parent element, and whether it is in a link.
        let mut stack: Vec<(NodeId, u32, bool)> = body.map(|b| (b, NONE, false)).into_iter().collect();
        while let Some((id, parent, linked)) = stack.pop() {
            match dom.kind(id) {
                kind if kind.is_text() && parent != NONE => {
                    out.add_text(parent, &dom.text(id), linked);
                }
                NodeKind::Element if !dom.tag(id).is_some_and(is_left_out) => {
                    let number = narrow::to_u32(out.elements.len());
                    let name = out.add_name(dom.name(id), &mut known);
                    out.elements.push(Element {
                        parent,
                        first_child: NONE,
                        next_sibling: NONE,
                        name,
                        chars: 0,
                        link_chars: 0,
                    });
                    last.push(NONE);
                    if parent != NONE {
                        match std::mem::replace(&mut last[parent as usize], number) {
                            NONE => out.elements[parent as usize].first_child = number,
                            before => out.elements[before as usize].next_sibling = number,
                        }
                    }
                    let linked = linked || dom.tag(id) == Some(Tag::A);
                    // Reversed, so that the first child is on top of the stack.
                    let from = stack.len();
                    stack.extend(dom.children(id).map(|child| (child, number, linked)));
                    stack[from..].reverse();
                }
                _ => {}
            }
        }
        out
    }

    fn add_name(&mut self, name: &str, known: &mut BTreeMap<Box<str>, u32>) -> u32 {
        if let Some(number) = known.get(name) {
            return *number;
        }
        let number = narrow::to_u32(self.names.len());
        known.insert(name.into(), number);
        self.names.push(name.into());
        number
    }

    /// Adds a text directly in an element; nothing if it is white space.
    fn add_text(&mut self, element: u32, text: &str, linked: bool) {
        let text = collapsed(text);
        if text.is_empty() {
            return;
        }
        let chars = narrow::to_u32(text.chars().count());
        let to = &mut self.elements[element as usize];
        to.chars += chars;
        to.link_chars += if linked { chars } else { 0 };
        self.texts.push_str(&text);
        self.ends.push((element, self.texts.len()));
    }

    /// Returns the name of an element.
    pub(super) fn name(&self, element: usize) -> &str {
        &self.names[self.elements[element].name as usize]
    }

    /// Returns the child elements of an element, in order.
    pub(super) fn children(&self, element: usize) -> impl Iterator<Item = usize> {
        let mut next = self.elements[element].first_child;
        std::iter::from_fn(move || {
            let child = self.elements.get(next as usize)?;
            Some(std::mem::replace(&mut next, child.next_sibling) as usize)
        })
    }

    /// Returns the texts in document order, each with the element that contains it.
    pub(super) fn texts(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(element, end)| {
            (
                element as usize,
                &self.texts[std::mem::replace(&mut start, end)..end],
            )
        })
    }

    /// Returns the CRC-32 of the own text of each element: the texts directly in it, joined by single spaces. 0 for elements without text.
    pub(super) fn text_hashes(&self) -> Vec<u32> {
        let mut out = vec![None; self.elements.len()];
        for (element, text) in self.texts() {
            // Continues the checksum of the element's previous texts.
            let mut hasher = crc32fast::Hasher::new_with_initial(out[element].unwrap_or(0));
            if out[element].is_some() {
                hasher.update(b" ");
            }
            hasher.update(text.as_bytes());
            out[element] = Some(hasher.finalize());
        }
        out.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Returns the number of the name of each element in `names`, a list shared by several trees.
    pub(super) fn numbered<'t>(&'t self, names: &mut Names<'t>) -> Vec<u32> {
        let numbers: Vec<u32> = self.names.iter().map(|name| names.number(&**name)).collect();
        let of = |element: &Element| numbers[element.name as usize];
        self.elements.iter().map(of).collect()
    }

    /// Returns the position of each element among siblings of its name, from 1.
    fn positions(&self) -> Vec<u32> {
        let mut seen: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut out = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            let position = seen.entry((element.parent, element.name)).or_default();
            *position += 1;
            out.push(*position);
        }
        out
    }

    /// Returns the path of an element, with positions among siblings of one name: `body/div[2]/p[1]`.
    #[cfg(test)]
    pub(crate) fn path(&self, element: usize) -> String {
        match self.elements[element].parent() {
            None => self.name(element).to_owned(),
            Some(parent) => {
                let (name, position) = (self.name(element), self.positions()[element]);
                format!("{}/{name}[{position}]", self.path(parent))
            }
        }
    }

    /// Returns the texts of the page, except those in removed elements, joined by newlines.
    pub(super) fn without(&self, removed: &[bool]) -> String {
        let mut gone = removed.to_vec();
        for (i, element) in self.elements.iter().enumerate() {
            gone[i] = gone[i] || element.parent().is_some_and(|p| gone[p]);
        }
        let mut out = String::new();
        for (_, text) in self.texts().filter(|(element, _)| !gone[*element]) {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(text);
        }
        out
    }
}

/// Numbers for words. Equal words have equal numbers.
#[derive(Default)]
pub(super) struct Names<'t>(BTreeMap<Cow<'t, str>, u32>);

impl<'t> Names<'t> {
    pub(super) fn number(&mut self, name: impl Into<Cow<'t, str>>) -> u32 {
        let next = narrow::to_u32(self.0.len());
        *self.0.entry(name.into()).or_insert(next)
    }
}

/// Numbers for paths with positions among siblings of one name, such as `body/div[2]/p[1]`. Equal paths of
/// several pages have equal numbers. A path is stored as the number of its parent path and its last step, so
/// that its depth does not matter.
#[derive(Default)]
pub(super) struct PathNumbers<'t> {
    names: Names<'t>,
    /// Number of the path, by parent path, name and position.
    paths: BTreeMap<(u32, u32, u32), u32>,
}

impl<'t> PathNumbers<'t> {
    /// Returns the numbers of the paths of all elements of a tree.
    pub(super) fn of(&mut self, tree: &'t ElementTree) -> Vec<u32> {
        let names = tree.numbered(&mut self.names);
        let mut out: Vec<u32> = Vec::with_capacity(tree.elements.len());
        for ((element, name), position) in tree.elements.iter().zip(names).zip(tree.positions()) {
            let parent = element.parent().map_or(NONE, |parent| out[parent]);
            let next = narrow::to_u32(self.paths.len());
            out.push(*self.paths.entry((parent, name, position)).or_insert(next));
        }
        out
    }
}

/// Returns whether an element is omitted with its content, because it shows no text of the page.
pub(super) fn is_left_out(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::SCRIPT
            | Tag::STYLE
            | Tag::NOSCRIPT
            | Tag::TEMPLATE
            | Tag::HEAD
            | Tag::SVG
            | Tag::IFRAME
            | Tag::OBJECT
            | Tag::EMBED
            | Tag::SELECT
            | Tag::OPTION
            | Tag::TEXTAREA
    )
}

/// Returns the texts of the pages without the elements that `removed` chooses on each page.
pub(super) fn texts_without(
    pages: &[Page<'_>],
    options: &Options,
    removed: impl FnOnce(&[ElementTree]) -> Vec<Vec<bool>>,
) -> Vec<String> {
    let trees: Vec<ElementTree> = pages
        .iter()
        .map(|page| analyze_page(page, options, |view, _, _| ElementTree::from_dom(view.dom)))
        .collect();
    let removed = removed(&trees);
    let left = trees.iter().zip(removed);
    left.map(|(tree, removed)| tree.without(&removed)).collect()
}

/// Returns the similarity of two trees by simple tree matching (Yang, "Identifying syntactic differences
/// between two programs", 1991), 0 to 1.
///
/// Roots must have equal tags, and children are matched in order, such that the number of matched elements is
/// maximal. The similarity is twice this number, divided by the number of elements of both trees. O(|A| |B|)
/// time, bottom-up over pairs of elements of equal depth, without recursion.
pub fn similarity(a: &ElementTree, b: &ElementTree) -> f64 {
    let (n, m) = (a.elements.len(), b.elements.len());
    if n == 0 || m == 0 {
        return if n == m { 1.0 } else { 0.0 };
    }
    let depth = |tree: &ElementTree| -> Vec<usize> {
        let mut out = Vec::with_capacity(tree.elements.len());
        for element in &tree.elements {
            let depth = element.parent().map_or(0, |p: usize| out[p] + 1);
            out.push(depth);
        }
        out
    };
    let (depth_a, depth_b) = (depth(a), depth(b));
    // best[i * m + j]: number of matched elements in the subtrees of i and j, for elements of equal depth and name; otherwise 0.
    let mut best = vec![0_u32; n * m];
    // Children have larger numbers, so `best` of all pairs of children is complete.
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            if depth_a[i] != depth_b[j] || a.name(i) != b.name(j) {
                continue;
            }
            let width = b.children(j).count() + 1;
            // `row[k]`: most matched elements of the children of `i` so far with the first `k` children of
            // `j`.
            let mut row = vec![0_u32; width];
            for c in a.children(i) {
                let mut diagonal = 0;
                for (k, d) in b.children(j).enumerate() {
                    let above = row[k + 1];
                    row[k + 1] = above.max(row[k]).max(diagonal + best[c * m + d]);
                    diagonal = above;
                }
            }
            best[i * m + j] = row[width - 1] + 1;
        }
    }
    2.0 * f64::from(best[0]) / (n + m) as f64
}
