//! What the names of a part say by themselves: words of markup that webmasters of all countries use.

use super::roles::Role;

/// Words that name a place for readers' remarks; found at the start of a word of a class or id.
const COMMENTS: &[&str] = &[
    "comment",
    "disqus",
    "respond",
    "reply",
    "replies",
    "discussion",
    "guestbook",
    "shoutbox",
    "kommentar",
    "kommentt",
    "koment",
    "reactie",
    "yorum",
    "hozzaszolas",
    "gaestebuch",
    "vidguk",
    "vidhuk",
    "комментари",
    "коментар",
    "отзыв",
    "відгук",
    "评论",
    "留言",
    "評論",
    "コメント",
    "댓글",
    "commentaire",
    "comentario",
    "otzyv",
    "otziv",
    "pinglun",
    "liuyan",
    "hypercomment",
    "livefyre",
    "trackback",
    "pingback",
];

/// Words that name what surrounds a text.
const AROUND: &[&str] = &[
    "share",
    "sharing",
    "social",
    "sharedaddy",
    "addthis",
    "addtoany",
    "related",
    "similar",
    "recommend",
    "popular",
    "author",
    "byline",
    "bio",
    "nav",
    "navi",
    "navigation",
    "menu",
    "breadcrumb",
    "breadcrumbs",
    "crumb",
    "crumbs",
    "pagination",
    "pager",
    "paging",
    "pagenav",
    "prev",
    "previous",
    "next",
    "meta",
    "postmeta",
    "metadata",
    "tags",
    "taglist",
    "tagcloud",
    "categories",
    "signature",
    "sig",
    "avatar",
    "profile",
    "sidebar",
    "footer",
    "foot",
    "banner",
    "ad",
    "ads",
    "advert",
    "advertisement",
    "adsense",
    "sponsor",
    "promo",
    "subscribe",
    "subscription",
    "newsletter",
    "copyright",
    "edit",
    "editsection",
    "toolbar",
    "widget",
    "login",
    "search",
    "rating",
    "vote",
    "votes",
    "like",
    "likes",
    "print",
    "cookie",
    "popup",
    "jumbotron",
    "follow",
];

/// Words of a class or id, lower-cased: parted at what is no letter or digit, and where a small letter meets a capital.
fn words(name: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut word, mut small) = (String::new(), false);
    for c in name.chars() {
        let letter = c.is_alphanumeric();
        if !word.is_empty() && (!letter || (small && c.is_uppercase())) {
            out.push(std::mem::take(&mut word));
        }
        if letter {
            word.extend(c.to_lowercase());
        }
        small = c.is_lowercase();
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

fn names(role: &Role) -> impl Iterator<Item = &String> {
    role.classes.iter().chain(&role.id)
}

/// Whether a part is named as a place for comments.
pub(super) fn is_comments(role: &Role) -> bool {
    names(role)
        .flat_map(|n| words(n))
        .any(|w| COMMENTS.iter().any(|c| w.starts_with(c)))
}

/// Whether a part is named as something around the text.
pub(super) fn is_around(role: &Role) -> bool {
    names(role)
        .flat_map(|n| words(n))
        .any(|w| AROUND.contains(&w.as_str()))
}

/// Whether a part's tag says that it is no text.
pub(super) fn is_chrome_tag(role: &Role) -> bool {
    matches!(
        role.tag.as_str(),
        "nav" | "footer" | "aside" | "form" | "header" | "button" | "select" | "menu" | "label"
    )
}

/// Tags that stand for text rather than for parts of a page: never containers.
pub(in crate::site) fn is_text_tag(tag: &str) -> bool {
    matches!(
        tag,
        "p" | "ul"
            | "ol"
            | "li"
            | "dl"
            | "dt"
            | "dd"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "tr"
            | "blockquote"
            | "figure"
            | "figcaption"
    ) || is_inline(tag)
}

/// Tags of words within a line.
pub(super) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "span"
            | "b"
            | "i"
            | "em"
            | "strong"
            | "small"
            | "font"
            | "u"
            | "code"
            | "tt"
            | "abbr"
            | "time"
            | "cite"
            | "sup"
            | "sub"
            | "label"
            | "q"
            | "s"
            | "var"
            | "kbd"
            | "samp"
            | "mark"
            | "big"
            | "strike"
            | "del"
            | "ins"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(tag: &str, classes: &[&str]) -> Role {
        Role {
            tag: tag.into(),
            classes: classes.iter().map(|&c| c.into()).collect(),
            ..Role::default()
        }
    }

    #[test]
    fn names_are_read_word_by_word() {
        assert!(is_comments(&part("div", &["comments-area"])));
        assert!(is_comments(&part("ol", &["commentlist"])));
        assert!(!is_comments(&part("div", &["uncommented"])));
        for name in [
            "Kommentare-Liste",
            "blok-otzyvov",
            "commentaires",
            "lista_comentarios",
            "reacties",
            "komentarze",
            "评论区",
            "Комментарии",
        ] {
            assert!(is_comments(&part("div", &[name])), "{name}");
        }
        assert!(is_around(&part("div", &["post_meta"])));
        assert!(is_around(&part("div", &["relatedPosts"])));
        assert!(
            !is_around(&part("div", &["metadatabase"])),
            "only whole words count"
        );
        assert!(!is_around(&part("div", &["shadow"])));
    }
}
