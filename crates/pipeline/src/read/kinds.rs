//! Recognizes content by its first bytes: pages, and kinds of content that are not read, with advice for each.

use memchr::memmem;

use crate::read::compression::FIRST;

/// A kind of content that is not a page.
#[derive(Debug)]
pub(crate) struct Other {
    /// Name in statistics.
    pub(crate) name: &'static str,
    /// Explanation of the kind, and what to do with it.
    pub(crate) advice: &'static str,
}

/// All kinds recognized by their first bytes.
pub(crate) static OTHERS: &[Other] = &[
    Other {
        name: "pdf",
        advice: "PDF documents are not read: turn them into text, as by pdftotext, and give that to `dehusk normalize` or `dehusk dedup`",
    },
    Other {
        name: "office",
        advice: "office documents are not read: save them as HTML first",
    },
    Other {
        name: "epub",
        advice: "EPUB books are not read as they are: unpack them, and give the folder",
    },
    Other {
        name: "image",
        advice: "images hold no text that is read",
    },
    Other {
        name: "media",
        advice: "audio and video hold no text that is read",
    },
    Other {
        name: "packed",
        advice: "archives of 7z and rar are not read: unpack them, and give the folder",
    },
    Other {
        name: "feed",
        advice: "feeds (RSS, Atom) and sitemaps list pages: fetch those, and give them",
    },
    Other {
        name: "json",
        advice: "JSON is no page: for records of pages, one on each line, give `--input-format jsonl`",
    },
    Other {
        name: "cdx",
        advice: "CDX files are indexes of archives: give the WARC files that they list, or fetch what the index lists with `--index`",
    },
];

/// First bytes of files, with the name of their kind.
const MAGIC: &[(&[u8], &str)] = &[
    (b"%PDF-", "pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office"),
    (b"{\\rtf", "office"),
    (b"\x89PNG\r\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"II*\0", "image"),
    (b"MM\0*", "image"),
    (b"\0\0\x01\0", "image"),
    (b"ID3", "media"),
    (b"OggS\0", "media"),
    (b"\x1a\x45\xdf\xa3", "media"),
    (b"7z\xbc\xaf\x27\x1c", "packed"),
    (b"Rar!\x1a\x07", "packed"),
    (b" CDX ", "cdx"),
    (b"!OpenWayback-CDXJ", "cdx"),
];

/// Returns the kind of content that begins with these decompressed bytes, if it is certainly not a page.
pub(crate) fn other(first: &[u8]) -> Option<&'static Other> {
    let first = &first[..first.len().min(FIRST)];
    let magic = MAGIC.iter().find(|(magic, _)| first.starts_with(magic));
    let name = magic.map(|(_, name)| *name).or_else(|| {
        if first.starts_with(b"PK\x03\x04") {
            return in_zip(first);
        }
        if first.starts_with(b"RIFF") {
            let is_image = first.get(8..12) == Some(b"WEBP");
            return Some(if is_image { "image" } else { "media" });
        }
        // MP4, MOV, AVIF and HEIC begin with a box of type `ftyp`.
        if first.get(4..8) == Some(b"ftyp") {
            let is_image = matches!(first.get(8..12), Some(b"avif" | b"heic" | b"mif1"));
            return Some(if is_image { "image" } else { "media" });
        }
        let text = first
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(first)
            .trim_ascii_start();
        in_xml(text)
            .or_else(|| is_json(text).then_some("json"))
            .or_else(|| is_index(text).then_some("cdx"))
    })?;
    named(name)
}

/// Returns the kind with this name.
pub(crate) fn named(name: &str) -> Option<&'static Other> {
    OTHERS.iter().find(|other| other.name == name)
}

/// Returns the kind of a document that is a zip file, given by the name of its first member.
fn in_zip(first: &[u8]) -> Option<&'static str> {
    // The name follows the local header of 30 bytes.
    let name = first.get(30..)?;
    // The first file of an EPUB is `mimetype`. It is stored without compression, so its content follows its
    // name.
    if name.starts_with(b"mimetypeapplication/epub") {
        return Some("epub");
    }
    let of_office: [&[u8]; 7] = [
        b"[Content_Types].xml",
        b"_rels/",
        b"docProps/",
        b"word/",
        b"xl/",
        b"ppt/",
        b"mimetypeapplication/vnd.",
    ];
    of_office
        .iter()
        .any(|start| name.starts_with(start))
        .then_some("office")
}

/// Returns the kind of feeds, sitemaps and SVG images, given by their first element.
fn in_xml(text: &[u8]) -> Option<&'static str> {
    let element = first_element(text)?;
    let name = element.split(|byte| !is_of_name(*byte)).next()?;
    match name.to_ascii_lowercase().as_slice() {
        b"rss" | b"feed" | b"rdf:rdf" | b"urlset" | b"sitemapindex" => Some("feed"),
        b"svg" => Some("image"),
        _ => None,
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_' | b'!')
}

/// Returns the bytes after the `<` of the first element, past declarations and comments.
fn first_element(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = text.trim_ascii_start().strip_prefix(b"<")?;
        let end: &[u8] = match text {
            [b'?', ..] => b"?>",
            [b'!', b'-', b'-', ..] => b"-->",
            [b'!', ..]
                if text
                    .get(1..8)
                    .is_some_and(|name| name.eq_ignore_ascii_case(b"doctype")) =>
            {
                b">"
            }
            _ => return Some(text),
        };
        text = &text[memmem::find(text, end)? + end.len()..];
    }
}

/// Returns `true` if text begins like a JSON object or array.
fn is_json(text: &[u8]) -> bool {
    let Some((open, rest)) = text.split_first() else {
        return false;
    };
    matches!(
        (open, rest.trim_ascii_start().first()),
        (b'{', Some(b'"' | b'}')) | (b'[', Some(b'{' | b'"' | b']'))
    )
}

/// Returns `true` if text begins like an index of archives (CDX): a key, a date, and a JSON object or the original URL.
fn is_index(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut words = line.split(|byte| *byte == b' ');
    let key = words.next().unwrap_or_default();
    let date = words.next().unwrap_or_default();
    let third = words.next().unwrap_or_default();
    // Keys of CDX are in SURT form, such as `com,example)/path`.
    key.contains(&b')')
        && date.len() == 14
        && date.iter().all(u8::is_ascii_digit)
        && (third.starts_with(b"{") || memmem::find(third, b"://").is_some())
}

/// Elements with which pages begin.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "body",
    "title",
    "meta",
    "link",
    "base",
    "script",
    "style",
    "noscript",
    "frameset",
    "div",
    "p",
    "a",
    "table",
    "tr",
    "td",
    "span",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "br",
    "hr",
    "center",
    "font",
    "b",
    "i",
    "em",
    "strong",
    "ul",
    "ol",
    "li",
    "dl",
    "form",
    "img",
    "iframe",
    "header",
    "main",
    "article",
    "section",
    "nav",
    "aside",
    "footer",
    "pre",
    "blockquote",
];

/// Byte sequences that occur only in pages, at any position.
const SURE: &[&[u8]] = &[
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<body",
    b"<title",
    b"<meta ",
];

/// Returns `true` if content that begins with these bytes is a page. Source code of server-side programs (PHP, ASP, JSP) is not a page.
pub(crate) fn is_page(first: &[u8]) -> bool {
    let first = &first[..first.len().min(FIRST)];
    // Zero bytes are dropped, because ASCII characters in UTF-16 have one zero byte each.
    let text: Vec<u8> = first
        .iter()
        .filter(|byte| !matches!(byte, 0 | 0xfe | 0xff))
        .map(u8::to_ascii_lowercase)
        .collect();
    let text = text
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(&text)
        .trim_ascii_start();
    if [b"<?php".as_slice(), b"<?=", b"<%"]
        .iter()
        .any(|program| text.starts_with(program))
    {
        return false;
    }
    let at_start = first_element(text).is_some_and(|element| {
        let name = element
            .split(|byte| !is_of_name(*byte))
            .next()
            .unwrap_or_default();
        ELEMENTS.iter().any(|known| known.as_bytes() == name)
    });
    // XML of a known other kind, such as a feed, may quote pages, so these sequences prove nothing in it.
    let is_xml = text.starts_with(b"<?xml");
    at_start
        || (!is_xml || in_xml(text).is_none()) && SURE.iter().any(|sure| memmem::find(text, sure).is_some())
}

/// Returns `true` if XML that begins with these bytes is an XHTML page.
pub(crate) fn is_xhtml(first: &[u8]) -> bool {
    let first = &first[..first.len().min(FIRST)];
    let text = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    first_element(text).is_some_and(|element| {
        let name = element.split(|byte| !is_of_name(*byte)).next();
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"html"))
    })
}

/// Extensions of files that are taken for other content without being opened, unless all files are examined.
const OTHER_EXTENSIONS: &[&str] = &[
    "css", "js", "mjs", "cjs", "ts", "map", "json", "xml", "rss", "atom", "rdf", "txt", "text", "md", "csv",
    "tsv", "log", "yml", "yaml", "toml", "ini", "conf", "sql", "py", "rb", "rs", "go", "java", "c", "h",
    "cpp", "hpp", "cs", "sh", "bat", "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "tif",
    "tiff", "psd", "pdf", "ps", "djvu", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp",
    "rtf", "epub", "mobi", "zip", "rar", "7z", "bz2", "xz", "gz", "zst", "jar", "apk", "exe", "dll", "so",
    "bin", "iso", "dmg", "msi", "deb", "rpm", "mp3", "mp4", "m4a", "m4v", "ogg", "oga", "ogv", "wav", "flac",
    "avi", "mov", "mkv", "webm", "wmv", "swf", "ttf", "otf", "woff", "woff2", "eot", "wasm", "cdx", "cdxj",
    "idx", "sqlite", "db", "sum", "md5", "sha1", "sha256", "sig", "asc", "torrent", "ics", "vcf",
];

/// Extensions of supported archives, and of other files with many records. A test compares them with the table of formats.
pub(crate) const ARCHIVE_EXTENSIONS: &[&str] =
    &["arc", "mht", "mhtml", "tar", "tgz", "wacz", "warc", "wat", "wet"];
pub(crate) const TABLE_EXTENSIONS: &[&str] = &["jsonl", "ndjson", "parquet", "xml"];

/// Returns `true` if a file with this extension, in lower case, is not a page.
pub(crate) fn is_other_extension(extension: &str) -> bool {
    OTHER_EXTENSIONS.contains(&extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_page_is_known_by_its_first_bytes() {
        let zip = |name: &str| [b"PK\x03\x04".as_slice(), &[0; 26], name.as_bytes()].concat();
        let cases: &[(&[u8], Option<&str>)] = &[
            (b"%PDF-1.4", Some("pdf")),
            (b"\x89PNG\r\n\x1a\n", Some("image")),
            (b"\xff\xd8\xff\xe0", Some("image")),
            (b"RIFF\0\0\0\0WEBPVP8", Some("image")),
            (b"RIFF\0\0\0\0AVI ", Some("media")),
            (b"\0\0\0\x18ftypmp42", Some("media")),
            (&zip("word/document.xml"), Some("office")),
            (&zip("mimetypeapplication/epub+zip"), Some("epub")),
            (&zip("archive/data.warc.gz"), None),
            (b"<?xml version='1.0'?><!-- x --><rss version=2.0>", Some("feed")),
            (b"<feed xmlns='http://www.w3.org/2005/Atom'>", Some("feed")),
            (b"<urlset>", Some("feed")),
            (
                b"<?xml version='1.0'?><!DOCTYPE svg PUBLIC ''><svg>",
                Some("image"),
            ),
            (b"<?xml version='1.0'?><!DOCTYPE html><html>", None),
            (b"\xef\xbb\xbf {\"a\": 1}", Some("json")),
            (b"[{\"a\": 1}]", Some("json")),
            (b"[1] A footnote <p>", None),
            (b"{{ mustache }}<p>", None),
            (b" CDX N b a m s k r M S V g\n", Some("cdx")),
            (
                b"example,a)/ 20240102030405 {\"url\": \"http://a.example/\"}\n",
                Some("cdx"),
            ),
            (
                b"example,a)/ 20240102030405 http://a.example/ text/html 200 ABC\n",
                Some("cdx"),
            ),
            (b"<p>text", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            let found = other(bytes).map(|other| other.name);
            assert_eq!(found, *expected, "{}", String::from_utf8_lossy(bytes));
        }
        assert!(MAGIC.iter().all(|(_, name)| named(name).is_some()));
    }

    #[test]
    fn pages_are_known_by_their_first_bytes() {
        let utf16: Vec<u8> = "\u{feff}<html><p>x"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for page in [
            b"<!DOCTYPE html><p>".as_slice(),
            b"\xef\xbb\xbf\n <HTML lang=en>",
            b"<!-- saved from url -->\n<div class=x>",
            b"<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>",
            b"Warning: mysql is gone in line 3\n<html>",
            b"<p>text",
            &utf16,
        ] {
            assert!(is_page(page), "{}", String::from_utf8_lossy(page));
        }
        for other in [
            b"".as_slice(),
            b"plain text, a < b",
            b"body { color: red }",
            b"function a() { return '<p>' }",
            b"<?php echo '<html>' ?>",
            b"<% Response.Write %><html>",
            b"<?xml version='1.0'?><rss><title>",
            b"<project><name>x",
            b"\x89PNG\r\n\x1a\n\0\0\0",
        ] {
            assert!(!is_page(other), "{}", String::from_utf8_lossy(other));
        }
    }
}
