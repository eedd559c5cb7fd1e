//! Equations that hold for the decoding of any bytes. A fuzz target checks them, and a test on its corpus.

use super::charset::CharsetHints;
use super::decoded::{decode, from_text};

/// Decodes a page, whose first line also serves as the header `Content-Type`, and checks that decoded text decodes to itself,
/// that a limit reads what lies before it and nothing else, and that valid UTF-8 which is given as such is its own text.
/// Returns the equation that does not hold.
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

/// A page without the NULs that it begins with; a single one is left.
fn without_first_nuls(text: &str) -> &str {
    let rest = text.trim_start_matches('\0');
    if text.len() - rest.len() > 1 { rest } else { text }
}

fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}
