//! Images of the page and their addresses.

use dehusk_html::Parser;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Largest side in pixels of icons and counters: an image with both sides up to this size is skipped.
const MAX_ICON: u32 = 32;
/// Smallest width in pixels, as given in an image's address; narrower images are placeholders if there is a wider one.
const MIN_WIDTH: u32 = 100;
/// Longest `noscript` content that is searched for an image, and longest list of addresses, in bytes.
const MAX_BYTES: usize = 8192;

/// An image found in the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FoundImage {
    /// Address as written in the page.
    pub(super) src: String,
    /// Alternative text; may be empty.
    pub(super) alt: String,
    pub(super) title: Option<String>,
}

/// Image that an element shows; `None` for icons and for images without an address.
pub(super) fn read(dom: &Dom<'_>, id: NodeId) -> Option<FoundImage> {
    let pixels = |name: &str| {
        let value = dom.attr(id, name)?;
        value.trim().trim_end_matches("px").parse::<u32>().ok()
    };
    let (width, height) = (pixels("width"), pixels("height"));
    let small = |side: Option<u32>, most| side.is_some_and(|side| side <= most);
    // Counters and rules have a side of at most 2 px.
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
        title: title(dom, id, "title"),
    };
    let own = own_address(dom, id);
    // Lazy loaders put the smallest image first: `src=s.png srcset='s.png 40w, l.png 1200w'`.
    let is_listed_as_small = |src: &str| {
        let set = address(dom, id, "srcset");
        set.is_some_and(|set| listed_width(&set, src).is_some_and(|width| width < f64::from(MIN_WIDTH)))
    };
    if let Some(src) = own
        .as_ref()
        .filter(|src| !is_placeholder(src) && !is_listed_as_small(src))
    {
        return Some(found(src.clone()));
    }
    let better = best_of_sets(dom, id)
        .or_else(|| of_picture(dom, id))
        .or_else(|| beside(dom, id));
    // Without a better address, a narrow image is used, but not a file that is named as a placeholder.
    better.or(own.filter(|src| !is_named_placeholder(src))).map(found)
}

/// Title in an attribute of a link, an image or a player; `None` if it is missing, empty or too long.
pub(super) fn title(dom: &Dom<'_>, id: NodeId, name: &str) -> Option<String> {
    /// Longest title in bytes; longer texts are not titles.
    const MOST: usize = 1024;
    let title = dom.short_attr(id, name, MOST)?;
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then(|| title.replace('\0', "\u{FFFD}"))
}

/// Address in an attribute; `None` if the attribute is missing or embeds the bytes (`data:`, `blob:`).
pub(super) fn address(dom: &Dom<'_>, id: NodeId, name: &str) -> Option<String> {
    let value = dom.short_attr(id, name, MAX_BYTES)?;
    let value = value.trim();
    (!value.is_empty() && !value.starts_with("data:") && !value.starts_with("blob:"))
        .then(|| value.to_owned())
}

/// Address of the image element itself. Pages that load images lazily put the address into other attributes than `src`.
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

/// Best image from the `srcset` lists of an element.
fn best_of_sets(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let names = ["srcset", "data-srcset", "data-lazy-srcset"];
    names.iter().find_map(|name| best_of(&address(dom, id, name)?))
}

/// Addresses of a `srcset` list, each with its width or density as it is written.
fn listed(set: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    // Addresses may contain commas but do not end in one, so a comma before white space separates.
    let candidates = set.split(", ").flat_map(|part| part.split(",\n"));
    candidates.filter_map(|candidate| {
        let mut words = candidate.split_whitespace();
        let src = words.next()?.trim_end_matches(',');
        (!src.is_empty()).then(|| (src, words.next().map(|size| size.trim_end_matches(','))))
    })
}

/// Width in pixels that a `srcset` list states for an address (`600w`); `None` for densities and unknown
/// addresses.
fn listed_width(set: &str, src: &str) -> Option<f64> {
    let (_, size) = listed(set).find(|(listed, _)| *listed == src)?;
    size?.strip_suffix('w')?.parse().ok()
}

/// Address with the largest width or density in a `srcset` list.
fn best_of(set: &str) -> Option<String> {
    let mut best: Option<(f64, &str)> = None;
    for (src, size) in listed(set) {
        let size = size.and_then(|size| size.trim_end_matches(['w', 'x']).parse().ok());
        // By the standard, an address without a descriptor has density 1.
        let size = size.unwrap_or(1.0);
        if best.is_none_or(|(most, _)| size > most) && !src.starts_with("data:") {
            best = Some((size, src));
        }
    }
    best.map(|(_, src)| src.to_owned())
}

/// Best image from the sources of a `picture`: a source without `type` is preferred.
fn of_picture(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let picture = dom
        .ancestors(id)
        .take(2)
        .find(|at| dom.html_tag(*at) == Some(Tag::PICTURE))?;
    let sources = || {
        // The parser may nest following elements inside a source.
        let inside = dom.preorder(picture).skip(1).take(64);
        inside.filter(|at| dom.html_tag(*at) == Some(Tag::SOURCE))
    };
    let best = |source: NodeId| best_of_sets(dom, source);
    let plain = sources()
        .filter(|source| dom.attr(*source, "type").is_none())
        .find_map(best);
    plain.or_else(|| sources().find_map(best))
}

/// Address in the `noscript` beside an image that a script loads, or beside the parent of the image.
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
    // The wrapper of the image may stand beside the `noscript` instead.
    let near = [after(id), before(id), after(parent), before(parent)];
    let noscript = near
        .into_iter()
        .flatten()
        .find(|at| dom.html_tag(*at) == Some(Tag::NOSCRIPT))?;
    let text = dom.text_below(noscript);
    let has_image = || {
        text.as_bytes()
            .windows(4)
            .any(|tag| tag.eq_ignore_ascii_case(b"<img"))
    };
    if text.len() > MAX_BYTES || !has_image() {
        return None;
    }
    // The content of `noscript` is text here, so it is parsed on its own.
    let (inner, _) = Parser::default().parse(&text);
    let image = inner.find(NodeId::DOCUMENT, Tag::IMG)?;
    own_address(&inner, image).or_else(|| best_of_sets(&inner, image))
}

/// Whether an address belongs to a placeholder: its file name says so, or a width below `MIN_WIDTH` in it.
fn is_placeholder(src: &str) -> bool {
    let is_narrow = |key: &str| {
        src.match_indices(key).any(|(at, _)| {
            let digits: String = src[at + key.len()..]
                .chars()
                .take_while(char::is_ascii_digit)
                .take(6)
                .collect();
            digits.parse::<u32>().is_ok_and(|width| width < MIN_WIDTH)
        })
    };
    is_named_placeholder(src)
        || ["w=", "width=", "resize:fit:", "/max/", "/w_", ",w_"]
            .into_iter()
            .any(is_narrow)
}

/// Whether a file is named as a placeholder or spacer.
fn is_named_placeholder(src: &str) -> bool {
    const NAMES: &[&str] = &[
        "placeholder",
        "blank.",
        "spacer.",
        "clear.",
        "cleardot.",
        "pixel.",
        "loading.",
        "transparent.",
        "1x1",
        "grey.",
        "lazy.",
    ];
    let path = src.split(['?', '#']).next().unwrap_or("");
    let name = path.rsplit('/').next().unwrap_or("");
    NAMES.iter().any(|word| {
        name.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
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
            (
                "<img src=s.png srcset='s.png 40w, m.png 600w, l.png 1200w'>",
                Some("l.png"),
            ),
            ("<img src=s.png srcset='s.png 1x, l.png 2x'>", Some("s.png")),
            (
                "<div><img src=/max/60/a.png></div><noscript><img src=/max/900/a.png></noscript>",
                Some("/max/900/a.png"),
            ),
            ("<img src=i.png width=16 height=16>", None),
            ("<img alt=x>", None),
            ("<img src=/img/spacer.gif>", None),
            ("<img src=/s.jpg?w=40>", Some("/s.jpg?w=40")),
        ] {
            assert_eq!(src(html).as_deref(), want, "{html}");
        }
    }
}
