//! Pages as trees of elements with their own text, and how similar two are.

use std::collections::BTreeMap;

use crate::analysis::blocks::words::collapsed;
use crate::analyze::analyze_page;
use crate::options::Options;
use crate::page::Page;
use dehusk_html::tree::{Dom, NodeId, NodeKind, Tag};

/// An element with its own text.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Element {
    /// Number of the parent element, which is smaller than its own.
    pub(crate) parent: Option<usize>,
    pub(crate) tag: String,
    /// Texts directly in it, white space collapsed, with one space between.
    pub(crate) text: String,
    /// Elements in it, in order.
    pub(crate) children: Vec<usize>,
    /// Characters of its own text, and of them those within links.
    pub(crate) chars: usize,
    pub(crate) link_chars: usize,
}

/// A page as a tree: the elements from `body` down, without scripts, styles and the like, and the texts in document order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ElementTree {
    pub(crate) elements: Vec<Element>,
    /// Element and text, in document order.
    pub(crate) texts: Vec<(usize, String)>,
}

impl ElementTree {
    /// Copies a page.
    pub fn from_dom(dom: &Dom<'_>) -> ElementTree {
        let mut out = ElementTree::default();
        // The parser puts a body into every document but a frameset, which shows no text.
        let body = dom.find(NodeId::DOCUMENT, Tag::BODY);
        // Node, number of the parent element, whether it is in a link.
        let mut stack: Vec<(NodeId, Option<usize>, bool)> =
            body.map(|b| (b, None, false)).into_iter().collect();
        while let Some((id, parent, linked)) = stack.pop() {
            match dom.kind(id) {
                NodeKind::Text | NodeKind::EncodedText | NodeKind::RawText => {
                    if let Some(parent) = parent {
                        out.text(parent, &dom.text(id), linked);
                    }
                }
                NodeKind::Element if !dom.tag(id).is_some_and(is_left_out) => {
                    let number = out.elements.len();
                    out.elements.push(Element {
                        parent,
                        tag: dom.name(id).to_owned(),
                        ..Element::default()
                    });
                    if let Some(parent) = parent {
                        out.elements[parent].children.push(number);
                    }
                    let linked = linked || dom.tag(id) == Some(Tag::A);
                    let children: Vec<NodeId> = dom.children(id).collect();
                    stack.extend(children.into_iter().rev().map(|c| (c, Some(number), linked)));
                }
                _ => {}
            }
        }
        out
    }

    fn text(&mut self, element: usize, text: &str, linked: bool) {
        let text = collapsed(text);
        if text.is_empty() {
            return;
        }
        let chars = text.chars().count();
        let to = &mut self.elements[element];
        to.chars += chars;
        to.link_chars += if linked { chars } else { 0 };
        if !to.text.is_empty() {
            to.text.push(' ');
        }
        to.text.push_str(&text);
        self.texts.push((element, text));
    }

    /// Position of each element among siblings of its tag, from 1.
    fn positions(&self) -> Vec<u32> {
        let mut seen: BTreeMap<(usize, &str), u32> = BTreeMap::new();
        let mut out = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            out.push(element.parent.map_or(1, |parent| {
                let position = seen.entry((parent, element.tag.as_str())).or_default();
                *position += 1;
                *position
            }));
        }
        out
    }

    /// Path of an element, with positions among siblings of one tag: `body/div[2]/p[1]`.
    #[cfg(test)]
    pub(crate) fn path(&self, element: usize) -> String {
        let (Element { parent, tag, .. }, positions) = (&self.elements[element], self.positions());
        match parent {
            None => tag.clone(),
            Some(parent) => format!("{}/{tag}[{}]", self.path(*parent), positions[element]),
        }
    }

    /// The texts of the page without those in removed elements.
    pub(crate) fn without(&self, removed: &[bool]) -> String {
        let mut gone = removed.to_vec();
        for (i, element) in self.elements.iter().enumerate() {
            gone[i] = gone[i] || element.parent.is_some_and(|p| gone[p]);
        }
        let kept = self.texts.iter().filter(|(element, _)| !gone[*element]);
        kept.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// Numbers for paths with positions among siblings of one tag, such as `body/div[2]/p[1]`: equal paths of several pages have one number.
/// A path costs as much as its last step, however deep it is.
#[derive(Default)]
pub(super) struct PathNumbers<'t>(BTreeMap<(Option<u32>, &'t str, u32), u32>);

impl<'t> PathNumbers<'t> {
    /// The numbers of the paths of all elements of a tree.
    pub(super) fn of(&mut self, tree: &'t ElementTree) -> Vec<u32> {
        let mut out: Vec<u32> = Vec::with_capacity(tree.elements.len());
        for (element, position) in tree.elements.iter().zip(tree.positions()) {
            let parent = element.parent.map(|parent| out[parent]);
            let next = self.0.len() as u32;
            let number = self.0.entry((parent, &element.tag, position)).or_insert(next);
            out.push(*number);
        }
        out
    }
}

/// Whether an element is left out with its content, as it shows no text of the page.
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

/// Texts of the pages without the elements that `removed` chooses on each of them.
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

/// Similarity of two trees by simple tree matching (Yang, "Identifying syntactic differences between two programs", 1991):
/// roots must have equal tags, and children match in order, so that as many elements as possible match; twice their number by
/// the elements of both. O(|A| |B|) time; the work is done bottom-up over pairs of levels, without recursion.
pub fn similarity(a: &ElementTree, b: &ElementTree) -> f64 {
    let (n, m) = (a.elements.len(), b.elements.len());
    if n == 0 || m == 0 {
        return if n == m { 1.0 } else { 0.0 };
    }
    let depth = |tree: &ElementTree| -> Vec<usize> {
        let mut out = Vec::with_capacity(tree.elements.len());
        for element in &tree.elements {
            let depth = element.parent.map_or(0, |p: usize| out[p] + 1);
            out.push(depth);
        }
        out
    };
    let (depth_a, depth_b) = (depth(a), depth(b));
    // best[i * m + j]: elements that match in the subtrees of i and j, at equal depth, equal tags.
    let mut best = vec![0_u32; n * m];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            let (x, y) = (&a.elements[i], &b.elements[j]);
            if depth_a[i] != depth_b[j] || x.tag != y.tag {
                continue;
            }
            let width = y.children.len() + 1;
            let mut row = vec![0_u32; width];
            for &c in &x.children {
                let mut diagonal = 0;
                for (k, &d) in y.children.iter().enumerate() {
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
