//! Classes of elements: which are not shown, and which do not end a block or a line.

use dehusk_html::tree::{Attr, Dom, NodeId, Tag};

/// Elements whose text the page does not show, or shows as the content of a control.
pub(crate) fn is_skipped(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::HEAD
            | Tag::TITLE
            | Tag::NOSCRIPT
            | Tag::IFRAME
            | Tag::NOEMBED
            | Tag::NOFRAMES
            | Tag::OBJECT
            | Tag::APPLET
            | Tag::AUDIO
            | Tag::VIDEO
            | Tag::CANVAS
            | Tag::TEXTAREA
            | Tag::DATALIST
    )
}

/// Whether a script is the source of a formula, in LaTeX: MathJax's way to write one.
pub(super) fn is_formula_source(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.attr(id, "type")
        .is_some_and(|kind| kind.trim_start().starts_with("math/tex"))
}

/// Tags that boilerpipe treats as inline: they do not end a block.
pub(super) fn is_inline(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::STRIKE
            | Tag::U
            | Tag::B
            | Tag::I
            | Tag::EM
            | Tag::STRONG
            | Tag::SPAN
            | Tag::SUP
            | Tag::CODE
            | Tag::TT
            | Tag::SUB
            | Tag::VAR
            | Tag::FONT
            | Tag::A
            | Tag::ABBR
            | Tag::ACRONYM
    )
}

/// Further phrasing elements, which end a block, but not a line.
pub(crate) fn is_phrasing(tag: Tag) -> bool {
    is_inline(tag)
        || matches!(
            tag,
            Tag::BDI
                | Tag::BDO
                | Tag::BIG
                | Tag::CITE
                | Tag::DATA
                | Tag::DEL
                | Tag::DFN
                | Tag::IMG
                | Tag::INPUT
                | Tag::INS
                | Tag::KBD
                | Tag::LABEL
                | Tag::MAP
                | Tag::MARK
                | Tag::MATH
                | Tag::METER
                | Tag::NOBR
                | Tag::OUTPUT
                | Tag::PICTURE
                | Tag::PROGRESS
                | Tag::Q
                | Tag::RB
                | Tag::RP
                | Tag::RT
                | Tag::RUBY
                | Tag::S
                | Tag::SAMP
                | Tag::SLOT
                | Tag::SMALL
                | Tag::SOURCE
                | Tag::SVG
                | Tag::TIME
                | Tag::TRACK
                | Tag::WBR
        )
}

/// Whether an element is marked as not shown, by attribute or by its own style.
#[inline]
pub(crate) fn is_hidden(dom: &Dom<'_>, id: NodeId) -> bool {
    // Most elements have no attributes.
    let attrs = dom.attrs_of(id);
    !attrs.is_empty() && attrs.iter().any(|attr| hides(dom, attr))
}

fn hides(dom: &Dom<'_>, attr: &Attr) -> bool {
    // The length of their names excludes most attributes without reading them.
    match attr.name_len() {
        // `hidden=until-found` is text a reader can open.
        6 => dom.is_named(attr, "hidden") && !dom.attr_value(attr).eq_ignore_ascii_case("until-found"),
        11 => dom.is_named(attr, "aria-hidden") && dom.attr_value(attr).eq_ignore_ascii_case("true"),
        5 => dom.is_named(attr, "style") && style_hides(&dom.attr_value(attr)),
        _ => false,
    }
}

fn style_hides(style: &str) -> bool {
    // Both properties hold this letter, which is rare in styles.
    memchr::memchr2(b'y', b'Y', style.as_bytes()).is_some()
        && style.split(';').any(|rule| {
            let Some((name, value)) = rule.split_once(':') else {
                return false;
            };
            let value = value.split('!').next().unwrap_or("").trim();
            (name.trim().eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
                || (name.trim().eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
        })
}
