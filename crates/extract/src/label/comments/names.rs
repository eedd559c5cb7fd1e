//! Classes and ids that name comments and their parts.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;

/// Names of readers' comments.
const COMMENT: u32 = 1;
/// Names of posts in threads.
const POST: u32 = 2;
/// Names of elements near comments that are none: counters, links, forms.
const NOT_COMMENT: u32 = 4;
/// Names of elements that hold several comments.
const CONTAINER: u32 = 8;
/// Names that only replies have.
const REPLY: u32 = 16;
/// Names of forums and their parts.
const FORUM: u32 = 32;

#[rustfmt::skip]
const LISTS: &[(u32, &[&str])] = &[
    (COMMENT, &[
        "comment", "disqus", "kommentar", "komentar", "komentarz", "comentario", "commentaire", "commenti", "reactie",
        "kommentit", "kommentti", "yorum", "otzyv", "coment",
    ]),
    (POST, &["post", "message", "reply", "answer", "thread", "topic", "msg", "comment"]),
    (REPLY, &["comment", "reply", "replies", "answer"]),
    (NOT_COMMENT, &[
        "count", "link", "open", "close", "respond", "form", "number", "icon", "btn", "button", "has-", "with-", "no-", "hide",
        "show", "toggle", "allow", "able", "empty", "nav", "head", "title", "meta", "foot", "author", "avatar", "user", "date",
        "time", "action", "tool", "menu", "login", "add", "write", "leave", "editor", "input", "label", "vote", "rating",
        "social", "share", "recent", "latest", "policy", "rule", "commentary",
    ]),
    (FORUM, &["forum", "thread", "topic"]),
    (CONTAINER, &[
        "comments", "list", "thread", "replies", "children", "area", "wrap", "section", "container", "tree", "answers", "posts",
        "messages", "kommentare", "komentarze", "comentarios", "commentaires", "otzyvy", "block", "box", "panel", "page",
        "widget", "module",
    ]),
];

/// Parts of which each name of comments or replies has one.
pub(crate) fn parts_of_comments() -> impl Iterator<Item = &'static [&'static str]> {
    let lists = LISTS.iter().filter(|(list, _)| list & (COMMENT | REPLY) != 0);
    lists.map(|&(_, parts)| parts)
}

static NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(LISTS.iter().copied()));

/// What a class or id names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct NameClass(u32);

impl NameClass {
    /// Classifies a class or id.
    pub(crate) fn of(name: &str) -> NameClass {
        NameClass(NAMES.find(name))
    }

    /// Whether it names readers' comments.
    pub(crate) fn is_comment(self) -> bool {
        self.0 & (COMMENT | NOT_COMMENT) == COMMENT
    }

    /// Whether it names posts of a thread.
    pub(crate) fn is_post(self) -> bool {
        self.0 & (POST | NOT_COMMENT) == POST
    }

    /// Whether it names replies only.
    pub(crate) fn is_reply(self) -> bool {
        self.0 & REPLY != 0
    }

    /// Whether it names a part of a forum.
    pub(crate) fn is_forum(self) -> bool {
        self.0 & FORUM != 0
    }

    /// Whether it names an element that holds several comments.
    pub(crate) fn is_container(self) -> bool {
        self.0 & CONTAINER != 0
    }
}

/// What part of a comment a text is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    Text,
    Control,
    Date,
    Author,
}

const CONTROL: u32 = 1;
const DATE: u32 = 2;
const AUTHOR: u32 = 4;

#[rustfmt::skip]
const ROLES: &[(u32, &[&str])] = &[
    (CONTROL, &[
        "reply", "respond", "vote", "like", "rating", "rate", "share", "report", "permalink", "action", "tool", "button", "btn",
        "avatar", "userpic", "badge", "karma", "points", "score", "edit", "control", "flag", "menu", "says", "signature",
        "complain", "counter", "-count", "usertitle", "user-title", "rank", "stats",
    ]),
    (DATE, &["date", "time", "when", "posted-on", "published", "ago"]),
    (AUTHOR, &["author", "username", "user-name", "user_name", "nick", "commenter", "poster", "login", "userlink", "user-link"]),
];

static ROLE_NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(ROLES.iter().copied()));

/// The role of a text inside a comment, by class and id of an element that holds it.
pub(crate) fn role(names: &str) -> Option<Role> {
    let found = ROLE_NAMES.find(names);
    let has = |word: &str| names.split_ascii_whitespace().any(|name| name == word);
    if found & CONTROL != 0 {
        Some(Role::Control)
    } else if found & DATE != 0 {
        Some(Role::Date)
    } else if found & AUTHOR != 0 || has("fn") || has("user") || has("name") {
        Some(Role::Author)
    } else {
        None
    }
}
