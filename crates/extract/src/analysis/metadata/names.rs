//! Classification of lines near the text by the classes and ids of elements.

use std::sync::LazyLock;

use crate::analysis::word_lists::WordLists;

/// The writer of the text.
pub(super) const AUTHOR: u32 = 1;
/// The date of the text.
pub(super) const DATE: u32 = 2;
/// Any data about the text.
pub(super) const META: u32 = 4;
/// The date of a change.
pub(super) const MODIFIED: u32 = 8;
/// Links to other texts, and boilerplate of the page.
pub(super) const TEASER: u32 = 16;
/// Comments of readers.
pub(super) const COMMENT: u32 = 32;
/// Pictures, descriptions and job titles of writers.
pub(super) const PORTRAIT: u32 = 64;
/// The name of the site, or its logo.
pub(super) const SITE: u32 = 256;
/// Words above a headline that name its section or subject.
pub(super) const KICKER: u32 = 512;
/// A link to the page of a writer. Set by the link itself, not by a name.
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
        "similar", "more-", "next", "prev", "archive", "newsletter", "upcoming", "ticker", "breaking", "topbar", "read-also", "most-", "aside", "weather", "calendar", "infobox",
    ]),
    (COMMENT, &["comment", "disqus", "reply", "respond", "kommentar", "review-list"]),
    (PORTRAIT, &["avatar", "about-author", "author-bio", "bio", "job-title", "author-title", "author-desc", "authority", "photo", "image", "caption", "social", "follow", "role"]),
    (SITE, &["site-title", "sitetitle", "site-name", "sitename", "site-logo", "branding", "masthead", "logo"]),
    (KICKER, &["kicker", "roofline", "dachzeile", "overline", "topline", "eyebrow", "spitzmarke", "pretitle", "pre-title", "pre-headline", "supertitle", "subtitle", "subheadline", "section-name"]),
];

/// Names of parts of forum pages, of documentation pages, and of lists of products.
const FORUM: u32 = 1;
const DOCS: u32 = 2;
const CATALOG: u32 = 4;

#[rustfmt::skip]
const SHAPES: &[(u32, &[&str])] = &[
    (FORUM, &["postbody", "post-body", "postprofile", "topic-", "thread", "forum", "messagebody", "message-body", "message-user", "postauthor", "post-author-"]),
    (DOCS, &["sphinx", "toctree", "docusaurus", "rustdoc", "mkdocs", "md-content", "md-sidebar", "theme-doc", "javadoc", "doxygen", "vp-doc", "docs-", "documentation", "apidoc", "md-nav"]),
    (CATALOG, &[
        "product-card", "productcard", "product_card", "product-item", "productitem", "product-tile", "producttile", "product-grid", "productgrid",
        "product-list", "productlist", "product-thumb", "product-box", "product-teaser", "products-list", "products-grid", "item-card", "collection-grid",
        "facet", "plp-", "search-result",
    ]),
];

static SHAPE_NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(SHAPES.iter().copied()));

/// The kind of page that the names on it indicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    pub(super) forum: bool,
    pub(super) documentation: bool,
    /// A list of products.
    pub(super) catalog: bool,
}

/// Minimum number of different names that must agree: a single one may belong to a link to a forum.
const MIN_NAMES: usize = 4;
/// Minimum number of different names of a list of products: pages of one product list others below it.
const MIN_CATALOG: usize = 6;

/// Classifies a page by the names on it.
pub(super) fn shape<'n>(all: impl Iterator<Item = &'n str>) -> Shape {
    let (mut forum, mut docs, mut catalog) = (0, 0, 0);
    for names in all {
        let found = SHAPE_NAMES.find(names);
        forum += usize::from(found & FORUM != 0);
        docs += usize::from(found & DOCS != 0);
        catalog += usize::from(found & CATALOG != 0);
    }
    Shape {
        forum: forum >= MIN_NAMES && forum > docs,
        documentation: docs >= MIN_NAMES && docs >= forum,
        catalog: catalog >= MIN_CATALOG,
    }
}

static NAMES: LazyLock<WordLists> = LazyLock::new(|| WordLists::new(LISTS.iter().copied()));

/// A class of articles that Drupal shows on the front page. It contains `promo`, but says nothing of the article.
const PROMOTED: &str = "node-promoted";

/// Returns the classes of names, as bits.
pub(super) fn of(names: &str) -> u32 {
    match names.is_empty() {
        true => 0,
        false if names.contains(PROMOTED) => NAMES.find(&names.replace(PROMOTED, "")),
        false => NAMES.find(names),
    }
}
