//! Images that show no content: avatars, icons and buttons.

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Longest class and address that is searched for names, in bytes.
const MAX_NAME: usize = 512;
/// Largest side in pixels of icons and buttons, where the page states it.
const MAX_SIDE: u32 = 64;
/// Maximum number of elements around an image whose names count.
const MAX_AROUND: usize = 2;

/// Whether class names around an image, or its address, say that it shows no content. Images of figures are
/// content.
pub(super) fn is_decoration(dom: &Dom<'_>, image: NodeId) -> bool {
    let above = || dom.ancestors(image).take(2 * MAX_AROUND);
    let is_figure = |at: NodeId| matches!(dom.html_tag(at), Some(Tag::FIGURE | Tag::PICTURE));
    // Pages that load images lazily have a placeholder in `src`.
    let address = |name: &str| dom.short_attr(image, name, MAX_NAME);
    let src = address("data-src").or_else(|| address("src")).unwrap_or_default();
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let has = |text: &str, names: &[&str]| {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    let around = std::iter::once(image).chain(dom.ancestors(image).take(MAX_AROUND));
    let is_named = |at: NodeId| {
        let names = dom
            .known_attr(at, AttrName::CLASS)
            .filter(|names| names.len() <= MAX_NAME);
        names.is_some_and(|names| has(&names, AVATARS))
    };
    let is_avatar = has(folders, AVATARS) || around.into_iter().any(is_named);
    let is_icon = || {
        let begins = |name: &&str| {
            file.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        // Smilies are part of the text.
        !path.contains("smil") && (has(folders, ICONS) || has(file, &["icon"]) || FILES.iter().any(begins))
    };
    (is_avatar || is_icon() && !is_large(dom, image)) && !above().any(is_figure)
}

/// Words in class names and folders of avatars.
const AVATARS: &[&str] = &[
    "avatar",
    "avatars",
    "gravatar",
    "userpic",
    "userpics",
    "customavatars",
    "useravatar",
];

/// Folders of icons, and of the pictures that forums show beside their posts.
const ICONS: &[&str] = &[
    "icon",
    "icons",
    "statusicon",
    "statusicons",
    "button",
    "buttons",
    "userbar",
    "userbars",
    "ranks",
];

/// Prefixes of file names of icons and buttons.
const FILES: &[&str] = &["icon_", "icon-", "btn_", "btn-", "button_", "button-", "userbar"];

/// Whether the page states a width or height above `MAX_SIDE`.
fn is_large(dom: &Dom<'_>, image: NodeId) -> bool {
    ["width", "height"].into_iter().any(|name| {
        let side = dom.short_attr(image, name, MAX_NAME);
        let side = side.and_then(|side| side.trim().trim_end_matches("px").parse::<u32>().ok());
        side.is_some_and(|side| side > MAX_SIDE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    #[test]
    fn avatars_icons_and_buttons_are_no_content() {
        for (html, is) in [
            ("<img src=/forum/avatars/7.png>", true),
            ("<img src=https://secure.gravatar.com/avatar/5c04?s=96>", true),
            (
                "<div class='post-avatar'><a><img src=/u/7.jpg width=120></a></div>",
                true,
            ),
            ("<img src=/styles/statusicons/user-offline.png>", true),
            ("<img src=/img/buttons/quote.gif>", true),
            ("<img src=/img/icon_minipost.gif>", true),
            ("<img src=/img/misc/quote_icon.png>", true),
            ("<img src=/img/icons/weir.png width=640>", false),
            ("<figure><img src=/img/icons/weir.png></figure>", false),
            ("<img src=/img/weir.jpg>", false),
            ("<img src=/img/avatar-the-film.jpg>", false),
            ("<img src=/img/lexicon_1.jpg>", false),
            ("<img src=/img/smiles/icon_wink.gif>", false),
        ] {
            let (dom, _) = Parser::default().parse(html);
            let image = dom.find(NodeId::DOCUMENT, Tag::IMG).expect("an image");
            assert_eq!(is_decoration(&dom, image), is, "{html}");
        }
    }
}
