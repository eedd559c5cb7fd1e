//! The charset of an XML file.

use encoding_rs::{Encoding, UTF_8};

/// Returns the charset named by the XML declaration at the start of a file; UTF-8 if none is named. `None`
/// if it is unknown, or not compatible with ASCII.
pub(super) fn charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(512)];
    // Byte order marks of UTF-16, in whose bytes tags cannot be found.
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

/// Returns the value of an attribute in an XML declaration.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = tag;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + name.len()..].trim_start();
        rest = &rest[at + name.len()..];
        // A longer name that ends with this one is another attribute.
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
