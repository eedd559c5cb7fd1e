//! § "Prescan a byte stream to determine its encoding" (HTML standard, section 13.2.3.2), but beyond its 1,024 bytes:
//! browsers that find a later `<meta>` reload the page, with the same result.

use encoding_rs::Encoding;

use super::charset::CharsetSource;
use super::language::Language;

/// Number of bytes scanned. Inline styles and scripts can move `<meta>` far down.
const WINDOW: usize = 256 << 10;

/// Charset declared by the page in a `<meta>` element or an XML declaration; `None` if there is no declaration.
pub(super) fn prescan(bytes: &[u8]) -> Option<(&'static Encoding, CharsetSource)> {
    let bytes = &bytes[..bytes.len().min(WINDOW)];
    // The XML declaration counts only if there is no `<meta>`.
    let found = scan(bytes).map(|e| (e, CharsetSource::Meta));
    found.or_else(|| xml_declaration(bytes).map(|e| (e, CharsetSource::Xml)))
}

/// Number of bytes within which the tag `<html>` is looked for.
const HEAD: usize = 4 << 10;

/// Language of the page by the attribute `lang` of `<html>`. `None` if it is missing or not in the list.
pub(super) fn language(bytes: &[u8]) -> Option<&'static Language> {
    let bytes = &bytes[..bytes.len().min(HEAD)];
    let start = memchr::memchr_iter(b'<', bytes).find(|&at| starts_with_name(&bytes[at..], b"<html"))?;
    let mut at = start + 5;
    // `<html` has five bytes.
    while let Some((name, value, len)) = attribute(&bytes[at..]) {
        if matches!(&*name, b"lang" | b"xml:lang") {
            return Language::of(std::str::from_utf8(&value).ok()?);
        }
        at += len;
    }
    None
}

fn scan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    // Each round moves past the `<` that it examines.
    while let Some(skipped) = memchr::memchr(b'<', bytes.get(at..)?) {
        at += skipped;
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // The two closing dashes may be the opening ones.
            at += 2 + memchr::memmem::find(&rest[2..], b"-->").map(|i| i + 3)?;
        } else if starts_with_name(rest, b"<meta") {
            let (encoding, len) = meta(&rest[5..]);
            if encoding.is_some() {
                return encoding;
            }
            at += 5 + len;
        } else if starts_with_name(rest, b"<script") || starts_with_name(rest, b"<style") {
            let close: &[u8] = if rest[2] | 0x20 == b'c' {
                b"</script"
            } else {
                b"</style"
            };
            at += 7 + find_ignoring_case(&rest[7..], close)?;
        } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic)
            || rest.get(1) == Some(&b'/') && rest.get(2).is_some_and(u8::is_ascii_alphabetic)
        {
            let name = rest[1..]
                .iter()
                .position(|b| b.is_ascii_whitespace() || *b == b'>')?;
            // Attributes are read one by one, because a value may contain `>` or `<meta`.
            at += 1 + name;
            while let Some((_, _, len)) = attribute(&bytes[at..]) {
                at += len;
            }
            at += 1;
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr::memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
    None
}

fn starts_with_name(rest: &[u8], name: &[u8]) -> bool {
    rest.len() > name.len()
        && rest[..name.len()].eq_ignore_ascii_case(name)
        && (rest[name.len()].is_ascii_whitespace() || matches!(rest[name.len()], b'/' | b'>'))
}

fn find_ignoring_case(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memchr_iter(needle[0], bytes).find(|&i| {
        bytes
            .get(i..i + needle.len())
            .is_some_and(|part| part.eq_ignore_ascii_case(needle))
    })
}

/// Charset named by the attributes of a `<meta>`, and the length of the attributes in bytes.
fn meta(bytes: &[u8]) -> (Option<&'static Encoding>, usize) {
    let (mut at, mut pragma, mut from_charset, mut from_content) = (0, false, None, None);
    let (mut seen_charset, mut seen_content, mut seen_equiv) = (false, false, false);
    while let Some((name, value, len)) = attribute(&bytes[at..]) {
        at += len;
        // § The first attribute of a name counts.
        match &*name {
            b"http-equiv" if !std::mem::replace(&mut seen_equiv, true) => {
                pragma = value.eq_ignore_ascii_case(b"content-type");
            }
            b"content" if !std::mem::replace(&mut seen_content, true) => {
                from_content = std::str::from_utf8(&value)
                    .ok()
                    .and_then(charset_parameter)
                    .and_then(label);
            }
            b"charset" if !std::mem::replace(&mut seen_charset, true) => {
                from_charset = std::str::from_utf8(&value).ok().and_then(label);
            }
            _ => {}
        }
    }
    // § `content` counts only with `http-equiv=content-type`.
    (from_charset.or(from_content.filter(|_| pragma)), at)
}

fn label(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.as_bytes())
}

/// § "Get an attribute": name in lower case, value, bytes read. `None` at the end of the tag.
fn attribute(bytes: &[u8]) -> Option<(Vec<u8>, Vec<u8>, usize)> {
    let blank = |b: &u8| b.is_ascii_whitespace();
    // § A slash between attributes counts as white space.
    let mut at = bytes.iter().position(|b| !blank(b) && *b != b'/')?;
    if bytes[at] == b'>' {
        return None;
    }
    let mut name = Vec::new();
    while let Some(&b) = bytes.get(at) {
        // § A `=` at the start belongs to the name.
        if (b == b'=' && !name.is_empty()) || blank(&b) || matches!(b, b'/' | b'>') {
            break;
        }
        name.push(b.to_ascii_lowercase());
        at += 1;
    }
    let gap = bytes[at..].iter().take_while(|b| blank(b)).count();
    // An attribute without a value. Its name ends at `at`; the white space is read again by the next call.
    if bytes.get(at + gap) != Some(&b'=') {
        return Some((name, Vec::new(), at));
    }
    at += gap + 1;
    at += bytes[at..].iter().take_while(|b| blank(b)).count();
    match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => {
            let end = memchr::memchr(quote, &bytes[at + 1..])?;
            Some((name, bytes[at + 1..at + 1 + end].to_vec(), at + end + 2))
        }
        _ => {
            let end = bytes[at..].iter().position(|b| blank(b) || *b == b'>')?;
            Some((name, bytes[at..at + end].to_vec(), at + end))
        }
    }
}

/// § "Extract a character encoding from a meta element": the value of `charset=` in a content type.
pub(super) fn charset_parameter(content_type: &str) -> Option<&str> {
    let mut rest = content_type;
    loop {
        let at = rest
            .as_bytes()
            .windows(7)
            .position(|w| w.eq_ignore_ascii_case(b"charset"))?;
        // `charset` without `=` is not the parameter: the search goes on after it.
        rest = rest.get(at + 7..)?.trim_start();
        let Some(value) = rest.strip_prefix('=') else {
            continue;
        };
        let value = value.trim_start();
        return match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split_once(quote).map(|(label, _)| label),
            _ => value.split(|c: char| c == ';' || c.is_ascii_whitespace()).next(),
        };
    }
}

fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    // The declaration must be at the very start of the page.
    let rest = bytes.strip_prefix(b"<?xml")?;
    let end = memchr::memchr(b'>', &rest[..rest.len().min(256)])?;
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    let value = text
        .split_once("encoding")?
        .1
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    label(value[1..].split_once(quote)?.0)
}
