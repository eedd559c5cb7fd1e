//! Words in classes and ids that name comments and other text around the main text, in several languages.

use super::roles::Role;

/// Prefixes of words that name readers' comments.
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

/// Words that name parts around the main text.
const SURROUNDING: &[&str] = &[
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

/// Words of a class or id, in lower case: split at other characters than letters and digits, and before capitals after small letters.
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

/// Whether a class or id of a part names comments.
pub(super) fn is_comments(role: &Role) -> bool {
    names(role)
        .flat_map(|n| words(n))
        .any(|w| COMMENTS.iter().any(|c| w.starts_with(c)))
}

/// Whether a class or id of a part names something around the main text.
pub(super) fn is_surrounding(role: &Role) -> bool {
    names(role)
        .flat_map(|n| words(n))
        .any(|w| SURROUNDING.contains(&w.as_str()))
}

/// Whether a part's tag is one of navigation, headers, footers and the like.
pub(super) fn is_chrome_tag(role: &Role) -> bool {
    matches!(
        role.tag.as_str(),
        "nav" | "footer" | "aside" | "form" | "header" | "button" | "select" | "menu" | "label"
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
        assert!(is_surrounding(&part("div", &["post_meta"])));
        assert!(is_surrounding(&part("div", &["relatedPosts"])));
        assert!(
            !is_surrounding(&part("div", &["metadatabase"])),
            "only whole words count"
        );
        assert!(!is_surrounding(&part("div", &["shadow"])));
    }
}
