//! Emoji and smilies that pages show as pictures.

use dehusk_html::tree::{Dom, NodeId};

/// Longest alternative text of such a picture, in bytes.
const MAX_ALT: usize = 40;
/// Longest class and address that is searched for names, in bytes.
const MAX_NAME: usize = 256;

/// Returns the emoji or smiley that a writer typed and that the page shows as a picture: its alternative
/// text, or else its title or the name that a script gives it. `None` for other pictures.
pub(super) fn read(dom: &Dom<'_>, image: NodeId) -> Option<String> {
    let value = |name: &&str| {
        let value = dom.short_attr(image, name, MAX_ALT)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    let typed = ["alt", "title", "data-shortname"].iter().find_map(value)?;
    let is_sign = is_emoji(&typed) || is_typed(&typed) && is_named(dom, image);
    is_sign.then_some(typed)
}

/// Whether a text consists of emoji.
fn is_emoji(text: &str) -> bool {
    let is_picture = |c: char| {
        matches!(
            u32::from(c),
            0x203C | 0x2049 | 0x20E3 | 0x2122 | 0x2139 | 0x2194..=0x21AA | 0x231A..=0x23FF | 0x25AA..=0x27BF
            | 0x2934 | 0x2935 | 0x2B05..=0x2B55 | 0x3030 | 0x303D | 0x3297 | 0x3299 | 0x1F000..=0x1FAFF
        )
    };
    // Joiners, the style of emoji, tags of flags, and the digits and signs of keycaps.
    let is_part = |c: char| matches!(c, '\u{200D}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}' | '0'..='9' | '#' | '*' | ' ');
    text.contains(is_picture) && text.chars().all(|c| is_picture(c) || is_part(c))
}

/// Whether a text is a smiley as it is typed: `:)`, `;-P`, `:lol:`.
fn is_typed(text: &str) -> bool {
    text.len() >= 2
        && !text.contains(char::is_whitespace)
        && text.starts_with(|c: char| {
            c.is_ascii_punctuation() || c.is_ascii_digit() || matches!(c, 'x' | 'X' | 'o' | 'O')
        })
        && text.contains([':', ';', '=', '8', '^', '(', ')', '-'])
        && text.contains(|c: char| c.is_ascii_punctuation())
}

/// Whether the class or the address of an image says that it is an emoji or a smiley.
fn is_named(dom: &Dom<'_>, image: NodeId) -> bool {
    ["class", "src"].into_iter().any(|name| {
        let value = dom
            .short_attr(image, name, MAX_NAME)
            .unwrap_or_default()
            .to_ascii_lowercase();
        ["smil", "emoji", "emote", "emoticon"]
            .into_iter()
            .any(|part| value.contains(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;
    use dehusk_html::tree::Tag;

    #[test]
    fn pictures_of_typed_characters_are_these_characters() {
        for (html, wanted) in [
            ("<img class=emoji alt=\u{1F642} src=a.svg>", Some("\u{1F642}")),
            (
                "<img alt=' \u{2728}\u{FE0F} ' src=2728.svg>",
                Some("\u{2728}\u{FE0F}"),
            ),
            ("<img alt=\u{1F1EB}\u{1F1F7}>", Some("\u{1F1EB}\u{1F1F7}")),
            ("<img alt=3\u{FE0F}\u{20E3}>", Some("3\u{FE0F}\u{20E3}")),
            ("<img class=smilies alt=':)' src=icon_smile.gif>", Some(":)")),
            ("<img src=/images/smilies/lol.gif alt=':lol:'>", Some(":lol:")),
            ("<img class=emoji alt=':+1:'>", Some(":+1:")),
            ("<img class=smilies alt='8-)'>", Some("8-)")),
            ("<img class=smilie alt='' title=':lol:'>", Some(":lol:")),
            ("<img src=/s/emoji.png data-shortname=:tada:>", Some(":tada:")),
            ("<img class=smilies alt='Very happy'>", None),
            ("<img class=smilies alt='Very happy' title=':D'>", None),
            ("<img class=smilies alt=Smile>", None),
            ("<img src=map.png alt=':)'>", None),
            ("<img src=a.png alt='3'>", None),
            ("<img src=a.png alt='A boat \u{26F5}'>", None),
            ("<img src=smile.png>", None),
        ] {
            let (dom, _) = Parser::default().parse(html);
            let image = dom.find(NodeId::DOCUMENT, Tag::IMG).unwrap();
            assert_eq!(read(&dom, image).as_deref(), wanted, "{html}");
        }
    }
}
