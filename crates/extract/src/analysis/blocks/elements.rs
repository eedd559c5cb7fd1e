//! Classes of elements: elements that are not shown, and elements that end neither a block nor a line.

use crate::analysis::blocks::block::{BlockKind, Boundary, Inherited};
use dehusk_html::tree::{Attr, AttrName, Dom, Namespace, NodeId, NodeKind, Tag};

/// Whether an element's text is not shown, or is shown only as the content of a control.
pub(crate) const fn is_skipped(tag: Tag) -> bool {
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

/// Whether an element may play a video or sound: an HTML element such as `iframe` or `video`, or one of a
/// known library or of AMP.
pub(crate) fn is_player_element(dom: &Dom<'_>, id: NodeId, tag: Tag) -> bool {
    matches!(
        tag,
        Tag::IFRAME | Tag::VIDEO | Tag::AUDIO | Tag::OBJECT | Tag::EMBED
    ) || tag.index() >= Tag::ALL.len() && is_player_name(dom.name(id))
}

/// Whether an element shows an image: `img`, or an image element of AMP.
pub(crate) fn is_image_element(dom: &Dom<'_>, id: NodeId, tag: Tag) -> bool {
    tag == Tag::IMG || tag.index() >= Tag::ALL.len() && matches!(dom.name(id), "amp-img" | "amp-anim")
}

/// Whether a name is that of a custom element that plays videos or sounds.
fn is_player_name(name: &str) -> bool {
    matches!(
        name,
        "lite-youtube"
            | "lite-vimeo"
            | "amp-youtube"
            | "amp-vimeo"
            | "amp-dailymotion"
            | "amp-iframe"
            | "amp-video"
            | "amp-audio"
    )
}

/// Whether a script holds the LaTeX source of a formula, as MathJax writes it.
pub(super) fn is_formula_source(dom: &Dom<'_>, id: NodeId) -> bool {
    let kind = dom.attrs_of(id).iter().find(|attr| attr.is(AttrName::TYPE));
    kind.is_some_and(|kind| {
        // A cheap test first: most script types begin with another letter.
        let is_other = |first: &u8| first.is_ascii_alphabetic() && *first != b'm';
        !dom.attr_bytes(kind).0.first().is_some_and(is_other)
            && dom.attr_value(kind).trim_start().starts_with("math/tex")
    })
}

/// Whether boilerpipe treats a tag as inline; such tags do not end a block.
pub(super) const fn is_inline(tag: Tag) -> bool {
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

/// Whether a tag is phrasing content. Phrasing tags that are not inline end a block, but not a line.
pub(crate) const fn is_phrasing(tag: Tag) -> bool {
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

/// Effect of an HTML element on the blocks around it.
#[derive(Clone, Copy)]
pub(super) struct Role {
    /// Whether its text is left out.
    pub(super) skipped: bool,
    /// Whether it is an image, an embedded player or a formula.
    pub(super) media: bool,
    /// Properties that blocks in the element inherit: their kind, their heading level (0 if none), and
    /// whether the element is a list, a table or a link.
    pub(super) kind: Option<BlockKind>,
    pub(super) heading: u8,
    pub(super) is_list: bool,
    pub(super) is_table: bool,
    pub(super) is_link: bool,
    /// Boundary that its tags put between blocks; `None` if it is inline.
    pub(super) boundary: Option<Boundary>,
}

static ROLES: [Role; Tag::ALL.len()] = roles();

const fn roles() -> [Role; Tag::ALL.len()] {
    let mut roles = [Role::BLOCK; { Tag::ALL.len() }];
    let mut i = 0;
    while i < { Tag::ALL.len() } {
        roles[i] = Role::new(Tag::ALL[i]);
        i += 1;
    }
    roles
}

impl Role {
    pub(super) const SKIPPED: Role = Role {
        skipped: true,
        ..Role::BLOCK
    };
    pub(super) const PHRASE: Role = Role {
        boundary: Some(Boundary::Phrase),
        ..Role::BLOCK
    };
    pub(super) const MEDIA: Role = Role {
        media: true,
        ..Role::PHRASE
    };
    const BLOCK: Role = Role {
        skipped: false,
        media: false,
        kind: None,
        heading: 0,
        is_list: false,
        is_table: false,
        is_link: false,
        boundary: Some(Boundary::Block),
    };

    /// Role of an HTML element.
    #[inline]
    pub(super) fn of(tag: Tag) -> &'static Role {
        // Custom elements have indices beyond the table.
        ROLES.get(tag.index()).unwrap_or(&Role::BLOCK)
    }

    const fn new(tag: Tag) -> Role {
        let boundary = match tag {
            _ if is_inline(tag) => None,
            // A `slot` has no box: its content stands in its place.
            Tag::SLOT => None,
            _ if is_phrasing(tag) => Some(Boundary::Phrase),
            Tag::BR => Some(Boundary::Break),
            _ => Some(Boundary::Block),
        };
        Role {
            skipped: is_skipped(tag),
            media: matches!(tag, Tag::IMG | Tag::EMBED),
            kind: BlockKind::of(tag),
            heading: match tag.heading_level() {
                Some(level) => level,
                None => 0,
            },
            is_list: matches!(tag, Tag::UL | Tag::OL | Tag::DL | Tag::MENU | Tag::DIR),
            is_table: matches!(tag, Tag::TABLE),
            is_link: matches!(tag, Tag::A),
            boundary,
        }
    }

    /// Properties of blocks inside the element, given the properties `around` it.
    pub(super) fn inside(&self, around: Inherited) -> Inherited {
        Inherited {
            kind: around.kind.with(self.kind),
            heading: match self.heading {
                0 => around.heading,
                level => level,
            },
            lists: around.lists.saturating_add(self.is_list.into()),
            tables: around.tables.saturating_add(self.is_table.into()),
        }
    }
}

/// Whether an element that would normally begin a new line is part of a sentence.
///
/// True for a button with text on both sides. Also true for an element unknown to HTML, which browsers draw
/// inline, with text on at least one side.
pub(crate) fn is_in_sentence(dom: &Dom<'_>, id: NodeId, tag: Tag) -> bool {
    let tree = dom.tree();
    let is_inline = |child: NodeId| dom.html_tag(child).is_none_or(is_phrasing);
    let beside = match tag {
        Tag::BUTTON => {
            // Climb out of inline elements that show nothing but the button. A hidden explanation beside it
            // does not count.
            let is_shown = |id: NodeId| !is_hidden(dom, id) && dom.kind(id) != NodeKind::Blank;
            let is_alone = |id: NodeId| {
                let before = std::iter::successors(tree.prev_sibling(id), |&at| tree.prev_sibling(at));
                let after = std::iter::successors(tree.next_sibling(id), |&at| tree.next_sibling(at));
                !before.take(MAX_BESIDE).any(is_shown) && !after.take(MAX_BESIDE).any(is_shown)
            };
            let around = |id: NodeId| {
                tree.parent(id)
                    .filter(|&parent| dom.html_tag(parent).is_some_and(is_phrasing))
            };
            let mut id = id;
            for _ in 0..MAX_AROUND {
                match around(id) {
                    Some(parent) if is_alone(id) => id = parent,
                    _ => break,
                }
            }
            // Other buttons and white space between them are skipped.
            let is_passed =
                |at: &NodeId| !has_words(dom, *at) && (dom.is_text(*at) || holds_button(dom, *at));
            let before = std::iter::successors(tree.prev_sibling(id), |&at| tree.prev_sibling(at));
            let after = std::iter::successors(tree.next_sibling(id), |&at| tree.next_sibling(at));
            let has_before = before.take(MAX_BESIDE).find(|at| !is_passed(at));
            let has_after = after.take(MAX_BESIDE).find(|at| !is_passed(at));
            [has_before, has_after]
                .iter()
                .all(|at| at.is_some_and(|at| has_words(dom, at)))
        }
        // Browsers draw elements unknown to HTML inline: `<p>the <x-term>weir</x-term> rose`.
        _ if tag.known_name().is_none() => [tree.prev_sibling(id), tree.next_sibling(id)]
            .iter()
            .any(|at| at.is_some_and(|at| dom.is_text(at) && has_words(dom, at))),
        _ => false,
    };
    // Block-level children break the line anyway.
    beside && dom.children(id).take(MAX_CHILDREN).all(is_inline)
}

/// Whether a node is a text with words, or an inline element that begins with such a text.
fn has_words(dom: &Dom<'_>, id: NodeId) -> bool {
    if dom.is_text(id) {
        return dom.raw_text(id).contains(|c: char| !c.is_whitespace());
    }
    dom.html_tag(id).is_some_and(is_phrasing)
        && dom
            .tree()
            .first_child(id)
            .is_some_and(|first| dom.is_text(first) && has_words(dom, first))
}

/// Whether an element is blank, a button, or an element that begins with a button.
fn holds_button(dom: &Dom<'_>, id: NodeId) -> bool {
    let is_button = |id: NodeId| dom.html_tag(id) == Some(Tag::BUTTON);
    dom.kind(id) == NodeKind::Blank || is_button(id) || dom.tree().first_child(id).is_some_and(is_button)
}

/// Maximum number of inline elements around a button that are climbed.
const MAX_AROUND: usize = 3;

/// Whether the first child element of an element is a formula. If the element is hidden, it holds the
/// source of a formula that is drawn beside it.
pub(super) fn holds_formula(dom: &Dom<'_>, id: NodeId) -> bool {
    let mut children = dom.children(id).filter(|&child| dom.tag(child).is_some());
    children
        .next()
        .is_some_and(|first| dom.element(first) == Some((Namespace::MathMl, Tag::MATH)))
}

/// Attributes in which pages store the source of a formula that they draw.
pub(crate) const FORMULA_SOURCES: [&str; 5] = [
    "data-tex",
    "data-latex",
    "data-formula",
    "data-equation",
    "data-expr",
];

/// Whether an element is the drawing of a formula whose source its parent states. Such a drawing may be
/// hidden from screen readers only.
pub(super) fn draws_formula(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.parent(id).is_some_and(|parent| {
        let mut attributes = dom.attrs_of(parent).iter();
        attributes.any(|attribute| FORMULA_SOURCES.iter().any(|name| dom.is_named(attribute, name)))
    })
}

/// Maximum number of siblings that are examined on each side of a button.
const MAX_BESIDE: usize = 4;

/// Maximum number of children of an element that are examined to decide whether it is part of a sentence.
const MAX_CHILDREN: usize = 16;

/// Whether an attribute or the element's own `style` hides an element, or moves it off the screen.
#[inline]
pub(crate) fn is_hidden(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.node(id).may_be_hidden() && an_attribute_hides(dom, id)
}

#[inline(never)]
fn an_attribute_hides(dom: &Dom<'_>, id: NodeId) -> bool {
    let hides = |attr: &Attr| match attr.known_name() {
        AttrName::STYLE => style_hides(dom, attr),
        // The reader can open text with `hidden=until-found`.
        AttrName::HIDDEN => !dom.attr_value(attr).eq_ignore_ascii_case("until-found"),
        AttrName::ARIA_HIDDEN => dom.attr_value(attr).eq_ignore_ascii_case("true"),
        _ => false,
    };
    dom.attrs_of(id).iter().any(hides)
}

/// Whether a `style` attribute hides its element. The value is decoded only if its bytes make that possible.
fn style_hides(dom: &Dom<'_>, attr: &Attr) -> bool {
    if memchr::memmem::find(dom.attr_bytes(attr).0, b"-999").is_some() && is_off_screen(&dom.attr_value(attr))
    {
        return true;
    }
    // `display` and `visibility` both end in `y`, which is rare in styles. Only a character reference could
    // spell it differently.
    if memchr::memchr3(b'y', b'Y', b'&', dom.attr_bytes(attr).0).is_none() {
        return false;
    }
    a_rule_hides(&dom.attr_value(attr))
}

/// Whether a style moves an element off the screen: `position: absolute; left: -9999px`.
fn is_off_screen(style: &str) -> bool {
    let is_far = |rule: &str| {
        rule.split_once(':').is_some_and(|(name, value)| {
            let name = name.trim();
            (name.eq_ignore_ascii_case("left") || name.eq_ignore_ascii_case("top"))
                && value.trim().starts_with("-999")
        })
    };
    style.split(';').any(is_far)
}

/// Whether any declaration in `style` hides an element. Only declarations of `display` and `visibility` are
/// examined, each once.
pub(super) fn a_rule_hides(style: &str) -> bool {
    let bytes = style.as_bytes();
    let (mut read, mut from) = (0, 0);
    while let Some(found) = memchr::memchr2(b'y', b'Y', &bytes[from..]) {
        let at = from + found;
        from = at + 1;
        // `before` is what was not examined yet, up to this `y`.
        let before = &bytes[read..at];
        let is_name = |name: &str| {
            let start = before.len().checked_sub(name.len());
            start.is_some_and(|start| before[start..].eq_ignore_ascii_case(name.as_bytes()))
        };
        if is_name("displa") || is_name("visibilit") {
            let start = memchr::memrchr(b';', before).map_or(read, |end| read + end + 1);
            let end = memchr::memchr(b';', &bytes[from..]).map_or(bytes.len(), |end| from + end);
            if rule_hides(&style[start..end]) {
                return true;
            }
            (read, from) = (end, end);
        }
    }
    false
}

/// Whether one declaration (`property: value`) hides an element.
fn rule_hides(rule: &str) -> bool {
    let Some((name, value)) = rule.split_once(':') else {
        return false;
    };
    // `!important` is not part of the value.
    let value = value.split('!').next().unwrap_or("").trim();
    (name.trim().eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
        || (name.trim().eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn elements_beside_the_screen_are_hidden() {
        assert!(is_off_screen("position:absolute; LEFT : -9999px"));
        assert!(is_off_screen("top:-9999em"));
        // The words of a heading that a picture shows.
        assert!(!is_off_screen("text-indent:-9999px; left: 0"));
        assert!(!is_off_screen("margin-left:-999px"));
    }

    proptest! {
        #[test]
        fn rules_are_found_as_by_dividing_a_style(
            parts in proptest::collection::vec(
                prop::sample::select(vec![
                    "display", "DISPLAY", "visibility", "none", "None", "hidden", "block", "y", "Y", ":", ";", "!important", " ", "я",
                ]),
                0..12,
            ),
        ) {
            let style = parts.concat();
            prop_assert_eq!(a_rule_hides(&style), style.split(';').any(rule_hides), "{}", style);
        }

        #[test]
        fn rules_that_hide_are_found(
            before in "[a-y:; ]{0,20}",
            rule in prop::sample::select(vec!["display:none", " Display : NONE !important", "visibility: hidden"]),
            after in "(;[a-y:; ]{0,20})?",
        ) {
            let style = format!("{before};{rule}{after}");
            prop_assert!(a_rule_hides(&style));
        }
    }
}
