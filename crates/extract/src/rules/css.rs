//! CSS selectors, matched by scraper.

use html5ever::{Attribute, LocalName, QualName, ns};
use scraper::node::{Element, Text};
use scraper::{ElementRef, Html, Node, Selector, StrTendril};

use super::budget::{MAX_FOUND, RuleBudget, Stopped};
use super::error::Flaw;
use dehusk_html::tree::{Dom, Namespace, NodeId, NodeKind};

/// Longest selector, in bytes.
const MAX_BYTES: usize = 2000;
/// Deepest nesting of parentheses.
const MAX_NESTED: usize = 8;
/// Comparisons that count as a step.
const COMPARISONS: u64 = 16;

/// A selector, with bounds on the cost of matching it against an element.
#[derive(Clone, Debug)]
pub(super) struct Css {
    selector: Selector,
    /// Number of names in it.
    parts: u64,
    /// Whether it depends on ancestors, siblings or descendants of an element.
    is_relative: bool,
    beside: bool,
    below: bool,
}

impl Css {
    pub(super) fn read(text: &str) -> Result<Css, Flaw> {
        if text.len() > MAX_BYTES {
            let message = format!("longer than {MAX_BYTES} bytes");
            return Err(Flaw::new(MAX_BYTES, message, "part it into several selectors"));
        }
        let mut nested = 0_usize;
        for (at, c) in text.char_indices() {
            match c {
                '(' => nested += 1,
                ')' => nested = nested.saturating_sub(1),
                _ => {}
            }
            if nested > MAX_NESTED {
                let message = format!("nested more than {MAX_NESTED} deep");
                return Err(Flaw::new(at, message, "part it into several selectors"));
            }
        }
        let selector = Selector::parse(text).map_err(|error| flaw(text, &error.to_string()))?;
        let sign = |c: char| text.contains(c);
        let parts = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'));
        Ok(Css {
            selector,
            parts: 1 + parts.filter(|part| !part.is_empty()).count() as u64,
            is_relative: sign(' ') || sign('>') || sign('\t') || sign('\n'),
            beside: sign('~')
                || sign('+')
                || text.contains(":nth")
                || text.contains("-of-type")
                || text.contains("-child"),
            below: text.contains(":has"),
        })
    }
}

/// The error of a selector. The parser of selectors quotes what it did not understand, which gives the place.
fn flaw(text: &str, why: &str) -> Flaw {
    let why = if why.contains("Please report") {
        "not understood"
    } else {
        why
    };
    let quoted = why
        .split('"')
        .nth(1)
        .or_else(|| why.split('\'').nth(1))
        .unwrap_or("");
    let at = if quoted.is_empty() {
        None
    } else {
        text.find(quoted)
    };
    let remedy = "write a selector such as `div.post > p`; state (`:hover`) and pseudo-elements (`::before`) are not known";
    Flaw::new(at.unwrap_or(0), format!("no selector: {why}"), remedy)
}

/// An element of the copy.
struct Copied {
    origin: NodeId,
    copy: ego_tree::NodeId,
    depth: u32,
    /// Number of child elements of its parent, itself included.
    siblings: u32,
    /// Number of descendant elements.
    below: u32,
}

/// A copy of a page as a document of scraper.
pub(super) struct PageCopy {
    html: Html,
    /// Elements in document order.
    elements: Vec<Copied>,
    /// Number of the copy of each node of the page.
    copies: Vec<Option<ego_tree::NodeId>>,
}

impl PageCopy {
    /// Copies the elements of a page that are not removed. Texts are copied as empty ones, for `:empty`.
    pub(super) fn new(dom: &Dom<'_>, removed: &[bool]) -> PageCopy {
        let html = Html::new_document();
        let root = html.tree.root().id();
        let mut out = PageCopy {
            html,
            elements: Vec::new(),
            copies: vec![None; dom.len()],
        };
        out.copies[NodeId::DOCUMENT.index()] = Some(root);
        let mut depths = vec![0_u32; dom.len()];
        let mut walk = dom.preorder(NodeId::DOCUMENT);
        while let Some(id) = walk.next() {
            if removed[id.index()] {
                walk.skip_subtree(id);
                continue;
            }
            let Some(parent) = dom.parent(id) else { continue };
            let node = match dom.kind(id) {
                NodeKind::Element => Node::Element(element(dom, id)),
                _ if dom.is_text(id) => Node::Text(Text {
                    text: StrTendril::new(),
                }),
                _ => continue,
            };
            let parent_copy = out.copies[parent.index()].and_then(|p| out.html.tree.get_mut(p));
            let Some(mut parent_copy) = parent_copy else {
                continue;
            };
            let copy = parent_copy.append(node).id();
            if dom.kind(id) == NodeKind::Element {
                out.copies[id.index()] = Some(copy);
                depths[id.index()] = depths[parent.index()] + 1;
                out.elements.push(Copied {
                    origin: id,
                    copy,
                    depth: depths[id.index()],
                    siblings: 0,
                    below: 0,
                });
            }
        }
        out.measure(dom);
        out
    }

    fn measure(&mut self, dom: &Dom<'_>) {
        let mut below = vec![0_u32; dom.len()];
        let mut children = vec![0_u32; dom.len()];
        for copied in self.elements.iter().rev() {
            if let Some(parent) = dom.parent(copied.origin) {
                below[parent.index()] += 1 + below[copied.origin.index()];
                children[parent.index()] += 1;
            }
        }
        for copied in &mut self.elements {
            copied.below = below[copied.origin.index()];
            copied.siblings = dom.parent(copied.origin).map_or(1, |p| children[p.index()]);
        }
    }

    /// Removes a node with its descendants.
    pub(super) fn remove(&mut self, id: NodeId) {
        if let Some(mut copy) = self.copies[id.index()].and_then(|copy| self.html.tree.get_mut(copy)) {
            copy.detach();
        }
    }

    /// The elements that a selector matches, in document order.
    pub(super) fn find(
        &self,
        css: &Css,
        removed: &[bool],
        budget: &RuleBudget,
    ) -> Result<Vec<NodeId>, Stopped> {
        let mut out = Vec::new();
        for copied in self.elements.iter().filter(|c| !removed[c.origin.index()]) {
            let mut comparisons = 1;
            for (asked, reach) in [
                (css.is_relative, copied.depth),
                (css.beside, copied.siblings),
                (css.below, copied.below),
            ] {
                comparisons *= if asked { 1 + u64::from(reach) } else { 1 };
            }
            budget.take(1 + css.parts.saturating_mul(comparisons) / COMPARISONS)?;
            let element = self.html.tree.get(copied.copy).and_then(ElementRef::wrap);
            if element.is_some_and(|element| css.selector.matches(&element)) {
                out.push(copied.origin);
            }
        }
        if out.len() > MAX_FOUND {
            return Err(Stopped::Found(out.len()));
        }
        Ok(out)
    }
}

fn element(dom: &Dom<'_>, id: NodeId) -> Element {
    let namespace = match dom.namespace(id) {
        Namespace::Html => ns!(html),
        Namespace::Svg => ns!(svg),
        Namespace::MathMl => ns!(mathml),
    };
    let attributes = dom.attributes(id).map(|(name, value)| Attribute {
        name: QualName::new(None, ns!(), LocalName::from(name.to_ascii_lowercase())),
        value: (&*value).into(),
    });
    Element::new(
        QualName::new(None, namespace, LocalName::from(dom.name(id))),
        attributes.collect(),
    )
}
