//! MHTML: pages saved by browsers with all their resources, as the parts of a MIME message (RFC 2557).

use std::borrow::Cow;

use crate::fields::{Fields, end_of_head};

/// Maximum number of levels of nested parts.
const MAX_DEPTH: usize = 8;

/// Maximum number of parts visited in a message.
const MAX_PARTS: usize = 100_000;

/// A part of the message, or the message itself if it has no parts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Part<'a> {
    /// Value of `Content-Type` as stored, with parameters.
    pub content_type: Option<String>,
    /// Value of `Content-Location`: the address that the part was loaded from.
    pub location: Option<String>,
    /// Body, with the transfer encoding removed.
    pub body: Cow<'a, [u8]>,
    /// `true` if the message ends inside this part.
    pub is_cut: bool,
}

/// A page saved with its resources.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SavedPage<'a> {
    /// Address of the page. `None` if the message has no HTTP address for it.
    pub url: Option<String>,
    /// Date of saving, as written in the message.
    pub date: Option<String>,
    /// The HTML of the page.
    pub page: Part<'a>,
}

/// Returns `true` if bytes begin like a saved page: with the header of a MIME message that has related
/// parts or is HTML.
pub fn begins(first: &[u8]) -> bool {
    let end = end_of_head(first, 0).unwrap_or(first.len());
    let head = first[..end].to_ascii_lowercase();
    let starts_with_field = head
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'))
        .is_some_and(|colon| colon > 0 && head[colon] == b':');
    let holds = |what: &[u8]| memchr::memmem::find(&head, what).is_some();
    // All three must be in the first bytes, so that ordinary mail and HTML files are not taken for saved
    // pages.
    starts_with_field && holds(b"mime-version:") && (holds(b"multipart/related") || holds(b"text/html"))
}

/// Returns the page of a message: the HTML part that its header names as the start, else the first HTML
/// part. `None` if there is no HTML part.
///
/// ```
/// let message = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"\r\nSnapshot-Content-Location: http://a.example/\r\n\r\n\
///     --b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p class=3Dx>caf=C3=\r\n=A9\r\n--b--\r\n";
/// let saved = dehusk_archive::mhtml::page(message).unwrap();
/// assert_eq!(saved.url.as_deref(), Some("http://a.example/"));
/// assert_eq!(&*saved.page.body, "<p class=x>café".as_bytes());
/// ```
pub fn page(message: &[u8]) -> Option<SavedPage<'_>> {
    let head = Head::of(message);
    let start = head.parameter("start");
    let mut found: Option<(Raw<'_>, bool)> = None;
    each(message, &mut |part| {
        if !part.head.is_html() {
            return true;
        }
        let is_start = start.is_some() && part.head.text("Content-ID") == start;
        if is_start || found.is_none() {
            found = Some((part, is_start));
        }
        // Without a start part the first HTML part is the page; later ones are its frames.
        start.is_some() && !is_start
    });
    let (part, _) = found?;
    let told = head.text("Snapshot-Content-Location");
    let location = part.head.text("Content-Location");
    let is_address = |url: &String| {
        url.split_once("://")
            .is_some_and(|(scheme, _)| scheme.starts_with("http"))
    };
    Some(SavedPage {
        // Browsers write internal addresses such as `cid:` for parts without their own.
        url: [told, location].into_iter().flatten().find(is_address),
        date: head.text("Date"),
        page: part.decoded(),
    })
}

/// Visits all leaf parts, in the order of the message.
pub fn each_part(message: &[u8], visit: &mut dyn FnMut(Part<'_>)) {
    each(message, &mut |part| {
        visit(part.decoded());
        true
    });
}

/// Header of a message or part, and the offset of its body.
struct Head {
    fields: Fields,
    body: usize,
}

impl Head {
    fn of(bytes: &[u8]) -> Head {
        let mut fields = Fields::default();
        // A part that begins with an empty line has no header.
        let starts_empty = bytes.starts_with(b"\n") || bytes.starts_with(b"\r\n");
        let body = match (starts_empty, end_of_head(bytes, 0)) {
            (true, _) => bytes
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1),
            (false, Some(end)) => end,
            (false, None) => bytes.len(),
        };
        if !starts_empty {
            fields.parse(&bytes[..body], false);
        }
        Head { fields, body }
    }

    fn text(&self, name: &str) -> Option<String> {
        let value = self.fields.get(name)?;
        Some(String::from_utf8_lossy(value).trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn content_type(&self) -> String {
        let field = self.text("Content-Type").unwrap_or_default();
        let name = field.split(';').next().unwrap_or_default();
        name.trim().to_ascii_lowercase()
    }

    fn is_html(&self) -> bool {
        matches!(
            self.content_type().as_str(),
            "text/html" | "application/xhtml+xml"
        )
    }

    /// Returns a parameter of `Content-Type`.
    fn parameter(&self, name: &str) -> Option<String> {
        let field = self.text("Content-Type")?;
        let mut rest = field.split_once(';')?.1;
        loop {
            let (key, behind) = rest.split_once('=')?;
            let behind = behind.trim_start();
            let (value, next) = match behind.strip_prefix('"') {
                // A closing quote that is missing ends the value at the end of the field.
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => behind.split_once(';').unwrap_or((behind, "")),
            };
            if key.trim().eq_ignore_ascii_case(name) {
                return Some(value.trim().to_owned()).filter(|value| !value.is_empty());
            }
            rest = next.trim_start().trim_start_matches(';');
        }
    }
}

/// A part with its transfer encoding still applied.
struct Raw<'a> {
    head: Head,
    body: &'a [u8],
    is_cut: bool,
}

impl<'a> Raw<'a> {
    fn decoded(&self) -> Part<'a> {
        let encoding = self.head.text("Content-Transfer-Encoding").unwrap_or_default();
        Part {
            content_type: self.head.text("Content-Type"),
            location: self.head.text("Content-Location"),
            body: match encoding.to_ascii_lowercase().as_str() {
                "quoted-printable" => Cow::Owned(quoted_printable(self.body)),
                "base64" => Cow::Owned(base64(self.body)),
                _ => Cow::Borrowed(self.body),
            },
            is_cut: self.is_cut,
        }
    }
}

/// Visits leaf parts until `visit` returns `false`.
fn each<'a>(message: &'a [u8], visit: &mut dyn FnMut(Raw<'a>) -> bool) {
    // Stack of parts still to be visited; the next part is the last element.
    let mut left = vec![(message, 0, false)];
    let mut seen = 0;
    while let Some((bytes, depth, is_cut)) = left.pop() {
        let head = Head::of(bytes);
        let body = &bytes[head.body..];
        let boundary = head.parameter("boundary");
        // A part without boundary, or nested too deeply, is a leaf.
        let boundary =
            boundary.filter(|_| head.content_type().starts_with("multipart/") && depth < MAX_DEPTH);
        seen += 1;
        match boundary {
            Some(boundary) => {
                let inner = parts(body, boundary.as_bytes());
                left.extend(
                    inner
                        .into_iter()
                        .rev()
                        .map(|(part, is_cut)| (part, depth + 1, is_cut)),
                );
            }
            None if !visit(Raw { head, body, is_cut }) => return,
            None => {}
        }
        // Bounds the work on messages that consist of boundaries only.
        if seen == MAX_PARTS {
            return;
        }
    }
}

/// Splits a body at its boundary lines, `--` followed by the boundary. The flag of a part is `true` if the
/// message ends inside it.
fn parts<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<(&'a [u8], bool)> {
    let mark = [b"--", boundary].concat();
    let (mut parts, mut start) = (Vec::new(), None);
    for at in memchr::memmem::find_iter(body, &mark) {
        let begins_line = at == 0 || body[at - 1] == b'\n';
        let behind = &body[at + mark.len()..];
        let line_end = behind.iter().position(|byte| *byte == b'\n');
        let rest = behind[..line_end.unwrap_or(behind.len())].trim_ascii();
        // The boundary inside a line, or as the start of a longer boundary, is content.
        if !begins_line || !matches!(rest, b"" | b"--") {
            continue;
        }
        if let Some(start) = start {
            // The line end before the boundary belongs to the boundary.
            // Two boundaries may follow each other without a line between them.
            let part = &body[start..at.max(start)];
            let part = part.strip_suffix(b"\n").unwrap_or(part);
            parts.push((part.strip_suffix(b"\r").unwrap_or(part), false));
        }
        if rest == b"--" || parts.len() == MAX_PARTS {
            return parts;
        }
        start = Some(at + mark.len() + line_end.map_or(behind.len(), |end| end + 1));
    }
    // The closing boundary is missing: the last part is cut.
    parts.extend(start.and_then(|start| body.get(start..)).map(|part| (part, true)));
    parts
}

/// Decodes quoted-printable. Invalid codes stay unchanged.
fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'=', rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
        // White space may follow the `=` of a soft line break.
        let spaces = rest
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            .count();
        if let (Some(high), Some(low)) = (digit(0), digit(1)) {
            plain.push((high * 16 + low).to_le_bytes()[0]);
            rest = &rest[2..];
        } else if rest.get(spaces).is_none_or(|byte| *byte == b'\n') {
            // A soft line break: the line continues in the next one.
            rest = rest.get(spaces + 1..).unwrap_or_default();
        } else {
            plain.push(b'=');
        }
    }
    plain.extend_from_slice(rest);
    plain
}

/// Decodes base64. Characters outside its alphabet are skipped.
fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in bytes {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => continue,
        };
        // At most 7 bits of earlier digits remain below the new ones; older bits are shifted out.
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            plain.push((bits >> count).to_le_bytes()[0]);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A page with a frame and an image, as Chromium saves it.
    fn saved(start: &str) -> String {
        format!(
            "From: <Saved by a browser>\r\nSnapshot-Content-Location: https://a.example/page\r\nSubject: =?utf-8?Q?T?=\r\n\
             Date: Tue, 12 Mar 2024 10:00:00 -0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\
             \tboundary=\"----Boundary--x----\"{start}\r\n\r\n\r\n\
             ------Boundary--x----\r\nContent-Type: image/gif\r\nContent-Transfer-Encoding: base64\r\n\
             Content-Location: https://a.example/i.gif\r\n\r\nR0lG\r\nODlh\r\n\
             ------Boundary--x----\r\nContent-Type: text/html\r\nContent-ID: <frame@x>\r\nContent-Location: https://a.example/page\r\n\
             Content-Transfer-Encoding: quoted-printable\r\n\r\n<p class=3D\"a\">one =\r\nline, 1=2, =C3=A9\r\n\
             ------Boundary--x----\r\nContent-Type: text/html\r\nContent-ID: <other@x>\r\n\r\n<p>a frame\r\n\
             ------Boundary--x------\r\n"
        )
    }

    #[test]
    fn the_page_is_the_start_or_the_first_html() {
        let message = saved("");
        assert!(begins(message.as_bytes()));
        let found = page(message.as_bytes()).unwrap();
        assert_eq!(found.url.as_deref(), Some("https://a.example/page"));
        assert_eq!(found.date.as_deref(), Some("Tue, 12 Mar 2024 10:00:00 -0000"));
        assert_eq!(&*found.page.body, "<p class=\"a\">one line, 1=2, é".as_bytes());
        assert!(!found.page.is_cut);
        let message = saved(";\r\n\tstart=\"<other@x>\"");
        assert_eq!(&*page(message.as_bytes()).unwrap().page.body, b"<p>a frame");
        let mut parts = Vec::new();
        each_part(message.as_bytes(), &mut |part| {
            parts.push((part.location, part.body.into_owned()));
        });
        assert_eq!(parts.len(), 3);
        assert_eq!(
            parts[0],
            (Some("https://a.example/i.gif".to_owned()), b"GIF89a".to_vec())
        );
    }

    #[test]
    fn messages_without_parts_and_cut_ones_are_pages() {
        let alone =
            b"MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+eA==\n";
        assert!(begins(alone));
        assert_eq!(&*page(alone).unwrap().page.body, b"<p>x");
        let whole = saved("");
        let cut = &whole.as_bytes()[..whole.find("line, 1").unwrap() + 4];
        let found = page(cut).unwrap();
        assert!(found.page.is_cut && &*found.page.body == b"<p class=\"a\">one line");
        assert!(page(b"MIME-Version: 1.0\nContent-Type: text/plain\n\nx").is_none());
        assert!(!begins(b"<p>MIME-Version: 1.0 text/html"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300), cut in 0_usize..2000) {
            let message = [&saved("").as_bytes()[..cut.min(saved("").len())], &bytes].concat();
            let _ = page(&message);
            each_part(&message, &mut |_| ());
        }
    }
}
