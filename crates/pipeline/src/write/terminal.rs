//! Makes text from inputs safe to show on a terminal.

use std::borrow::Cow;

/// The text on one line, without side effects: control characters, including line ends, and marks of
/// writing direction become escapes.
///
/// Addresses, ids and file names are untrusted. Unescaped, they could change colors, move the cursor or forge lines.
///
/// ```
/// assert_eq!(dehusk_pipeline::printable("a\x1b[31mb\n"), "a\\u{1b}[31mb\\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(has_effect) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if has_effect(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a character controls a terminal or the writing direction of other characters.
fn has_effect(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_with_effects_are_shown() {
        assert_eq!(
            printable("a\x1b[31m\u{9b}б\u{202e}\r\n\tc\u{2028}"),
            "a\\u{1b}[31m\\u{9b}б\\u{202e}\\r\\n\\tc\\u{2028}"
        );
        assert!(matches!(printable("plain: пример, 例"), Cow::Borrowed(_)));
    }
}
