//! Formulas written in the text between delimiters.

use crate::document::{Formula, Inline, Span};

/// Longest TeX source of a formula, in characters.
const MAX_TEX: usize = 20_000;

/// Opening and closing delimiters, and whether the formula is displayed on its own line. `$$` comes before
/// its prefix `$`.
const DELIMITERS: [(&str, &str, bool); 4] = [
    ("$$", "$$", true),
    ("\\[", "\\]", true),
    ("\\(", "\\)", false),
    ("$", "$", false),
];

/// TeX source without delimiters and MediaWiki's wrapper, white space collapsed; `None` if it is empty or too long.
pub(super) fn tidy(source: &str) -> Option<String> {
    let mut out = source.split_whitespace().collect::<Vec<_>>().join(" ");
    for (open, close, _) in DELIMITERS {
        if let Some(inner) = out.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            out = inner.trim().to_owned();
        }
    }
    for style in ["{\\displaystyle", "{\\textstyle"] {
        let inner = out.strip_prefix(style).and_then(|rest| rest.strip_suffix('}'));
        // `{\displaystyle a} + {b}` begins and ends like a wrapper, but the braces between do not match.
        if let Some(inner) = inner.filter(|inner| is_balanced(inner)) {
            out = inner.trim().to_owned();
        }
    }
    let out = out.replace('\0', "\u{FFFD}");
    (!out.is_empty() && out.chars().count() <= MAX_TEX).then_some(out)
}

/// Whether every closing brace has a matching opening brace before it.
fn is_balanced(tex: &str) -> bool {
    let mut depth = 0_i64;
    tex.bytes().all(|b| {
        depth += i64::from(b == b'{') - i64::from(b == b'}');
        depth >= 0
    })
}

/// Replaces formulas between delimiters in the texts of a line by formula spans.
///
/// A pair of single dollars counts only if the text between looks like a formula, since dollars are also currency signs.
pub(super) fn find(inlines: Vec<Inline>) -> Vec<Inline> {
    let is_doubtful = |inline: &Inline| match inline {
        Inline::Text(text) => memchr::memchr2(b'\\', b'$', text.as_bytes()).is_some(),
        Inline::Span(span) => matches!(**span, Span::Marked { .. }),
    };
    if !inlines.iter().any(is_doubtful) {
        return inlines;
    }
    let mut out = Vec::with_capacity(inlines.len());
    for inline in inlines {
        match inline {
            Inline::Text(text) => push_found(text, &mut out),
            Inline::Span(span) => out.push(Inline::span(match *span {
                Span::Marked { mark, inlines } => Span::Marked {
                    mark,
                    inlines: find(inlines),
                },
                span => span,
            })),
        }
    }
    out
}

fn push_found(text: String, out: &mut Vec<Inline>) {
    // The text up to `done` is written. The next delimiter is searched from `from`.
    let mut done = 0;
    let mut from = 0;
    // For each delimiter, where its next closing counterpart begins; `usize::MAX` if none follows. It is searched again only
    // from there on, since many openings before one closing, or before none, would take quadratic time.
    let mut closings = [0; DELIMITERS.len()];
    while let Some(at) = memchr::memchr2(b'\\', b'$', &text.as_bytes()[from..]).map(|at| from + at) {
        let found = DELIMITERS
            .iter()
            .zip(&mut closings)
            .find_map(|((open, close, display), closing)| {
                let rest = text[at..].strip_prefix(open)?;
                let start = at + open.len();
                if *closing < start {
                    *closing = rest.find(close).map_or(usize::MAX, |end| start + end);
                }
                let end = closing.checked_sub(start).filter(|end| *end < rest.len())?;
                let inner = &rest[..end];
                // The delimiters of LaTeX do not nest: the last opening before a closing is the one it belongs to. Copying the text of
                // each of many openings would be quadratic, too.
                if open != close && inner.contains(open) {
                    return None;
                }
                let tex = tidy(inner)?;
                let behind = &rest[end + close.len()..];
                let fits = match *open {
                    "$" => is_formula(&text[..at], inner, behind),
                    // Ranges of prices are written with runs of dollars: `$$-$$$`.
                    "$$" => {
                        !inner.starts_with('$')
                            && !behind.starts_with('$')
                            && inner.contains(|c: char| c.is_alphanumeric() || c == '\\')
                    }
                    _ => !is_escaped_text(inner),
                };
                // HTML output encloses the source in `\[ \]` or `\( \)`, so it must not contain the closing
                // delimiter.
                let ends_early = tex.contains(if *display { "\\]" } else { "\\)" });
                (fits && !ends_early).then_some((tex, *display, at + open.len() + end + close.len()))
            });
        let Some((tex, display, end)) = found else {
            // Skip a backslash with the character after it, or a run of dollars.
            let run = text[at..].bytes().take_while(|byte| *byte == b'$').count();
            from = at + run.max(1);
            continue;
        };
        if at > done {
            out.push(Inline::Text(text[done..at].to_owned()));
        }
        let mut formula = Formula::default();
        (formula.tex, formula.display) = (Some(tex), display);
        out.push(Inline::span(Span::Formula(formula)));
        (done, from) = (end, end);
    }
    if done == 0 {
        out.push(Inline::Text(text));
    } else if done < text.len() {
        out.push(Inline::Text(text[done..].to_owned()));
    }
}

/// Whether the text between `\[ \]` or `\( \)` is plain text with escaped brackets, as in Markdown, regular
/// expressions and templates: it has a `%`, which begins a comment in TeX, or it consists of words.
fn is_escaped_text(inner: &str) -> bool {
    const MIN_WORD: usize = 4;
    let inner = inner.trim();
    let has_comment = inner.starts_with('%') || inner.contains(" %") || inner.contains("%{");
    let is_plain = |c: char| {
        c.is_alphabetic() || c.is_whitespace() || matches!(c, '-' | '.' | ',' | ':' | '?' | '!' | '\'')
    };
    has_comment
        || inner.chars().all(is_plain)
            && inner
                .split(|c: char| !c.is_alphabetic())
                .any(|word| word.chars().count() >= MIN_WORD)
}

/// Whether a TeX source is complete: its braces match, and it does not end in an ellipsis.
pub(super) fn is_complete(tex: &str) -> bool {
    let mut depth = 0_i64;
    let mut escaped = false;
    for byte in tex.bytes() {
        match byte {
            b'{' if !escaped => depth += 1,
            b'}' if !escaped => depth -= 1,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && !tex.ends_with('…')
}

/// Whether the text between two single dollars is a formula rather than the text between two prices.
///
/// `before` and `behind` are the texts around the dollars. ASCII letters and digits must not touch the
/// dollars; letters of scripts without spaces may.
fn is_formula(before: &str, inner: &str, behind: &str) -> bool {
    let tight = !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
    // `5_000 to `: a number followed by words is a price.
    let is_price = inner.starts_with(|c: char| c.is_ascii_digit()) && inner.contains(' ');
    // A single letter such as `n` needs no other sign of a formula.
    let has_signs = inner.contains(['\\', '^', '_', '{', '='])
        || inner.chars().count() == 1 && inner.chars().all(char::is_alphabetic);
    let touches = before.ends_with(|c: char| c.is_ascii_alphanumeric())
        || behind.starts_with(|c: char| c.is_ascii_alphanumeric());
    // A dollar after a backslash is escaped and closes nothing.
    tight && has_signs && !is_price && !touches && !inner.ends_with('\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let part = |inline: Inline| match inline {
            Inline::Text(text) => text,
            Inline::Span(span) => match *span {
                Span::Formula(formula) => format!(
                    "<{}{}>",
                    if formula.display { "!" } else { "" },
                    formula.as_text()
                ),
                _ => String::new(),
            },
        };
        find(vec![Inline::Text(text.to_owned())])
            .into_iter()
            .map(part)
            .collect()
    }

    #[test]
    fn formulas_stand_between_their_delimiters() {
        assert_eq!(found("Let \\(a_i\\) be."), ["Let ", "<a_i>", " be."]);
        assert_eq!(found("$$ x $$ and \\[y\\]"), ["<!x>", " and ", "<!y>"]);
        assert_eq!(found("so $x^2$, $n$."), ["so ", "<x^2>", ", ", "<n>", "."]);
        assert_eq!(found("设$x^2$为"), ["设", "<x^2>", "为"]);
        for text in [
            "$5 and $6",
            "from $5_000 to $6",
            "a \\( b",
            "$$",
            "$ $",
            "C:\\dir",
            "US$5 a day, US$6 a night",
            "$HOME/bin and $PATH",
            "A$B$C",
            "$\\)$",
            "$$\\]$$",
            "$$-$$$",
            "from $$-$$ to $$$-$$$$",
            "$\\$",
            "log \\[%{host}\\]",
            "\\[link text\\]",
            "sed \\(word\\)",
        ] {
            assert_eq!(found(text), [text]);
        }
    }

    #[test]
    fn sources_are_complete_if_their_braces_are() {
        for (tex, is) in [
            ("a_{i}", true),
            ("\\{x\\}", true),
            ("\\left\\{x", true),
            ("\\frac{a}{b", false),
            ("a}", false),
            ("\\sum_{i}…", false),
        ] {
            assert_eq!(is_complete(tex), is, "{tex}");
        }
    }

    #[test]
    fn wrappers_are_taken_off() {
        assert_eq!(tidy("{\\displaystyle E_{n}}").as_deref(), Some("E_{n}"));
        assert_eq!(tidy(" $x\n y$ ").as_deref(), Some("x y"));
        assert_eq!(
            tidy("{\\displaystyle a} + {b}").as_deref(),
            Some("{\\displaystyle a} + {b}")
        );
        assert_eq!(tidy("$$"), None);
    }
}
