//! A page as text.

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::binary::is_binary;
use super::charset::{Charset, CharsetSource};
use super::choose::choose;
use crate::warning::{Warning, WarningKind};

/// A page as text.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text, without byte order mark; malformed sequences are U+FFFD.
    pub text: Cow<'a, str>,
    /// How it was read.
    pub charset: Charset,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

/// Takes text as it is, but for its length and a byte order mark.
pub fn from_text(text: &str, limit: usize) -> Decoded<'_> {
    let mut warnings = Vec::new();
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

/// Decodes a page. `given` and the charset of `content_type` are labels of the WHATWG Encoding Standard; unknown ones are
/// passed over. At most `limit` bytes are read.
pub fn decode<'a>(
    bytes: &'a [u8],
    given: Option<&str>,
    content_type: Option<&str>,
    limit: usize,
) -> Decoded<'a> {
    let mut warnings = Vec::new();
    let all = bytes.len();
    let bytes = &bytes[..all.min(limit)];
    if bytes.len() < all {
        warnings.push(Warning::cut(bytes.len(), all));
    }
    let (encoding, source) = choose(bytes, given, content_type, &mut warnings);
    let charset = Charset {
        name: encoding.name(),
        source,
    };
    if is_binary(bytes, encoding) {
        warnings.push(Warning::new(WarningKind::Binary, "the bytes are no text"));
        return Decoded {
            text: Cow::Borrowed(""),
            charset,
            warnings,
        };
    }
    let (text, malformed) = encoding.decode_with_bom_removal(bytes);
    if malformed {
        let n = text.matches('\u{FFFD}').count();
        warnings.push(Warning::new(
            WarningKind::Malformed,
            format!("{n} places are invalid in {}", encoding.name()),
        ));
    }
    Decoded {
        text,
        charset,
        warnings,
    }
}
