//! Metadata of a page: title, author, date and the like.
//!
//! The sources in the order of trust are JSON-LD, OpenGraph and other `<meta>` elements, microdata and `rel`, the page's own elements.
//! Nothing is guessed from text: a field without a source is `None`.

mod annotations;
mod clean_text;
pub(crate) mod date;
mod elements;
mod json_ld;
pub(crate) mod kind;
mod meta;
mod title;

use std::borrow::Cow;

pub(crate) use self::date::iso as date;
pub use self::kind::PageKind;
pub(crate) use self::kind::is_article_type;
use crate::analysis::address::{KnownAddress, PageAddress};
use crate::analysis::blocks::table::BlockTable;
use crate::warning::Warning;
use dehusk_html::budget::Budget;
use dehusk_html::tree::{Dom, NodeId, Tag};
use dehusk_html::url::{Base, is_web};

/// What a page tells about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Metadata {
    /// Title without the site's name.
    pub title: Option<String>,
    /// Authors, joined by `; `.
    pub author: Option<String>,
    /// Date of publication as `YYYY-MM-DD`, in the page's own time zone.
    pub date: Option<String>,
    /// ISO 639-1 where there is such a code, else 639-3: as the page declares unless its text is in another script, or by
    /// detection.
    pub language: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// Summary that the page gives of itself.
    pub description: Option<String>,
    /// Date of the last change as `YYYY-MM-DD`.
    pub modified: Option<String>,
    /// The address that the page calls its own, absolute.
    pub canonical_url: Option<String>,
    /// Address of the image that stands for the page, absolute.
    pub image: Option<String>,
    /// Subjects as the page names them, in its order, none twice: from one source, at most 50.
    pub tags: Vec<String>,
    /// What kind of page it says it is.
    pub kind: Option<PageKind>,
    /// Bodies of the articles in JSON-LD, unchanged, in document order.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) bodies: Vec<String>,
}

impl Metadata {
    /// Adds what a page tells about itself where nothing else is known. The language stays: that of the kept texts, in place of the declared one.
    pub(crate) fn complete(&mut self, page: Metadata) {
        let Metadata {
            title,
            author,
            date,
            language,
            ..
        } = std::mem::take(self);
        *self = Metadata {
            title: title.or(page.title),
            author: author.or(page.author),
            date: date.or(page.date),
            language,
            bodies: Vec::new(),
            ..page
        };
    }
}

/// Fields that are known from elsewhere and replace the page's own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct FieldOverrides {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) date: Option<String>,
}

/// Reads the metadata of a page, and its address; the language is the declared one.
pub(crate) fn read<'a>(
    dom: &Dom<'_>,
    table: &BlockTable,
    address: KnownAddress<'a>,
    budget: &Budget,
    warnings: &mut Vec<Warning>,
) -> (Metadata, PageAddress<'a>) {
    let mut meter = budget.meter("reading metadata");
    let elements = elements::MetadataElements::of(dom, &mut meter);
    let meta = meta::Meta::read(dom, &elements, &mut meter);
    let ld = json_ld::read(dom, &elements, &mut meter, warnings);
    drop(meter);
    let annotations = annotations::Annotations::read(dom, &elements);
    let stated = [annotations.canonical.clone(), meta.first(&["og:url"])];
    let address = address.settled(dom.source(), stated);
    let url = address.url.as_deref();
    let html = dom
        .children(NodeId::DOCUMENT)
        .find(|&c| dom.html_tag(c) == Some(Tag::HTML));
    let lang = html
        .and_then(|h| dom.attr(h, "lang").or_else(|| dom.attr(h, "xml:lang")))
        .map(Cow::into_owned);
    let site_name = ld
        .site_name
        .clone()
        .or_else(|| meta.first(&["og:site_name", "application-name"]));
    let site_name = meta.first(&["og:site_name"]).or(site_name);
    let title = title::choose(dom, table, &meta, &ld, site_name.as_deref(), url, elements.title);
    let author = ld
        .author
        .clone()
        .or_else(|| meta.author())
        .or_else(|| meta::marked_author(dom, &elements));
    let date = ld
        .date
        .as_deref()
        .and_then(date::iso)
        .or_else(|| meta.dates().find_map(|d| date::iso(&d)))
        .or_else(|| meta::marked_date(dom, &elements).and_then(|d| date::iso(&d)));
    let base = Base::from_element(dom, elements.base, url);
    let web = |address: String| base.resolve(&address).filter(|found| is_web(found));
    let modified = ld
        .modified
        .as_deref()
        .and_then(date::iso)
        .or_else(|| meta.changes().find_map(|d| date::iso(&d)))
        .or_else(|| annotations.modified.as_deref().and_then(date::iso));
    let canonical_url = annotations.canonical.and_then(web);
    let canonical_url = canonical_url.or_else(|| meta.first(&["og:url"]).and_then(web));
    let image = meta.first(&[
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "twitter:image",
        "twitter:image:src",
    ]);
    let image = image
        .and_then(web)
        .or_else(|| ld.image.clone().and_then(web))
        .or_else(|| annotations.image.and_then(web));
    let some = |tags: Vec<String>| (!tags.is_empty()).then_some(tags);
    let tags = some(ld.tags)
        .or_else(|| some(meta.tags(&["article:tag", "og:article:tag"])))
        .or_else(|| some(annotations.tags))
        .or_else(|| some(meta.tags(&["news_keywords"])))
        .or_else(|| some(meta.tags(&["keywords"])));
    let kind = ld.kind.or(annotations.kind).or_else(|| {
        meta.first(&["og:type"])
            .and_then(|name| PageKind::of_open_graph(&name))
    });
    let description = meta.first(&[
        "og:description",
        "description",
        "twitter:description",
        "dc.description",
    ]);
    let metadata = Metadata {
        title,
        author,
        date,
        language: lang.filter(|l| !l.trim().is_empty()).or_else(|| meta.language()),
        site_name,
        description: description.or_else(|| ld.description.clone()),
        modified,
        canonical_url,
        image,
        tags: tags.unwrap_or_default(),
        kind,
        bodies: ld.bodies,
    };
    (metadata, address)
}

#[cfg(test)]
mod tests;
