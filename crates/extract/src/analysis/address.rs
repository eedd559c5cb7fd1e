//! Finds the address of a page that came without a URL, from what the page states about itself.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use dehusk_html::url::{Address, is_web};

/// Bytes at the start of a page that are searched for the comment of a mirroring tool.
const HEAD: usize = 1 << 10;

/// Longest stated address that is accepted, in bytes. The bound matters because every relative link of the
/// page is resolved against it.
const MAX_BYTES: usize = 2000;

/// Source of the address of a page that came without a URL.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum AddressSource {
    /// The canonical link, or `og:url` if there is no usable canonical link.
    Canonical,
    /// The comment that HTTrack writes into the pages it saves.
    Mirrored,
    /// The address that the caller passed as a fallback.
    Fallback,
}

/// Address found for a page that came without a URL.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FoundAddress {
    /// The address, absolute.
    pub url: String,
    /// Where the address was found.
    pub source: AddressSource,
}

/// Knowledge of a page's address before the page is parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KnownAddress<'a> {
    /// The caller gave this address, or `None` if it is unknown.
    Given(Option<&'a str>),
    /// The address is to be read from the page; `fallback` is used if the page states none.
    Sought { fallback: Option<&'a str> },
}

/// Address of a parsed page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PageAddress<'a> {
    pub(crate) url: Option<Cow<'a, str>>,
    /// Where the address was found; `None` if the caller gave it or no address is known.
    pub(crate) source: Option<AddressSource>,
}

impl<'a> KnownAddress<'a> {
    /// Settles the address of a page after parsing.
    ///
    /// `source` is the page's decoded source. `stated` holds the addresses that the page gives as its own,
    /// as written, most trusted first.
    pub(crate) fn settled(
        self,
        source: &str,
        stated: impl IntoIterator<Item = Option<String>>,
    ) -> PageAddress<'a> {
        let fallback = match self {
            KnownAddress::Given(url) => {
                let url = url.map(Cow::Borrowed);
                return PageAddress { url, source: None };
            }
            KnownAddress::Sought { fallback } => fallback.map(Cow::Borrowed),
        };
        let canonical = stated.into_iter().flatten().find(|url| is_address(url));
        let found = |url: Option<Cow<'a, str>>, source| url.map(|url| (url, source));
        let (url, source) = found(canonical.map(Cow::Owned), AddressSource::Canonical)
            .or_else(|| found(mirrored(source).map(Cow::Owned), AddressSource::Mirrored))
            .or_else(|| found(fallback, AddressSource::Fallback))
            .unzip();
        PageAddress { url, source }
    }
}

/// Whether a page may state its address. If not, it need not be parsed to find the address.
///
/// Errs towards `true`: any character reference counts, and so does any zero byte, because UTF-16 text is full of them.
pub fn may_state_address(content: &[u8]) -> bool {
    const SIGNS: [&str; 6] = [
        "canonical",
        "og:url",
        "<!-- mirrored from ",
        "&#",
        "&colon;",
        "\0",
    ];
    static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(SIGNS)
            .ok()
    });
    FINDER.as_ref().is_none_or(|finder| finder.is_match(content))
}

/// Whether `url` is usable as the address of a page: absolute, http or https, and not a template with placeholders.
fn is_address(url: &str) -> bool {
    let odd =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '{' | '}' | '\\');
    url.len() <= MAX_BYTES
        && is_web(url)
        && !url.contains(odd)
        && Address::split(url).is_some_and(|address| address.has_host())
}

/// Reads the address in `<!-- Mirrored from news.example/a.html by HTTrack ... -->`.
///
/// HTTrack leaves out the scheme; https is assumed.
fn mirrored(source: &str) -> Option<String> {
    let head = &source[..source.floor_char_boundary(HEAD)];
    let comment = &source[head.find("<!-- Mirrored from ")? + "<!-- Mirrored from ".len()..];
    // Bounds the search for the end of the comment.
    let near = &comment[..comment.floor_char_boundary(MAX_BYTES)];
    let written = near[..near.find(" by HTTrack")?].trim();
    let url = match written.split_once("://") {
        Some(("http" | "https", _)) => written.to_owned(),
        // `://` may stand in the query, after a host: `news.example/?u=ftp://a`. Without a host, it is another scheme.
        Some(_)
            if !written
                .split(['/', '?'])
                .next()
                .is_some_and(|host| host.contains('.')) =>
        {
            return None;
        }
        _ => format!("https://{written}"),
    };
    is_address(&url).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sought<'a>(source: &str, stated: &[&str], fallback: Option<&'a str>) -> PageAddress<'a> {
        let stated = stated.iter().map(|url| Some((*url).to_owned()));
        KnownAddress::Sought { fallback }.settled(source, stated)
    }

    fn told(address: PageAddress<'_>) -> Option<(String, AddressSource)> {
        address.url.map(Cow::into_owned).zip(address.source)
    }

    const MIRRORED: &str = "<html>\n<!-- Mirrored from news.example/a.html?p=2 by HTTrack Website Copier/3.x [XR&CO'2014], Mon -->";

    #[test]
    fn what_a_page_states_comes_before_what_is_likely() {
        let likely = Some("https://likely.example/");
        let canonical = "http://news.example/canonical";
        assert_eq!(
            told(sought(MIRRORED, &["a.html", canonical], likely)),
            Some((canonical.to_owned(), AddressSource::Canonical))
        );
        assert_eq!(
            told(sought(MIRRORED, &["a.html"], likely)),
            Some((
                "https://news.example/a.html?p=2".to_owned(),
                AddressSource::Mirrored
            ))
        );
        assert_eq!(
            told(sought("<p>x", &[], likely)),
            Some(("https://likely.example/".to_owned(), AddressSource::Fallback))
        );
        assert_eq!(told(sought("<p>x", &[], None)), None);
        let given = KnownAddress::Given(Some("x")).settled(MIRRORED, [Some(canonical.to_owned())]);
        assert_eq!((given.url.as_deref(), given.source), (Some("x"), None));
    }

    #[test]
    fn pages_that_state_an_address_show_it() {
        for html in [
            "<link rel='Canonical' href='http://a.example/'>",
            "<link rel='c&#97;nonical' href='http://a.example/'>",
            "<meta property=og&colon;url content='http://a.example/'>",
            "<meta property=OG:URL content='http://a.example/'>",
            "<!-- Mirrored from a.example/ by HTTrack -->",
        ] {
            let got = crate::extract(
                &crate::Page::decoded(html).with_url_sought(None),
                &crate::Options::default(),
            );
            assert!(got.found_address.is_some(), "{html}");
            assert!(may_state_address(html.as_bytes()), "{html}");
        }
        assert!(!may_state_address(
            b"<link rel=next href='http://a.example/2'>&amp;"
        ));
    }

    #[test]
    fn what_is_no_address_is_not_believed() {
        let long = format!("https://news.example/{}", "a".repeat(MAX_BYTES));
        for odd in [
            "",
            "/a",
            "//news.example/a",
            "https:///a",
            "https://*/a",
            "ftp://news.example/a",
            "https://news.example/{{ page.url }}",
            "https://news.example/a b",
            "javascript:http://x",
            &long,
        ] {
            assert_eq!(told(sought("", &[odd], None)), None, "{odd}");
            let comment = format!("<!-- Mirrored from {odd} by HTTrack -->");
            if !odd.starts_with("//") {
                assert_eq!(told(sought(&comment, &[], None)), None, "{comment}");
            }
        }
        let far = format!("<html>{}{MIRRORED}", "é".repeat(HEAD));
        for none in [
            "<!-- Mirrored from ",
            "<!-- Mirrored from news.example/a -->",
            &far,
        ] {
            assert_eq!(told(sought(none, &[], None)), None);
        }
        let with_scheme = "<!-- Mirrored from http://news.example:8080/ by HTTrack -->";
        assert_eq!(
            told(sought(with_scheme, &[], None)).unwrap().0,
            "http://news.example:8080/"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_comment_gives_an_address_or_none(before in ".{0,20}", written in ".{0,60}", url in ".{0,60}") {
            let source = format!("{before}<!-- Mirrored from {written} by HTTrack -->");
            if let Some((url, _)) = told(sought(&source, &[&url], None)) {
                proptest::prop_assert!(is_address(&url), "{}", url);
            }
        }
    }
}
