//! Links that are controls rather than text: permalinks of headings (`¶`, `§`, `#`), back links from notes
//! (`↩`), `[edit]` and `[source]`.

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Longest source text of such a link, in bytes, character references included.
const MAX_BYTES: usize = 24;

/// Maximum number of elements between such a link and its text.
const MAX_DEPTH: usize = 4;

/// Substrings of class or id of elements that hold a bracketed link to the source of a section or declaration.
const SOURCE_NAMES: [&str; 3] = ["editsection", "edit-section", "viewcode"];

/// Whether an inline element is such a control, whose text is not part of the page's text.
pub(super) fn is_sign(dom: &Dom<'_>, id: NodeId, tag: Tag) -> bool {
    if !matches!(tag, Tag::A | Tag::SPAN) {
        return false;
    }
    let Some(first) = first_text(dom, id) else {
        return false;
    };
    // The raw bytes exclude most elements before anything is decoded.
    let raw = dom.raw_bytes(first);
    match tag {
        Tag::A if raw.first().is_some_and(u8::is_ascii_alphabetic) => is_named_permalink(dom, id, raw),
        Tag::A => raw.len() <= MAX_BYTES && may_be_sign(raw) && is_link_sign(dom, id),
        _ => raw.first() == Some(&b'[') && names_source(dom, id),
    }
}

/// First text node of an element, if it is at most [`MAX_DEPTH`] levels deep.
fn first_text(dom: &Dom<'_>, id: NodeId) -> Option<NodeId> {
    let mut at = id;
    for _ in 0..MAX_DEPTH {
        at = dom.tree().first_child(at)?;
        if dom.is_text(at) {
            return Some(at);
        }
    }
    None
}

/// Whether a text may be a sign, by its first byte: a cheap test that excludes most links.
fn may_be_sign(raw: &[u8]) -> bool {
    let first = raw.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_some_and(|&byte| byte >= 0x80 || matches!(byte, b'#' | b'&' | b'^'))
}

/// First words of permalinks that are written for screen readers.
const PERMALINKS: [&str; 8] = [
    "permalink",
    "permanent link",
    "link to this",
    "link to section",
    "direct link to",
    "anchor link",
    "section titled",
    "copy link",
];

/// Words of a link from a heading to the top of the page.
const TOPS: [&str; 6] = [
    "top",
    "back to top",
    "return to top",
    "go to top",
    "nach oben",
    "haut de page",
];

/// Whether an in-page link in a heading, or right after one, says in words that it is the permalink of that
/// heading, or the way to the top of the page.
fn is_named_permalink(dom: &Dom<'_>, id: NodeId, raw: &[u8]) -> bool {
    let begins = |words: &&str| {
        raw.get(..words.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(words.as_bytes()))
    };
    let leads_up = || {
        TOPS.iter()
            .any(|words| raw.trim_ascii().eq_ignore_ascii_case(words.as_bytes()))
    };
    if !PERMALINKS.iter().any(begins) && !leads_up() {
        return false;
    }
    let is_heading = |at: NodeId| dom.html_tag(at).is_some_and(|tag| tag.heading_level().is_some());
    let tree = dom.tree();
    let before = std::iter::successors(tree.prev_sibling(id), |&at| tree.prev_sibling(at))
        .take(MAX_DEPTH)
        .find(|&at| dom.tag(at).is_some() || dom.is_text(at));
    dom.known_attr(id, AttrName::HREF)
        .is_some_and(|target| target.contains('#'))
        // Something must stand before the link: `<h2><a href='#x'>Link to this section</a></h2>` is a heading.
        && before
            .is_some_and(|before| is_heading(before) || dom.ancestors(id).take(MAX_DEPTH).any(is_heading))
}

/// Whether a link's target has a fragment, as links within a page do, and its text consists of signs only.
fn is_link_sign(dom: &Dom<'_>, id: NodeId) -> bool {
    let leads_inside = |target: &str| target.trim_start().starts_with('#') || target.contains("#");
    if !dom
        .known_attr(id, AttrName::HREF)
        .is_some_and(|target| leads_inside(&target))
    {
        return false;
    }
    let (mut signs, mut texts) = (0, 0);
    for node in dom
        .preorder(id)
        .take(4 * MAX_DEPTH)
        .filter(|&node| dom.is_text(node))
    {
        texts += 1;
        if texts > MAX_DEPTH || dom.raw_bytes(node).len() > MAX_BYTES {
            return false;
        }
        for c in dom.text(node).chars().filter(|c| !c.is_whitespace()) {
            // Variation selectors may follow arrows and emoji.
            if !is_sign_char(c) && !matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200B}') {
                return false;
            }
            signs += 1;
        }
    }
    signs > 0
}

/// Whether `c` is used as the text of a permalink or back link. Icon fonts put such characters into the private use area.
fn is_sign_char(c: char) -> bool {
    matches!(
        c,
        '#' | '^'
            | '¶'
            | '§'
            | '⁋'
            | '🔗'
            | '⛓'
            | '🖇'
            | '◆'
            | '◇'
            | '⌗'
            | '⬆'
            | '⇧'
            | '⚓'
            | '∞'
            | '↩'
            | '↑'
            | '↵'
            | '⏎'
            | '⤴'
            | '⮌'
            | '⬑'
            | '⇑'
    ) || matches!(c, '\u{E000}'..='\u{F8FF}')
}

/// Whether the class of an element has one of `SOURCE_NAMES`.
fn names_source(dom: &Dom<'_>, id: NodeId) -> bool {
    let names = dom.known_attr(id, AttrName::CLASS);
    names.is_some_and(|names| SOURCE_NAMES.iter().any(|name| names.contains(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    #[test]
    fn links_of_signs_to_the_page_itself_are_signs() {
        for (html, is) in [
            ("<a class=headerlink href='#x'>¶</a>", true),
            ("<a href='#x'><span>&para;</span></a>", true),
            ("<a href='/page#x'> # </a>", true),
            ("<a href='#r'>\u{21a9}\u{fe0e}</a>", true),
            ("<a href='#r'><sup>^</sup></a>", true),
            ("<a href='#x'>&#9670;&#160;</a>", true),
            ("<a href='#x'>§ 4</a>", false),
            ("<a href='#n'>1</a>", false),
            ("<a href='/x'>¶</a>", false),
            ("<a>#</a>", false),
            ("<a href='#x'><img></a>", false),
            ("<a href='#x'>#weir</a>", false),
            ("<span class='mw-editsection'>[<a href=x>edit</a>]</span>", true),
            ("<span class=viewcode-link><span>[source]</span></span>", true),
            ("<span class=note>[1]</span>", false),
            (
                "<h2>Shade<a href='#x'><span>Link to this section</span></a></h2>",
                true,
            ),
            ("<h2>Shade</h2><a href='#x'>Section titled “Shade”</a>", true),
            ("<h2><a href='#x'>Link to this section</a></h2>", false),
            ("<h2>OPTIONS <a href='#top_of_page'>top</a></h2>", true),
            ("<h3>Shade<a href='#'><b>Back to top</b></a></h3>", true),
            ("<h2><a href='#top'>Top</a></h2>", false),
            ("<h2>The view from the <a href='/top'>top</a></h2>", false),
            ("<p>So <a href='#x'>link to this section</a></p>", false),
        ] {
            let (dom, _) = Parser::default().parse(html);
            let found = [Tag::A, Tag::SPAN].map(|tag| {
                dom.find(NodeId::DOCUMENT, tag)
                    .is_some_and(|id| is_sign(&dom, id, tag))
            });
            assert_eq!(found.contains(&true), is, "{html}");
        }
    }
}
