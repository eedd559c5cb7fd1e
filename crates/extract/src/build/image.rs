//! Images of the page.

use dehusk_html::Parser;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Images of at most this many pixels on both sides are icons and counters.
const MAX_ICON: u32 = 32;
/// A picture that is not as wide, by its address, is a placeholder where there is a wider one.
const MIN_WIDTH: u32 = 100;
/// Most bytes of a `noscript` in which an image is looked for, and of a list of addresses.
const MAX_BYTES: usize = 8192;

/// An image of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FoundImage {
    /// Address as written.
    pub(super) src: String,
    /// Alternative text; may be empty.
    pub(super) alt: String,
    pub(super) title: Option<String>,
}

/// The image that an element shows; `None` for an icon, and for an image without an address.
pub(super) fn read(dom: &Dom<'_>, id: NodeId) -> Option<FoundImage> {
    let pixels = |name: &str| {
        let value = dom.attr(id, name)?;
        value.trim().trim_end_matches("px").parse::<u32>().ok()
    };
    let (width, height) = (pixels("width"), pixels("height"));
    let small = |side: Option<u32>, most| side.is_some_and(|side| side <= most);
    if small(width, 2) || small(height, 2) || (small(width, MAX_ICON) && small(height, MAX_ICON)) {
        return None;
    }
    let alt = dom.attr(id, "alt").unwrap_or_default();
    let alt = alt
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('\0', "\u{FFFD}");
    let found = |src| FoundImage {
        src,
        alt: alt.clone(),
        title: title(dom, id),
    };
    let own = own_address(dom, id);
    if let Some(src) = own.as_ref().filter(|src| !is_placeholder(src)) {
        return Some(found(src.clone()));
    }
    let better = best_of_sets(dom, id)
        .or_else(|| of_picture(dom, id))
        .or_else(|| beside(dom, id));
    better.or(own).map(found)
}

/// The title of a link or an image.
pub(super) fn title(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    /// Longer ones are no titles.
    const MOST: usize = 1024;
    let title = dom.short_attr(id, "title", MOST)?;
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then(|| title.replace('\0', "\u{FFFD}"))
}

/// The address in an attribute; `None` if the attribute holds the bytes of the image (`data:`).
fn address(dom: &Dom<'_>, id: NodeId, name: &str) -> Option<String> {
    let value = dom.short_attr(id, name, MAX_BYTES)?;
    let value = value.trim();
    (!value.is_empty() && !value.starts_with("data:") && !value.starts_with("blob:"))
        .then(|| value.to_owned())
}

/// The address of an image itself. Pages that load images late have it in another attribute than `src`.
fn own_address(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let names = [
        "data-src",
        "data-original",
        "data-lazy-src",
        "data-lazy",
        "data-original-src",
        "data-hi-res-src",
        "src",
    ];
    names.iter().find_map(|name| address(dom, id, name))
}

/// The best image of the lists of an element.
fn best_of_sets(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let names = ["srcset", "data-srcset", "data-lazy-srcset"];
    names.iter().find_map(|name| best_of(&address(dom, id, name)?))
}

/// The widest image of a list of addresses with their widths.
fn best_of(set: &str) -> Option<String> {
    let mut best: Option<(f64, &str)> = None;
    // Addresses may hold commas, but not at their ends.
    for candidate in set.split(", ").flat_map(|part| part.split(",\n")) {
        let mut words = candidate.split_whitespace();
        let Some(src) = words
            .next()
            .map(|src| src.trim_end_matches(','))
            .filter(|src| !src.is_empty())
        else {
            continue;
        };
        let size = words
            .next()
            .and_then(|size| size.trim_end_matches(['w', 'x', ',']).parse().ok());
        let size = size.unwrap_or(1.0);
        if best.is_none_or(|(most, _)| size > most) && !src.starts_with("data:") {
            best = Some((size, src));
        }
    }
    best.map(|(_, src)| src.to_owned())
}

/// The best image of the sources of a picture: of the last one that says no format, else of the first one.
fn of_picture(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let picture = dom
        .ancestors(id)
        .take(2)
        .find(|at| dom.html_tag(*at) == Some(Tag::PICTURE))?;
    let sources = || {
        // The parser may put what follows a source into it.
        let inside = dom.preorder(picture).skip(1).take(64);
        inside.filter(|at| dom.html_tag(*at) == Some(Tag::SOURCE))
    };
    let best = |source: NodeId| best_of_sets(dom, source);
    let plain = sources()
        .filter(|source| dom.attr(*source, "type").is_none())
        .find_map(best);
    plain.or_else(|| sources().find_map(best))
}

/// The address of the image in the `noscript` beside one that a script loads.
fn beside(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let tree = dom.tree();
    let elements = |from: Option<NodeId>, step: fn(&dehusk_html::tree::Tree, NodeId) -> Option<NodeId>| {
        std::iter::successors(from, move |at| step(tree, *at))
            .take(6)
            .find(|at| dom.tag(*at).is_some())
    };
    let after = |at: NodeId| elements(tree.next_sibling(at), |tree, at| tree.next_sibling(at));
    let before = |at: NodeId| elements(tree.prev_sibling(at), |tree, at| tree.prev_sibling(at));
    let parent = dom.parent(id)?;
    let near = [after(id), before(id), after(parent), before(parent)];
    let noscript = near
        .into_iter()
        .flatten()
        .find(|at| dom.html_tag(*at) == Some(Tag::NOSCRIPT))?;
    let text = dom.text_below(noscript);
    if text.len() > MAX_BYTES || !text.contains("<img") {
        return None;
    }
    let (inner, _) = Parser::default().parse(&text);
    let image = inner.find(NodeId::DOCUMENT, Tag::IMG)?;
    own_address(&inner, image).or_else(|| best_of_sets(&inner, image))
}

/// Whether an address is that of a placeholder: one that says so, or a picture a few pixels wide.
fn is_placeholder(src: &str) -> bool {
    let name = src
        .split(['?', '#'])
        .next()
        .unwrap_or("")
        .rsplit('/')
        .next()
        .unwrap_or("");
    let says = |word: &str| {
        name.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    if [
        "placeholder",
        "blank.",
        "spacer.",
        "pixel.",
        "loading.",
        "transparent.",
        "1x1",
        "grey.",
        "lazy.",
    ]
    .iter()
    .any(|word| says(word))
    {
        return true;
    }
    ["w=", "width=", "resize:fit:", "/w_", ",w_"].iter().any(|key| {
        src.match_indices(key).any(|(at, _)| {
            let digits: String = src[at + key.len()..]
                .chars()
                .take_while(char::is_ascii_digit)
                .take(6)
                .collect();
            digits.parse::<u32>().is_ok_and(|width| width < MIN_WIDTH)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn src(html: &str) -> Option<String> {
        let (dom, _) = Parser::default().parse(html);
        read(&dom, dom.find(NodeId::DOCUMENT, Tag::IMG)?).map(|image| image.src)
    }

    #[test]
    fn the_best_source_is_taken() {
        for (html, want) in [
            ("<img src=a.png>", Some("a.png")),
            ("<img src=data:x data-src=b.png>", Some("b.png")),
            (
                "<img src='p.jpg?w=40' srcset='p.jpg?w=600 600w, p.jpg?w=1200 1200w'>",
                Some("p.jpg?w=1200"),
            ),
            (
                "<img src='p.jpg?w=400' srcset='p.jpg?w=600 600w'>",
                Some("p.jpg?w=400"),
            ),
            (
                "<picture><source type=image/webp srcset='a.webp 1x, b.webp 2x'><source srcset='c.jpg 1x, d.jpg 2x'><img alt=x></picture>",
                Some("d.jpg"),
            ),
            (
                "<p><img src='data:image/gif;x'><noscript><img src=/n.png></noscript>",
                Some("/n.png"),
            ),
            (
                "<span><span><img src=data:x></span><noscript><img src=m.png></noscript></span>",
                Some("m.png"),
            ),
            ("<img src=/img/blank.gif srcset=z.png>", Some("z.png")),
            ("<img src=i.png width=16 height=16>", None),
            ("<img alt=x>", None),
        ] {
            assert_eq!(src(html).as_deref(), want, "{html}");
        }
    }
}
