//! Equations that hold for the decoding of any bytes. They are checked by a fuzz target, and by a test on its corpus.

use super::charset::CharsetHints;
use super::decoded::{decode, from_text};

/// Checks the equations on a page, whose first line is also used as the header `Content-Type`.
///
/// Decoded text decodes to itself; a limit only affects the text after it; valid UTF-8 declared as such is unchanged.
/// The error names the equation that does not hold.
pub fn decode_check(page: &[u8]) -> Result<(), &'static str> {
    let line = page.split(|&byte| byte == b'\n').next().unwrap_or_default();
    for content_type in [None, std::str::from_utf8(line).ok()] {
        let hints = CharsetHints {
            content_type,
            ..CharsetHints::default()
        };
        let text = decode(page, hints, usize::MAX).text;
        if from_text(&text, usize::MAX).text != without_byte_order_mark(&text) {
            return Err("decoded text decodes to itself");
        }
        let half = page.len() / 2;
        if decode(page, hints, half).text != decode(&page[..half], hints, usize::MAX).text {
            return Err("a limit reads what lies before it");
        }
    }
    let hints = CharsetHints {
        charset: Some("utf-8"),
        content_type: None,
    };
    let decoded = decode(page, hints, usize::MAX);
    let is_utf8 = !decoded.text.is_empty() && decoded.charset.name == "UTF-8";
    match std::str::from_utf8(page) {
        Ok(text) if is_utf8 && decoded.text != without_byte_order_mark(without_first_nuls(text)) => {
            Err("valid UTF-8 is its own text")
        }
        _ => Ok(()),
    }
}

/// A page without its leading NULs, unless there is only one.
fn without_first_nuls(text: &str) -> &str {
    let rest = text.trim_start_matches('\0');
    if text.len() - rest.len() > 1 { rest } else { text }
}

fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}
