//! Classes and ids that name comments and their parts.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;

/// Names of readers' comments.
const COMMENT: u32 = 1;
/// Names of posts in threads.
const POST: u32 = 2;
/// Names of elements near comments that are not comments: counters, links, forms.
const NOT_COMMENT: u32 = 4;
/// Names of elements that hold several comments.
const CONTAINER: u32 = 8;
/// Names that replies have, and first posts do not.
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

/// Returns lists of substrings: each name of comments or replies contains one of them.
pub(crate) fn parts_of_comments() -> impl Iterator<Item = &'static [&'static str]> {
    let lists = LISTS.iter().filter(|(list, _)| list & (COMMENT | REPLY) != 0);
    lists.map(|&(_, parts)| parts)
}

/// Returns lists of substrings: each name of posts contains one of them.
pub(crate) fn parts_of_posts() -> impl Iterator<Item = &'static [&'static str]> {
    let lists = LISTS.iter().filter(|(list, _)| *list == POST);
    lists.map(|&(_, parts)| parts)
}

static NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(LISTS.iter().copied()));

/// The lists that a class or id is in, as bits.
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

/// Returns a class or id without a number at its end.
pub(crate) fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'))
}

/// The role of a text in a comment.
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
        "complain", "counter", "-count", "usertitle", "user-title", "rank", "stats", "expand", "lastedit", "last-edit", "editdate",
        "editedby",
    ]),
    (DATE, &["date", "time", "when", "posted-on", "posted_on", "postedon", "published", "ago"]),
    (AUTHOR, &[
        "author", "username", "user-name", "user_name", "nick", "commenter", "poster", "login", "userlink", "user-link", "memberid",
        "profile", "byline", "user-details", "userdetails", "userinfo", "user-info", "display-name", "displayname", "screen-name", "screenname", "creator",
    ]),
];

static ROLE_NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(ROLES.iter().copied()));

/// Returns the role of a text inside a comment, by class and id of an element that contains it; `None` if they name no role.
pub(crate) fn role(names: &str) -> Option<Role> {
    let found = ROLE_NAMES.find(names);
    let has = |word: &str| names.split_ascii_whitespace().any(|name| name == word);
    let is_user = names.split_ascii_whitespace().any(|name| name.ends_with("user"));
    if found & CONTROL != 0 {
        Some(Role::Control)
    } else if found & DATE != 0 {
        Some(Role::Date)
    } else if found & AUTHOR != 0 || has("fn") || has("name") || is_user {
        Some(Role::Author)
    } else {
        None
    }
}

/// Parts of addresses of members' pages.
const PROFILES: &[&str] = &[
    "profile",
    "profil",
    "perfil",
    "member",
    "/user",
    "user=",
    "user_",
    "userid",
    "username",
    "/u/",
    "/~",
    "author",
    "/people/",
    "ljuser",
    "personal_pages",
    "mitglied",
    "benutzer",
    "utilisateur",
    "usuario",
    "/users/",
    "account_id",
];

/// Whether an address is that of a member's page.
pub(crate) fn is_profile(href: &str) -> bool {
    let lower = href.to_ascii_lowercase();
    let hash = lower.starts_with('#');
    !hash && PROFILES.iter().any(|part| lower.contains(part))
}

/// Words before the day on which a member joined or was last seen.
#[rustfmt::skip]
const JOINED: &[&str] = &[
    "joined", "join date", "member since", "registered", "registration", "last seen", "last visit", "last active", "last activity",
    "mitglied seit", "dabei seit", "registriert", "beigetreten", "registrierungsdatum", "beitritt", "anmeldedatum", "letzter besuch",
    "zuletzt online", "inscription", "inscrit", "membre depuis", "date d'inscription", "registrado", "fecha de ingreso", "miembro desde",
    "se incorporó", "ingreso", "membro desde", "iscritto", "registrato", "lid sinds", "geregistreerd", "dołączył", "rejestracja",
    "data rejestracji", "na forum od", "зарегистрирован", "регистрация", "с нами с", "дата регистрации", "на форуме с", "kayıt tarihi",
    "üyelik", "katılım", "medlem sedan", "registrerad", "liittynyt", "csatlakozott", "regisztrált", "registrován", "založen",
    "înregistrat", "founded", "anmeldungsdatum", "birthday", "born", "geburtstag", "注册", "加入", "登録日", "가입",
];

/// Words before the day on which a text was changed.
#[rustfmt::skip]
const EDITED: &[&str] = &[
    "edited", "last edit", "modified", "updated", "bearbeitet", "geändert", "editiert", "modifié", "édité", "edición", "editado",
    "modif", "bewerkt", "gewijzigd", "edytowan", "zmieniony", "редактир", "изменен", "düzenle", "redigerad", "muokattu",
    "szerkeszt", "upraven", "编辑", "編集", "수정",
];

/// Words of a time relative to now.
#[rustfmt::skip]
const RELATIVE: &[&str] = &[
    " ago", "yesterday", "today", "just now", "gestern", "heute", "hace ", "ayer", "il y a", "hier", "aujourd'hui", "geleden",
    "gisteren", "vandaag", "назад", "вчера", "сегодня", " fa", "ieri", "oggi", "há ", "atrás", "ontem", "hoje", "temu", "wczoraj",
    "dzisiaj", " sedan", "igår", "idag", " siden", "önce", "dün", "bugün", "ezelőtt", "tegnap", "před ", "včera", "dnes", "vor ", " her",
    "tuần", "trước", "前", "昨天", "今天", "昨日", "今日", "전", "어제", "오늘", "منذ", "أمس",
];

/// Whether a line gives the day on which a member joined or was last seen, or a similar one.
pub(crate) fn says_joined(text: &str) -> bool {
    says(text, JOINED)
}

/// Whether a line says that a text was changed.
pub(crate) fn says_edited(text: &str) -> bool {
    says(text, EDITED)
}

/// Whether a short line has a time relative to now, such as "3 days ago".
pub(crate) fn says_when(text: &str) -> bool {
    const MAX_CHARS: usize = 60;
    let now = [
        "yesterday",
        "just now",
        "gestern",
        "ayer",
        "hier",
        "вчера",
        "ieri",
        "ontem",
        "wczoraj",
        "昨天",
        "昨日",
        "어제",
    ];
    text.chars().take(MAX_CHARS + 1).count() <= MAX_CHARS
        && (text.chars().any(|c| c.is_ascii_digit()) && says(text, RELATIVE)
            || says(text, &now) && text.split(' ').count() <= 4)
}

fn says(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    words.iter().any(|word| lower.contains(word))
}

/// Returns the depth that a class such as `depth-2` gives, 0 to 99; `None` if no class does.
pub(crate) fn level(names: &str) -> Option<usize> {
    const LEVELS: &[&str] = &["depth", "level", "lvl", "indent", "nesting"];
    const MAX: usize = 99;
    let mut levels = names.split_ascii_whitespace().filter_map(|name| {
        let digits = name.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        let word = name.get(..digits)?.trim_end_matches(['-', '_']);
        let is_level = LEVELS.iter().any(|level| word.ends_with(level));
        name.get(digits..).filter(|_| is_level)?.parse().ok()
    });
    levels.find(|&level| level <= MAX)
}

/// Whether a link leads to the answered comment, by its class or by the words of its line.
pub(crate) fn names_reply(class: &str, line: &str) -> bool {
    #[rustfmt::skip]
    const CLASSES: &[&str] = &["parent", "reply-to", "replyto", "in-reply", "quote"];
    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "in reply to", "in response to", "replying to", "↑", "antwort auf", "als antwort", "en réponse à", "en respuesta a", "em resposta a",
        "in risposta a", "als reactie op", "w odpowiedzi", "в ответ", "ответ на", "回复", "返信",
    ];
    let class = class.to_ascii_lowercase();
    CLASSES.iter().any(|part| class.contains(part)) || says(line, LINES)
}

/// Whether a line introduces a speaker, as in `Ann says:`.
pub(crate) fn says_speaks(line: &str) -> bool {
    #[rustfmt::skip]
    const SPEAKS: &[&str] = &[
        " says", " said", " wrote", " schreibt", " schrieb", " sagt", " meint", " dit", " a dit", " écrit", " dijo", " dice", " escribió",
        " disse", " escreveu", " ha scritto", " zegt", " schreef", " mówi", " napisał", " пишет", " сказал", " написал", " dedi", " yazdı",
    ];
    let line = line
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    SPEAKS.iter().any(|word| line.ends_with(word))
}
