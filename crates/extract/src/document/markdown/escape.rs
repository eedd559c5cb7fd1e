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
    // Start of the current line. It does not change, since line feeds of the text are written as spaces.
    let line = memchr::memrchr(b'\n', out.as_bytes()).map_or(0, |end| end + 1);
    while let Some((at, c)) = chars.next() {
        // Whether the character begins a line, where block markers have a meaning.
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
            // `a < b` needs no escape: only these characters begin a tag.
            '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            '&' => is_reference(&text[at..]),
            '$' => around.dollars,
            // `!` before a link would make it an image.
            '!' => is_last && next == Some('['),
            '#' if around.in_heading => is_last && next.is_none(),
            '#' => fresh && begins_heading(&text[at..]),
            '>' | '|' => fresh,
            '+' => fresh && is_white(next),
            '-' => fresh && (is_white(next) || next == Some('-')),
            // A line of `=` would make the line before it a heading, as `-` does.
            '=' => fresh && next.is_none_or(|next| next == '='),
            // Some renderers read a colon at the start of a line as a definition, even without white space after it.
            ':' => fresh && around.definitions,
            '.' | ')' => {
                // `1.` at the start of a line begins a list; numbers of lists have at most nine digits.
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
    // The longest name in HTML has 31 letters.
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

/// Whether `text` begins like a heading: one to six `#`, then white space or the end.
fn begins_heading(text: &str) -> bool {
    let rest = text.trim_start_matches('#');
    text.len() - rest.len() <= 6 && (rest.is_empty() || rest.starts_with(char::is_whitespace))
}
