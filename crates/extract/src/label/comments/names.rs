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

    /// Whether it is a name that replies have and first posts do not.
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

/// Whether a class alternates between rows or numbers them, so that it does not belong to one kind of element.
pub(crate) fn is_parity(name: &str) -> bool {
    matches!(
        without_number(name),
        "even" | "odd" | "alt" | "alternate" | "row" | "first" | "last" | "windowbg" | "bg" | "trow"
    )
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
    let each = || names.split_ascii_whitespace();
    let found = each().fold(0, |found, name| {
        let of_name = ROLE_NAMES.find(name);
        found
            | if is_text_part(name) {
                of_name & !CONTROL
            } else {
                of_name
            }
    });
    let has = |word: &str| each().any(|name| name == word);
    let is_user = each().any(|name| name.ends_with("user"));
    // `comment byuser`, `post has-profile`: the element is a whole comment, and the other classes are about its writer.
    let is_whole = each().any(|name| WHOLE.contains(&name));
    // `username rank--bold`: other classes say how the name looks.
    if !is_whole && WRITERS.iter().any(|name| has(name)) {
        Some(Role::Author)
    } else if found & CONTROL != 0 {
        Some(Role::Control)
    } else if found & DATE != 0 {
        Some(Role::Date)
    } else if !is_whole && (found & AUTHOR != 0 || has("fn") || has("name") || is_user) {
        Some(Role::Author)
    } else {
        None
    }
}

/// Classes and ids of whole comments.
const WHOLE: &[&str] = &["comment", "post", "message", "reply", "answer", "topic", "thread"];

/// Classes and ids that mean the name of a writer, whatever other names the element has.
const WRITERS: &[&str] = &[
    "username",
    "user-name",
    "user_name",
    "author",
    "nickname",
    "nick",
    "screenname",
    "screen-name",
    "displayname",
    "display-name",
];

/// Whether a class or id with the word of a control does not name a control: it names the text of a part,
/// such as `reply-content` or `quote-expandContent`, or a possible action, such as `quote--expandable`.
fn is_text_part(name: &str) -> bool {
    let is_text = ["content", "body", "text"].iter().any(|end| name.ends_with(end));
    name.ends_with("able")
        || is_text
            && ["reply", "respond", "expand"]
                .iter()
                .any(|part| name.contains(part))
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

/// Words of addresses of pages where readers become members.
const ACCOUNTS: &[&str] = &[
    "login",
    "logon",
    "logout",
    "signin",
    "signup",
    "register",
    "registration",
    "password",
    "lostpassword",
    "lostpw",
];

/// Whether an address is that of a member's page.
pub(crate) fn is_profile(href: &str) -> bool {
    let lower = href.to_ascii_lowercase();
    let hash = lower.starts_with('#');
    // Links to log in or to register contain the same parts.
    let is_account = || {
        let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| ACCOUNTS.contains(&word))
    };
    let is_in = |part: &&str| match *part {
        // Words that are parts of others: `remember`, `authority`, `authorized`.
        "member" | "author" => lower.match_indices(*part).any(|(at, _)| {
            let rest = &lower[at + part.len()..];
            let is_inside = lower[..at].ends_with(|c: char| c.is_ascii_alphabetic());
            !is_inside && !["it", "iz", "is"].iter().any(|end| rest.starts_with(end))
        }),
        _ => lower.contains(*part),
    };
    !hash && PROFILES.iter().any(is_in) && !is_account()
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
    // A number with a relative word (`3 days ago`), or a few words with the name of a day (`yesterday`).
    text.chars().take(MAX_CHARS + 1).count() <= MAX_CHARS
        && (text.chars().any(|c| c.is_ascii_digit()) && says_relative(text)
            || says(text, &now) && text.split(' ').count() <= 4)
}

/// Whether a text has a word of a time relative to now. A word that begins with a space ends there: " her" is not "here".
fn says_relative(text: &str) -> bool {
    let lower = text.to_lowercase();
    RELATIVE.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let next = lower[at + word.len()..].chars().next();
            !word.starts_with(' ') || !next.is_some_and(char::is_alphabetic)
        })
    })
}

/// Whether a text contains one of these words, in upper or lower case.
fn says(text: &str, words: &[&str]) -> bool {
    let lower = text.to_lowercase();
    words.iter().any(|word| lower.contains(word))
}

/// Returns the depth that a class such as `depth-2` gives, 0 to 99; `None` if no class does.
pub(crate) fn level(names: &str) -> Option<usize> {
    const LEVELS: &[&str] = &["depth", "level", "lvl", "indent", "nesting"];
    const MAX: usize = 99;
    let mut levels = names.split_ascii_whitespace().filter_map(|name| {
        // Where the digits at the end of the class begin, as in `depth-2`.
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

/// Whether a line is a label of the writer's name, such as "Name:" or the head of a column.
pub(crate) fn says_writer(line: &str) -> bool {
    #[rustfmt::skip]
    const LABELS: &[&str] = &[
        "name", "nom", "nome", "nombre", "naam", "namn", "navn", "nimi", "imię", "jméno", "имя", "author", "autor", "auteur",
        "autore", "autora", "forfatter", "författare", "автор", "verfasser", "poster", "posted by", "written by", "username",
        "benutzername", "nickname", "nick", "名前", "お名前", "姓名", "昵称",
    ];
    const MAX_BYTES: usize = 40;
    line.len() <= MAX_BYTES && {
        let line = line
            .trim_end_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        LABELS.contains(&line.as_str())
    }
}

/// Whether a text is a label, such as the head of a column of posts, rather than a name.
pub(crate) fn is_no_name(text: &str) -> bool {
    #[rustfmt::skip]
    const HEADS: &[&str] = &[
        "beitrag", "beiträge", "nachricht", "message", "messages", "post", "posts", "comment", "comments", "online", "offline", "не в сети",
    ];
    says_writer(text) || HEADS.iter().any(|head| head.eq_ignore_ascii_case(text))
}

/// Whether a text is the name of a day of the week, as before the date in a line.
pub(crate) fn is_weekday(text: &str) -> bool {
    #[rustfmt::skip]
    const DAYS: &[&str] = &[
        "sun", "mon", "tue", "wed", "thu", "fri", "sat", "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "so",
        "mo", "di", "mi", "do", "fr", "sa", "sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "dimanche",
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "domingo", "lunes", "martes", "miércoles", "jueves", "viernes",
        "sábado", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье",
    ];
    const MAX_BYTES: usize = 24;
    text.len() <= MAX_BYTES && DAYS.contains(&text.trim_end_matches('.').to_lowercase().as_str())
}

/// Whether a line is a note that a text was changed: a short line that begins with the words for it, and has a time or a link to
/// the member. `is_signed` says whether the line has a date or a link.
pub(crate) fn is_edit_note(line: &str, is_signed: bool) -> bool {
    const FIRST_WORDS: usize = 5;
    const SHORT: usize = 6;
    let is_short = line.split_ascii_whitespace().count() <= SHORT;
    let end = line.match_indices(' ').nth(FIRST_WORDS - 1);
    let first = end.map_or(line, |(end, _)| &line[..end]);
    is_signed && (is_short || has_time(line)) && says_edited(first)
}

/// Whether a lower-cased line says who changed a post.
fn says_edited_by(line: &str) -> bool {
    #[rustfmt::skip]
    const STARTS: &[&str] = &[
        "last edited by", "edited by", "last edit by", "this post was edited by", "this post has been edited by", "last modified by",
        "post edited by", "zuletzt geändert von", "zuletzt bearbeitet von", "zuletzt modifiziert von", "dieser beitrag wurde bereits", "dernière édition par", "dernière modification par",
        "modifié en dernier par", "última edición por", "editado por última vez por", "editado por", "última modificación por", "ultima modifica di",
        "modificato da", "laatst gewijzigd door", "laatst bewerkt door", "editado pela última vez por", "última edição por",
        "ostatnio zmieniony", "ostatnio edytowan", "ostatnia zmiana", "naposledy upravil", "naposledy změnil", "viimeksi muokannut", "senast redigerad av", "sist redigert av",
        "sidst redigeret af", "последний раз редактировалось", "последнее редактирование", "отредактировано", "отредактировал", "сообщение отредактировал",
        "редактировалось", "востаннє редагувал", "востаннє редаговано", "последна промяна", "son düzenleme", "son düzenleyen", "utoljára szerkesztette", "本帖最后由", "最后编辑", "最後編輯",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a lower-cased line says who reads a thread or a forum at the moment, with the number of readers.
fn says_viewing(line: &str) -> bool {
    #[rustfmt::skip]
    const VIEWING: &[&str] = &[
        "viewing this topic", "viewing this thread", "viewing this forum", "browsing this forum", "browsing this thread", "browsing this topic",
        "reading this topic", "reading this thread", "betrachten dieses thema", "lesen dieses thema", "in diesem forum:", "parcourant ce forum",
        "lisent actuellement ce", "consultent ce sujet", "viendo este tema", "navegando por este foro", "visualizando este foro",
        "visualizando questa discussione", "visitano il forum", "bekijken dit topic", "aanwezig op dit forum", "przeglądający to forum",
        "przegląda ten wątek", "prohlíží toto fórum", "просматривают эту тему", "просматривает эту тему", "просматривают этот форум", "этот форум просматривают",
        "эту тему просматривают", "читают эту тему", "читают тему", "переглядають цей форум", "переглядають цю тему", "bu konuyu görüntüleyen",
        "bu foruma göz atan", "正在浏览", "正在瀏覽",
    ];
    line.bytes().any(|byte| byte.is_ascii_digit()) && VIEWING.iter().any(|words| line.contains(words))
}

/// Whether a lower-cased line says who thanked for a post or likes it.
fn says_thanks(line: &str) -> bool {
    #[rustfmt::skip]
    const STARTS: &[&str] = &[
        "the following users thank", "the following user thank", "the following users like", "the following users say thank", "users thanked",
        "these users thank", "the following members thank", "folgende benutzer bedank", "folgende mitglieder bedank", "ces utilisateurs ont remercié", "los siguientes usuarios agradec",
        "за это сообщение автора", "за это сообщение пользовател", "сказали спасибо", "поблагодарили", "эти пользователи поблагодарили", "следующие пользователи поблагодарили", "ці користувачі подякували",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a line of a forum page is a note of the program about a thread or a post: who changed it, reads
/// it, thanked for it, or the subject of an answer. `titles` has the titles that the page states and shows,
/// lower-cased.
pub(crate) fn is_forum_note(line: &str, titles: &str) -> bool {
    let lower = line
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    says_viewing(&lower)
        || says_thanks(&lower)
        // A credit such as "Edited by Ann Lee" has no date.
        || says_edited_by(&lower) && line.bytes().any(|byte| byte.is_ascii_digit())
        || is_answer_subject(&lower, titles)
}

/// Whether a lower-cased line is the subject of an answer: `Re:` followed by words of a title of the page.
fn is_answer_subject(line: &str, titles: &str) -> bool {
    const MIN_CHARS: usize = 4;
    #[rustfmt::skip]
    const ANSWERS: &[&str] = &["re:", "re：", "aw:", "antw:", "antwort:", "odp:", "sv:", "vs:", "отв:", "ответ:", "回复:", "回复："];
    let line = line.trim();
    let start = ANSWERS.iter().find(|start| line.starts_with(**start));
    let subject = start.map(|start| line[start.len()..].trim());
    subject.is_some_and(|subject| subject.chars().count() >= MIN_CHARS && titles.contains(subject))
}

/// Whether classes and ids name what forum programs show beside the text of a post: the member, the readers, the numbers of a topic.
pub(crate) fn names_beside_post(names: &str) -> bool {
    #[rustfmt::skip]
    const BESIDE: &[&str] = &[
        "postprofile", "poster", "poster_info", "user_info", "userinfo", "userinfo_extra", "message-user", "message-userdetails",
        "message-userextras", "messageuserinfo", "messageuserblock", "cauthorpane", "author_info", "topic-map", "whoisviewing", "whoisonline", "online-list",
        "onlinelist", "message-lastedit", "lastedited", "edited_by", "reactionsbar", "likessummary", "thanks_list", "moderatorbar",
        "quickbuttons", "post-buttons", "post_controls", "post-controls", "postcontrols", "postfoot", "message-actionbar",
    ];
    let mut names = names.split_ascii_whitespace();
    names.any(|name| BESIDE.contains(&without_number(name).to_ascii_lowercase().as_str()))
}

/// Whether a text has a time of day such as `10:11`.
pub(crate) fn has_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    memchr::memchr_iter(b':', bytes)
        .any(|at| at > 0 && is_digit(bytes.get(at - 1)) && is_digit(bytes.get(at + 1)))
}

/// Whether the title or the address of a page names a guest book or a forum.
pub(crate) fn names_guest_book(title: &str, url: &str) -> bool {
    #[rustfmt::skip]
    const BOOKS: &[&str] = &[
        "guestbook", "guest book", "guest-book", "gästebuch", "gaestebuch", "livre d'or", "livre d’or", "livredor", "libro de visitas",
        "libro degli ospiti", "livro de visitas", "gastenboek", "gæstebog", "gästbok", "gjestebok", "vieraskirja",
        "księga gości", "kniha návštěv", "vendégkönyv", "гостевая", "книга отзывов", "ziyaretçi defteri", "留言", "ゲストブック", "방명록",
        "message board", "forum", "discussion board",
    ];
    says(title, BOOKS) || says(url, BOOKS)
}

/// Whether classes and ids name the path of links from the front page to a page.
pub(crate) fn names_path(names: &str) -> bool {
    let mut names = names.split_ascii_whitespace();
    names.any(|name| {
        let name = name.to_ascii_lowercase();
        ["breadcrumb", "crumbs", "pathway", "navpath"]
            .iter()
            .any(|part| name.contains(part))
    })
}

/// Whether a link is called a forum, and nothing more: `Forums`, not the name of a site.
pub(crate) fn is_called_forum(text: &str) -> bool {
    #[rustfmt::skip]
    const FORUMS: &[&str] = &[
        "forum", "forums", "the forum", "foren", "foro", "foros", "fórum", "fóruns", "foorumi", "fóra", "discussion forum",
        "discussion forums", "community forum", "community forums", "user forum", "message board", "message boards", "форум", "форуми",
        "форумы", "форумът", "φόρουμ", "פורום", "פורומים", "منتدى", "المنتدى", "المنتديات", "论坛", "論壇", "討論區", "フォーラム", "포럼", "diễn đàn",
        "ฟอรั่ม", "keskustelu", "diskusní fórum",
    ];
    let text = text.trim().to_lowercase();
    FORUMS.contains(&text.as_str())
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
