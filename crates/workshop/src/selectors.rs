//! Selectors that match a part of a page.

use dehusk_html::tree::{Dom, NodeId};
use dehusk_pipeline::extract::PageView;
use dehusk_pipeline::extract::rules::{Selector, SelectorSearch, escape_name};

/// Maximum number of classes of an element that are tried.
const MAX_CLASSES: usize = 6;
/// Maximum number of selectors that are offered.
const MAX_OFFERED: usize = 6;
/// Maximum length of a class or id that a person would write, in bytes.
const MAX_NAME: usize = 40;
/// Maximum number of children of `body` that are examined.
const MAX_OUTER: usize = 40;
/// Maximum number of ancestors of the part that are examined.
const MAX_ABOVE: usize = 12;

/// A selector with its number of matches on the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Candidate {
    pub(crate) selector: String,
    /// Number of elements of the page that it matches.
    pub(crate) found: usize,
}

/// Returns selectors that match an element. Those that match no other element come first, then those that
/// match similar elements, both ordered by length.
pub(crate) fn candidates(
    view: &PageView<'_>,
    search: &SelectorSearch<'_>,
    element: NodeId,
) -> Vec<Candidate> {
    let mut offered: Vec<Candidate> = Vec::new();
    // The smallest number of matches of an offered selector. Another selector is useful only if it has
    // fewer matches, or if it describes the element itself.
    let mut least = usize::MAX;
    let mut offer = |selector: String, most: usize| {
        let known = offered.iter().any(|known| known.selector == selector);
        if let Some(found) = count(search, &selector, element).filter(|found| !known && *found < most) {
            least = least.min(found);
            offered.push(Candidate { selector, found });
        }
        least
    };
    let mut fewest = usize::MAX;
    let own = steps(view.dom, element);
    // Descriptions of the element itself are offered with any number of matches.
    for step in &own {
        fewest = offer(step.clone(), usize::MAX);
    }
    // An ancestor distinguishes the element from others of its kind.
    let step = own.first().cloned().unwrap_or_default();
    let above: Vec<NodeId> = view.dom.ancestors(element).take(MAX_ABOVE).collect();
    for ancestor in above.iter().filter(|_| !step.is_empty()) {
        let named = steps(view.dom, *ancestor);
        let child = view.dom.parent(element) == Some(*ancestor);
        let joint = if child { " > " } else { " " };
        for above in named.iter().filter(|above| above.contains(['#', '.'])) {
            // The search ends with the first selector that matches nothing else.
            if fewest > 1 {
                fewest = offer(format!("{above}{joint}{step}"), fewest);
            }
        }
    }
    // A path by positions is the last resort, since it breaks as soon as a part is added before the
    // element.
    if fewest > 1 {
        offer(path(view.dom, element), fewest);
    }
    offered.sort_by_key(|candidate| (candidate.found != 1, candidate.selector.len(), candidate.found));
    offered.truncate(MAX_OFFERED);
    offered
}

/// Returns the shortest selector that matches only this element, or else the selector with the fewest matches.
pub(crate) fn best(view: &PageView<'_>, search: &SelectorSearch<'_>, element: NodeId) -> Option<String> {
    candidates(view, search, element)
        .into_iter()
        .min_by_key(|candidate| (candidate.found, candidate.selector.len()))
        .map(|candidate| candidate.selector)
}

/// Returns the number of matches of a selector, if the element is among them.
fn count(search: &SelectorSearch<'_>, selector: &str, element: NodeId) -> Option<usize> {
    let found = search.find(&Selector::read(selector).ok()?).ok()?;
    found.contains(&element).then_some(found.len())
}

/// Returns selectors of an element without its context: by its id, its classes and its tag.
fn steps(dom: &Dom<'_>, element: NodeId) -> Vec<String> {
    let tag = escape_name(dom.name(element));
    let mut out = Vec::new();
    if let Some(id) = dom.attr(element, "id").filter(|id| is_lasting(id)) {
        out.push(format!("#{}", escape_name(&id)));
    }
    let class = dom.attr(element, "class").unwrap_or_default();
    let classes: Vec<&str> = class
        .split_ascii_whitespace()
        .filter(|name| is_lasting(name))
        .take(MAX_CLASSES)
        .collect();
    out.extend(classes.iter().map(|name| format!(".{}", escape_name(name))));
    // Two classes together are often unique where each of them is not.
    if let [a, b, ..] = classes.as_slice() {
        out.push(format!(".{}.{}", escape_name(a), escape_name(b)));
    }
    // The tags of `html` and `body` distinguish nothing, so they are offered only without a better name.
    if !matches!(tag.as_str(), "html" | "body") || out.is_empty() {
        out.push(tag);
    }
    out
}

/// Returns the names of the outermost elements of a page: `html`, `body` and the children of `body`, by
/// stable ids and classes.
pub(crate) fn outermost(dom: &Dom<'_>) -> Vec<String> {
    let is_named = |id: &NodeId| matches!(dom.name(*id), "html" | "body");
    let outer: Vec<NodeId> = dom.preorder(NodeId::DOCUMENT).filter(is_named).take(2).collect();
    let body = outer.iter().copied().filter(|id| dom.name(*id) == "body");
    let inner: Vec<NodeId> = body.flat_map(|id| dom.children(id)).take(MAX_OUTER).collect();
    let mut out = Vec::new();
    // The body comes before `html`, and both before the children: the first name that distinguishes pages
    // is used.
    for id in outer
        .into_iter()
        .rev()
        .chain(inner)
        .filter(|id| dom.element(*id).is_some())
    {
        let tag = dom.name(id);
        let named = steps(dom, id)
            .into_iter()
            .filter(|step| step.starts_with(['#', '.']));
        out.extend(named.map(|step| format!("{tag}{step}")));
    }
    out
}

/// Restricts a selector to matches inside an element of this name.
pub(crate) fn within(outer: &str, selector: &str) -> String {
    let rest = selector
        .strip_prefix("body")
        .filter(|rest| rest.is_empty() || rest.starts_with([' ', '>']));
    // A selector that begins with `body` matches nothing inside the body. It gets the name of the body, or
    // stays as it is.
    match rest {
        Some(rest) if outer.starts_with("body") => format!("{outer}{rest}"),
        Some(_) => selector.to_owned(),
        // A list is restricted as a whole.
        None if selector.contains(',') => format!("{outer} :is({selector})"),
        None => format!("{outer} {selector}"),
    }
}

/// Returns whether a name is likely to occur on other pages as well. Names that number things, such
/// as ids of articles, are not.
fn is_lasting(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    // Two digits are common in names that last, such as `col-12`.
    !name.is_empty() && name.len() <= MAX_NAME && digits <= 2 && name.chars().all(plain)
}

/// Returns the path to an element by positions among siblings, from the nearest ancestor with a stable id,
/// or else from the body.
fn path(dom: &Dom<'_>, element: NodeId) -> String {
    let mut out: Vec<String> = Vec::new();
    let chain = std::iter::once(element).chain(dom.ancestors(element));
    for at in chain.filter(|at| dom.element(*at).is_some()) {
        let name = dom.name(at);
        if matches!(name, "html" | "body") {
            out.push(name.to_owned());
            break;
        }
        if let Some(id) = dom.attr(at, "id").filter(|id| is_lasting(id)) {
            out.push(format!("#{}", escape_name(&id)));
            break;
        }
        let siblings = dom.parent(at).into_iter().flat_map(|parent| dom.children(parent));
        // `nth-of-type` counts siblings of the same name.
        let same: Vec<NodeId> = siblings
            .filter(|sibling| dom.element(*sibling).is_some() && dom.name(*sibling) == name)
            .collect();
        let place = same.iter().position(|sibling| *sibling == at).unwrap_or(0) + 1;
        out.push(match same.len() {
            0 | 1 => escape_name(name),
            _ => format!("{}:nth-of-type({place})", escape_name(name)),
        });
    }
    out.reverse();
    out.join(" > ")
}

#[cfg(test)]
mod tests {
    use dehusk_pipeline::extract::{Options, Page, inspect};

    use super::*;

    fn check(html: &str, text: &str) -> Vec<(String, usize)> {
        inspect(&Page::decoded(html), &Options::default(), |view| {
            let holds =
                |id: &NodeId| view.dom.element(*id).is_some() && view.dom.text_content(*id).trim() == text;
            let mut found: Vec<NodeId> = view.dom.preorder(NodeId::DOCUMENT).filter(holds).collect();
            let element = found.pop().expect("an element with that text");
            let offered = candidates(view, &SelectorSearch::new(view), element);
            offered.into_iter().map(|c| (c.selector, c.found)).collect()
        })
    }

    #[test]
    fn the_shortest_that_finds_no_other_comes_first() {
        let html = "<div id=top class='bar wide'><p class=a>one</p></div><p class=a>two</p><p class='a share'>three</p>";
        assert_eq!(check(html, "three")[0], (".share".to_owned(), 1));
        assert_eq!(check(html, "one")[0], ("#top > .a".to_owned(), 1));
        assert_eq!(check(html, "one")[1], ("p".to_owned(), 3));
    }

    #[test]
    fn names_that_number_things_are_left_out() {
        let html = "<div class=x><p id=post-48213>one</p><p>two</p></div>";
        let offered = check(html, "one");
        assert!(
            offered.iter().all(|(selector, _)| !selector.contains("48213")),
            "{offered:?}"
        );
        assert_eq!(offered[0].1, 1);
        assert!(offered[0].0.ends_with("p:nth-of-type(1)"), "{offered:?}");
    }

    #[test]
    fn layouts_are_told_by_their_outermost_elements() {
        let html =
            "<html class=js><body class='single post-48213' id=top><div class=page><p class=deep>one</div>";
        let names = inspect(&Page::decoded(html), &Options::default(), |view| {
            outermost(view.dom)
        });
        assert_eq!(names, ["body#top", "body.single", "html.js", "div.page"]);
        for (selector, expected) in [
            (".share", "body.single .share"),
            ("body > p", "body.single > p"),
            (".a, .b", "body.single :is(.a, .b)"),
        ] {
            assert_eq!(within("body.single", selector), expected);
        }
        assert_eq!(within("div.page", "body > p"), "body > p");
    }

    #[test]
    fn odd_names_are_escaped() {
        let html = "<p>x</p><p>y</p><my-part>one</my-part>";
        assert_eq!(check(html, "one")[0], ("my-part".to_owned(), 1));
    }
}
