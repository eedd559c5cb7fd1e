//! Keys of the parts of sites that pages belong to, from their addresses.

use dehusk_html::url::Address;

/// Key of the part of a site that an address belongs to: scheme, host in lower case, port unless it is the scheme's own, and
/// the path through its last slash. Query and fragment are dropped. `None` for what is no address with a valid host.
pub fn site_key(url: &str) -> Option<String> {
    let address = Address::split(url.trim())?;
    let scheme = address.scheme.to_ascii_lowercase();
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
    let host = host.strip_suffix(usual).unwrap_or(&host);
    if !address.has_host() {
        return None;
    }
    let path = address.path();
    let folder = path.rfind('/').map_or("/", |slash| &path[..=slash]);
    Some(format!("{scheme}://{host}{folder}"))
}

/// The key with one segment less; `None` at the host itself.
pub fn parent_key(key: &str) -> Option<&str> {
    let host = key.find("://")? + 3;
    let root = host + key[host..].find('/')?;
    let inner = key.strip_suffix('/')?;
    (inner.len() > root).then(|| inner.rfind('/').map_or(key, |slash| &key[..=slash]))
}

#[cfg(test)]
mod tests {
    use super::*;

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
