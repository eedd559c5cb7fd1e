//! `<meta>` elements, and elements that are marked as author or date.

use std::collections::{BTreeMap, BTreeSet};

use dehusk_html::budget::Meter;
use dehusk_html::tree::{Dom, Tag};

use super::annotations::Tags;
use super::clean_text::clean_text;
use super::elements::MetadataElements;

/// What `<meta>` elements say. A content stands once, however many names it goes by: attributes of one element may hold
/// thousands of names, and a content may be long.
pub(super) struct Meta {
    contents: Vec<String>,
    /// Places of the contents, in document order, by name (of `name`, `property`, `itemprop` or `http-equiv`, lower-cased).
    by_name: BTreeMap<String, Vec<u32>>,
}

impl Meta {
    pub(super) fn read(dom: &Dom<'_>, elements: &MetadataElements, meter: &mut Meter<'_>) -> Self {
        let mut contents = Vec::new();
        let mut by_name: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for &id in &elements.metas {
            let Some(content) = dom.attr(id, "content").and_then(|c| clean_text(&c)) else {
                continue;
            };
            let place = contents.len() as u32;
            contents.push(content);
            for name in ["property", "name", "itemprop", "http-equiv"] {
                let Some(value) = dom.attr(id, name) else { continue };
                for word in value.split_ascii_whitespace() {
                    if !meter.step(1) {
                        break;
                    }
                    let places = by_name.entry(word.to_ascii_lowercase()).or_default();
                    if places.last() != Some(&place) {
                        places.push(place);
                    }
                }
            }
        }
        Meta { contents, by_name }
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let places = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        places
            .iter()
            .filter_map(|&place| self.contents.get(place as usize).map(String::as_str))
    }

    /// Content of the first of these names that the page has.
    pub(super) fn first(&self, names: &[&str]) -> Option<String> {
        names
            .iter()
            .find_map(|name| self.all(name).next())
            .map(str::to_owned)
    }

    /// Authors, without addresses of profiles.
    pub(super) fn author(&self) -> Option<String> {
        const NAMES: &[&str] = &[
            "author",
            "article:author",
            "og:article:author",
            "book:author",
            "dc.creator",
            "dcterms.creator",
            "citation_author",
            "parsely-author",
            "sailthru.author",
            "byl",
        ];
        NAMES.iter().find_map(|name| {
            let mut known = BTreeSet::new();
            let authors: Vec<&str> = self
                .all(name)
                .filter(|a| !a.contains("://") && a.chars().count() <= 200)
                .filter(|a| known.insert(*a))
                .collect();
            (!authors.is_empty()).then(|| authors.join("; "))
        })
    }

    /// Dates of publication, the most trusted first.
    pub(super) fn dates(&self) -> impl Iterator<Item = String> {
        const NAMES: &[&str] = &[
            "article:published_time",
            "og:article:published_time",
            "og:published_time",
            "datepublished",
            "citation_publication_date",
            "citation_date",
            "dc.date.issued",
            "dcterms.issued",
            "dc.date.created",
            "dcterms.created",
            "dc.date",
            "dcterms.date",
            "parsely-pub-date",
            "sailthru.date",
            "pubdate",
            "publishdate",
            "publish-date",
            "publish_date",
            "date",
        ];
        NAMES.iter().flat_map(|name| self.all(name)).map(str::to_owned)
    }

    /// Dates of the last change, the most trusted first.
    pub(super) fn changes(&self) -> impl Iterator<Item = String> {
        const NAMES: &[&str] = &[
            "article:modified_time",
            "og:article:modified_time",
            "og:updated_time",
            "datemodified",
            "dcterms.modified",
            "dc.date.modified",
            "last-modified",
        ];
        NAMES.iter().flat_map(|name| self.all(name)).map(str::to_owned)
    }

    /// Subjects under the first of these names that has any: one an element, or several between commas.
    pub(super) fn tags(&self, names: &[&str]) -> Vec<String> {
        let entries = names.iter().map(|name| self.all(name).collect::<Vec<_>>());
        let entries = entries
            .into_iter()
            .find(|all| !all.is_empty())
            .unwrap_or_default();
        let mut tags = Tags::default();
        for entry in entries {
            tags.add_list(entry);
        }
        tags.finish()
    }

    pub(super) fn language(&self) -> Option<String> {
        self.first(&[
            "og:locale",
            "content-language",
            "language",
            "dc.language",
            "dcterms.language",
        ])
    }
}

/// The first element marked as the author: `rel=author` or `itemprop=author`, the latter's `name` if it has one.
pub(super) fn marked_author(dom: &Dom<'_>, elements: &MetadataElements) -> Option<String> {
    let has = |id, attr: &str, word: &str| {
        dom.attr(id, attr)
            .is_some_and(|v| v.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word)))
    };
    let short = |id| clean_text(&dom.text_content(id)).filter(|t| t.chars().count() <= 100);
    // As elements nest, each search may visit the whole page, so their number is bounded.
    let mut searches_left = 16;
    let mut by_rel = None;
    for &id in &elements.marked {
        if searches_left == 0 {
            break;
        }
        if has(id, "itemprop", "author") {
            searches_left -= 1;
            let name = dom.preorder(id).find(|&n| n != id && has(n, "itemprop", "name"));
            if let Some(name) = name.and_then(short).or_else(|| short(id)) {
                return Some(name);
            }
        }
        if by_rel.is_none() && dom.html_tag(id) == Some(Tag::A) && has(id, "rel", "author") {
            by_rel = short(id);
        }
    }
    by_rel
}

/// The first element marked as the date of publication, else the first `time` with a machine-readable date.
pub(super) fn marked_date(dom: &Dom<'_>, elements: &MetadataElements) -> Option<String> {
    let mut first_time = None;
    for &id in &elements.marked {
        let date = || {
            let value = dom.attr(id, "datetime").or_else(|| dom.attr(id, "content"));
            value.map_or_else(|| dom.text_content(id), std::borrow::Cow::into_owned)
        };
        let marked = dom
            .attr(id, "itemprop")
            .is_some_and(|v| v.eq_ignore_ascii_case("datePublished"));
        if marked || dom.attr(id, "pubdate").is_some() {
            return Some(date());
        }
        if first_time.is_none() && dom.html_tag(id) == Some(Tag::TIME) && dom.attr(id, "datetime").is_some() {
            first_time = Some(date());
        }
    }
    first_time
}
