//! Escaping of characters that have a meaning in Markdown.

/// Surroundings of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Around {
    /// Whether the output buffer starts at the beginning of a block's line, where block markers have a meaning.
    pub(super) begins_block: bool,
    /// Whether the text may be at the end of a heading.
    pub(super) in_heading: bool,
    /// Whether dollars are escaped.
    pub(super) dollars: bool,
    /// Whether a colon at the start of a line would be read as a definition.
    pub(super) definitions: bool,
    /// Next character on the line; `None` at its end.
    pub(super) next: Option<char>,
}

/// Appends `text` with a backslash before each character that Markdown would interpret.
pub(super) fn escape(text: &str, around: Around, out: &mut String) {
    let is_white = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let mut chars = text.char_indices().peekable();
    let line = memchr::memrchr(b'\n', out.as_bytes()).map_or(0, |end| end + 1);
    while let Some((at, c)) = chars.next() {
        let fresh = (around.begins_block || line > 0) && out.len() == line;
        let before = out[line..].chars().next_back();
        let is_last = chars.peek().is_none();
        let next = chars.peek().map(|(_, next)| *next).or(around.next);
        // A mark between white space is literal. At either end of the buffer a mark may be added later, so the character is escaped there.
        let spaced = |c: Option<char>| c.is_some_and(char::is_whitespace);
        let alone = spaced(before) && spaced(next) && !fresh;
        let means = match c {
            '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
            '`' | '[' | ']' => true,
            '*' => !alone,
            '_' => {
                let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                !(in_word(before) && in_word(next) || alone)
            }
            '~' => !spaced(before) || next == Some('~'),
            '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            '&' => is_reference(&text[at..]),
            '$' => around.dollars,
            '!' => is_last && next == Some('['),
            '#' if around.in_heading => is_last && next.is_none(),
            '#' => fresh && begins_heading(&text[at..]),
            '>' | '|' => fresh,
            '+' => fresh && is_white(next),
            '-' => fresh && (is_white(next) || next == Some('-')),
            '=' => fresh && next.is_none_or(|next| next == '='),
            // Some renderers read a colon at the start of a line as a definition, even without white space after it.
            ':' => fresh && around.definitions,
            '.' | ')' => {
                let number = &out[line..];
                (around.begins_block || line > 0)
                    && (1..10).contains(&number.len())
                    && number.bytes().all(|byte| byte.is_ascii_digit())
                    && is_white(next)
            }
            _ => false,
        };
        if means {
            out.push('\\');
        }
        out.push(match c {
            '\0' => '\u{FFFD}',
            '\n' => ' ',
            c => c,
        });
    }
}

/// Whether `text` begins with a character reference.
pub(super) fn is_reference(text: &str) -> bool {
    let Some(end) = text.bytes().take(40).position(|byte| byte == b';') else {
        return false;
    };
    let name = &text[1..end];
    match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(number) => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        },
        None => !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
    }
}

fn begins_heading(text: &str) -> bool {
    let rest = text.trim_start_matches('#');
    text.len() - rest.len() <= 6 && (rest.is_empty() || rest.starts_with(char::is_whitespace))
}
