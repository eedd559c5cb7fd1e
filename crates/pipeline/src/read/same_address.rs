//! The normal form of addresses, by which pages of the same address are known.

use std::borrow::Cow;

use dehusk_html::url::Address;

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
            // The last `@` counts: a password may hold others, a host may not.
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

/// Returns a host without the default port of the scheme, and without an empty port.
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
    // Number of digits that may still belong to the last `%`.
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

    proptest! {
        #[test]
        fn the_form_of_a_form_is_itself(url in "(https?|FTP|x)?(:|://)?[a-bA-B@:%#!?/é .0-9]{0,24}") {
            let once = normal(&url).into_owned();
            prop_assert_eq!(normal(&once), once.as_str());
        }
    }
}
