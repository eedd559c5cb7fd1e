//! Keys of parts of sites, derived from the URLs of pages.
//!
//! Pages are grouped, and templates are found, by the part of a key after the scheme: a site may be served over `http` and `https`, and
//! mirrors and canonical links may name either scheme for it.

use dehusk_html::url::Address;

/// Key of the part of a site that a URL belongs to.
///
/// The key consists of scheme, host in lower case, port unless it is the default of the scheme, and the
/// path through its last slash. It has no query and no fragment: `https://Ex.org:443/a/b?c` gives
/// `https://ex.org/a/`. Returns `None` if `url` has no valid scheme or host.
pub fn site_key(url: &str) -> Option<String> {
    let address = Address::split(url.trim())?;
    let scheme = address.scheme.to_ascii_lowercase();
    // The characters of RFC 3986, section 3.1.
    if scheme.is_empty()
        || !scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    {
        return None;
    }
    let host = address.host_and_port().to_lowercase();
    let usual = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => ":",
    };
    // The pattern `:` removes an empty port: `ftp://host:/` is `ftp://host/`.
    let host = host.strip_suffix(usual).unwrap_or(&host);
    if !address.has_host() {
        return None;
    }
    let path = address.path();
    let folder = path.rfind('/').map_or("/", |slash| &path[..=slash]);
    Some(format!("{scheme}://{host}{folder}"))
}

/// The key without its last folder: `http://h/a/b/` gives `http://h/a/`. `None` for a key that is the host
/// alone.
pub fn parent_key(key: &str) -> Option<&str> {
    let host = key.find("://")? + 3;
    let root = host + key[host..].find('/')?;
    let inner = key.strip_suffix('/')?;
    (inner.len() > root).then(|| inner.rfind('/').map_or(key, |slash| &key[..=slash]))
}

/// Splits a key into its scheme and its place, which is host and path.
pub(crate) fn split_scheme(key: &str) -> (&str, &str) {
    key.split_once("://").unwrap_or(("", key))
}

/// The place of a key: host and path without the scheme.
pub(crate) fn place(key: &str) -> &str {
    split_scheme(key).1
}

/// The host of a key, with a final slash and without the scheme.
pub(crate) fn host_key(key: &str) -> &str {
    let place = place(key);
    place.find('/').map_or(place, |slash| &place[..=slash])
}

/// The longest common place above two places of one host. Empty if they differ before the first slash.
pub(crate) fn common_place<'a>(a: &'a str, b: &str) -> &'a str {
    // Cutting at a slash, which is ASCII, never splits a character.
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let slash = a.as_bytes()[..same].iter().rposition(|byte| *byte == b'/');
    slash.map_or("", |slash| &a[..=slash])
}

/// The prefix of the key whose folders name parts of the site. It ends before the first folder that names a
/// date, a number or a single page: `http://h/news/2024/05/` gives `http://h/news/`.
pub(crate) fn lasting_key(key: &str) -> &str {
    let mut end = key.len() - place(key).len() + host_key(key).len();
    for folder in key[end..].split_inclusive('/') {
        if names_single_pages(folder.trim_end_matches('/')) {
            break;
        }
        end += folder.len();
    }
    &key[..end]
}

/// Minimum length in bytes of a folder name that counts as a hash.
const MIN_HASH: usize = 8;
/// Maximum length in characters of a folder name that does not count as a title.
const MAX_NAME: usize = 40;
/// Minimum number of words of a folder name that counts as a title.
const MIN_TITLE_WORDS: usize = 5;

/// Whether a folder name is a date, a number, an id, a hash or a title: names that belong to single pages.
fn names_single_pages(folder: &str) -> bool {
    let digits = folder.bytes().filter(u8::is_ascii_digit).count();
    let others = folder.chars().filter(|c| c.is_alphanumeric()).count() - digits;
    let hash = folder.len() >= MIN_HASH && folder.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    // `2024` and `id12345`, `3fa9cbde`, then titles by length or by number of words.
    digits > others
        || (digits > 0 && hash)
        || folder.chars().count() > MAX_NAME
        || folder.split(['-', '_', '+']).count() >= MIN_TITLE_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_end_before_what_names_single_pages() {
        for (key, lasting) in [
            ("http://a.b/news/2019/03/", "http://a.b/news/"),
            ("http://a.b/2019-03-01/news/", "http://a.b/"),
            ("http://a.b/docs/v2/guide/", "http://a.b/docs/v2/guide/"),
            ("http://a.b/t/5f3a9c0e77/x/", "http://a.b/t/"),
            ("http://a.b/blog/how-to-bake-good-bread/", "http://a.b/blog/"),
            ("http://a.b/новости/мир/", "http://a.b/новости/мир/"),
            ("http://a.b/id48213/", "http://a.b/"),
            ("http://a.b/", "http://a.b/"),
        ] {
            assert_eq!(lasting_key(key), lasting, "{key}");
        }
    }

    #[test]
    fn common_places_are_whole_folders() {
        let common = |a, b| common_place(a, b);
        assert_eq!(common("a.b/c/d/", "a.b/c/e/"), "a.b/c/");
        assert_eq!(common("a.b/cd/", "a.b/ce/"), "a.b/");
        assert_eq!(common("a.b/c/", "a.b/c/"), "a.b/c/");
        assert_eq!(common("a.b/é/", "a.b/è/"), "a.b/");
    }

    #[test]
    fn hosts_and_places_have_no_scheme() {
        for scheme in ["http", "https"] {
            let key = format!("{scheme}://a.b:8080/c/http://d/");
            assert_eq!(
                (host_key(&key), place(&key)),
                ("a.b:8080/", "a.b:8080/c/http://d/")
            );
            assert_eq!(split_scheme(&key).0, scheme);
            assert_eq!(
                lasting_key(&format!("{scheme}://a.b/c/2019/")),
                format!("{scheme}://a.b/c/")
            );
        }
        let keys =
            ["http://A.b:80/c/x", "https://a.b:443/c/y", "https://a.B/c/"].map(|url| site_key(url).unwrap());
        assert!(keys.iter().all(|key| place(key) == "a.b/c/"), "{keys:?}");
    }

    #[test]
    fn the_worked_example() {
        let text = include_str!("../../../../fixtures/worked-examples.json");
        let all: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let examples = all["examples"].as_array().expect("a list");
        let example = examples
            .iter()
            .find(|e| e["name"] == "infholder_url_group")
            .expect("is there");
        let (input, expected) = (example["input"].as_array(), example["expected"].as_array());
        for (url, expected) in input.expect("a list").iter().zip(expected.expect("a list")) {
            assert_eq!(
                site_key(url.as_str().expect("text")).as_deref(),
                expected.as_str()
            );
        }
    }

    #[test]
    fn odd_addresses() {
        assert_eq!(
            site_key("HTTPS://u:p@Example.ORG:443/a/b?c=/d/").as_deref(),
            Some("https://example.org/a/")
        );
        assert_eq!(
            site_key("http://пример.рф/а/б").as_deref(),
            Some("http://пример.рф/а/")
        );
        assert_eq!(
            site_key("http://[::1]:80/a/b").as_deref(),
            Some("http://[::1]/a/")
        );
        for none in [
            "",
            "a/b.html",
            "mailto:a@b",
            "http://",
            "http:///x",
            "://a/",
            "file:///tmp/x",
            "http://a b/",
            "http://*.com/a/",
            "http://*/",
            "http://../a/",
            "http://a..b/",
            "http://a\x1b[31mb/",
            "http://a\nb/",
            "http://[::1/",
            "http://a:b/",
            "http://:80/",
        ] {
            assert_eq!(site_key(none), None, "{none}");
        }
    }

    #[test]
    fn parents_end_at_the_host() {
        assert_eq!(parent_key("http://a.b/c/d/"), Some("http://a.b/c/"));
        assert_eq!(parent_key("http://a.b/c/"), Some("http://a.b/"));
        assert_eq!(parent_key("http://a.b/"), None);
        assert_eq!(parent_key("no key"), None);
    }
}
