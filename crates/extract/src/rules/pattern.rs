//! Patterns of hosts and paths, which select the addresses that a rule applies to.

use dehusk_html::url::{Address, is_host};
use regex::{Regex, RegexBuilder};

use super::error::Flaw;

/// Maximum size of the compiled form of a regular expression, in bytes.
const MAX_COMPILED: usize = 1 << 20;

/// Splits an address into its host, in lower case and without port, and its path with the query. Returns `None` if the host is invalid.
pub(crate) fn split(url: &str) -> Option<(String, &str)> {
    let address = Address::split(url.trim())?;
    let host = address.host();
    is_host(host).then(|| (host.trim_end_matches('.').to_lowercase(), address.path_and_query))
}

/// A host pattern of a rule: `example.org`, or `*.example.org` for this host and all its subdomains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Host {
    /// The host in lower case, without `*.`.
    pub(super) name: String,
    /// Whether subdomains are included.
    pub(super) below: bool,
}

impl Host {
    /// Parses a host pattern: a host alone, without scheme, port or path.
    pub(super) fn read(text: &str) -> Result<Host, Flaw> {
        let (name, below) = text.strip_prefix("*.").map_or((text, false), |name| (name, true));
        let offset = text.len() - name.len();
        let odd =
            |c: char| c.is_whitespace() || c.is_control() || matches!(c, '/' | ':' | '*' | '?' | '#' | '@');
        let remedy = "write the host alone: `example.org`, or `*.example.org` with all hosts below it";
        // Only IPv6 addresses contain colons, and they have no subdomains.
        if text.starts_with('[') && is_host(text) {
            return Ok(Host {
                name: text.to_lowercase(),
                below: false,
            });
        }
        match name.find(odd) {
            _ if name.is_empty() => Err(Flaw::new(offset, "no host", remedy)),
            Some(at) => Err(Flaw::new(offset + at, "no part of a host", remedy)),
            None if !is_host(name) => Err(Flaw::new(offset, "no host", remedy)),
            None => Ok(Host {
                name: name.to_lowercase(),
                below,
            }),
        }
    }
}

/// A path pattern of a rule: text in which `*` matches any characters, or a regular expression after `re:`.
#[derive(Clone, Debug)]
pub(super) struct Path {
    form: Form,
    /// Whether the query is compared as well.
    query: bool,
    /// Number of literal characters. A higher number is more specific.
    pub(super) literal: usize,
}

#[derive(Clone, Debug)]
enum Form {
    /// Literal parts between the stars.
    Stars(Vec<String>),
    Regex(Regex),
}

impl Path {
    /// Returns the pattern that matches every path.
    pub(super) fn any() -> Path {
        Path {
            form: Form::Stars(vec![String::new(), String::new()]),
            query: false,
            literal: 0,
        }
    }

    /// Parses a path pattern. It begins with `/` or `*`, or with `re:`.
    pub(super) fn read(text: &str) -> Result<Path, Flaw> {
        if let Some(expression) = text.strip_prefix("re:") {
            let regex = regex(expression).map_err(|flaw| Flaw {
                at: flaw.at + 3,
                ..flaw
            })?;
            // Characters that stand for themselves in most expressions: an estimate of how specific the
            // pattern is.
            let literal = expression
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, '/' | '_'));
            return Ok(Path {
                query: names_query(expression),
                literal: literal.count(),
                form: Form::Regex(regex),
            });
        }
        if !text.starts_with(['/', '*']) {
            let remedy = "a path begins with `/`, such as `/news/*`; a regular expression with `re:`";
            return Err(Flaw::new(0, "no path", remedy));
        }
        Ok(Path {
            query: text.contains('?'),
            literal: text.chars().filter(|c| *c != '*').count(),
            form: Form::Stars(text.split('*').map(str::to_owned).collect()),
        })
    }

    /// Whether the pattern matches a path with its query, as [`split`] returns it.
    pub(super) fn matches(&self, path: &str) -> bool {
        let path = match path.split_once('?') {
            Some((path, _)) if !self.query => path,
            _ => path,
        };
        // `https://example.org` and `https://example.org/` are the same page.
        let path = if path.is_empty() { "/" } else { path };
        match &self.form {
            Form::Regex(regex) => regex.is_match(path),
            Form::Stars(parts) => stars(parts, path),
        }
    }
}

/// Returns whether a text consists of the parts in order, with any characters between them.
fn stars(parts: &[String], text: &str) -> bool {
    let [first, middle @ .., last] = parts else {
        return parts.iter().all(|only| only == text);
    };
    let Some(mut rest) = text.strip_prefix(first.as_str()) else {
        return false;
    };
    for part in middle {
        // The earliest match suffices: it leaves the longest rest for the following parts.
        match rest.find(part.as_str()) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last.as_str())
}

/// Compiles a regular expression whose matching takes time linear in the text.
pub(super) fn regex(text: &str) -> Result<Regex, Flaw> {
    let built = RegexBuilder::new(text).size_limit(MAX_COMPILED).build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => Flaw::new(
            0,
            "the regular expression is too large",
            "use fewer or smaller repetitions",
        ),
        error => {
            // The last line of the message states the problem; the lines before it mark the position.
            let text = error.to_string();
            let why = text
                .lines()
                .last()
                .unwrap_or("")
                .trim_start_matches("error: ")
                .to_owned();
            let remedy =
                "look-around and back-references are not known, as they cannot be matched in linear time";
            Flaw::new(0, format!("no regular expression: {why}"), remedy)
        }
    })
}

/// Whether a regular expression has a question mark as a character: escaped, or in a class such as `[?&]`.
fn names_query(expression: &str) -> bool {
    let (mut is_class, mut is_escaped) = (false, false);
    for c in expression.chars() {
        match c {
            '?' if is_class || is_escaped => return true,
            '[' if !is_escaped => is_class = true,
            ']' if !is_escaped => is_class = false,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_split() {
        assert_eq!(
            split("HTTPS://u@Example.ORG:8080/a?b#c"),
            Some(("example.org".to_owned(), "/a?b"))
        );
        assert_eq!(split("http://a.b"), Some(("a.b".to_owned(), "")));
        assert_eq!(split("a/b"), None);
        assert_eq!(split("http://[::1]:80/b"), Some(("[::1]".to_owned(), "/b")));
        for none in [
            "http:///b",
            "http://*.com/b",
            "http://../b",
            "http://[::/b",
            "http://a b/",
            "http://a\x1bb/",
        ] {
            assert_eq!(split(none), None, "{none:?}");
        }
    }

    #[test]
    fn patterns_match() {
        for (pattern, path, expected) in [
            ("*", "", true),
            ("/", "", true),
            ("/a/*", "/a/b/c", true),
            ("/a/*", "/a", false),
            ("/a/*.html", "/a/x.html?y", true),
            ("/a/*.html", "/a/x.htm", false),
            ("/*/b/*/c", "/x/b/b/c", true),
            ("/a", "/a/", false),
            ("/t.php?f=*&t=*", "/t.php?f=1&t=2", true),
            ("/t.php?f=*&t=*", "/t.php", false),
            (r"re:^/\d+$", "/12", true),
            (r"re:^/\d+$", "/12/", false),
            // A question mark as a character makes the query part of what is matched.
            (r"re:^/\d+$", "/12?p=3", true),
            (r"re:\?p=3$", "/12?p=3", true),
            (r"re:[?&]p=3$", "/12?p=3", true),
            (r"re:[?&]p=3$", "/12?p=4", false),
            (r"re:^/a?b$", "/b?p=3", true),
        ] {
            assert_eq!(
                Path::read(pattern).unwrap().matches(path),
                expected,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn faults_are_told() {
        assert_eq!(Host::read("*.a/b").unwrap_err().at, 3);
        for wrong in ["", "*", "*.", "..", "a..b", "a\x1bb", "[::", "*.[::1]", "a|b"] {
            assert!(Host::read(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(Host::read("[::1]").unwrap().name, "[::1]");
        assert!(Host::read("*.Пример.рф").unwrap().below);
        assert!(Path::read("news/*").is_err());
        assert!(Path::read("re:(").unwrap_err().message.contains("unclosed group"));
        assert!(Path::read("re:a(?=b)").unwrap_err().remedy.contains("linear"));
        assert!(
            Path::read(r"re:(\w{500}){500}")
                .unwrap_err()
                .message
                .contains("too large")
        );
    }
}
