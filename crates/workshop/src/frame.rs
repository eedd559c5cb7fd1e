//! A page of the crawl as it looks, written anew so that it can do nothing.
//!
//! Elements and attributes are those of our own tree, and only known ones: no scripts, handlers, addresses, forms that could be sent,
//! pages in pages or embedded objects, and of vector graphics only what is HTML in them. Each element has its number in the tree as `data-e`. Style sheets are
//! links to this program. The policy that the page is sent with forbids everything else once more, and so does the sandbox around it.

use std::fmt::Display;

use dehusk_html::tree::{Dom, Namespace, NodeId};
use dehusk_pipeline::extract::PageView;
use dehusk_pipeline::markup::Html;

/// Most bytes of the page.
const MAX_BYTES: usize = 6 << 20;
/// Most elements inside each other; deeper ones stand in the innermost.
const MAX_DEPTH: usize = 250;
/// Most style sheets.
pub(crate) const MAX_SHEETS: usize = 60;

/// Elements that are left out with all that is in them.
const LEFT_OUT: &[&str] = &[
    "applet", "audio", "base", "canvas", "embed", "frame", "frameset", "head", "iframe", "link", "meta",
    "noembed", "noframes", "noscript", "object", "portal", "script", "style", "template", "title", "track",
    "video",
];

/// Elements without content.
const VOID: &[&str] = &["area", "br", "col", "hr", "img", "input", "wbr"];

/// Elements whose content browsers read in another way than ours is written: what stands for them.
const RENAMED: &[(&str, &str)] = &[
    ("listing", "pre"),
    ("plaintext", "pre"),
    ("xmp", "pre"),
    ("textarea", "div"),
    ("select", "div"),
    ("option", "div"),
    ("optgroup", "div"),
];

/// Attributes that are kept, since looks depend on them. None of them loads, sends or runs anything.
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
    "style",
    "text",
    "type",
    "valign",
    "value",
    "width",
];

/// A style sheet of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sheet {
    /// In the page.
    Inline(String),
    /// Elsewhere.
    Link(String),
}

/// The style sheets of a page, in document order, each with the media it is for.
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

fn is_sheet(dom: &Dom<'_>, id: NodeId) -> bool {
    let rel = dom.attr(id, "rel").unwrap_or_default().to_ascii_lowercase();
    let words: Vec<&str> = rel.split_ascii_whitespace().collect();
    words.contains(&"stylesheet") && !words.contains(&"alternate")
}

/// The page: `sheet` gives the address of each of its style sheets, `marks` the verdict on the text of each node, by number.
pub(crate) fn write(
    view: &PageView<'_>,
    style: &str,
    sheet: &dyn Fn(usize) -> String,
    marks: &[Option<&'static str>],
) -> String {
    let dom = view.dom;
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n<html");
    let root = dom.children(NodeId::DOCUMENT).find(|id| dom.name(*id) == "html");
    attributes(&mut html, dom, root, marks);
    html.markup("><head><meta charset=\"utf-8\">\n");
    for (number, (_, media)) in sheets(dom).iter().enumerate() {
        let media = media.as_deref().unwrap_or("all");
        let href = sheet(number);
        html.void(
            "link",
            &[("rel", &"stylesheet"), ("href", &href), ("media", &media)],
        );
    }
    html.void("link", &[("rel", &"stylesheet"), ("href", &style)]);
    html.markup("</head>");
    if let Some(root) = root {
        body(&mut html, dom, root, marks);
    }
    html.markup("</html>\n");
    html.finish()
}

/// Writes what is in the root.
fn body(html: &mut Html, dom: &Dom<'_>, root: NodeId, marks: &[Option<&'static str>]) {
    let tree = dom.tree();
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
        if dom.is_text(id) && dom.namespace(parent) != Namespace::Svg {
            html.text(dom.text(id));
        } else if let Some((namespace, _)) = dom.element(id) {
            let tag = match stands_for(dom, id, namespace) {
                Stands::Tag(name) if depth < MAX_DEPTH => Some(Some(name)),
                Stands::Tag(_) | Stands::Content => Some(None),
                Stands::Nothing => None,
            };
            if let Some(Some(name)) = tag {
                html.markup("<");
                html.markup(name);
                attributes(html, dom, Some(id), marks);
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

/// Ends the innermost element.
fn close(html: &mut Html, open: &mut Vec<(NodeId, Option<&'static str>)>, depth: &mut usize) {
    if let Some((_, Some(name))) = open.pop() {
        *depth -= 1;
        html.close(name);
    }
}

/// What stands for an element.
enum Stands {
    /// An element of this name.
    Tag(&'static str),
    /// What is in it.
    Content,
    /// Nothing.
    Nothing,
}

fn stands_for(dom: &Dom<'_>, id: NodeId, namespace: Namespace) -> Stands {
    let name = dom.name(id);
    if LEFT_OUT.contains(&name) {
        return Stands::Nothing;
    }
    match namespace {
        // A graphic that never ends may hold the rest of the page.
        Namespace::Svg => return Stands::Content,
        Namespace::MathMl => return Stands::Tag("span"),
        Namespace::Html => {}
    }
    if let Some((_, other)) = RENAMED.iter().find(|(known, _)| *known == name) {
        return Stands::Tag(other);
    }
    let known = dom.html_tag(id).and_then(|tag| tag.known_name());
    // Elements that nobody knows are in line.
    Stands::Tag(known.unwrap_or("span"))
}

/// Writes the attributes of an element that are kept, and ours.
fn attributes(html: &mut Html, dom: &Dom<'_>, id: Option<NodeId>, marks: &[Option<&'static str>]) {
    let Some(id) = id else { return };
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
    // Links look like links and lead nowhere.
    if dom.name(id) == "a" && dom.attr(id, "href").is_some() {
        add("href", &"#");
    }
    add("data-e", &id.index());
    if let Some(Some(mark)) = marks.get(id.index()) {
        add("data-dehusk", mark);
    }
}

#[cfg(test)]
mod tests {
    use dehusk_pipeline::extract::{Options, Page, inspect};

    use super::*;

    fn framed(html: &str) -> String {
        inspect(&Page::decoded(html), &Options::default(), |view| {
            write(view, "/style", &|number| format!("/sheet/{number}"), &[])
        })
    }

    #[test]
    fn nothing_that_acts_is_left() {
        let hostile = r#"<head><base href="http://evil.example/"><meta http-equiv=refresh content="0;url=http://evil.example/">
            <link rel=import href=http://evil.example/i><script>alert(1)</script></head>
            <body onload="alert(2)" background="http://evil.example/b">
            <img src=x onerror="alert(3)" srcset="http://evil.example/s 1x"><svg onload=alert(4)><script>alert(5)</script><foreignObject><p>svg</p></foreignObject></svg>
            <iframe srcdoc="<script>alert(6)</script>"></iframe><object data="http://evil.example/o"></object>
            <form action="http://evil.example/f"><input name=getAttribute formaction=http://evil.example/g><button name=x>Go</button></form>
            <a href="javascript:alert(7)" target=_top ping=http://evil.example/p>link</a>
            <math><mtext><table><mglyph><style><img src=x onerror=alert(8)></style></math>
            <noscript><p title="</noscript><img src=x onerror=alert(9)>">x</p></noscript>
            <p style="background:url(http://evil.example/c)" data-e="999" data-dehusk="kept" title="t">text &lt;script&gt;alert(10)&lt;/script&gt;</p>
            <textarea></textarea><script>alert(11)</script>"#;
        let out = framed(hostile);
        for gone in [
            "<script",
            "onerror=",
            "onload=",
            "<iframe",
            "<object",
            "<svg",
            "<base",
            "http-equiv",
            "javascript:",
            "<math",
            "srcset",
            "src=",
            "ping=",
            "target=",
            "action=",
            "name=",
            "999",
            "background=\"",
        ] {
            assert!(!out.contains(gone), "{gone} in {out}");
        }
        assert!(
            out.contains("text &lt;script&gt;alert(10)&lt;/script&gt;"),
            "{out}"
        );
        // The address in a style is there; the policy keeps it from being loaded.
        assert!(out.contains("href=\"#\"") && out.contains(">link</a>"), "{out}");
        assert!(out.contains(">svg</p>"), "{out}");
    }

    /// Pieces of markup that confuse parsers when they meet.
    const PIECES: &[&str] = &[
        "<p>",
        "</p>",
        "<script>",
        "</script>",
        "alert(1)",
        "<svg>",
        "</svg>",
        "<math>",
        "<mtext>",
        "<mglyph>",
        "<style>",
        "</style>",
        "<table>",
        "<td>",
        "<select>",
        "<option>",
        "<textarea>",
        "</textarea>",
        "<noscript>",
        "</noscript>",
        "<title>",
        "</title>",
        "<xmp>",
        "<plaintext>",
        "<template>",
        "<foreignObject>",
        "<desc>",
        "<iframe srcdoc='<script>'>",
        "<img src=x onerror=alert(1)>",
        "<!--",
        "-->",
        "<a href=javascript:alert(1)>",
        "<form action=//e.example>",
        "<input name=x onfocus=y autofocus>",
        "<base href=//e.example>",
        "\"'><",
        "&lt;script&gt;",
        "<annotation-xml encoding=text/html>",
        "<body onload=x>",
        "<frameset onload=x>",
        "\0",
        "<p class=\"a\" onclick=b>",
    ];

    proptest::proptest! {
        #[test]
        fn whatever_the_page_is_only_known_elements_and_attributes_are_left(
            pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..40)
        ) {
            let out = framed(&pieces.concat());
            // As a browser reads it.
            inspect(&Page::decoded(&out), &Options::default(), |view| {
                let dom = view.dom;
                for id in dom.tree().ids().filter(|id| dom.element(*id).is_some()) {
                    let name = dom.name(id);
                    let own = matches!(name, "head" | "meta" | "link");
                    assert!(own || !LEFT_OUT.contains(&name), "{name} in {out}");
                    assert_eq!(dom.namespace(id), Namespace::Html);
                    assert!(own || dom.attrs_of(id).iter().all(|attr| {
                        let known = ["data-e", "data-dehusk", "href"];
                        ATTRIBUTES.iter().chain(&known).any(|known| dom.is_named(attr, known))
                    }), "{out}");
                    assert!(name != "a" || dom.attr(id, "href").is_none_or(|href| href == "#"), "{out}");
                }
            });
        }
    }

    #[test]
    fn elements_have_their_numbers_and_ends() {
        let out = framed(
            "<title>t</title><style>p{}</style><link rel=StyleSheet href=a.css media=print><div class=a><p>one<br>two<x-y>three</x-y></div>four",
        );
        assert!(out.contains("href=\"/sheet/0\" media=\"all\""), "{out}");
        assert!(out.contains("href=\"/sheet/1\" media=\"print\""), "{out}");
        assert!(out.contains("<div class=\"a\" data-e=\""), "{out}");
        assert_eq!(out.matches("<span").count(), out.matches("</span>").count());
        assert_eq!(out.matches("<p ").count(), out.matches("</p>").count());
        assert!(!out.contains("p{}"), "{out}");
    }

    #[test]
    fn deep_pages_keep_their_text() {
        let out = framed(&format!("{}end", "<div>".repeat(100_000)));
        assert!(out.contains("end") && out.matches("<div").count() <= MAX_DEPTH);
        assert_eq!(out.matches("<div").count(), out.matches("</div>").count());
    }
}
