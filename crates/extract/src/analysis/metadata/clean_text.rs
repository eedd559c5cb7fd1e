//! Cleaning of values.

/// The text with white space collapsed and control characters removed; `None` if nothing is left.
pub(crate) fn clean_text(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    for word in text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    (!out.is_empty()).then_some(out)
}
