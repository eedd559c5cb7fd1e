//! Characters that mean something in Markdown.

/// Escapes characters with a meaning in Markdown; at the start of a line also those that begin a block.
pub(super) fn escape(word: &str, first: bool, out: &mut String) {
    if first {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0
            && digits < 10
            && matches!(word.as_bytes().get(digits), Some(b'.' | b')'))
            && word.len() == digits + 1
        {
            out.push_str(&word[..digits]);
            out.push('\\');
            out.push_str(&word[digits..]);
            return;
        }
        let marker = matches!(word, "-" | "+" | "#" | "##" | "###" | "####" | "#####" | "######");
        let rule = word.len() >= 3 && word.bytes().all(|b| b == b'-' || b == b'=');
        if marker || rule || word.starts_with('>') {
            out.push('\\');
        }
    }
    for c in word.chars() {
        match c {
            '\\' | '`' | '*' | '[' | ']' => {
                out.push('\\');
                out.push(c);
            }
            '_' if word.starts_with('_') || word.ends_with('_') => out.push_str("\\_"),
            '~' if word.contains("~~") => out.push_str("\\~"),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\0' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
}
