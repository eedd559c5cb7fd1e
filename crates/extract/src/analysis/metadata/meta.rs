//! `<meta>` elements, and elements that are marked as author or date.

use std::borrow::Cow;
use std::collections::BTreeSet;

use dehusk_html::budget::Meter;
use dehusk_html::tree::{AttrName, Dom, Tag};

use super::annotations::Tags;
use super::clean_text::{clean, clean_text, is_blank};
use super::elements::MetadataElements;

/// Names of `<meta>` elements that are asked for, sorted.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "application-name", "article:author", "article:modified_time", "article:published_time", "article:tag", "author",
    "book:author", "byl", "citation_author", "citation_date", "citation_publication_date", "content-language", "date",
    "datemodified", "datepublished", "dc.creator", "dc.date", "dc.date.created", "dc.date.issued", "dc.date.modified",
    "dc.description", "dc.language", "dc.title", "dcterms.created", "dcterms.creator", "dcterms.date",
    "dcterms.issued", "dcterms.language", "dcterms.modified", "description", "keywords", "language", "last-modified",
    "news_keywords", "og:article:author", "og:article:modified_time", "og:article:published_time", "og:article:tag",
    "og:description", "og:image", "og:image:secure_url", "og:image:url", "og:locale", "og:published_time",
    "og:site_name", "og:title", "og:type", "og:updated_time", "og:url", "parsely-author", "parsely-pub-date",
    "pubdate", "publish-date", "publish_date", "publishdate", "sailthru.author", "sailthru.date", "title",
    "twitter:description", "twitter:image", "twitter:image:src", "twitter:title",
];

/// Most bytes of a name that is asked for.
const MAX_NAME: usize = 32;

/// Place of a name in [`KNOWN`], upper and lower case alike.
fn known(name: &str) -> Option<u8> {
    let mut lower = [0; MAX_NAME];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let lower = &*lower;
    let found = KNOWN.binary_search_by(|known| known.as_bytes().cmp(lower));
    found.ok().map(|place| place as u8)
}

/// What `<meta>` elements say. A content stands once, however many names it goes by: attributes of one element may hold
/// thousands of names, and a content may be long.
pub(super) struct Meta<'d> {
    contents: Vec<Cow<'d, str>>,
    /// Places of names (of `name`, `property`, `itemprop` or `http-equiv`) in [`KNOWN`], and of contents, in document order.
    named: Vec<(u8, u32)>,
}

impl<'d> Meta<'d> {
    pub(super) fn read(dom: &'d Dom<'_>, elements: &MetadataElements, meter: &mut Meter<'_>) -> Self {
        let mut contents = Vec::new();
        let mut named: Vec<(u8, u32)> = Vec::new();
        for &id in &elements.metas {
            let (mut content, mut names) = (None, [None; 4]);
            for attr in dom.attrs_of(id) {
                let (found, name) = match attr.name_len() {
                    7 => (&mut content, "content"),
                    8 if dom.is_named(attr, "property") => (&mut names[0], "property"),
                    4 => (&mut names[1], "name"),
                    8 => (&mut names[2], "itemprop"),
                    10 => (&mut names[3], "http-equiv"),
                    _ => continue,
                };
                if found.is_none() && dom.is_named(attr, name) {
                    *found = Some(attr);
                }
            }
            let Some(content) = content.map(|content| dom.attr_value(content)) else {
                continue;
            };
            if is_blank(&content) {
                continue;
            }
            let place = contents.len() as u32;
            let first = named.len();
            for name in names.into_iter().flatten() {
                for word in dom.attr_value(name).split_ascii_whitespace() {
                    if !meter.step(1) {
                        break;
                    }
                    let known = known(word).map(|name| (name, place));
                    named.extend(known.filter(|known| !named[first..].contains(known)));
                }
            }
            if named.len() > first {
                contents.extend(clean(content));
            }
        }
        Meta { contents, named }
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        debug_assert!(known(name).is_some(), "{name}");
        // A page has fewer of the names than it takes steps to look one up.
        let named = self
            .named
            .iter()
            .filter(move |(place, _)| KNOWN[usize::from(*place)] == name);
        named.filter_map(|&(_, place)| self.contents.get(place as usize).map(AsRef::as_ref))
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
    let has = |id, attr: AttrName, word: &str| {
        dom.known_attr(id, attr)
            .is_some_and(|v| v.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word)))
    };
    let short = |id| clean_text(&dom.text_below(id)).filter(|t| t.chars().count() <= 100);
    // As elements nest, each search may visit the whole page, so their number is bounded.
    let mut searches_left = 16;
    let mut by_rel = None;
    for &marked in &elements.marked {
        let id = marked.element;
        if searches_left == 0 {
            break;
        }
        if marked.has_itemprop() && has(id, AttrName::ITEMPROP, "author") {
            searches_left -= 1;
            let name = dom
                .preorder(id)
                .find(|&n| n != id && has(n, AttrName::ITEMPROP, "name"));
            if let Some(name) = name.and_then(short).or_else(|| short(id)) {
                return Some(name);
            }
        }
        if by_rel.is_none()
            && marked.has_rel()
            && dom.html_tag(id) == Some(Tag::A)
            && has(id, AttrName::REL, "author")
        {
            by_rel = short(id);
        }
    }
    by_rel
}

/// The first element marked as the date of publication, else the first `time` with a machine-readable date.
pub(super) fn marked_date(dom: &Dom<'_>, elements: &MetadataElements) -> Option<String> {
    let mut first_time = None;
    for &marked in &elements.marked {
        let id = marked.element;
        let date = || {
            let value = dom.known_attr(id, AttrName::DATETIME);
            let value = value.or_else(|| dom.known_attr(id, AttrName::CONTENT));
            value.map_or_else(|| dom.text_content(id), std::borrow::Cow::into_owned)
        };
        let published = |value: std::borrow::Cow<'_, str>| value.eq_ignore_ascii_case("datePublished");
        if marked.has_pubdate()
            || marked.has_itemprop() && dom.known_attr(id, AttrName::ITEMPROP).is_some_and(published)
        {
            return Some(date());
        }
        if first_time.is_none()
            && dom.html_tag(id) == Some(Tag::TIME)
            && dom.known_attr(id, AttrName::DATETIME).is_some()
        {
            first_time = Some(date());
        }
    }
    first_time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case() {
        assert!(KNOWN.is_sorted() && KNOWN.iter().all(|name| name.len() <= MAX_NAME));
        for (place, name) in KNOWN.iter().enumerate() {
            assert_eq!(known(&name.to_ascii_uppercase()), Some(place as u8));
        }
        for other in [
            "",
            "og",
            "og:urls",
            "é",
            &"a".repeat(MAX_NAME),
            &"a".repeat(MAX_NAME + 1),
        ] {
            assert_eq!(known(other), None, "{other}");
        }
    }
}
