//! File and folder names written by mirroring tools, and the addresses they represent.
//!
//! wget and HTTrack write `HOST/path`, or `HOST:port/path` for unusual ports (wget on Windows `HOST+port`).
//! With `--protocol-directories`, wget writes `https/HOST/path`. wget appends the query to the name, after
//! `?` or on Windows `@`, and with `--adjust-extension` `.html` after that (GNU Wget Manual, sections 2.6
//! "Directory Options" and 2.5 "HTTP Options").

use crate::read::percent::{Triples, encode};

/// Last labels of names that look like hosts but are files or folders: file extensions, and extensions of folders made from files.
const EXTENSIONS: &[&str] = &[
    "action",
    "asp",
    "aspx",
    "backup",
    "bak",
    "bin",
    "cfm",
    "cgi",
    "copy",
    "css",
    "csv",
    "data",
    "db",
    "dir",
    "doc",
    "docx",
    "dtd",
    "egg",
    "epub",
    "exe",
    "files",
    "gif",
    "git",
    "gz",
    "htm",
    "html",
    "ico",
    "img",
    "iso",
    "jar",
    "java",
    "jpeg",
    "jpg",
    "js",
    "json",
    "jsonl",
    "jsp",
    "jspx",
    "log",
    "lua",
    "mhtml",
    "min",
    "ndjson",
    "new",
    "old",
    "orig",
    "parquet",
    "pdf",
    "php",
    "phtml",
    "png",
    "ppt",
    "rar",
    "rss",
    "rtf",
    "shtm",
    "shtml",
    "sql",
    "svg",
    "svn",
    "swf",
    "tar",
    "temp",
    "tgz",
    "tmp",
    "toml",
    "tsv",
    "txt",
    "ui",
    "vue",
    "warc",
    "webarchive",
    "wet",
    "xht",
    "xhtm",
    "xhtml",
    "xls",
    "xlsx",
    "xml",
    "xsl",
    "yaml",
    "yml",
    "zip",
    "zst",
];

/// Returns the address of a saved page, if a folder that contains it is named after a host.
///
/// The first such folder on the path within the input folder is taken, else the input folder itself, else
/// its parent. `outer` holds the known names of parent and input folder, in this order. The file itself is
/// never a host. The scheme is given by a folder `http` or `https` around the host; without one it is
/// `http` for port 80, else `https`.
pub(super) fn address(outer: &[&[u8]], path: &[&[u8]]) -> Option<String> {
    let (file, folders) = path.split_last()?;
    let inner = outer.len()..outer.len() + folders.len();
    let all: Vec<&[u8]> = outer.iter().chain(folders).copied().collect();
    let nearest = inner.chain((0..outer.len()).rev());
    let (at, host) = nearest.into_iter().find_map(|at| Some((at, host(all[at])?)))?;
    let scheme = match at.checked_sub(1).map(|around| all[around]) {
        Some(b"http") => "http",
        Some(b"https") => "https",
        _ if host.ends_with(":80") => "http",
        _ => "https",
    };
    let mut url = format!("{scheme}://{host}");
    // Percent escapes in saved names are those of the address, so they stay.
    for folder in &all[at + 1..] {
        url.push('/');
        encode(folder, Triples::Keep, b"", &mut url);
    }
    url.push('/');
    let (name, query) = parted(file);
    encode(name, Triples::Keep, b"", &mut url);
    if let Some(query) = query {
        url.push('?');
        encode(query, Triples::Keep, b"/?", &mut url);
    }
    Some(url)
}

/// Returns the host that a folder is certainly named after, in lower case and with its port.
///
/// A host consists of labels of letters, digits, hyphens and underscores. It needs a plausible top-level domain or a port.
fn host(folder: &[u8]) -> Option<String> {
    let folder = str::from_utf8(folder).ok()?.to_ascii_lowercase();
    let (name, port) = match folder.split_once([':', '+']) {
        Some((name, port)) => (name, Some(port.parse::<u16>().ok().filter(|port| *port > 0)?)),
        None => (folder.as_str(), None),
    };
    // Limits of DNS: 63 bytes per label, 253 per name.
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    // A name without a dot could be any folder.
    let (_, top) = name.rsplit_once('.')?;
    let is_top = top.len() >= 2
        && (top.starts_with("xn--") || top.bytes().all(|b| b.is_ascii_alphabetic()))
        && !EXTENSIONS.contains(&top);
    if name.len() > 253 || !name.split('.').all(is_label) || !(is_top || port.is_some()) {
        return None;
    }
    Some(match port {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    })
}

/// Splits the name of a saved file into path and query. A `.html` after a query was added by the tool and is removed.
fn parted(file: &[u8]) -> (&[u8], Option<&[u8]>) {
    match query_start(file) {
        Some(at) => {
            let query = &file[at + 1..];
            (&file[..at], Some(query.strip_suffix(b".html").unwrap_or(query)))
        }
        None => (file, None),
    }
}

/// Returns the offset of the query in the name of a saved file: a `?`, or an `@` that is followed by `name=`.
pub(super) fn query_start(file: &[u8]) -> Option<usize> {
    // `@` also occurs in other names, such as `logo@2x.png`. A query continues with `name=`.
    let is_at = |at: &usize| {
        let name = file[at + 1..]
            .iter()
            .position(|b| !(b.is_ascii_alphanumeric() || b"-_.[]%".contains(b)));
        *at > 0 && name.is_some_and(|end| end > 0 && file[at + 1 + end] == b'=')
    };
    let question = file.iter().position(|b| *b == b'?');
    question.or_else(|| file.iter().position(|b| *b == b'@').filter(is_at))
}

/// Returns `true` if the name has a query followed by `.html`, as in `news.php?id=3.html`.
pub(super) fn is_html_with_query(file: &[u8]) -> bool {
    query_start(file).is_some() && file.ends_with(b".html")
}

#[cfg(test)]
mod tests {
    use dehusk_html::url::Address;
    use proptest::prelude::*;

    use super::*;

    fn of(outer: &str, path: &str) -> Option<String> {
        let parts = |path: &'static str| -> Vec<&'static [u8]> {
            path.split('/')
                .filter(|part| !part.is_empty())
                .map(str::as_bytes)
                .collect()
        };
        address(
            &parts(String::leak(outer.into())),
            &parts(String::leak(path.into())),
        )
    }

    #[test]
    fn saved_pages_get_their_addresses_again() {
        for (outer, path, url) in [
            ("", "news.example/a/b.html", "https://news.example/a/b.html"),
            ("", "News.Example/index.html", "https://news.example/index.html"),
            ("", "mirror/news.example/a", "https://news.example/a"),
            (
                "",
                "news.example/other.example/a",
                "https://news.example/other.example/a",
            ),
            (
                "crawls/news.example",
                "2024/a.html",
                "https://news.example/2024/a.html",
            ),
            ("news.example/2024", "a.html", "https://news.example/2024/a.html"),
            ("a.example/b.example", "c.html", "https://b.example/c.html"),
            (
                "a.example/b.example",
                "c.example/c.html",
                "https://c.example/c.html",
            ),
            ("", "127.0.0.1:8080/a.html", "https://127.0.0.1:8080/a.html"),
            ("", "news.example+8080/a.html", "https://news.example:8080/a.html"),
            ("", "news.example:80/a.html", "http://news.example:80/a.html"),
            ("", "http/news.example/a.html", "http://news.example/a.html"),
            ("https", "news.example/a.html", "https://news.example/a.html"),
            ("", "xn--e1afmkfd.xn--p1ai/a", "https://xn--e1afmkfd.xn--p1ai/a"),
            (
                "",
                "news.example/index.html@p=3",
                "https://news.example/index.html?p=3",
            ),
            (
                "",
                "news.example/page?x=1&y=a%2Fb.html",
                "https://news.example/page?x=1&y=a%2Fb",
            ),
            (
                "",
                "news.example/cgi.php?25.html",
                "https://news.example/cgi.php?25",
            ),
            (
                "",
                "news.example/what%3F/a b.html",
                "https://news.example/what%3F/a%20b.html",
            ),
            (
                "",
                "news.example/@ann/me@home.html",
                "https://news.example/@ann/me@home.html",
            ),
            ("", "news.example/@a=b", "https://news.example/@a=b"),
            (
                "",
                "news.example/река.html",
                "https://news.example/%D1%80%D0%B5%D0%BA%D0%B0.html",
            ),
        ] {
            assert_eq!(of(outer, path).as_deref(), Some(url), "{outer} | {path}");
        }
    }

    #[test]
    fn names_that_only_look_like_hosts_are_none() {
        for path in [
            "",
            "news.example",
            "pages/a.html",
            "a.b.html/c.html",
            "a.html/b",
            "v1.2/a.html",
            "127.0.0.1/a.html",
            "localhost:80/a.html",
            "conf.d/a.html",
            "site.old/a.html",
            "news.example.tar/a.html",
            "-a.example/b.html",
            "a..example/b.html",
            ".example/b.html",
            "news.example./b.html",
            "news.example:/b.html",
            "news.example:x/b.html",
            "news.example:70000/b.html",
            "news example.com/b.html",
            "новости.рф/b.html",
        ] {
            assert_eq!(of("", path), None, "{path}");
            assert_eq!(
                of(path.split('/').next().unwrap_or(""), "a.html").is_some(),
                path == "news.example",
                "{path}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_path_gives_a_valid_address_or_none(
            outer in proptest::collection::vec("[a-z.:+]{0,8}|(?s).{0,8}", 0..3),
            path in proptest::collection::vec("[a-z]{1,3}\\.[a-z]{1,3}(:[0-9]{1,5})?|[a-z@?=%.]{0,9}|(?s).{0,9}", 0..5),
            file in proptest::collection::vec(any::<u8>(), 0..9),
        ) {
            let outer: Vec<&[u8]> = outer.iter().map(String::as_bytes).collect();
            let mut path: Vec<&[u8]> = path.iter().map(String::as_bytes).collect();
            path.push(&file);
            if let Some(url) = address(&outer, &path) {
                let parts = Address::split(&url).unwrap();
                prop_assert!(parts.has_host() && matches!(parts.scheme, "http" | "https"), "{}", url);
                prop_assert!(url.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}#[]".contains(&b)), "{}", url);
                let triples = url.split('%').skip(1);
                let valid = |text: &str| text.len() >= 2 && text.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
                prop_assert!(triples.into_iter().all(valid), "{}", url);
            }
        }
    }
}
