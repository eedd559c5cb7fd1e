//! Documents with the same URL, only one of which takes part in the search for duplicates.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dehusk_html::url::Address;
use xxhash_rust::xxh3::xxh3_128;

use crate::kernel::document_table::DocumentTable;
use crate::settings::SameUrl;

/// Documents that go because another document with their URL takes part instead.
#[derive(Default)]
pub(crate) struct Folded {
    /// Each document that goes, with the document that takes part instead, in ascending order.
    stands_for: Vec<(u32, u32)>,
}

impl Folded {
    /// Folds the documents of a table by URL, without those that are not `present`. `None` if the rule is to keep all.
    pub(crate) fn of(table: &DocumentTable, rule: SameUrl, present: impl Fn(&u32) -> bool) -> Option<Self> {
        if rule == SameUrl::Keep {
            return None;
        }
        let documents = (0..table.len())
            .filter(present)
            .filter(|document| !table.url(*document).is_empty());
        let hashed = documents.map(|document| (xxh3_128(normal(table.url(document)).as_bytes()), document));
        let mut hashed: Vec<(u128, u32)> = hashed.collect();
        hashed.sort_unstable();
        let mut stands_for = Vec::new();
        for equal in hashed.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1) {
            // Equal hashes are verified: otherwise an attacker could construct a collision to remove a page of another site.
            let mut groups: BTreeMap<Cow<'_, str>, Vec<u32>> = BTreeMap::new();
            for (_, document) in equal {
                groups
                    .entry(normal(table.url(*document)))
                    .or_default()
                    .push(*document);
            }
            for group in groups.values() {
                let Some(stays) = chosen(table, rule, group) else {
                    continue;
                };
                let others = group.iter().filter(|document| **document != stays);
                stands_for.extend(others.map(|document| (*document, stays)));
            }
        }
        stands_for.sort_unstable();
        Some(Folded { stands_for })
    }

    /// The document that takes part instead of this one; `None` if this one takes part.
    pub(crate) fn stays_for(&self, document: u32) -> Option<u32> {
        let place = self
            .stands_for
            .binary_search_by_key(&document, |(document, _)| *document);
        place.ok().map(|place| self.stands_for[place].1)
    }

    /// The documents that go, in ascending order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = u32> {
        self.stands_for.iter().map(|(document, _)| *document)
    }

    /// Bytes of memory of the list.
    pub(crate) fn bytes(&self) -> u64 {
        (self.stands_for.capacity() * size_of::<(u32, u32)>()) as u64
    }
}

/// The document of a group that takes part. `group` is in input order.
fn chosen(table: &DocumentTable, rule: SameUrl, group: &[u32]) -> Option<u32> {
    match rule {
        SameUrl::Keep | SameUrl::First => group.first().copied(),
        // Among equal dates the last in input order wins. Unknown dates (`None`) compare less than known ones.
        SameUrl::Newest => {
            let by_date = group
                .iter()
                .max_by_key(|document| (table.date(**document), **document));
            by_date.copied()
        }
    }
}

/// The normal form of an address, equal for equivalent addresses.
///
/// Scheme and host are in lower case, the default port of the scheme is dropped, an empty path becomes `/`, percent escapes have upper-case
/// digits, and the fragment is dropped. All other differences count: `http` and `https`, `www`, a final slash, the order of a query.
///
/// A fragment that begins with `!` or `/` is kept: script-driven sites show several pages under one document with such addresses.
pub(crate) fn normal(url: &str) -> Cow<'_, str> {
    let url = url.trim();
    let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
    let rest = rest.trim_end();
    let fragment = if fragment.starts_with(['!', '/']) {
        fragment
    } else {
        ""
    };
    let mut normal = String::with_capacity(url.len());
    match Address::split(rest) {
        Some(address) => {
            let scheme = address.scheme.to_ascii_lowercase();
            let (user, host) = match address.authority.rsplit_once('@') {
                Some((user, host)) => (Some(user), host),
                None => (None, address.authority),
            };
            normal.push_str(&scheme);
            normal.push_str("://");
            normal.extend(user.into_iter().flat_map(|user| [user, "@"]));
            normal.push_str(&without_default_port(&scheme, host).to_lowercase());
            if !address.path_and_query.starts_with('/') {
                normal.push('/');
            }
            push_escaped(address.path_and_query, &mut normal);
        }
        // An address of another form, such as a path: it is kept, apart from percent escapes.
        None => push_escaped(rest, &mut normal),
    }
    if !fragment.is_empty() {
        normal.push('#');
        normal.push_str(fragment);
    }
    if normal == url {
        return Cow::Borrowed(url);
    }
    Cow::Owned(normal)
}

fn without_default_port<'h>(scheme: &str, host: &'h str) -> &'h str {
    let default = match scheme {
        "http" => ":80",
        "https" => ":443",
        "ftp" => ":21",
        _ => ":",
    };
    let host = host.strip_suffix(default).unwrap_or(host);
    host.strip_suffix(':').unwrap_or(host)
}

/// Appends a part of an address, with the digits of percent escapes in upper case.
fn push_escaped(part: &str, to: &mut String) {
    let mut digits = 0;
    to.extend(part.chars().map(|c| {
        if c == '%' {
            digits = 2;
            return c;
        }
        let is_digit = digits > 0 && c.is_ascii_hexdigit();
        digits = if is_digit { digits - 1 } else { 0 };
        if is_digit { c.to_ascii_uppercase() } else { c }
    }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::document_table::DocumentFacts;
    use crate::record::Ranking;

    #[test]
    fn equal_addresses_have_one_form() {
        for (url, wanted) in [
            ("HTTP://News.Example:80", "http://news.example/"),
            ("https://news.example:443/a#part", "https://news.example/a"),
            ("https://news.example:80/A?q=1#x", "https://news.example:80/A?q=1"),
            ("http://news.example:?q", "http://news.example/?q"),
            (
                "http://User@NEWS.example/%c3%a9%zz",
                "http://User@news.example/%C3%A9%zz",
            ),
            ("http://x/#!/a", "http://x/#!/a"),
            ("http://x/#/b", "http://x/#/b"),
            ("http://x/#", "http://x/"),
            (" http://[::1]:80/ ", "http://[::1]/"),
            ("http://ÄB.example/", "http://äb.example/"),
            ("a/b.html#c", "a/b.html"),
            ("mailto:X@y", "mailto:X@y"),
        ] {
            assert_eq!(normal(url), wanted, "{url}");
        }
        let apart = [
            "http://x/a",
            "https://x/a",
            "http://x/a/",
            "http://www.x/a",
            "http://x/a?b=1&c=2",
            "http://x/a?c=2&b=1",
            "http://x/A",
            "http://x/a?",
        ];
        let forms: std::collections::BTreeSet<_> = apart.iter().map(|url| normal(url)).collect();
        assert_eq!(forms.len(), apart.len());
    }

    fn table(documents: &[(Option<&str>, Option<&str>)]) -> DocumentTable {
        let mut table = DocumentTable::default();
        for (number, (url, date)) in documents.iter().enumerate() {
            let ranking = Ranking {
                date: date.map(Into::into),
                ..Ranking::default()
            };
            table.push(&DocumentFacts::new(format!("d{number}"), *url, &ranking, "x"));
        }
        table.close();
        table
    }

    fn folded(documents: &[(Option<&str>, Option<&str>)], rule: SameUrl) -> Vec<Option<u32>> {
        let table = table(documents);
        let folded = Folded::of(&table, rule, |_| true).unwrap();
        assert_eq!(
            folded.documents().count(),
            (0..table.len())
                .filter(|d| folded.stays_for(*d).is_some())
                .count()
        );
        (0..table.len())
            .map(|document| folded.stays_for(document))
            .collect()
    }

    #[test]
    fn the_newest_or_the_first_of_an_address_takes_part() {
        let a = Some("http://a.example/");
        let documents = [
            (a, Some("2024-01-01")),
            (Some("http://A.example"), Some("2024-03-01")),
            (Some("http://b.example/"), None),
            (Some("http://a.example/#top"), None),
            (None, Some("2024-01-01")),
            (None, None),
            (Some("http://b.example/"), None),
            (a, Some("2024-03-01")),
            (Some(""), None),
            (Some("http://c.example/"), None),
        ];
        let newest = folded(&documents, SameUrl::Newest);
        let (seven, six) = (Some(7), Some(6));
        assert_eq!(
            newest,
            [seven, seven, six, seven, None, None, None, None, None, None]
        );
        let first = folded(&documents, SameUrl::First);
        let (zero, two) = (Some(0), Some(2));
        assert_eq!(first, [None, zero, None, zero, None, None, two, zero, None, None]);
        assert!(Folded::of(&table(&documents), SameUrl::Keep, |_| true).is_none());
    }

    proptest! {
        #[test]
        fn the_form_of_a_form_is_itself(url in "(https?|FTP|x)?(:|://)?[a-bA-B@:%#!?/é .0-9]{0,24}") {
            let once = normal(&url).into_owned();
            prop_assert_eq!(normal(&once), once.as_str());
        }
    }
}
