//! Facts about a document beside its words; only keepers read them.

use crate::keep::field_value::FieldValue;

/// Facts about a document that decide which member of a cluster stays. All are optional: unknown values rank last.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DocumentFacts<'a> {
    /// Where the document is from; empty if that is unknown. It says nothing of the order of documents.
    pub url: &'a str,
    /// When it was first seen or published, in seconds since 1970-01-01 UTC.
    pub date: Option<i64>,
    /// How popular its source is: any measure that grows with popularity, 0 or more.
    pub popularity: Option<f64>,
    /// Share of the page that is advertising, 0 to 1.
    pub ad_share: f64,
    /// Share of the page's text that is not main content, 0 to 1.
    pub boilerplate_share: f64,
    /// Length of its text, in characters.
    pub chars: u64,
    /// The value of the field that the keeper reads, see [`Keeper::field`](crate::keep::Keeper::field).
    pub field: Option<FieldValue<'a>>,
    /// Number of the first preferred source that the document is from, from 0; `None` if it is from none of them. Documents of an
    /// earlier one come before all others, whatever the keeper.
    pub preference: Option<u32>,
}

/// Gives the facts of documents, to several threads at once. Only facts of members of clusters are asked for.
pub trait FactSource: Sync {
    /// The facts of a document, by its number.
    fn facts(&self, document: u32) -> DocumentFacts<'_>;
}

/// No facts are known.
impl FactSource for () {
    fn facts(&self, _: u32) -> DocumentFacts<'_> {
        DocumentFacts::default()
    }
}

/// Facts by document number; documents beyond the end have none.
impl FactSource for [DocumentFacts<'_>] {
    fn facts(&self, document: u32) -> DocumentFacts<'_> {
        self.get(document as usize).copied().unwrap_or_default()
    }
}

/// The host in a URL, without user and port; the empty string if there is none.
pub(crate) fn host(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else {
        return "";
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    let host = authority.rsplit('@').next().unwrap_or("");
    match host.rsplit_once(':') {
        // The colons inside the brackets of an IPv6 address start no port.
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
