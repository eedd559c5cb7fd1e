//! `<meta>` elements: OpenGraph, Dublin Core, Highwire and names that systems invented.

use std::borrow::Cow;

use dehusk_html::budget::Meter;
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId};

use super::super::candidate::{Candidates, Field};
use super::super::clean_text::{clean, is_blank};
use super::super::elements::MetadataElements;
use super::super::kind::PageKind;
use super::super::tags::Tags;
use super::super::{date, licence, person};

/// Name of the source.
const NAME: &str = "meta";

/// Names of `<meta>` elements that are read, sorted.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    MODIFIED, PUBLISHED,
    "application-name", "article:author", "article:modified_time", "article:published", "article:published_time",
    "article:section", "article:tag", "author", "blogger", "book:author", "book:release_date", "byl", "byline",
    "category", "citation_author", "citation_date", "citation_journal_title", "citation_keywords",
    "citation_online_date", "citation_publication_date", "citation_title", "content-language", "copyright", "cxenseparse:author",
    "cxenseparse:recs:publishtime", "date",
    "datecreated", "datemodified", "datepublished", "dc.creator", "dc.date", "dc.date.created", "dc.date.issued",
    "dc.date.modified", "dc.description", "dc.language", "dc.publisher", "dc.rights", "dc.subject", "dc.title",
    "dcterms.created", "dcterms.creator", "dcterms.date", "dcterms.issued", "dcterms.language", "dcterms.license",
    "dcterms.modified", "dcterms.publisher", "dcterms.title", "description", "keywords", "language", "last-modified",
    "news_keywords", "og:article:author", "og:article:modified_time", "og:article:published_time",
    "og:article:section", "og:article:tag", "og:description", "og:image", "og:image:secure_url", "og:image:url",
    "og:locale", "og:pubdate", "og:published_time", "og:site_name", "og:title", "og:type", "og:updated_time",
    "og:url", "parsely-author", "parsely-pub-date", "parsely-section", "parsely-tags", "parsely-title", "pubdate",
    "publication_date", "publish-date", "publish_date", "publishdate", "published", "publisher", "release_date",
    "revised", "rights", "sailthru.author", "sailthru.date", "sailthru.tags", "sailthru.title", "section",
    "shareaholic:article_author_name", "title", "twitter:creator", "twitter:data1", "twitter:data2",
    "twitter:description", "twitter:image", "twitter:image:src", "twitter:label1", "twitter:label2", "twitter:title",
    "uploaddate", "video:release_date",
];

/// The field of each property, and the share of its values that were right on labelled pages.
#[rustfmt::skip]
const TOLD: &[(&str, Field, f32)] = &[
    ("citation_author", Field::Authors, 0.9),
    ("parsely-author", Field::Authors, 0.9),
    ("sailthru.author", Field::Authors, 0.9),
    ("byl", Field::Authors, 0.9),
    ("byline", Field::Authors, 0.85),
    ("author", Field::Authors, 0.83),
    ("article:author", Field::Authors, 0.84),
    ("og:article:author", Field::Authors, 0.84),
    ("shareaholic:article_author_name", Field::Authors, 0.8),
    ("book:author", Field::Authors, 0.84),
    ("dc.creator", Field::Authors, 0.72),
    ("dcterms.creator", Field::Authors, 0.72),
    ("blogger", Field::Authors, 0.7),
    ("cxenseparse:author", Field::Authors, 0.85),
    ("cxenseparse:recs:publishtime", Field::Date, 0.93),
    ("article:published_time", Field::Date, 0.96),
    ("article:published", Field::Date, 0.95),
    ("og:article:published_time", Field::Date, 0.95),
    ("og:published_time", Field::Date, 0.95),
    ("datepublished", Field::Date, 0.95),
    ("citation_online_date", Field::Date, 0.9),
    ("citation_publication_date", Field::Date, 0.94),
    ("citation_date", Field::Date, 0.93),
    ("dc.date.issued", Field::Date, 0.93),
    ("dcterms.issued", Field::Date, 0.93),
    ("dc.date.created", Field::Date, 0.9),
    ("dcterms.created", Field::Date, 0.9),
    ("datecreated", Field::Date, 0.85),
    ("dc.date", Field::Date, 0.85),
    ("dcterms.date", Field::Date, 0.85),
    ("parsely-pub-date", Field::Date, 0.95),
    ("sailthru.date", Field::Date, 0.93),
    ("pubdate", Field::Date, 0.92),
    ("og:pubdate", Field::Date, 0.92),
    ("publishdate", Field::Date, 0.92),
    ("publish-date", Field::Date, 0.92),
    ("publish_date", Field::Date, 0.92),
    ("published", Field::Date, 0.9),
    ("publication_date", Field::Date, 0.9),
    ("uploaddate", Field::Date, 0.75),
    ("release_date", Field::Date, 0.8),
    ("book:release_date", Field::Date, 0.7),
    ("video:release_date", Field::Date, 0.8),
    ("date", Field::Date, 0.8),
    (PUBLISHED, Field::Date, 0.78),
    (MODIFIED, Field::Modified, 0.78),
    ("article:modified_time", Field::Modified, 0.95),
    ("og:article:modified_time", Field::Modified, 0.95),
    ("og:updated_time", Field::Modified, 0.9),
    ("datemodified", Field::Modified, 0.9),
    ("dcterms.modified", Field::Modified, 0.9),
    ("dc.date.modified", Field::Modified, 0.9),
    ("last-modified", Field::Modified, 0.7),
    ("revised", Field::Modified, 0.6),
    ("og:site_name", Field::SiteName, 0.95),
    ("application-name", Field::SiteName, 0.7),
    ("citation_journal_title", Field::SiteName, 0.5),
    ("publisher", Field::Publisher, 0.7),
    ("dc.publisher", Field::Publisher, 0.8),
    ("dcterms.publisher", Field::Publisher, 0.8),
    ("og:description", Field::Description, 0.9),
    ("description", Field::Description, 0.88),
    ("twitter:description", Field::Description, 0.85),
    ("dc.description", Field::Description, 0.8),
    ("og:image", Field::Image, 0.95),
    ("og:image:url", Field::Image, 0.94),
    ("og:image:secure_url", Field::Image, 0.93),
    ("twitter:image", Field::Image, 0.9),
    ("twitter:image:src", Field::Image, 0.89),
    ("article:tag", Field::Tags, 0.88),
    ("og:article:tag", Field::Tags, 0.88),
    ("citation_keywords", Field::Tags, 0.85),
    ("parsely-tags", Field::Tags, 0.7),
    ("sailthru.tags", Field::Tags, 0.6),
    ("news_keywords", Field::Tags, 0.75),
    ("dc.subject", Field::Tags, 0.7),
    ("keywords", Field::Tags, 0.6),
    ("article:section", Field::Categories, 0.85),
    ("og:article:section", Field::Categories, 0.85),
    ("parsely-section", Field::Categories, 0.8),
    ("section", Field::Categories, 0.7),
    ("category", Field::Categories, 0.7),
    ("dcterms.license", Field::Licence, 0.9),
    ("dc.rights", Field::Licence, 0.8),
    ("rights", Field::Licence, 0.7),
    ("copyright", Field::Licence, 0.7),
];

/// Stand in `KNOWN` for names that sites invent: for the date of publication, and for that of the last change.
const PUBLISHED: &str = "*: published";
const MODIFIED: &str = "*: modified";

/// Endings of these names, without `-` and `_`, sorted: `analytics.articleDate`, `vr:published-time`, `Revision_Date`.
#[rustfmt::skip]
const DATED: &[(&str, &str)] = &[
    ("articledate", PUBLISHED), ("articlefirstpublished", PUBLISHED), ("articlemodifiedtime", MODIFIED),
    ("articlepublishedtime", PUBLISHED), ("created", PUBLISHED), ("createdat", PUBLISHED), ("createddate", PUBLISHED),
    ("creationdate", PUBLISHED), ("datecreated", PUBLISHED), ("dateissued", PUBLISHED), ("datemodified", MODIFIED),
    ("datepublished", PUBLISHED), ("dateupdate", MODIFIED), ("dateupdated", MODIFIED),
    ("firstpublished", PUBLISHED), ("issued", PUBLISHED), ("lastmod", MODIFIED), ("lastmodified", MODIFIED),
    ("lastmodifieddate", MODIFIED), ("lastupdate", MODIFIED), ("lastupdated", MODIFIED), ("moddate", MODIFIED),
    ("modificationdate", MODIFIED), ("modified", MODIFIED), ("modifieddate", MODIFIED), ("modifiedtime", MODIFIED),
    ("pdate", PUBLISHED), ("pubdate", PUBLISHED), ("publicationdate", PUBLISHED), ("publishdate", PUBLISHED),
    ("publishedat", PUBLISHED), ("publisheddate", PUBLISHED), ("publishedtime", PUBLISHED), ("publishtime", PUBLISHED),
    ("pubtime", PUBLISHED), ("regdate", PUBLISHED), ("revisiondate", MODIFIED), ("updated", MODIFIED),
    ("updateddate", MODIFIED), ("updatedtime", MODIFIED),
];

/// Confidence in a date under [`PUBLISHED`] that the page also gives under [`MODIFIED`].
const SAME_AS_CHANGE: f32 = 0.5;

/// Maximum bytes of a name that is read.
const MAX_NAME: usize = 40;

/// Returns the index in [`KNOWN`] of a name, ignoring case, or of the placeholder that [`DATED`] has for its ending.
fn known(name: &str) -> Option<u8> {
    let mut lower = [0; MAX_NAME];
    // A longer name is unknown: `get_mut` returns `None`.
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let lower = &*lower;
    let index = |name: &[u8]| {
        let found = KNOWN.binary_search_by(|known| known.as_bytes().cmp(name));
        found.ok().map(narrow::to_u8)
    };
    index(lower).or_else(|| index(dated(lower)?))
}

/// Placeholder for a lower-cased name, by the ending of the name; `None` if the ending is unknown.
fn dated(lower: &[u8]) -> Option<&'static [u8]> {
    // A cheap test first: most pages have dozens of other names, and all endings in the table end in these letters.
    if !matches!(lower.last(), Some(b'e' | b'd' | b't')) {
        return None;
    }
    // `vr:published-time` becomes `publishedtime`.
    let start = lower.iter().rposition(|byte| matches!(byte, b':' | b'.'));
    let mut ending = [0; MAX_NAME];
    let mut len = 0;
    for &byte in &lower[start.map_or(0, |at| at + 1)..] {
        if !matches!(byte, b'-' | b'_') {
            ending[len] = byte;
            len += 1;
        }
    }
    let found = DATED.binary_search_by(|(known, _)| known.as_bytes().cmp(&ending[..len]));
    found.ok().map(|at| DATED[at].1.as_bytes())
}

/// The contents of `<meta>` elements. Each content is stored once, whatever the number of its names: the
/// attributes of one element may hold thousands of names, and a content may be long.
pub(in super::super) struct Meta<'d> {
    contents: Vec<(NodeId, Cow<'d, str>)>,
    /// Pairs of an index in [`KNOWN`] and an index in `contents`, in document order. Names are those of
    /// `name`, `property`, `itemprop` and `http-equiv`.
    named: Vec<(u8, u32)>,
}

impl<'d> Meta<'d> {
    /// Reads the `meta` elements that have a known name and a content.
    pub(in super::super) fn read(
        dom: &'d Dom<'_>,
        elements: &MetadataElements,
        meter: &mut Meter<'_>,
    ) -> Self {
        let mut contents = Vec::new();
        let mut named: Vec<(u8, u32)> = Vec::new();
        for &id in &elements.metas {
            let (mut content, mut datetime, mut names) = (None, None, [None; 5]);
            for attr in dom.attrs_of(id) {
                // Most of these names differ in length, so that each attribute is compared with few of them.
                let (found, name) = match attr.name_len() {
                    7 if dom.is_named(attr, "pubdate") => (&mut names[4], "pubdate"),
                    7 => (&mut content, "content"),
                    8 if dom.is_named(attr, "property") => (&mut names[0], "property"),
                    8 if dom.is_named(attr, "datetime") => (&mut datetime, "datetime"),
                    4 => (&mut names[1], "name"),
                    8 => (&mut names[2], "itemprop"),
                    10 => (&mut names[3], "http-equiv"),
                    _ => continue,
                };
                if found.is_none() && dom.is_named(attr, name) {
                    *found = Some(attr);
                }
            }
            // `<meta itemprop=datePublished datetime=...>` has no `content`.
            let Some(content) = content.or(datetime).map(|content| dom.attr_value(content)) else {
                continue;
            };
            if is_blank(&content) {
                continue;
            }
            let place = narrow::to_u32(contents.len());
            let first = named.len();
            for name in names.into_iter().flatten() {
                for word in dom.attr_value(name).split_ascii_whitespace() {
                    if !meter.step(1) {
                        break;
                    }
                    // RDFa writes names of schema.org with this prefix.
                    let known = known(word.strip_prefix("schema:").unwrap_or(word)).map(|name| (name, place));
                    named.extend(known.filter(|known| !named[first..].contains(known)));
                }
            }
            // The content is not blank, so `clean` returns a text, which gets the index `place`.
            if named.len() > first {
                contents.extend(clean(content).map(|content| (id, content)));
            }
        }
        Meta { contents, named }
    }

    /// Contents of a known name with their elements, in document order.
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (NodeId, &'a str)> {
        debug_assert!(known(name).is_some(), "{name}");
        // A linear search: the names of a page are fewer than the steps of a lookup in a map.
        let named = self
            .named
            .iter()
            .filter(move |(place, _)| KNOWN[usize::from(*place)] == name);
        named.filter_map(|&(_, place)| {
            self.contents
                .get(place as usize)
                .map(|(id, content)| (*id, &**content))
        })
    }

    /// Returns the content of the first of `names` that the page has.
    pub(in super::super) fn first(&self, names: &[&str]) -> Option<String> {
        names
            .iter()
            .find_map(|name| self.all(name).next())
            .map(|(_, content)| content.to_owned())
    }

    /// Adds candidates from the elements.
    pub(in super::super) fn candidates(&self, reading: date::Reading<'_>, out: &mut Candidates) {
        for &(name, field, confidence) in TOLD {
            let mut all = self.all(name).peekable();
            let Some(&(place, first)) = all.peek() else {
                continue;
            };
            let (told, place) = ((NAME, name), Some(place));
            match field {
                Field::Authors => {
                    // Libraries write the family name first: `Lee, Ann`.
                    let names = |text: &str| match name.starts_with("citation") || name.starts_with("dc") {
                        true => person::inverted(text),
                        false => person::names(text),
                    };
                    let mut values: Vec<String> = all.flat_map(|(_, text)| names(text)).collect();
                    person::distinct(&mut values);
                    out.list(field, values, told, place, confidence);
                }
                Field::Tags | Field::Categories => {
                    let mut tags = Tags::default();
                    all.for_each(|(_, entry)| tags.add_list(entry));
                    out.list(field, tags.finish(), told, place, confidence);
                }
                Field::Date | Field::Modified => {
                    // Systems that write the moment of the last change under both names do not say when a
                    // page was published.
                    let is_change = name == PUBLISHED && self.all(MODIFIED).any(|(_, text)| text == first);
                    let confidence = if is_change { SAME_AS_CHANGE } else { confidence };
                    let mut dates: Vec<_> = all
                        .take(4)
                        .map(|(at, text)| (date::stamp(text, reading), at))
                        .collect();
                    if name == PUBLISHED {
                        // Invented names also stand for dates of later editions, so the earliest date comes first.
                        dates.sort();
                    }
                    for (value, place) in dates {
                        out.one(field, value, told, Some(place), confidence);
                    }
                }
                Field::Licence => out.one(field, licence::name(first), told, place, confidence),
                _ => out.one(field, Some(first.to_owned()), told, place, confidence),
            }
        }
        self.labelled(out);
        self.title(out);
        let kind = self
            .first(&["og:type"])
            .and_then(|name| PageKind::of_open_graph(&name));
        out.one(
            Field::Kind,
            kind.map(|kind| kind.name().to_owned()),
            (NAME, "og:type"),
            None,
            0.6,
        );
    }

    /// Adds the writer from `twitter:data1` or `twitter:data2` if its label names a writer, in the
    /// languages that a common system writes.
    fn labelled(&self, out: &mut Candidates) {
        const WRITERS: &[&str] = &[
            "written by",
            "verfasst von",
            "geschrieben von",
            "écrit par",
            "escrito por",
            "scritto da",
            "geschreven door",
            "написано автором",
            "автор",
            "napisane przez",
            "author",
            "skrevet av",
            "skrivet av",
            "yazan",
            "ditulis oleh",
            "kirjoittanut",
            "posted by",
            "by",
        ];
        for (label, data) in [
            ("twitter:label1", "twitter:data1"),
            ("twitter:label2", "twitter:data2"),
        ] {
            let label = self.first(&[label]).unwrap_or_default().to_lowercase();
            if let Some((place, text)) = self
                .all(data)
                .next()
                .filter(|_| WRITERS.contains(&label.as_str()))
            {
                out.list(
                    Field::Authors,
                    person::names(text),
                    (NAME, data),
                    Some(place),
                    0.81,
                );
            }
        }
    }

    /// Adds the titles.
    fn title(&self, out: &mut Candidates) {
        for (name, confidence) in [
            ("og:title", 0.8),
            ("citation_title", 0.9),
            ("parsely-title", 0.85),
            ("sailthru.title", 0.85),
            ("twitter:title", 0.75),
            ("dc.title", 0.75),
            ("dcterms.title", 0.75),
        ] {
            if let Some((place, text)) = self.all(name).next() {
                out.one(
                    Field::Title,
                    Some(text.to_owned()),
                    (NAME, name),
                    Some(place),
                    confidence,
                );
            }
        }
    }

    /// Language that the page declares in a `meta` element, as written.
    pub(in super::super) fn language(&self) -> Option<String> {
        self.first(&[
            "og:locale",
            "content-language",
            "language",
            "dc.language",
            "dcterms.language",
        ])
    }
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

    #[test]
    fn invented_names_of_dates_are_known_by_their_ending() {
        assert!(DATED.is_sorted());
        assert!(DATED.iter().all(|(ending, _)| ending.ends_with(['e', 'd', 't'])));
        let index = |name| KNOWN.iter().position(|known| *known == name).map(|at| at as u8);
        for (name, like) in [
            ("Created", PUBLISHED),
            ("dc:created", PUBLISHED),
            ("DC.Issued", PUBLISHED),
            ("analytics.articleDate", PUBLISHED),
            ("vr:published-time", PUBLISHED),
            ("og:regDate", PUBLISHED),
            ("dateUpdate", MODIFIED),
            ("Revision_Date", MODIFIED),
            ("prism.modificationDate", MODIFIED),
        ] {
            assert_eq!(known(name), index(like), "{name}");
        }
        for other in [
            "expires",
            "expirationdate",
            "og:update",
            "event:date",
            "birthdate",
            "cache-generated",
        ] {
            assert_eq!(known(other), None, "{other}");
        }
    }
}
