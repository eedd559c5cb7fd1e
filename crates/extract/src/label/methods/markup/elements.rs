//! Bodies that elements and attributes mark.

use crate::analysis::blocks::elements::is_hidden;
use crate::analysis::blocks::table::BlockTable;
use crate::analysis::metadata::is_article_type;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use dehusk_html::tree::{Dom, NodeId, Tag};

/// One kind of markup.
pub(crate) struct MarkupKind {
    /// Returns the elements whose text is the body, none nested in another. Empty if the page lacks the markup or it is ambiguous.
    find: fn(&PageView<'_>) -> Vec<NodeId>,
    kept: &'static str,
    dropped: &'static str,
}

/// All kinds, most trusted first.
pub(crate) static MARKUP_KINDS: &[MarkupKind] = &[
    MarkupKind {
        find: microdata,
        kept: "in-microdata-body",
        dropped: "outside-microdata-body",
    },
    MarkupKind {
        find: rdfa,
        kept: "in-rdfa-body",
        dropped: "outside-rdfa-body",
    },
    MarkupKind {
        find: article,
        kept: "in-article-element",
        dropped: "outside-article-element",
    },
    MarkupKind {
        find: main,
        kept: "in-main-element",
        dropped: "outside-main-element",
    },
];

impl MarkupKind {
    /// Keeps the blocks inside the elements found; `None` if absent.
    pub(crate) fn labels(&self, view: &PageView<'_>, method: &'static str) -> Option<Labels> {
        let roots = (self.find)(view);
        if roots.is_empty() {
            return None;
        }
        const OUTSIDE: u8 = 0;
        const INSIDE: u8 = 1;
        const BOILERPLATE: u8 = 2;
        let mut place = vec![OUTSIDE; view.dom.len()];
        for &root in &roots {
            let mut walk = view.dom.preorder(root);
            while let Some(id) = walk.next() {
                place[id.index()] = INSIDE;
                // Boilerplate inside the body is marked with everything below it, and skipped.
                if id != root && view.dom.html_tag(id).is_some_and(is_boilerplate) {
                    for below in view.dom.preorder(id) {
                        place[below.index()] = BOILERPLATE;
                    }
                    walk.skip_subtree(id);
                }
            }
        }
        let blocks = view.table.blocks().iter();
        let verdicts = blocks
            .map(|block| {
                // A block may begin or end inside an inline element. The majority of its nodes decides.
                let nodes = view.table.nodes(block);
                let most = |at| nodes.iter().filter(|n| place[n.index()] == at).count() * 2 > nodes.len();
                match () {
                    () if block.hidden => Verdict::drop("hidden"),
                    () if most(INSIDE) => Verdict::keep(self.kept),
                    () if most(BOILERPLATE) => Verdict::drop("boilerplate-inside-body"),
                    () => Verdict::drop(self.dropped),
                }
            })
            .collect();
        Some(Labels::new(method, verdicts))
    }

    /// Returns verdicts that drop every block.
    pub(crate) fn dropped(table: &BlockTable, reason: &'static str) -> Vec<Verdict> {
        let blocks = table.blocks().iter();
        let verdict = |hidden| Verdict::drop(if hidden { "hidden" } else { reason });
        blocks.map(|block| verdict(block.hidden)).collect()
    }
}

/// Returns whether an element is by definition not part of the surrounding text.
fn is_boilerplate(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::NAV | Tag::ASIDE | Tag::FOOTER | Tag::BUTTON | Tag::SELECT | Tag::LABEL | Tag::OPTION
    )
}

/// Returns whether the white-space separated list in an attribute contains `word`.
fn lists(dom: &Dom<'_>, id: NodeId, attribute: &str, word: &str) -> bool {
    dom.attr(id, attribute)
        .is_some_and(|list| list.split_ascii_whitespace().any(|w| w == word))
}

/// Finds `itemprop=articleBody` inside an `itemscope` with an article type.
fn microdata(view: &PageView<'_>) -> Vec<NodeId> {
    let dom = view.dom;
    let mut found = Vec::new();
    // Parents precede their children, so one pass suffices.
    let mut in_article = vec![false; dom.len()];
    let mut walk = dom.preorder(NodeId::DOCUMENT);
    while let Some(id) = walk.next() {
        if dom.is_text(id) {
            continue;
        }
        let scope = dom.parent(id).is_some_and(|p| in_article[p.index()]);
        if scope && lists(dom, id, "itemprop", "articleBody") {
            found.push(id);
            walk.skip_subtree(id);
            continue;
        }
        in_article[id.index()] = scope
            || dom.attr(id, "itemscope").is_some()
                && dom
                    .attr(id, "itemtype")
                    .is_some_and(|types| types.split_ascii_whitespace().any(is_article_type));
    }
    found
}

/// Finds `property=articleBody`, with or without a prefix.
fn rdfa(view: &PageView<'_>) -> Vec<NodeId> {
    let dom = view.dom;
    let mut found = Vec::new();
    let mut walk = dom.preorder(NodeId::DOCUMENT);
    while let Some(id) = walk.next() {
        let is_body = dom.attr(id, "property").is_some_and(|list| {
            // `schema:articleBody`, or the full address of the property.
            list.split_ascii_whitespace()
                .any(|name| name.rsplit([':', '/']).next() == Some("articleBody"))
        });
        if is_body {
            found.push(id);
            walk.skip_subtree(id);
        }
    }
    found
}

/// Finds the only `article` element, or one that is much longer than the others.
fn article(view: &PageView<'_>) -> Vec<NodeId> {
    let articles = unlinked_chars(view, |dom, id| dom.html_tag(id) == Some(Tag::ARTICLE));
    let mut sorted: Vec<f64> = articles.iter().map(|&(_, chars)| chars).collect();
    sorted.sort_by(f64::total_cmp);
    // The lower median, if the number is even.
    let (Some(&largest), Some(&median)) = (sorted.last(), sorted.get(sorted.len().saturating_sub(1) / 2))
    else {
        return Vec::new();
    };
    // A page that lists articles has no single body.
    if articles.len() > 1 && largest < 2.0 * median {
        return Vec::new();
    }
    first_with_chars(&articles, largest)
}

/// Finds the element `main` or an element with that role; of several the one with the most text.
fn main(view: &PageView<'_>) -> Vec<NodeId> {
    let mains = unlinked_chars(view, |dom, id| {
        dom.html_tag(id) == Some(Tag::MAIN)
            || dom
                .attr(id, "role")
                .is_some_and(|role| role.trim().eq_ignore_ascii_case("main"))
    });
    let largest = mains.iter().map(|&(_, chars)| chars).fold(0.0, f64::max);
    first_with_chars(&mains, largest)
}

/// Returns the first element with this number of characters. Empty if the number is 0.
fn first_with_chars(all: &[(NodeId, f64)], chars: f64) -> Vec<NodeId> {
    let first = all.iter().find(|&&(_, w)| w == chars && w > 0.0);
    first.map(|&(id, _)| id).into_iter().collect()
}

/// Returns the visible elements with text that `accepts` accepts, in document order, with the number of their unlinked characters.
fn unlinked_chars(view: &PageView<'_>, accepts: impl Fn(&Dom<'_>, NodeId) -> bool) -> Vec<(NodeId, f64)> {
    let contexts = view.table.contexts();
    let mut unlinked = vec![0_u64; contexts.len()];
    for block in view.table.blocks().iter().filter(|b| !b.hidden) {
        if let Some(sum) = unlinked.get_mut(block.context as usize) {
            *sum += u64::from(block.chars.saturating_sub(block.link_chars));
        }
    }
    // Parents precede their children, so each sum is complete before it is passed up.
    for i in (0..contexts.len()).rev() {
        if let Some(parent) = contexts[i].parent {
            unlinked[parent as usize] += unlinked[i];
        }
    }
    contexts
        .iter()
        .zip(unlinked)
        .filter(|(context, _)| accepts(view.dom, context.element) && !is_hidden(view.dom, context.element))
        .map(|(context, sum)| (context.element, sum as f64))
        .collect()
}
