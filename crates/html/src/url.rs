//! Addresses of links and images.
//!
//! Relative references are resolved by RFC 3986, section 5.2, as far as links on pages need it.
//!
//! The crate `url` is not used, for two reasons. It rewrites addresses by the URL standard: spaces and
//! non-ASCII letters are percent-encoded, hosts are lower-cased and get a slash, so that an address no
//! longer reads as on its page (16 of 2,211 in `fixtures/crawl` and `fixtures/pages`, 42 of 4,360 on pages
//! of 70 other sites). And its tables for international host names would add 33 crates to a library with
//! seven dependencies.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use crate::tree::{Dom, NodeId, Tag};

/// Parts of an absolute address, as written in it.
///
/// ```
/// use dehusk_html::url::Address;
///
/// let address = Address::split("https://user@News.example:8080/a/b?c#d").unwrap();
/// assert_eq!((address.scheme, address.host(), address.path()), ("https", "News.example", "/a/b"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address<'u> {
    /// Scheme: the part before `://`.
    pub scheme: &'u str,
    /// Host, with user and port if present.
    pub authority: &'u str,
    /// Path with query, without fragment.
    pub path_and_query: &'u str,
}

impl<'u> Address<'u> {
    /// Splits an address with `://`; `None` for other addresses. The authority may be empty.
    pub fn split(url: &'u str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        // The first `/`, `?` or `#` ends the authority. A `?` in it would otherwise hide the path.
        let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        Some(Address {
            scheme,
            authority,
            path_and_query: &rest[..rest.find('#').unwrap_or(rest.len())],
        })
    }

    /// Authority without user.
    pub fn host_and_port(&self) -> &'u str {
        // A user may contain `@`, so the last one counts.
        let behind_user = self.authority.rsplit_once('@');
        behind_user.map_or(self.authority, |(_, host)| host)
    }

    /// Authority without user and port.
    pub fn host(&self) -> &'u str {
        let host = self.host_and_port();
        match host.rsplit_once(':') {
            // An IPv6 address contains colons: `[::1]` has no port.
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        }
    }

    /// Whether the host may be a host name of the network (see [`is_host`]) and the port is a number.
    pub fn has_host(&self) -> bool {
        is_host(self.host())
    }

    /// Path without query.
    pub fn path(&self) -> &'u str {
        let target = self.path_and_query;
        &target[..target.find('?').unwrap_or(target.len())]
    }
}

/// Longest host name, in bytes.
const MAX_HOST: usize = 255;

/// Whether a text can be the host of an address: an IPv6 address in brackets, or labels separated by dots
/// that consist of letters of any language, digits, `-` and `_`.
///
/// ```
/// use dehusk_html::url::is_host;
///
/// assert!(is_host("news.example") && is_host("[::1]"));
/// assert!(!is_host("*.example") && !is_host("..") && !is_host("a b"));
/// ```
pub fn is_host(text: &str) -> bool {
    if let Some(address) = text.strip_prefix('[') {
        return address
            .strip_suffix(']')
            .is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    }
    let fits = |c: char| match c {
        _ if c.is_ascii() => c.is_ascii_alphanumeric() || matches!(c, '-' | '_'),
        // Characters that change the writing direction could make a host look like another.
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        _ => !c.is_control() && !c.is_whitespace(),
    };
    // A host may end in a dot: `news.example.`.
    let labels = text.strip_suffix('.').unwrap_or(text);
    text.len() <= MAX_HOST
        && labels
            .split('.')
            .all(|label| !label.is_empty() && label.chars().all(fits))
}

/// Base address for resolving the relative addresses of a page.
#[derive(Clone, Debug, Default)]
pub struct Base<'u> {
    url: Option<Cow<'u, str>>,
    is_refused: bool,
}

impl<'u> Base<'u> {
    /// Longest base address, in bytes: the bound used by sitemaps. Each relative link of a page repeats the base.
    pub const MAX_BYTES: usize = 2048;

    /// Creates the base of a document with the address `url` and without a `base` element.
    pub fn of_url(url: &'u str) -> Self {
        Base::chosen(Some(Cow::Borrowed(url)))
    }

    fn chosen(url: Option<Cow<'u, str>>) -> Self {
        let is_refused = url.as_ref().is_some_and(|url| url.len() > Base::MAX_BYTES);
        // A base that is too long is dropped, and callers can report it.
        Base {
            url: url.filter(|_| !is_refused),
            is_refused,
        }
    }

    /// Whether there was a base address, but it was too long.
    pub fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Creates the base of a page: its first `base` element with an `href`, else its own address `url`.
    pub fn of(dom: &Dom<'_>, url: Option<&'u str>) -> Self {
        let is_base = |&id: &NodeId| dom.html_tag(id) == Some(Tag::BASE) && dom.attr(id, "href").is_some();
        Base::from_element(dom, dom.preorder(NodeId::DOCUMENT).find(is_base), url)
    }

    /// Like [`Base::of`], for callers that have found the first `base` element with an `href` already: `marked`.
    pub fn from_element(dom: &Dom<'_>, marked: Option<NodeId>, url: Option<&'u str>) -> Self {
        let marked = marked.and_then(|id| dom.attr(id, "href"));
        let marked = marked.and_then(|href| match url {
            // § A relative `href` of `base` is resolved against the page's own address.
            _ if is_web(&href) => Some(Cow::Owned(href.trim().to_owned())),
            Some(url) => join(url, href.trim()).map(Cow::Owned),
            None => None,
        });
        Base::chosen(marked.or(url.map(Cow::Borrowed)))
    }

    /// Absolute address of a link that a reader can follow: http, https, ftp or mailto. `None` for other
    /// schemes and for links within the page. Without a base address, a relative address is returned
    /// unchanged.
    ///
    /// ```
    /// use dehusk_html::Parser;
    /// use dehusk_html::url::Base;
    ///
    /// let (dom, _) = Parser::default().parse("<p>no base element");
    /// let base = Base::of(&dom, Some("https://news.example/a/b.html"));
    /// assert_eq!(base.resolve("../c?d").as_deref(), Some("https://news.example/c?d"));
    /// assert_eq!(base.resolve("javascript:void(0)"), None);
    /// assert_eq!(base.resolve("12:30-news.html").as_deref(), Some("https://news.example/a/12:30-news.html"));
    /// ```
    pub fn resolve(&self, href: &str) -> Option<String> {
        // Browsers remove line ends and tabs from addresses. Otherwise such characters could hide a scheme.
        let mut href = href.trim().to_owned();
        href.retain(|c| !c.is_control());
        // The scheme decides first: `javascript:void(0)` is not a relative address.
        match scheme(&href) {
            Some("http" | "https" | "mailto" | "ftp") => Some(href),
            Some(_) => None,
            None if href.is_empty() || href.starts_with('#') => None,
            None => match &self.url {
                Some(url) => join(url, &href),
                None => Some(href),
            },
        }
    }
}

/// Scheme of an address in lower case; `""` for schemes other than http, https, ftp and mailto; `None` for
/// a relative address.
fn scheme(href: &str) -> Option<&'static str> {
    let (name, _) = href.split_once(':')?;
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    // A file name may contain a colon: `12:30-news.html`.
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.bytes().all(fits) {
        return None;
    }
    let known = ["http", "https", "mailto", "ftp"];
    let found = known.iter().find(|known| name.eq_ignore_ascii_case(known));
    Some(found.copied().unwrap_or(""))
}

/// Whether a reader can follow an address: it is relative, or its scheme is http, https, ftp or mailto.
pub fn is_followed(href: &str) -> bool {
    let href: String = href.trim().chars().filter(|c| !c.is_control()).collect();
    scheme(&href) != Some("")
}

/// Whether an address is absolute with the scheme http or https.
pub fn is_web(href: &str) -> bool {
    let href = href.trim();
    matches!(scheme(href), Some("http" | "https")) && href.contains("://")
}

/// A web address without its scheme and fragment, such as `a.example/b?c`; `None` for other addresses.
/// Archives often hold a page under only one of `http` and `https`.
pub fn without_scheme(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://").filter(|_| is_web(url))?;
    rest.split('#').next()
}

/// Resolves `href` against `base`, which must be absolute; `None` if it cannot be resolved.
fn join(base: &str, href: &str) -> Option<String> {
    let base = Address::split(base)?;
    let (scheme, authority, path) = (base.scheme, base.authority, base.path());
    // `//cdn.example/a`: another host under the same scheme.
    if let Some(network) = href.strip_prefix("//") {
        return Some(format!("{scheme}://{network}"));
    }
    // `file:///a`: relative paths without a host are not resolved.
    if authority.is_empty() {
        return None;
    }
    // Dots in query and fragment are not path segments, so they are kept apart.
    let (reference, tail) = href.split_at(href.find(['?', '#']).unwrap_or(href.len()));
    let joined = match reference {
        // RFC 3986: `?q` keeps the path of the base and replaces its query.
        "" => path.to_owned(),
        _ if reference.starts_with('/') => reference.to_owned(),
        _ => format!("{}/{reference}", path.rsplit_once('/').map_or("", |(dir, _)| dir)),
    };
    Some(format!("{scheme}://{authority}{}{tail}", without_dots(&joined)))
}

/// § "Remove dot segments": resolves `.` and `..` in a path.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(usize::from(path.starts_with('/'))) {
        match part {
            "." => {}
            ".." => {
                // `..` at the root is dropped, as in browsers.
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    // The path of a folder keeps its final slash.
    if path.ends_with("/.") || path.ends_with("/..") {
        parts.push("");
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_links_are_resolved() {
        let base = "https://h.example/a/b.html?q#f";
        for (href, want) in [
            ("c.html", "https://h.example/a/c.html"),
            ("../c/./d?x=1#y", "https://h.example/c/d?x=1#y"),
            ("/c", "https://h.example/c"),
            ("//other.example/c", "https://other.example/c"),
            ("?p=2", "https://h.example/a/b.html?p=2"),
            ("../../../..", "https://h.example/"),
        ] {
            assert_eq!(join(base, href).as_deref(), Some(want), "{href}");
        }
        assert_eq!(
            join("https://h.example", "c").as_deref(),
            Some("https://h.example/c")
        );
        assert_eq!(join("no address", "c"), None);
    }

    #[test]
    fn a_base_that_is_too_long_is_none() {
        let page = |length: usize| {
            format!(
                "<base href='https://h.example/{}'><a href=c>",
                "a/".repeat(length / 2)
            )
        };
        for (length, want) in [(1000, "https://h.example/a/a/"), (60_000, "c")] {
            let html = page(length);
            let (dom, _) = crate::Parser::default().parse(&html);
            let base = Base::of(&dom, Some("https://own.example/"));
            let link = base.resolve("c").unwrap();
            assert!(link.starts_with(want), "{length}: {link}");
            assert_eq!(base.is_refused(), length > Base::MAX_BYTES);
        }
        let long = format!("https://h.example/{}", "a".repeat(3000));
        assert_eq!(Base::of_url(&long).resolve("c").as_deref(), Some("c"));
    }

    #[test]
    fn only_addresses_of_the_web_are_resolved() {
        let base = Base::of_url("http://h.example/");
        assert_eq!(base.resolve(" c\n/d ").as_deref(), Some("http://h.example/c/d"));
        assert_eq!(base.resolve("java\tscript:x"), None);
        assert_eq!(base.resolve("data:text/html,x"), None);
        assert_eq!(Base::default().resolve("c").as_deref(), Some("c"));
    }

    proptest::proptest! {
        #[test]
        fn what_is_joined_is_an_address_that_joins_to_itself(
            base in "(http|HTTPS|ftp|x)?:?/{0,3}[a-z.@:]{0,6}[/?#a-z.\\\\ é]{0,12}",
            other in "[a-z]{0,4}:?[/?#a-z.\\\\ é]{0,12}",
        ) {
            let elsewhere = Base::of_url("http://other.example/");
            for base in [base.as_str(), "http://h.example/a/b?c"] {
                let Some(joined) = join(base, &other) else { continue };
                if is_web(&joined) {
                    let again = elsewhere.resolve(&joined);
                    proptest::prop_assert_eq!(again.as_deref(), Some(joined.trim()));
                }
                if !other.starts_with("//") {
                    let path = joined.split(['?', '#']).next().unwrap_or_default();
                    // Skip the scheme and the host.
                    let mut parts = path.split('/').skip(3);
                    proptest::prop_assert!(parts.all(|part| part != "." && part != ".."), "{}", joined);
                }
            }
        }
    }
}
