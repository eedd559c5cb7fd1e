//! What classes and ids say of a line near the text.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;

/// Who wrote the text.
pub(super) const AUTHOR: u32 = 1;
/// When.
pub(super) const DATE: u32 = 2;
/// Anything known of the text.
pub(super) const META: u32 = 4;
/// When it was changed.
pub(super) const MODIFIED: u32 = 8;
/// Pointers to other texts, and what frames the page.
pub(super) const TEASER: u32 = 16;
/// What readers wrote.
pub(super) const COMMENT: u32 = 32;
/// Pictures of writers, what is said of them, and what they are called.
pub(super) const PORTRAIT: u32 = 64;
/// A link to the page of a writer; no name says so.
pub(super) const AUTHOR_LINK: u32 = 128;

#[rustfmt::skip]
const LISTS: &[(u32, &[&str])] = &[
    (AUTHOR, &[
        "author", "byline", "by-line", "autor", "auteur", "autore", "writer", "journalist", "contributor", "reporter", "columnist", "redakteur", "redacteur",
        "verfasser", "forfatter", "skribent", "yazar", "kirjoittaja", "creator", "posted-by", "postedby", "vcard", "firma", "szerzo",
    ]),
    (DATE, &["date", "time", "datum", "fecha", "published", "posted-on", "publish", "created", "dato", "data-publ", "-data", "tarih"]),
    (META, &["meta", "info", "byline", "details", "post-head", "entry-head", "article-head", "header", "pub", "submitted", "kopf", "dateline"]),
    (MODIFIED, &["update", "modif", "aktualis", "revised", "edited"]),
    (TEASER, &[
        "related", "recommend", "teaser", "popular", "trending", "latest", "recent", "sidebar", "widget", "nav", "menu", "footer", "promo", "carousel", "slider",
        "similar", "more-", "next", "prev", "archive", "newsletter", "upcoming", "ticker", "breaking", "topbar", "read-also", "most-", "aside", "weather", "calendar",
    ]),
    (COMMENT, &["comment", "disqus", "reply", "respond", "kommentar", "review-list"]),
    (PORTRAIT, &["avatar", "about-author", "author-bio", "bio", "job-title", "author-title", "author-desc", "authority", "photo", "image", "caption", "social", "follow", "role"]),
];

/// Parts of pages of forums, of documentation.
const FORUM: u32 = 1;
const DOCS: u32 = 2;

#[rustfmt::skip]
const SHAPES: &[(u32, &[&str])] = &[
    (FORUM, &["postbody", "post-body", "postprofile", "topic-", "thread", "forum", "messagebody", "message-body", "message-user", "postauthor", "post-author-"]),
    (DOCS, &["sphinx", "toctree", "docusaurus", "rustdoc", "mkdocs", "md-content", "md-sidebar", "theme-doc", "javadoc", "doxygen", "vp-doc", "docs-", "documentation", "apidoc", "md-nav"]),
];

static SHAPE_NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(SHAPES.iter().copied()));

/// What the names on a page make of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    pub(super) forum: bool,
    pub(super) documentation: bool,
}

/// Different names that must say the same: one may be a link to a forum.
const LEAST_NAMES: usize = 4;

/// What the names on a page say of it as a whole.
pub(super) fn shape<'n>(all: impl Iterator<Item = &'n str>) -> Shape {
    let (mut forum, mut docs) = (0, 0);
    for names in all {
        let found = SHAPE_NAMES.find(names);
        forum += usize::from(found & FORUM != 0);
        docs += usize::from(found & DOCS != 0);
    }
    Shape {
        forum: forum >= LEAST_NAMES && forum > docs,
        documentation: docs >= LEAST_NAMES && docs >= forum,
    }
}

static NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(LISTS.iter().copied()));

/// What names say, as bits.
pub(super) fn of(names: &str) -> u32 {
    match names.is_empty() {
        true => 0,
        false => NAMES.find(names),
    }
}
