//! Quotations, and posts of forums that are marked up as such.

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Longest class that is searched for names, in bytes.
const MAX_CLASS: usize = 256;

/// Maximum number of nodes of an element that are searched for a quotation in it.
const MAX_NODES: usize = 64;

/// Class names of `blockquote` elements that hold a forum post: some forum programs indent posts this way.
const POSTS: &[&str] = &[
    "postcontent",
    "post-content",
    "post_content",
    "postbody",
    "post-body",
    "messagetext",
    "message-text",
];

/// Class names of other elements that hold a quotation.
const QUOTES: &[&str] = &["quote", "blockquote", "bbcode_quote", "quotecontent"];

/// Whether an element is a quotation: a `blockquote` that is not a forum post, or a `div` or `td` with the
/// class name of a quotation that contains no `blockquote`, heading or form control.
pub(super) fn is_quote(dom: &Dom<'_>, id: NodeId, tag: Tag) -> bool {
    let has = |names: &[&str]| {
        let class = dom
            .known_attr(id, AttrName::CLASS)
            .filter(|class| class.len() <= MAX_CLASS);
        class.is_some_and(|class| {
            let mut classes = class.split_ascii_whitespace();
            classes.any(|class| names.iter().any(|name| class.eq_ignore_ascii_case(name)))
        })
    };
    match tag {
        Tag::BLOCKQUOTE => !has(POSTS),
        Tag::DIV | Tag::TD => {
            let mut inside = dom.preorder(id).skip(1).take(MAX_NODES);
            // `quote` may also mean a price: `Get a quote`.
            let is_other = |tag: Tag| {
                tag.heading_level().is_some()
                    || matches!(tag, Tag::BLOCKQUOTE | Tag::FORM | Tag::INPUT | Tag::BUTTON)
            };
            has(QUOTES) && !inside.any(|node| dom.html_tag(node).is_some_and(is_other))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    #[test]
    fn quotations_are_told_from_posts() {
        for (html, is) in [
            ("<blockquote>a</blockquote>", true),
            ("<blockquote class='postcontent restore'>a</blockquote>", false),
            ("<blockquote class='messageText ugc'>a</blockquote>", false),
            ("<div class=bbcode_quote>a</div>", true),
            ("<div class='Quote x'>a</div>", true),
            ("<div class=quote><blockquote>a</blockquote></div>", false),
            ("<div class=quote-of-the-day>a</div>", false),
            (
                "<div class=quote><h2>Insure your boat</h2><a href=/x>Get a quote</a></div>",
                false,
            ),
            ("<div>a</div>", false),
        ] {
            let (dom, _) = Parser::default().parse(html);
            let found = dom.tree().ids().find_map(|id| {
                let tag = dom.html_tag(id)?;
                matches!(tag, Tag::BLOCKQUOTE | Tag::DIV).then(|| is_quote(&dom, id, tag))
            });
            assert_eq!(found, Some(is), "{html}");
        }
    }
}
