//! Categories of elements (section 13.2.4.2) as bits.

use crate::tree::Tag;

/// § The "special" category.
pub(crate) const SPECIAL: u16 = 1 << 0;
/// Ends the search for "an element in scope".
pub(crate) const SCOPE: u16 = 1 << 1;
/// Closed by "generate implied end tags".
pub(crate) const IMPLIED: u16 = 1 << 2;
/// Closed by "generate all implied end tags thoroughly".
pub(crate) const THOROUGH: u16 = 1 << 3;
/// § The "formatting" category.
pub(crate) const FORMATTING: u16 = 1 << 4;
/// Ends the search for "an element in table scope"; the same three elements form a table context.
pub(crate) const TABLE_SCOPE: u16 = 1 << 5;
/// Children that are not allowed in tables are foster parented.
pub(crate) const FOSTER: u16 = 1 << 6;
/// `h1` to `h6`.
pub(crate) const HEADING: u16 = 1 << 7;
/// May be replaced by a sibling at the depth limit: no insertion mode, scope or place of insertion depends on it.
pub(crate) const PLAIN: u16 = 1 << 8;
/// MathML or SVG.
pub(crate) const FOREIGN: u16 = 1 << 9;
/// SVG; a foreign element without this bit is MathML.
pub(crate) const SVG: u16 = 1 << 10;
/// A MathML text integration point.
pub(crate) const TEXT_POINT: u16 = 1 << 11;
/// An HTML integration point.
pub(crate) const HTML_POINT: u16 = 1 << 12;
/// MathML's `annotation-xml`.
pub(crate) const ANNOTATION: u16 = 1 << 13;
/// Its end tag does more than pop it off the stack of open elements, even if it is the current node.
pub(crate) const MORE_TO_CLOSE: u16 = 1 << 14;

const KNOWN: usize = Tag::KNOWN as usize;

/// Categories of HTML elements by tag.
static CATEGORIES: [u16; KNOWN] = categories();

const fn categories() -> [u16; KNOWN] {
    // All elements are plain unless the last list names them.
    let mut categories = [PLAIN; KNOWN];
    let mut row = 0;
    while row < ROWS.len() {
        let (category, tags) = ROWS[row];
        let mut i = 0;
        while i < tags.len() {
            let entry = &mut categories[tags[i].0 as usize];
            *entry = if category == PLAIN {
                *entry & !PLAIN
            } else {
                *entry | category
            };
            i += 1;
        }
        row += 1;
    }
    categories
}

/// The lists of the standard. The list under `PLAIN` names the elements that are not plain.
#[rustfmt::skip]
const ROWS: &[(u16, &[Tag])] = &[
    (SPECIAL, &[
        Tag::ADDRESS, Tag::APPLET, Tag::AREA, Tag::ARTICLE, Tag::ASIDE, Tag::BASE, Tag::BASEFONT, Tag::BGSOUND,
        Tag::BLOCKQUOTE, Tag::BODY, Tag::BR, Tag::BUTTON, Tag::CAPTION, Tag::CENTER, Tag::COL, Tag::COLGROUP, Tag::DD,
        Tag::DETAILS, Tag::DIR, Tag::DIV, Tag::DL, Tag::DT, Tag::EMBED, Tag::FIELDSET, Tag::FIGCAPTION, Tag::FIGURE,
        Tag::FOOTER, Tag::FORM, Tag::FRAME, Tag::FRAMESET, Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6,
        Tag::HEAD, Tag::HEADER, Tag::HGROUP, Tag::HR, Tag::HTML, Tag::IFRAME, Tag::IMG, Tag::INPUT, Tag::KEYGEN,
        Tag::LI, Tag::LINK, Tag::LISTING, Tag::MAIN, Tag::MARQUEE, Tag::MENU, Tag::META, Tag::NAV, Tag::NOEMBED,
        Tag::NOFRAMES, Tag::NOSCRIPT, Tag::OBJECT, Tag::OL, Tag::P, Tag::PARAM, Tag::PLAINTEXT, Tag::PRE, Tag::SCRIPT,
        Tag::SEARCH, Tag::SECTION, Tag::SELECT, Tag::SOURCE, Tag::STYLE, Tag::SUMMARY, Tag::TABLE, Tag::TBODY, Tag::TD,
        Tag::TEMPLATE, Tag::TEXTAREA, Tag::TFOOT, Tag::TH, Tag::THEAD, Tag::TITLE, Tag::TR, Tag::TRACK, Tag::UL,
        Tag::WBR, Tag::XMP,
    ]),
    (SCOPE, &[
        Tag::APPLET, Tag::CAPTION, Tag::HTML, Tag::MARQUEE, Tag::OBJECT, Tag::SELECT, Tag::TABLE, Tag::TD,
        Tag::TEMPLATE, Tag::TH,
    ]),
    (IMPLIED, &[
        Tag::DD, Tag::DT, Tag::LI, Tag::OPTGROUP, Tag::OPTION, Tag::P, Tag::RB, Tag::RP, Tag::RT, Tag::RTC,
    ]),
    (THOROUGH, &[
        Tag::CAPTION, Tag::COLGROUP, Tag::DD, Tag::DT, Tag::LI, Tag::OPTGROUP, Tag::OPTION, Tag::P, Tag::RB, Tag::RP,
        Tag::RT, Tag::RTC, Tag::TBODY, Tag::TD, Tag::TFOOT, Tag::TH, Tag::THEAD, Tag::TR,
    ]),
    (FORMATTING, &[
        Tag::A, Tag::B, Tag::BIG, Tag::CODE, Tag::EM, Tag::FONT, Tag::I, Tag::NOBR, Tag::S, Tag::SMALL, Tag::STRIKE,
        Tag::STRONG, Tag::TT, Tag::U,
    ]),
    (MORE_TO_CLOSE, &[
        Tag::A, Tag::APPLET, Tag::B, Tag::BIG, Tag::BODY, Tag::CODE, Tag::EM, Tag::FONT, Tag::FORM, Tag::HTML, Tag::I,
        Tag::MARQUEE, Tag::NOBR, Tag::OBJECT, Tag::S, Tag::SMALL, Tag::STRIKE, Tag::STRONG, Tag::TEMPLATE, Tag::TT, Tag::U,
    ]),
    (TABLE_SCOPE, &[Tag::HTML, Tag::TABLE, Tag::TEMPLATE]),
    (FOSTER, &[Tag::TABLE, Tag::TBODY, Tag::TFOOT, Tag::THEAD, Tag::TR]),
    (HEADING, &[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]),
    (PLAIN, &[
        Tag::APPLET, Tag::BODY, Tag::BUTTON, Tag::CAPTION, Tag::COLGROUP, Tag::FORM, Tag::FRAMESET, Tag::HEAD,
        Tag::HTML, Tag::MARQUEE, Tag::NOSCRIPT, Tag::OBJECT, Tag::PLAINTEXT, Tag::SELECT, Tag::TABLE, Tag::TBODY,
        Tag::TD, Tag::TEMPLATE, Tag::TFOOT, Tag::TH, Tag::THEAD, Tag::TR,
    ]),
];

/// Categories of an HTML element.
#[inline]
pub(crate) fn categories_of(tag: Tag) -> u16 {
    CATEGORIES.get(usize::from(tag.0)).copied().unwrap_or(PLAIN)
}

/// Categories of a foreign element. `name` is its name in the source, in lower case.
pub(crate) fn foreign_categories_of(svg: bool, name: &str) -> u16 {
    let point = SPECIAL | SCOPE;
    match (svg, name) {
        (true, "foreignobject" | "desc" | "title") => FOREIGN | SVG | HTML_POINT | point,
        (true, _) => FOREIGN | SVG,
        (false, "mi" | "mo" | "mn" | "ms" | "mtext") => FOREIGN | TEXT_POINT | point,
        (false, "annotation-xml") => FOREIGN | ANNOTATION | point,
        (false, _) => FOREIGN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_the_lists() {
        assert_eq!(categories_of(Tag::P), SPECIAL | IMPLIED | THOROUGH | PLAIN);
        assert_eq!(categories_of(Tag::TD), SPECIAL | SCOPE | THOROUGH);
        assert_eq!(categories_of(Tag::FONT), FORMATTING | MORE_TO_CLOSE | PLAIN);
        assert_eq!(categories_of(Tag(Tag::KNOWN)), PLAIN);
    }
}
