//! Decoded pages.

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::binary::is_binary;
use super::charset::{Charset, CharsetHints, CharsetSource};
use super::choose::choose;
use crate::warning::{Warning, WarningKind};

/// A decoded page.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded<'a> {
    /// The text, without byte order mark; malformed sequences are U+FFFD.
    pub text: Cow<'a, str>,
    /// Charset of the page, and how it was determined.
    pub charset: Charset,
    /// Warnings about cut, replaced or contradictory bytes.
    pub warnings: Vec<Warning>,
}

/// Accepts text that is already decoded: its first `limit` bytes, without a byte order mark.
pub fn from_text(text: &str, limit: usize) -> Decoded<'_> {
    let mut warnings = Vec::new();
    // The limit comes first, as for bytes: a byte order mark counts toward it.
    let kept = &text[..text.floor_char_boundary(limit)];
    if kept.len() < text.len() {
        warnings.push(Warning::cut(kept.len(), text.len()));
    }
    let charset = Charset {
        name: UTF_8.name(),
        source: CharsetSource::Decoded,
    };
    Decoded {
        text: Cow::Borrowed(kept.strip_prefix('\u{FEFF}').unwrap_or(kept)),
        charset,
        warnings,
    }
}

/// Decodes the first `limit` bytes of a page. Charsets are labels of the WHATWG Encoding Standard; unknown labels are
/// ignored.
///
/// ```
/// use dehusk_html::decode::{CharsetHints, decode};
///
/// let hints = CharsetHints {
///     content_type: Some("text/html; charset=windows-1251"),
///     ..CharsetHints::default()
/// };
/// let decoded = decode(b"<p>\xD0\xE5\xEA\xE0", hints, 1 << 20);
/// assert_eq!(decoded.text, "<p>Река");
/// assert_eq!(decoded.charset.source.name(), "http");
/// ```
pub fn decode<'a>(bytes: &'a [u8], hints: CharsetHints<'_>, limit: usize) -> Decoded<'a> {
    let mut warnings = Vec::new();
    let all = bytes.len();
    let bytes = &bytes[..all.min(limit)];
    if bytes.len() < all {
        warnings.push(Warning::cut(bytes.len(), all));
    }
    // Browsers skip NUL bytes, which some servers send first. A single NUL may be the start of UTF-16.
    let nuls = bytes.iter().take_while(|&&b| b == 0).count();
    let bytes = &bytes[if nuls > 1 { nuls } else { 0 }..];
    let (encoding, source) = choose(bytes, hints, &mut warnings);
    let charset = Charset {
        name: encoding.name(),
        source,
    };
    // Checked after the choice, because UTF-16 contains NUL bytes.
    if is_binary(bytes, encoding) {
        warnings.push(Warning::new(WarningKind::Binary, "the bytes are no text"));
        return Decoded {
            text: Cow::Borrowed(""),
            charset,
            warnings,
        };
    }
    // Removes the mark of the chosen encoding only.
    let (text, malformed) = encoding.decode_with_bom_removal(bytes);
    if malformed {
        let n = text.matches('\u{FFFD}').count();
        warnings.push(Warning::new(
            WarningKind::MalformedCharset,
            format!("{n} places are invalid in {}", encoding.name()),
        ));
    }
    Decoded {
        text,
        charset,
        warnings,
    }
}
