//! Values as they are written.

/// White space collapsed, control characters taken out; `None` if nothing is left.
pub(crate) fn tidy(text: &str) -> Option<String> {
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
