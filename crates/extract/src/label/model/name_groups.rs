//! Groups of class names, ids and roles with similar meaning.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;
use crate::label::class_lists::{self, ClassLists};
use crate::label::comments::names;
use dehusk_html::fnv;

/// Substrings of each group. They match anywhere in a class or id.
#[rustfmt::skip]
pub(crate) const NAME_GROUPS: &[(&str, &[&str])] = &[
    ("nav", &["nav", "menu", "crumb", "pagination", "pager", "paging", "topbar", "toolbar", "tabs"]),
    ("side", &["side", "rail", "column-right", "right-col", "rightcol", "left-col", "leftcol", "aside"]),
    ("foot", &["foot", "copyright", "legal", "colophon", "bottom"]),
    ("head", &["header", "masthead", "banner", "topline", "logo"]),
    ("comment", &["comment", "disqus", "respond", "discussion", "replies", "reply"]),
    ("related", &[
        "related", "recommend", "similar", "also", "more-", "popular", "trending", "latest", "recent", "teaser", "promo",
        "readmore", "next-", "outbrain", "taboola",
    ]),
    ("share", &["share", "social", "follow", "like", "twitter", "facebook", "telegram"]),
    ("modal", &["modal", "popup", "overlay", "cookie", "consent", "gdpr", "dialog", "toast", "drawer"]),
    ("meta", &["meta", "byline", "author", "date", "posted", "tags", "category", "info", "timestamp", "published"]),
    ("content", &["content", "article", "post", "entry", "story", "body", "text", "main", "prose", "markdown"]),
    ("card", &["card", "tile", "grid", "item", "list", "product", "carousel", "slider"]),
    ("forum", &["forum", "thread", "topic", "message", "postbody", "post_body", "post-body"]),
    ("signature", &["signature", "sig-", "_sig", "usertitle", "userinfo", "user-info", "profile"]),
    ("ad", &["-ad-", "ads", "advert", "sponsor", "adbox"]),
    ("form", &["form", "search", "login", "subscribe", "newsletter", "signup", "input", "register", "cart"]),
    ("widget", &["widget", "block", "module", "panel", "box"]),
    ("title", &["title", "headline", "heading"]),
    ("lead", &["description", "summary", "lead", "intro", "excerpt", "detail", "spec", "review"]),
    ("code", &["code", "highlight", "syntax", "example", "doc", "section"]),
];

/// Bit for names that may belong to comments.
const COMMENTS: u32 = 1 << 31;

/// Bit for names that may belong to posts of a thread.
const POSTS: u32 = 1 << 30;

/// Patterns of the name groups, then of [`ClassLists`], then of [`COMMENTS`] and [`POSTS`], with a bit range for each: one scan of a name
/// finds all matches.
static LISTS: LazyLock<WordLists> = LazyLock::new(|| {
    let groups = NAME_GROUPS.iter().zip(0..);
    let groups = groups.map(|(&(_, parts), i)| (1 << i, parts));
    let lists = class_lists::LISTS.iter();
    let lists = lists.map(|&(bit, parts)| (bit << NAME_GROUPS.len(), parts));
    let comments = names::parts_of_comments().map(|parts| (COMMENTS, parts));
    let posts = names::parts_of_posts().map(|parts| (POSTS, parts));
    WordLists::new(groups.chain(lists).chain(comments).chain(posts))
});

/// Properties of the class and id of an element, found in one scan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameTraits {
    /// Bit mask of the matched [`NAME_GROUPS`].
    pub(crate) groups: u32,
    /// Matched word lists of Readability.
    pub(crate) lists: ClassLists,
    /// Whether the names contain a substring that is typical of comments or replies.
    pub(crate) may_be_comment: bool,
    /// Whether they contain a substring that is typical of posts.
    pub(crate) may_be_post: bool,
    /// Hash of the names without digits. Comparable within one page only.
    pub(crate) digitless: u64,
}

impl NameTraits {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the lists follow the groups; the bits above belong to `COMMENTS` and `POSTS`"
    )]
    pub(crate) fn of(names: &str) -> NameTraits {
        // Each name is hashed on its own, so that the processor can begin with the next name while a hash is
        // pending; then the hash is mixed into that of the previous names.
        let (mut digitless, mut of_name) = (0, fnv::START);
        let found = LISTS.find_with(names, |byte| {
            if byte == b' ' {
                digitless = fnv::extend(digitless, of_name).rotate_left(29);
                of_name = fnv::START;
            } else {
                of_name = digitless_key(of_name, byte);
            }
        });
        NameTraits {
            // The lowest bits are the groups, the next five the lists of Readability; see `LISTS`.
            groups: found & ((1 << NAME_GROUPS.len()) - 1),
            lists: ClassLists::of_bits((found >> NAME_GROUPS.len()) as u8),
            may_be_comment: found & COMMENTS != 0,
            may_be_post: found & POSTS != 0,
            digitless: fnv::extend(digitless, of_name),
        }
    }
}

/// Extends a hash by a byte, unless the byte is an ASCII digit.
#[inline]
pub(crate) fn digitless_key(before: u64, byte: u8) -> u64 {
    let key = fnv::extend(before, byte.into());
    if byte.is_ascii_digit() { before } else { key }
}

/// Returns the bit of the group that an ARIA role belongs to; 0 if none.
pub(crate) fn of_role(role: &str) -> u32 {
    match role {
        "navigation" | "menu" | "menubar" | "tablist" => const { bit("nav") },
        "complementary" => const { bit("side") },
        "contentinfo" => const { bit("foot") },
        "banner" => const { bit("head") },
        "dialog" | "alertdialog" => const { bit("modal") },
        "main" | "article" => const { bit("content") },
        _ => 0,
    }
}

/// Returns whether the groups of a role mark elements outside the content.
pub(crate) fn is_side_role(groups: u32) -> bool {
    const SIDE: u32 = bit("nav") | bit("side") | bit("modal");
    groups & SIDE != 0
}

/// Returns whether the named group is in a bit mask of groups.
pub(crate) fn has_group(groups: u32, group: &str) -> bool {
    groups & bit(group) != 0
}

/// Returns the bit of the named group; 0 for an unknown name.
pub(crate) const fn bit(group: &str) -> u32 {
    let mut number = 0;
    while number < NAME_GROUPS.len() {
        if is_same(NAME_GROUPS[number].0.as_bytes(), group.as_bytes()) {
            return 1 << number;
        }
        number += 1;
    }
    0
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
