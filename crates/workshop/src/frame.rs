//! A page of the crawl for display, rewritten so that it is inert.
//!
//! Elements and attributes are written from our own tree, and only known ones: no scripts, event handlers,
//! addresses, forms that can be submitted, frames or embedded objects. Of vector graphics, only HTML
//! content is written. Each element has its number in the tree as `data-e`. Style sheets and images have
//! addresses of this program. As a second barrier, the policy that is sent with the page and the sandbox of
//! its frame forbid everything else.

use std::fmt::Display;

use dehusk_html::tree::{Dom, Namespace, NodeId};
use dehusk_html::url::Base;
use dehusk_pipeline::extract::PageView;
use dehusk_pipeline::markup::Html;

/// Maximum size of the page, in bytes.
const MAX_BYTES: usize = 6 << 20;
/// Maximum nesting depth of elements. Deeper elements are omitted, and their content moves to the innermost
/// element.
const MAX_DEPTH: usize = 250;
/// Maximum number of style sheets.
pub(crate) const MAX_SHEETS: usize = 60;

/// Elements that are omitted with their content.
const LEFT_OUT: &[&str] = &[
    "applet", "audio", "base", "canvas", "embed", "frame", "frameset", "head", "iframe", "link", "meta",
    "noembed", "noframes", "noscript", "object", "portal", "script", "style", "template", "title", "track",
    "video",
];

/// Elements without content.
const VOID: &[&str] = &["area", "br", "col", "hr", "img", "input", "wbr"];

/// Elements whose content browsers parse by special rules, with their replacements: text in them could
/// otherwise end or swallow markup.
const RENAMED: &[(&str, &str)] = &[
    ("listing", "pre"),
    ("plaintext", "pre"),
    ("xmp", "pre"),
    ("textarea", "div"),
    ("select", "div"),
    ("option", "div"),
    ("optgroup", "div"),
];

/// Addresses at which this program serves the resources of a page.
pub(crate) trait Links {
    /// Returns the address of a style sheet, given its number on the page; `None` if it is not served.
    fn sheet(&self, number: usize, sheet: &Sheet) -> Option<String>;

    /// Returns the address of an image; `None` if it is not served.
    fn image(&self, src: &str) -> Option<String>;

    /// Returns a style sheet, or the style of an element, with rewritten addresses.
    fn css(&self, css: &str) -> String;
}

/// Attributes that are kept because the appearance depends on them. None of them loads, sends or runs
/// anything.
const ATTRIBUTES: &[&str] = &[
    "align",
    "alt",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "checked",
    "class",
    "color",
    "cols",
    "colspan",
    "dir",
    "disabled",
    "face",
    "height",
    "hidden",
    "id",
    "lang",
    "noshade",
    "nowrap",
    "open",
    "placeholder",
    "reversed",
    "role",
    "rows",
    "rowspan",
    "size",
    "span",
    "start",
    "text",
    "type",
    "valign",
    "value",
    "width",
];

/// A style sheet of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sheet {
    /// The text of an inline style sheet.
    Inline(String),
    /// The address of an external style sheet.
    Link(String),
}

/// Returns the style sheets of a page, in document order, each with its media attribute.
pub(crate) fn sheets(dom: &Dom<'_>) -> Vec<(Sheet, Option<String>)> {
    let mut out = Vec::new();
    for id in dom.preorder(NodeId::DOCUMENT) {
        let sheet = match dom.name(id) {
            _ if dom.element(id).is_none() => continue,
            "style" => Sheet::Inline(dom.text_content(id)),
            "link" if is_sheet(dom, id) => match dom.attr(id, "href") {
                Some(href) => Sheet::Link(href.into_owned()),
                None => continue,
            },
            _ => continue,
        };
        out.push((sheet, dom.attr(id, "media").map(|media| media.into_owned())));
        if out.len() == MAX_SHEETS {
            break;
        }
    }
    out
}

/// Returns the base address for the references of a page; `None` if it is unknown.
pub(crate) fn base(dom: &Dom<'_>, url: Option<&str>) -> Option<String> {
    let base = Base::of(dom, url);
    base.resolve("?").or_else(|| url.map(str::to_owned))
}

/// Whether a `link` element is a style sheet that applies.
fn is_sheet(dom: &Dom<'_>, id: NodeId) -> bool {
    let rel = dom.attr(id, "rel").unwrap_or_default().to_ascii_lowercase();
    let words: Vec<&str> = rel.split_ascii_whitespace().collect();
    words.contains(&"stylesheet") && !words.contains(&"alternate")
}

/// Writes the page. `marks` are the verdicts on the text of each node, by number. `style` is the address of
/// the style sheet for marks.
pub(crate) fn write(
    view: &PageView<'_>,
    style: &str,
    links: &dyn Links,
    marks: &[Option<&'static str>],
) -> String {
    let writer = Writer {
        dom: view.dom,
        links,
        marks,
    };
    let dom = view.dom;
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n<html");
    let root = dom.children(NodeId::DOCUMENT).find(|id| dom.name(*id) == "html");
    writer.attributes(&mut html, root);
    html.markup("><head><meta charset=\"utf-8\">\n");
    for (number, (sheet, media)) in sheets(dom).iter().enumerate() {
        let media = media.as_deref().unwrap_or("all");
        let Some(href) = links.sheet(number, sheet) else {
            continue;
        };
        html.void(
            "link",
            &[("rel", &"stylesheet"), ("href", &href), ("media", &media)],
        );
    }
    // After the sheets of the page, so that rules of equal weight do not hide the marks.
    html.void("link", &[("rel", &"stylesheet"), ("href", &style)]);
    html.markup("</head>");
    if let Some(root) = root {
        writer.body(&mut html, root);
    }
    html.markup("</html>\n");
    html.finish()
}

/// Writer for the elements of a page.
struct Writer<'p> {
    dom: &'p Dom<'p>,
    links: &'p dyn Links,
    marks: &'p [Option<&'static str>],
}

impl Writer<'_> {
    /// Writes the content of the root.
    fn body(&self, html: &mut Html, root: NodeId) {
        let dom = self.dom;
        let tree = dom.tree();
        // Open elements of the tree, each with the tag that was written for it, or `None` if only its
        // content is shown.
        let mut open: Vec<(NodeId, Option<&'static str>)> = vec![(root, None)];
        let mut next = tree.first_child(root);
        let mut depth = 0_usize;
        while let Some(id) = next {
            if html.len() > MAX_BYTES {
                html.element("p", &[], "The rest of the page is not shown.");
                break;
            }
            let mut inside = None;
            let parent = open.last().map_or(root, |(parent, _)| *parent);
            // Text directly inside a graphic is not shown.
            if dom.is_text(id) && dom.namespace(parent) != Namespace::Svg {
                html.text(dom.text(id));
            } else if let Some((namespace, _)) = dom.element(id) {
                // `Some(Some(name))` is an element, `Some(None)` only its content, and `None` nothing at
                // all.
                let tag = match stands_for(dom, id, namespace) {
                    Stands::Tag(name) if depth < MAX_DEPTH => Some(Some(name)),
                    Stands::Tag(_) | Stands::Content => Some(None),
                    Stands::Nothing => None,
                };
                if let Some(Some(name)) = tag {
                    html.markup("<");
                    html.markup(name);
                    self.attributes(html, Some(id));
                    html.markup(">");
                }
                if let Some(tag) = tag.filter(|tag| !tag.is_some_and(|name| VOID.contains(&name))) {
                    open.push((id, tag));
                    depth += usize::from(tag.is_some());
                    inside = tree.first_child(id);
                    if inside.is_none() {
                        close(html, &mut open, &mut depth);
                    }
                }
            }
            // Without recursion, since pages may be deeply nested: on to the first child, or else to the
            // next sibling of the nearest open element that has one.
            next = inside.or_else(|| {
                let mut at = id;
                loop {
                    if let Some(sibling) = tree.next_sibling(at) {
                        return Some(sibling);
                    }
                    let (parent, _) = *open.last()?;
                    if open.len() == 1 {
                        return None;
                    }
                    close(html, &mut open, &mut depth);
                    at = parent;
                }
            });
        }
        while open.len() > 1 {
            close(html, &mut open, &mut depth);
        }
    }

    /// Writes the allowed attributes of an element, and those of this program.
    fn attributes(&self, html: &mut Html, id: Option<NodeId>) {
        let (dom, Some(id)) = (self.dom, id) else { return };
        let mut add = |name: &'static str, value: &dyn Display| {
            html.markup(" ");
            html.markup(name);
            html.markup("=\"");
            html.text(value);
            html.markup("\"");
        };
        for name in ATTRIBUTES {
            if let Some(value) = dom.attr(id, name) {
                add(name, &value);
            }
        }
        if let Some(style) = dom.attr(id, "style") {
            add("style", &self.links.css(&style));
        }
        if dom.name(id) == "img"
            && let Some(src) = dom.attr(id, "src").and_then(|src| self.links.image(&src))
        {
            add("src", &src);
        }
        // Links look like links but lead nowhere.
        if dom.name(id) == "a" && dom.attr(id, "href").is_some() {
            add("href", &"#");
        }
        add("data-e", &id.index());
        if let Some(Some(mark)) = self.marks.get(id.index()) {
            add("data-dehusk", mark);
        }
    }
}

/// Closes the innermost open element. `depth` counts only elements that were written.
fn close(html: &mut Html, open: &mut Vec<(NodeId, Option<&'static str>)>, depth: &mut usize) {
    if let Some((_, Some(name))) = open.pop() {
        *depth -= 1;
        html.close(name);
    }
}

/// What is written for an element.
enum Stands {
    /// An element of this name.
    Tag(&'static str),
    /// Its content alone.
    Content,
    /// The element is left out with its content.
    Nothing,
}

/// Decides what is written for an element.
fn stands_for(dom: &Dom<'_>, id: NodeId, namespace: Namespace) -> Stands {
    let name = dom.name(id);
    if LEFT_OUT.contains(&name) {
        return Stands::Nothing;
    }
    match namespace {
        // An unclosed graphic may contain the rest of the page.
        Namespace::Svg => return Stands::Content,
        Namespace::MathMl => return Stands::Tag("span"),
        Namespace::Html => {}
    }
    if let Some((_, other)) = RENAMED.iter().find(|(known, _)| *known == name) {
        return Stands::Tag(other);
    }
    let known = dom.html_tag(id).and_then(|tag| tag.known_name());
    // Unknown elements are inline.
    Stands::Tag(known.unwrap_or("span"))
}

#[cfg(test)]
mod tests;
