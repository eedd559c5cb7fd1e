//! Tag names as numbers, and what the standard says about each name.
//!
//! A name of up to eight letters and digits, which is nearly every name, is packed into one word and found by one hash
//! probe. Everything else goes through the document's own table of names.

use crate::tree::{Builder, NAMES, Tag};

/// Belongs to the "special" category (section 13.2.4.2).
pub(super) const SPECIAL: u16 = 1 << 0;
/// Ends the search for "an element in scope".
pub(super) const SCOPE: u16 = 1 << 1;
/// Closed by "generate implied end tags".
pub(super) const IMPLIED: u16 = 1 << 2;
/// Closed by "generate all implied end tags thoroughly".
pub(super) const THOROUGH: u16 = 1 << 3;
/// Kept in the list of active formatting elements.
pub(super) const FORMATTING: u16 = 1 << 4;
/// Ends the search for "an element in table scope"; the same three names make a table context.
pub(super) const TABLE_SCOPE: u16 = 1 << 5;
/// Its children that do not belong into a table are foster parented.
pub(super) const FOSTER: u16 = 1 << 6;
/// `h1` to `h6`.
pub(super) const HEADING: u16 = 1 << 7;
/// May stand in for its siblings at the depth limit: no mode, scope or position depends on it.
pub(super) const PLAIN: u16 = 1 << 8;
/// MathML or SVG.
pub(super) const FOREIGN: u16 = 1 << 9;
/// SVG; without it a foreign element is MathML.
pub(super) const SVG: u16 = 1 << 10;
/// A MathML text integration point.
pub(super) const TEXT_POINT: u16 = 1 << 11;
/// An HTML integration point.
pub(super) const HTML_POINT: u16 = 1 << 12;
/// MathML's `annotation-xml`.
pub(super) const ANNOTATION: u16 = 1 << 13;

const KNOWN: usize = Tag::KNOWN as usize;

/// The properties of HTML elements by their tag.
static CLASSES: [u16; KNOWN] = classes();

const fn classes() -> [u16; KNOWN] {
    let mut classes = [PLAIN; KNOWN];
    let mut row = 0;
    while row < ROWS.len() {
        let (class, tags) = ROWS[row];
        let mut i = 0;
        while i < tags.len() {
            let entry = &mut classes[tags[i].0 as usize];
            *entry = if class == PLAIN {
                *entry & !PLAIN
            } else {
                *entry | class
            };
            i += 1;
        }
        row += 1;
    }
    classes
}

/// The standard's lists; the one under `PLAIN` names the elements that are not.
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
    (TABLE_SCOPE, &[Tag::HTML, Tag::TABLE, Tag::TEMPLATE]),
    (FOSTER, &[Tag::TABLE, Tag::TBODY, Tag::TFOOT, Tag::THEAD, Tag::TR]),
    (HEADING, &[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]),
    (PLAIN, &[
        Tag::APPLET, Tag::BODY, Tag::BUTTON, Tag::CAPTION, Tag::COLGROUP, Tag::FORM, Tag::FRAMESET, Tag::HEAD,
        Tag::HTML, Tag::MARQUEE, Tag::NOSCRIPT, Tag::OBJECT, Tag::PLAINTEXT, Tag::SELECT, Tag::TABLE, Tag::TBODY,
        Tag::TD, Tag::TEMPLATE, Tag::TFOOT, Tag::TH, Tag::THEAD, Tag::TR,
    ]),
];

/// The properties of an HTML element.
#[inline]
pub(super) fn class_of(tag: Tag) -> u16 {
    CLASSES.get(usize::from(tag.0)).copied().unwrap_or(PLAIN)
}

/// The properties of a foreign element by its name in the source.
pub(super) fn foreign_class_of(svg: bool, name: &str) -> u16 {
    let point = SPECIAL | SCOPE;
    match (svg, name) {
        (true, "foreignobject" | "desc" | "title") => FOREIGN | SVG | HTML_POINT | point,
        (true, _) => FOREIGN | SVG,
        (false, "mi" | "mo" | "mn" | "ms" | "mtext") => FOREIGN | TEXT_POINT | point,
        (false, "annotation-xml") => FOREIGN | ANNOTATION | point,
        (false, _) => FOREIGN,
    }
}

/// One known name of up to eight bytes.
#[derive(Clone, Copy)]
struct Packed {
    name: u64,
    tag: Tag,
}

const PLACE_BITS: u32 = 10;
const EMPTY: Packed = Packed { name: 0, tag: Tag(0) };
static PLACES: [Packed; 1 << PLACE_BITS] = places();

const fn place(name: u64) -> usize {
    (name.wrapping_mul(0x9FB2_1C65_1E98_DF25) >> (64 - PLACE_BITS)) as usize
}

const fn places() -> [Packed; 1 << PLACE_BITS] {
    let mut places = [EMPTY; 1 << PLACE_BITS];
    let mut i = 0;
    while i < NAMES.len() {
        let bytes = NAMES[i].as_bytes();
        if bytes.len() <= 8 {
            let (mut name, mut at) = (0, bytes.len());
            while at > 0 {
                at -= 1;
                name = name << 8 | bytes[at] as u64;
            }
            let mut slot = place(name);
            while places[slot].name != 0 {
                slot = (slot + 1) % places.len();
            }
            places[slot] = Packed {
                name,
                tag: Tag(i as u16),
            };
        }
        i += 1;
    }
    places
}

/// The tag whose name of up to eight bytes is `name`, first byte lowest, in lower case.
#[inline]
fn known(name: u64) -> Option<Tag> {
    let mut slot = place(name);
    loop {
        let found = PLACES[slot & (PLACES.len() - 1)];
        if found.name == name {
            return Some(found.tag);
        }
        if found.name == 0 {
            return None;
        }
        slot += 1;
    }
}

/// Names of a document without a constant that came up lately, so that pages of custom elements and of SVG do not ask the
/// table for each tag.
#[derive(Debug)]
pub(super) struct Recent {
    names: [(u64, Tag); 64],
}

impl Recent {
    pub(super) fn new() -> Self {
        Recent {
            names: [(0, Tag(0)); 64],
        }
    }

    /// The tag for `name`: up to eight letters and digits, first byte lowest, in lower case.
    #[inline]
    pub(super) fn short(&mut self, name: u64, builder: &mut Builder<'_>) -> Tag {
        known(name).unwrap_or_else(|| self.unknown(name, builder))
    }

    fn unknown(&mut self, name: u64, builder: &mut Builder<'_>) -> Tag {
        let entry = &mut self.names[(name.wrapping_mul(0x9FB2_1C65_1E98_DF25) >> 58) as usize];
        if entry.0 != name {
            let bytes = name.to_le_bytes();
            let len = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
            *entry = (
                name,
                builder.tag(std::str::from_utf8(&bytes[..len]).unwrap_or("")),
            );
        }
        entry.1
    }
}

/// The tag for any name as it stands in the source.
#[cold]
pub(super) fn long(name: &str, builder: &mut Builder<'_>) -> Tag {
    if name.bytes().any(|b| b.is_ascii_uppercase() || b == 0) {
        builder.tag(&name.to_ascii_lowercase().replace('\0', "\u{FFFD}"))
    } else {
        builder.tag(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_found_by_their_word() {
        let mut builder = Builder::new("");
        let mut recent = Recent::new();
        for (i, name) in NAMES.iter().enumerate().filter(|(_, name)| name.len() <= 8) {
            let mut word = [0; 8];
            word[..name.len()].copy_from_slice(name.as_bytes());
            assert_eq!(
                recent.short(u64::from_le_bytes(word), &mut builder),
                Tag(i as u16),
                "{name}"
            );
        }
        let word = u64::from_le_bytes(*b"lineargr");
        let tag = recent.short(word, &mut builder);
        assert_eq!(recent.short(word, &mut builder), tag);
        assert_eq!(long("LineArGr", &mut builder), tag);
        assert_eq!(long("BlockQuote", &mut builder), Tag::BLOCKQUOTE);
        assert_ne!(long("foreignobject", &mut builder), Tag::FOREIGNOBJECT);
    }

    #[test]
    fn classes_follow_the_lists() {
        assert_eq!(class_of(Tag::P), SPECIAL | IMPLIED | THOROUGH | PLAIN);
        assert_eq!(class_of(Tag::TD), SPECIAL | SCOPE | THOROUGH);
        assert_eq!(class_of(Tag::FONT), FORMATTING | PLAIN);
        assert_eq!(class_of(Tag(Tag::KNOWN)), PLAIN);
    }
}
