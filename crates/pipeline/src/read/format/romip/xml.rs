//! As much of XML as ROMIP's files need: tags, attributes, character data. No document type is read, so no entity of a
//! file is ever expanded.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use memchr::memchr;
use memchr::memmem;

/// Bytes in which a tag must end; longer ones are text.
const TAG: usize = 4096;

/// A tag in some bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'b> {
    /// Name without its prefix.
    pub(super) name: &'b [u8],
    /// Where `<` stands.
    pub(super) start: usize,
    /// Behind `>`.
    pub(super) end: usize,
    /// Whether it ends an element.
    pub(super) closes: bool,
    /// Whether the element is empty.
    pub(super) empty: bool,
}

/// What a search for the next tag came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'b> {
    /// A tag.
    Tag(Tag<'b>),
    /// None before this place, where a search with more bytes may begin.
    Nothing(usize),
}

/// The next tag from `from` on. Comments, instructions, declarations and sections of character data are passed over. With
/// `complete`, no more bytes will come: what is not ended is text.
pub(super) fn next_tag(bytes: &[u8], from: usize, complete: bool) -> Found<'_> {
    let mut at = from;
    while let Some(start) = memchr(b'<', &bytes[at.min(bytes.len())..]).map(|found| at + found) {
        let rest = &bytes[start..];
        let passed = [
            (&b"<!--"[..], &b"-->"[..]),
            (b"<![CDATA[", b"]]>"),
            (b"<?", b"?>"),
            (b"<!", b">"),
        ];
        if !complete && rest.len() < 9 {
            return Found::Nothing(start);
        }
        if let Some((open, close)) = passed.into_iter().find(|(open, _)| rest.starts_with(open)) {
            match memmem::find(&rest[open.len()..], close) {
                Some(end) => at = start + open.len() + end + close.len(),
                None if complete => at = start + 1,
                None => return Found::Nothing(start),
            }
            continue;
        }
        match end_of_tag(&rest[..rest.len().min(TAG)]) {
            Some(length) => {
                let end = start + length;
                let closes = rest[1] == b'/';
                let inside = &bytes[start + 1 + usize::from(closes)..end - 1];
                let name = inside
                    .split(|byte| byte.is_ascii_whitespace() || *byte == b'/')
                    .next()
                    .unwrap_or_default();
                let name = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
                if name.is_empty() {
                    at = start + 1;
                    continue;
                }
                return Found::Tag(Tag {
                    name,
                    start,
                    end,
                    closes,
                    empty: !closes && inside.ends_with(b"/"),
                });
            }
            None if complete || rest.len() >= TAG => at = start + 1,
            None => return Found::Nothing(start),
        }
    }
    Found::Nothing(bytes.len())
}

/// Bytes up to and with the `>` that is not in quotes; at least three.
fn end_of_tag(bytes: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (place, &byte) in bytes.iter().enumerate().skip(1) {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None => match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'<' => return None,
                b'>' => return (place > 1).then_some(place + 1),
                _ => {}
            },
        }
    }
    None
}

/// An element.
pub struct Element<'t> {
    tag: &'t str,
    /// What stands between its tags.
    pub inner: &'t str,
    /// What follows it.
    pub rest: &'t str,
}

/// The first element of that name, up to the first end of that name behind it.
#[must_use]
pub fn element<'t>(text: &'t str, name: &str) -> Option<Element<'t>> {
    let mut open: Option<Tag<'_>> = None;
    let mut at = 0;
    while let Found::Tag(tag) = next_tag(text.as_bytes(), at, true) {
        at = tag.end;
        if tag.name != name.as_bytes() {
            continue;
        }
        match open {
            None if !tag.closes => {
                if tag.empty {
                    return Some(Element {
                        tag: &text[tag.start..tag.end],
                        inner: "",
                        rest: &text[tag.end..],
                    });
                }
                open = Some(tag);
            }
            Some(first) if tag.closes => {
                return Some(Element {
                    tag: &text[first.start..first.end],
                    inner: &text[first.end..tag.start],
                    rest: &text[tag.end..],
                });
            }
            _ => {}
        }
    }
    None
}

impl<'t> Element<'t> {
    /// Whether its text is in base64.
    #[must_use]
    pub fn is_base64(&self) -> bool {
        attribute(self.tag, "encoding").is_some_and(|value| value.eq_ignore_ascii_case("base64"))
    }

    /// Its text: references and sections of character data resolved, tags and comments left out.
    #[must_use]
    pub fn text(&self) -> Cow<'t, str> {
        if memchr::memchr2(b'<', b'&', self.inner.as_bytes()).is_none() {
            return Cow::Borrowed(self.inner);
        }
        let mut out = String::with_capacity(self.inner.len());
        let mut rest = self.inner;
        while let Some(at) = memchr::memchr2(b'<', b'&', rest.as_bytes()) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let passed = if let Some(data) = rest.strip_prefix("<![CDATA[") {
                let end = data.find("]]>").unwrap_or(data.len());
                out.push_str(&data[..end]);
                (9 + end + 3).min(rest.len())
            } else if rest.starts_with("<!--") {
                rest.find("-->").map_or(rest.len(), |end| end + 3)
            } else if rest.starts_with('<') {
                rest.find('>').map_or(1, |end| end + 1)
            } else {
                reference(rest, &mut out)
            };
            rest = &rest[passed..];
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}

/// Resolves the reference at the start of a text; returns how many bytes it takes. What is none stays as it is.
fn reference(text: &str, out: &mut String) -> usize {
    let end = text.bytes().take(12).position(|byte| byte == b';');
    let resolved = end.and_then(|end| {
        Some(match &text[1..end] {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            number => {
                let digits = number.strip_prefix('#')?;
                let code = match digits.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => digits.parse().ok()?,
                };
                char::from_u32(code)?
            }
        })
    });
    match (resolved, end) {
        (Some(c), Some(end)) => {
            out.push(c);
            end + 1
        }
        _ => {
            out.push('&');
            1
        }
    }
}

/// A whole file in the charset that its declaration names, UTF-8 unless it does; none if that is unknown.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    Some(charset(bytes)?.decode(bytes).0)
}

/// The charset that the declaration at the beginning of a file names, UTF-8 unless it does. None if it is unknown, or if its
/// markup is not in ASCII.
pub(super) fn charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(512)];
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return None;
    }
    let head = String::from_utf8_lossy(head);
    let declaration = head.split_once("?>").map_or("", |(declaration, _)| declaration);
    let label = if declaration.contains("<?xml") {
        attribute(declaration, "encoding")
    } else {
        None
    };
    let found = label.map_or(Some(UTF_8), |label| Encoding::for_label(label.as_bytes()));
    found.filter(|charset| charset.is_ascii_compatible())
}

/// The value of an attribute in a tag or in an XML declaration.
pub(super) fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = tag;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + name.len()..].trim_start();
        rest = &rest[at + name.len()..];
        if !before.is_some_and(char::is_whitespace) {
            continue;
        }
        let value = after.strip_prefix('=').map(str::trim_start);
        let Some(value) = value.filter(|value| value.starts_with(['"', '\''])) else {
            continue;
        };
        let quote = if value.starts_with('"') { '"' } else { '\'' };
        return value[1..].split(quote).next();
    }
    None
}
