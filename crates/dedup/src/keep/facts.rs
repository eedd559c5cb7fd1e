//! Facts about a document apart from its words. Only keepers read them.

use crate::keep::field_value::FieldValue;

/// Facts about a document that decide which member of a cluster stays. All are optional; unknown values rank last.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DocumentFacts<'a> {
    /// The address of the document; empty if unknown. It is not a criterion of order.
    pub url: &'a str,
    /// The date of publication or discovery, in seconds since 1970-01-01 UTC.
    pub date: Option<i64>,
    /// Popularity of the source: any measure of 0 or more that grows with popularity.
    pub popularity: Option<f64>,
    /// Share of the page that is advertising, 0 to 1.
    pub ad_share: f64,
    /// Share of the page's text that is not main content, 0 to 1.
    pub boilerplate_share: f64,
    /// Length of its text, in characters.
    pub chars: u64,
    /// The value of the field that the keeper reads; see [`Keeper::field`](crate::keep::Keeper::field).
    pub field: Option<FieldValue<'a>>,
    /// Number of the preferred source of the document, from 0. `None` if it is from no preferred source. With any
    /// keeper, documents with smaller numbers come first.
    pub preference: Option<u32>,
}

/// Provides the facts of documents to several threads. Only facts of members of clusters are requested.
///
/// ```
/// use dehusk_dedup::{Deduper, DocumentFacts, Options, keep};
/// use std::sync::Arc;
///
/// let options = Options::default().with_min_tokens(2).with_keeper(Arc::new(keep::Newest));
/// let mut deduper = Deduper::new(options)?;
/// deduper.add_joined("the river rose")?;
/// deduper.add_joined("the river rose")?;
/// let facts = [Some(1_700_000_000), Some(1_800_000_000)].map(|date| DocumentFacts { date, ..DocumentFacts::default() });
/// let outcome = deduper.finish(&facts[..])?;
/// assert_eq!(outcome.decisions[0].representative, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FactSource: Sync {
    /// The facts of document number `document`.
    fn facts(&self, document: u32) -> DocumentFacts<'_>;
}

/// No facts.
impl FactSource for () {
    fn facts(&self, _: u32) -> DocumentFacts<'_> {
        DocumentFacts::default()
    }
}

/// Facts by document number. Documents beyond the end have no facts.
impl FactSource for [DocumentFacts<'_>] {
    fn facts(&self, document: u32) -> DocumentFacts<'_> {
        self.get(document as usize).copied().unwrap_or_default()
    }
}

/// The host of a URL, without user and port. Empty if absent.
pub(crate) fn host(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else {
        return "";
    };
    // The authority ends where the path, the query or the fragment begins.
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    // A user name may contain `@` in faulty addresses, so the last one separates it from the host.
    let host = authority.rsplit('@').next().unwrap_or("");
    match host.rsplit_once(':') {
        // Colons inside the brackets of an IPv6 address do not start a port.
        Some((name, port)) if !port.contains(']') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn hosts() {
        for (url, expected) in [
            ("http://x.ru/1?print=1", "x.ru"),
            ("https://user:secret@x.ru:8080/a@b", "x.ru"),
            ("http://x.ru?u=http://y.ru/", "x.ru"),
            ("http://[::1]:80/", "[::1]"),
            ("http://[::1]/", "[::1]"),
            ("no url", ""),
            ("", ""),
        ] {
            assert_eq!(host(url), expected, "{url}");
        }
    }
}
