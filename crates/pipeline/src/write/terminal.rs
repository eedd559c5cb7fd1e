//! Texts of inputs that are shown to people on a terminal.

use std::borrow::Cow;

/// A text in one line without effects: control characters, line ends among them, and marks of writing direction are shown as escapes.
///
/// Addresses, ids and file names come from anywhere. Written as they are, they could color, move or forge lines.
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

/// Whether a character does something to a terminal, or to the order in which others are shown.
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
