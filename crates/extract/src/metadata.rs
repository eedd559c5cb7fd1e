//! What a page says about itself: title, author, date and the like.
//!
//! Sources, in the order of trust: JSON-LD, OpenGraph and other `<meta>` elements, microdata and `rel`, the page's own
//! elements. Nothing is guessed from text: a field without a source is `None`.

mod date;
mod json_ld;
mod meta;
mod title;
mod url;

use std::borrow::Cow;

pub(crate) use self::json_ld::is_article_type;
pub(crate) use self::url::join;
use crate::block::BlockTable;
use crate::dom::{Dom, NodeId, Tag};
use crate::extractor::Labels;
use crate::language::language;
use crate::warning::Warning;

/// What a page says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
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
    /// Bodies of the articles that JSON-LD describes, as they stand there, in document order.
    pub(crate) bodies: Vec<String>,
}

impl Metadata {
    /// Replaces the declared language by what the kept text says.
    pub(crate) fn with_language_of(self, table: &BlockTable, labels: &Labels) -> Self {
        let language = language(self.language.as_deref(), labels.texts(table));
        Metadata {
            language,
            bodies: Vec::new(),
            ..self
        }
    }
}

/// Reads what a page says about itself; the language is the declared one.
pub(crate) fn read(
    dom: &Dom<'_>,
    table: &BlockTable,
    url: Option<&str>,
    warnings: &mut Vec<Warning>,
) -> Metadata {
    let meta = meta::Meta::read(dom);
    let ld = json_ld::read(dom, warnings);
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
    let title = title::choose(dom, table, &meta, &ld, site_name.as_deref(), url);
    let author = ld
        .author
        .clone()
        .or_else(|| meta.author())
        .or_else(|| meta::marked_author(dom));
    let date = ld
        .date
        .as_deref()
        .and_then(date::iso)
        .or_else(|| meta.dates().find_map(|d| date::iso(&d)))
        .or_else(|| meta::marked_date(dom).and_then(|d| date::iso(&d)));
    let description = meta.first(&[
        "og:description",
        "description",
        "twitter:description",
        "dc.description",
    ]);
    Metadata {
        title,
        author,
        date,
        language: lang.filter(|l| !l.trim().is_empty()).or_else(|| meta.language()),
        site_name,
        description: description.or_else(|| ld.description.clone()),
        bodies: ld.bodies,
    }
}

/// White space collapsed, control characters taken out; `None` if nothing is left.
fn tidy(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    for word in text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests;
