//! Groups of class names, ids and roles with similar meanings.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;
use crate::label::class_lists::{self, ClassLists};
use crate::label::comments::names;
use dehusk_html::fnv;

/// Groups of substrings, which are searched for anywhere in class and id.
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

/// The bit of names that may be those of comments.
const COMMENTS: u32 = 1 << 31;

/// The groups, behind their bits those of [`ClassLists`], and [`COMMENTS`]: one walk over a name finds all.
static LISTS: LazyLock<WordLists> = LazyLock::new(|| {
    let groups = NAME_GROUPS.iter().zip(0..);
    let groups = groups.map(|(&(_, parts), i)| (1 << i, parts));
    let lists = class_lists::LISTS.iter();
    let lists = lists.map(|&(bit, parts)| (bit << NAME_GROUPS.len(), parts));
    let comments = names::parts_of_comments().map(|parts| (COMMENTS, parts));
    WordLists::new(groups.chain(lists).chain(comments))
});

/// What is found in one walk over names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameTraits {
    /// The groups that they belong to, as bits.
    pub(crate) groups: u32,
    /// The lists of Readability that they are on.
    pub(crate) lists: ClassLists,
    /// Whether there is a part of them that names of comments or replies have.
    pub(crate) may_be_comment: bool,
    /// A hash of them, digits left out. It is compared within a page alone.
    pub(crate) digitless: u64,
}

impl NameTraits {
    pub(crate) fn of(names: &str) -> NameTraits {
        // The hash of each name begins anew, too, and is then added to that of the names before it.
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
            groups: found & ((1 << NAME_GROUPS.len()) - 1),
            lists: ClassLists::of_bits((found >> NAME_GROUPS.len()) as u8),
            may_be_comment: found & COMMENTS != 0,
            digitless: fnv::extend(digitless, of_name),
        }
    }
}

/// Extends a hash by a byte that is no digit.
#[inline]
pub(crate) fn digitless_key(before: u64, byte: u8) -> u64 {
    let key = fnv::extend(before, byte.into());
    if byte.is_ascii_digit() { before } else { key }
}

/// The group that a role belongs to, as a bit.
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

/// Whether the groups of a role are of elements outside the content.
pub(crate) fn is_side_role(groups: u32) -> bool {
    const SIDE: u32 = bit("nav") | bit("side") | bit("modal");
    groups & SIDE != 0
}

/// Whether a group is among these, given by its name.
pub(crate) fn has_group(groups: u32, group: &str) -> bool {
    groups & bit(group) != 0
}

/// The bit of a group; none for a name that no group has.
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
