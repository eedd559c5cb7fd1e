//! Escaping of text for markup.

/// Appends text escaped for HTML content and for attributes in double quotes.
pub(crate) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\0' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
}
