//! What the name of an element says about comments.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;

/// Names of what readers write.
const COMMENT: u32 = 1;
/// Names of posts in threads.
const POST: u32 = 2;
/// Names of what stands about comments: counters, links to them, forms.
const ABOUT: u32 = 4;
/// Names of what holds several.
const SEVERAL: u32 = 8;
/// Names of answers, which nothing but answers has.
const ANSWER: u32 = 16;
/// Names of forums and what they hold.
const FORUM: u32 = 32;

#[rustfmt::skip]
const LISTS: &[(u32, &[&str])] = &[
    (COMMENT, &[
        "comment", "disqus", "kommentar", "komentar", "komentarz", "comentario", "commentaire", "commenti", "reactie",
        "kommentit", "kommentti", "yorum", "otzyv", "coment",
    ]),
    (POST, &["post", "message", "reply", "answer", "thread", "topic", "msg", "comment"]),
    (ANSWER, &["comment", "reply", "replies", "answer"]),
    (ABOUT, &[
        "count", "link", "open", "close", "respond", "form", "number", "icon", "btn", "button", "has-", "with-", "no-", "hide",
        "show", "toggle", "allow", "able", "empty", "nav", "head", "title", "meta", "foot", "author", "avatar", "user", "date",
        "time", "action", "tool", "menu", "login", "add", "write", "leave", "editor", "input", "label", "vote", "rating",
        "social", "share", "recent", "latest", "policy", "rule", "commentary",
    ]),
    (FORUM, &["forum", "thread", "topic"]),
    (SEVERAL, &[
        "comments", "list", "thread", "replies", "children", "area", "wrap", "section", "container", "tree", "answers", "posts",
        "messages", "kommentare", "komentarze", "comentarios", "commentaires", "otzyvy", "block", "box", "panel", "page",
        "widget", "module",
    ]),
];

static NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(LISTS.iter().copied()));

/// What one class or id says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct NameClass(u32);

impl NameClass {
    /// Reads one class or id.
    pub(crate) fn of(name: &str) -> NameClass {
        NameClass(NAMES.find(name))
    }

    /// Names readers' comments, not something about them.
    pub(crate) fn comment(self) -> bool {
        self.0 & (COMMENT | ABOUT) == COMMENT
    }

    /// Names posts of a thread.
    pub(crate) fn post(self) -> bool {
        self.0 & (POST | ABOUT) == POST
    }

    /// Names nothing but what answers something else.
    pub(crate) fn answer(self) -> bool {
        self.0 & ANSWER != 0
    }

    /// Names a part of a forum.
    pub(crate) fn forum(self) -> bool {
        self.0 & FORUM != 0
    }

    /// Names what holds several.
    pub(crate) fn several(self) -> bool {
        self.0 & SEVERAL != 0
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

/// By class and id of an element.
pub(crate) fn role(names: &str) -> Option<Role> {
    let found = ROLE_NAMES.find(names);
    let word = |wanted: &str| names.split_ascii_whitespace().any(|name| name == wanted);
    if found & CONTROL != 0 {
        Some(Role::Control)
    } else if found & DATE != 0 {
        Some(Role::Date)
    } else if found & AUTHOR != 0 || word("fn") || word("user") || word("name") {
        Some(Role::Author)
    } else {
        None
    }
}
