//! Tokens of an expression, with their positions.

use crate::rules::error::Flaw;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    Name(String),
    Number(String),
    /// A string with its quotes.
    Literal(String),
    /// One of [`SIGNS`].
    Sign(&'static str),
}

/// Signs. Longer ones precede their prefixes.
const SIGNS: &[&str] = &[
    "::", "//", "..", "!=", "<=", ">=", "/", ".", "(", ")", "[", "]", "@", ",", "|", "+", "-", "=", "<", ">",
    "*",
];

/// Cuts an expression into tokens, each with its byte offset.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Flaw> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |keep: &dyn Fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
        let (token, end) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c.is_alphabetic() || c == '_' {
            // Names may contain hyphens, so `a-b` is one name and a subtraction needs spaces.
            let end = length(&|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
            (Token::Name(rest[..end].to_owned()), end)
        } else if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            let end = length(&|c| c.is_ascii_digit() || c == '.');
            if rest[..end].matches('.').count() > 1 {
                return Err(Flaw::new(at, "no number", "write it as `12` or `1.5`"));
            }
            (Token::Number(rest[..end].to_owned()), end)
        } else if matches!(c, '"' | '\'') {
            let Some(end) = rest[1..].find(c) else {
                return Err(Flaw::new(
                    at,
                    "the string does not end",
                    format!("close it with {c}"),
                ));
            };
            (Token::Literal(rest[..end + 2].to_owned()), end + 2)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let remedy = match c {
                '$' => "rules have no variables",
                ':' => "prefixes are not known; compare `name()` with the whole name instead",
                _ => "take it out",
            };
            return Err(Flaw::new(at, format!("`{c}` has no meaning here"), remedy));
        };
        out.push((at, token));
        at += end;
    }
    Ok(out)
}
