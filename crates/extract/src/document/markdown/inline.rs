//! Writes one line of Markdown.

use crate::document::html::mark_name;
use crate::document::inline::{CodeKind, Formula, Inline, Mark, Player, Span};
use crate::document::markdown::escape::{Around, escape, is_reference};
use crate::document::markdown::options::MarkdownOptions;

/// Kind of block that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A paragraph, which may have several lines.
    Line,
    /// A heading.
    Heading,
    /// A table cell.
    Cell {
        /// Whether other blocks of the cell are on the same line.
        shared: bool,
    },
}

/// Renders inlines as Markdown.
pub(super) fn inlines(inlines: &[Inline], options: &MarkdownOptions, place: Place) -> String {
    let line = Line {
        options,
        place,
        // The dollars of two blocks on one line could be read as those of a formula.
        dollars: options.extensions.dollars
            && (place == Place::Cell { shared: true } || has_doubtful_dollars(inlines)),
    };
    let mut out = String::new();
    line.push(inlines, &Context::OUTSIDE, &mut out);
    out
}

/// Appends inline code, delimited by more backticks than any run of backticks in it.
pub(super) fn code(text: &str, out: &mut String) {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let mark = "`".repeat(longest + 1);
    // CommonMark strips a space from both ends, so such code gets another one; so does code with a backtick
    // at an end.
    let is_stripped = text.starts_with(' ') && text.ends_with(' ') && !text.trim().is_empty();
    let pad = if text.starts_with('`') || text.ends_with('`') || is_stripped {
        " "
    } else {
        ""
    };
    for part in [&mark, pad, text, pad, &mark] {
        out.push_str(part);
    }
}

/// Number of inlines that are searched for the next character. Some inlines write nothing.
const LOOK_AHEAD: usize = 8;

struct Line<'o> {
    options: &'o MarkdownOptions,
    place: Place,
    /// Whether dollars in texts are escaped.
    dollars: bool,
}

/// Surroundings of inlines.
#[derive(Clone, Copy)]
struct Context {
    /// Whether the output buffer holds the line from its start.
    whole: bool,
    /// Character before the buffer; `None` at the start of the line.
    before: Option<char>,
    /// Character after the inlines; `None` at the end of the line.
    next: Option<char>,
    /// Whether the inlines are inside a link.
    linked: bool,
}

impl Context {
    const OUTSIDE: Context = Context {
        whole: true,
        before: None,
        next: None,
        linked: false,
    };
}

impl Line<'_> {
    /// Appends inlines.
    fn push(&self, inlines: &[Inline], context: &Context, out: &mut String) {
        for (i, inline) in inlines.iter().enumerate() {
            // The next character decides whether a mark may stand here and whether characters are escaped.
            let following = inlines[i + 1..]
                .iter()
                .take(LOOK_AHEAD)
                .find_map(|inline| self.first_char(inline));
            let context = Context {
                next: following.or(context.next),
                ..*context
            };
            match inline {
                Inline::Text(text) => self.text(text, &context, out),
                Inline::Span(span) => self.span(span, &context, out),
            }
        }
    }

    /// Appends plain text, escaped.
    fn text(&self, text: &str, context: &Context, out: &mut String) {
        let around = Around {
            begins_block: context.whole && self.place == Place::Line,
            in_heading: context.whole && self.place == Place::Heading,
            dollars: self.dollars,
            definitions: self.options.extensions.definition_lists,
            next: context.next.filter(|next| *next != '\n'),
        };
        // Leading spaces are dropped at the start of a line and after another space. They have no effect
        // there, or would begin an indented code block.
        let text = if out.ends_with(['\n', ' ']) {
            text.trim_start()
        } else {
            text
        };
        escape(text, around, out);
    }

    fn span(&self, span: &Span, context: &Context, out: &mut String) {
        match span {
            Span::Marked { mark, inlines } => self.marked(*mark, inlines, context, out),
            // Two adjacent code spans would merge into one.
            Span::Code { text, .. } if out.ends_with('`') => {
                let inner = Context {
                    whole: false,
                    next: Some('<'),
                    ..*context
                };
                out.push_str("<code>");
                self.text(text, &inner, out);
                out.push_str("</code>");
            }
            Span::Code { text, .. } => code(text, out),
            Span::Link {
                target,
                title,
                inlines,
            } => {
                if !self.options.links || context.linked {
                    return self.push(inlines, context, out);
                }
                let inner = Context {
                    whole: false,
                    before: Some('['),
                    next: Some(']'),
                    linked: true,
                };
                let mut text = String::new();
                self.push(inlines, &inner, &mut text);
                // A link without text would be invisible.
                if text.trim().is_empty() {
                    return;
                }
                out.push('[');
                out.push_str(text.trim());
                out.push_str("](");
                push_target(target, title.as_deref(), out);
                out.push(')');
            }
            Span::Image(image) => self.image(&image.src, &image.alt, image.title.as_deref(), out),
            Span::Player(player) => self.player(player, context, out),
            Span::Formula(formula) => self.formula(formula, context, out),
            Span::Note { number } if self.options.extensions.footnotes => {
                out.push_str(&format!("[^{number}]"));
            }
            // Before a parenthesis, brackets would be a link.
            Span::Note { number } if context.next == Some('(') => out.push_str(&format!("\\[{number}\\]")),
            Span::Note { number } => out.push_str(&format!("[{number}]")),
            Span::Break => match self.place {
                Place::Line => {
                    out.truncate(out.trim_end_matches(' ').len());
                    if !(out.is_empty() || out.ends_with('\n')) {
                        out.push_str("\\\n");
                    }
                }
                Place::Heading => out.push(' '),
                Place::Cell { .. } => out.push_str("<br>"),
            },
            Span::Ruby { parts } => {
                out.push_str("<ruby>");
                for part in parts {
                    self.text(&part.base, context, out);
                    out.push_str("<rt>");
                    self.text(&part.reading, context, out);
                    out.push_str("</rt>");
                }
                out.push_str("</ruby>");
            }
        }
    }

    /// Writes a link around the poster or the title. Without both, the address is written as the text of the
    /// link.
    fn player(&self, player: &Player, context: &Context, out: &mut String) {
        let src = player
            .src
            .as_ref()
            .filter(|_| self.options.links && !context.linked);
        let poster = player.poster.as_ref().filter(|_| self.options.images);
        let words = match (&player.title, src) {
            (Some(title), _) => title,
            (None, Some(src)) if poster.is_none() => {
                if is_autolink(src) {
                    return out.push_str(&format!("<{src}>"));
                }
                src
            }
            _ => "",
        };
        let mut text = String::new();
        match poster {
            Some(poster) => self.image(poster, words, None, &mut text),
            None if src.is_some() => escape(words, self.inside_brackets(), &mut text),
            // Neither an address nor a poster is written: only the title remains.
            None => return self.text(words, context, out),
        }
        match src {
            Some(src) => {
                out.push_str(&format!("[{text}]("));
                push_target(src, None, out);
                out.push(')');
            }
            None => out.push_str(&text),
        }
    }

    fn inside_brackets(&self) -> Around {
        Around {
            begins_block: false,
            in_heading: false,
            dollars: self.dollars,
            definitions: self.options.extensions.definition_lists,
            next: Some(']'),
        }
    }

    fn image(&self, src: &str, alt: &str, title: Option<&str>, out: &mut String) {
        if !self.options.images {
            return;
        }
        out.push_str("![");
        escape(alt, self.inside_brackets(), out);
        out.push_str("](");
        push_target(src, title, out);
        out.push(')');
    }

    /// Appends a formula: TeX between dollars or as code, otherwise its plain characters.
    fn formula(&self, formula: &Formula, context: &Context, out: &mut String) {
        match &formula.tex {
            Some(tex) if !self.options.extensions.dollars => {
                let (of, text) = (CodeKind::Code, tex.trim().replace('\n', " "));
                self.span(&Span::Code { of, text }, context, out);
            }
            // A display formula has a line of its own, which only a paragraph can give it.
            Some(tex) if formula.display && self.place == Place::Line && context.whole => {
                out.truncate(out.trim_end_matches(' ').len());
                if !(out.is_empty() || out.ends_with('\n')) {
                    out.push('\n');
                }
                out.push_str("$$");
                out.push_str(tex);
                out.push_str("$$\n");
            }
            Some(tex) => {
                // A dollar within the formula would end it.
                let mark = if has_bare_dollar(tex) { "$$" } else { "$" };
                out.push_str(mark);
                out.push_str(tex.trim());
                out.push_str(mark);
            }
            None => self.text(&formula.text, context, out),
        }
    }

    /// Appends marked text, with the first mark that CommonMark would read as one here, or as an HTML
    /// element.
    fn marked(&self, mark: Mark, inlines: &[Inline], context: &Context, out: &mut String) {
        let marks: &[&str] = match mark {
            Mark::Strong => &["**", "__"],
            Mark::Emphasis => &["*", "_"],
            Mark::Deleted => &["~~"],
            // Markdown has no signs for these, so tags are written below.
            Mark::Inserted | Mark::Highlight | Mark::Subscript | Mark::Superscript => &[],
            Mark::Title | Mark::Variable => return self.push(inlines, context, out),
            Mark::Quote => {
                out.push('“');
                let inner = Context {
                    next: Some('”'),
                    ..*context
                };
                self.push(inlines, &inner, out);
                return out.push('”');
            }
        };
        let mut text = String::new();
        let inner = Context {
            whole: false,
            // Every mark ends in a punctuation character; `*` represents it here.
            before: Some('*'),
            next: Some('*'),
            ..*context
        };
        self.push(inlines, &inner, &mut text);
        let inside = text.trim();
        let ends = inside.chars().next().zip(inside.chars().next_back());
        let Some((first, last)) = ends else {
            return out.push_str(&text);
        };
        // White space at the ends moves out of the mark: `** bold **` is not strong text.
        let (before, after) = text.split_once(inside).unwrap_or(("", ""));
        out.push_str(before);
        // The start of a line counts like the start of the text.
        let previous = match out.chars().next_back() {
            Some(previous) => Some(previous).filter(|previous| *previous != '\n'),
            None => context.before,
        };
        let next = after.chars().next().or(context.next);
        let fits = |mark: &&&str| stands(mark, first, last, previous, next);
        // If CommonMark would read none of the marks as one, an HTML tag is written.
        match marks.iter().find(fits) {
            Some(mark) => {
                out.push_str(mark);
                out.push_str(inside);
                out.push_str(mark);
            }
            None => {
                let name = mark_name(mark);
                out.push_str(&format!("<{name}>{inside}</{name}>"));
            }
        }
        out.push_str(after);
    }

    /// First character that [`Line::push`] writes for an inline; `None` if it writes nothing. Must agree with
    /// `span`.
    fn first_char(&self, inline: &Inline) -> Option<char> {
        let first_of = |inlines: &[Inline]| inlines.iter().find_map(|inline| self.first_char(inline));
        let span = match inline {
            Inline::Text(text) => return text.chars().next(),
            Inline::Span(span) => &**span,
        };
        match span {
            Span::Marked { mark, inlines } => {
                let first = first_of(inlines)?;
                Some(match mark {
                    _ if first.is_whitespace() => first,
                    Mark::Strong | Mark::Emphasis => '*',
                    Mark::Deleted => '~',
                    Mark::Title | Mark::Variable => first,
                    Mark::Quote => '“',
                    Mark::Inserted | Mark::Highlight | Mark::Subscript | Mark::Superscript => '<',
                })
            }
            Span::Code { .. } => Some('`'),
            Span::Link { inlines, .. } => {
                let first = first_of(inlines)?;
                Some(if self.options.links { '[' } else { first })
            }
            Span::Image(_) => self.options.images.then_some('!'),
            Span::Player(player) => {
                if self.options.links && player.src.is_some() {
                    return Some('[');
                }
                match &player.poster {
                    Some(_) if self.options.images => Some('!'),
                    _ => player.title.as_ref()?.chars().next(),
                }
            }
            Span::Formula(formula) => match &formula.tex {
                Some(_) if !self.options.extensions.dollars => Some('`'),
                Some(_) if formula.display && self.place == Place::Line => Some('\n'),
                Some(_) => Some('$'),
                None => formula.text.chars().next(),
            },
            Span::Note { .. } => Some('['),
            Span::Break => Some(match self.place {
                Place::Line => '\\',
                Place::Heading => ' ',
                Place::Cell { .. } => '<',
            }),
            Span::Ruby { .. } => Some('<'),
        }
    }
}

/// Whether CommonMark reads `mark` around a text as emphasis, given the characters at both ends, inside (`first`, `last`) and outside.
///
/// Characters that renderers classify differently count as unfavorable.
fn stands(mark: &str, first: char, last: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(sign) = mark.chars().next() else {
        return false;
    };
    // Adjacent marks of the same character would form a single delimiter run.
    if [Some(first), Some(last), before, after].contains(&Some(sign)) {
        return false;
    }
    // Flanking rules of CommonMark: if the character inside is punctuation, there must be white space or
    // punctuation outside.
    let is_open = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || is_punctuation(c));
    let (before, after) = (is_open(before), is_open(after));
    // `_` is literal inside a word.
    let in_word = sign != '_' || before && after;
    in_word && (first.is_alphanumeric() || before) && (last.is_alphanumeric() || after)
}

/// Whether all Markdown renderers treat `c` as punctuation.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '«' | '»' | '¿' | '¡' | '§' | '¶'
            | '！' | '，' | '：' | '；' | '？' | '（' | '）')
}

/// Whether an address can stand alone between `<` and `>`.
fn is_autolink(src: &str) -> bool {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| src.starts_with(scheme));
    let fits = |c: char| !(c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '\\'));
    is_web && src.chars().all(fits) && !src.match_indices('&').any(|(at, _)| is_reference(&src[at..]))
}

/// Appends the target of a link, with parentheses and white space percent-encoded, and its title.
fn push_target(target: &str, title: Option<&str>, out: &mut String) {
    for (at, c) in target.char_indices() {
        match c {
            // An ampersand that could start a character reference is escaped.
            '&' => out.push_str(if is_reference(&target[at..]) { "\\&" } else { "&" }),
            // Unbalanced parentheses would end the target.
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            c if c.is_whitespace() || c.is_control() => out.push_str("%20"),
            c => out.push(c),
        }
    }
    if let Some(title) = title {
        out.push_str(" \"");
        for c in title.chars() {
            match c {
                '"' | '\\' => {
                    out.push('\\');
                    out.push(c);
                }
                c if c.is_whitespace() || c == '\0' => out.push(' '),
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

/// Whether a formula contains a dollar without a backslash before it, as around a formula within
/// `\text{...}`.
fn has_bare_dollar(tex: &str) -> bool {
    let bytes = tex.as_bytes();
    memchr::memchr_iter(b'$', bytes).any(|at| {
        let slashes = bytes[..at]
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count();
        // An even number of backslashes are escaped backslashes.
        slashes % 2 == 0
    })
}

/// Whether dollars in the texts of a line could be read as formula delimiters.
fn has_doubtful_dollars(inlines: &[Inline]) -> bool {
    let (mut dollars, mut closing, mut formula) = (0, false, false);
    count_dollars(inlines, true, &mut dollars, &mut closing, &mut formula);
    dollars > 0 && formula || dollars > 1 && closing
}

/// Counts dollars, and looks for one that may close a formula: some renderers only require that no white space precedes it.
///
/// `begins` is whether the inlines start the line; otherwise a mark precedes them.
fn count_dollars(
    inlines: &[Inline],
    begins: bool,
    dollars: &mut usize,
    closing: &mut bool,
    formula: &mut bool,
) {
    for (i, inline) in inlines.iter().enumerate() {
        match inline {
            Inline::Text(text) => {
                for (at, _) in text.match_indices('$') {
                    *dollars += 1;
                    *closing |= match text[..at].chars().next_back() {
                        Some(before) => !before.is_whitespace(),
                        None => i > 0 || !begins,
                    };
                }
            }
            Inline::Span(span) => match &**span {
                Span::Marked { inlines, .. } | Span::Link { inlines, .. } => {
                    count_dollars(inlines, false, dollars, closing, formula);
                }
                Span::Formula(found) => *formula |= found.tex.is_some(),
                // Renderers that support formulas may look for the closing dollar in code, too.
                Span::Code { text, .. } if text.contains('$') => (*dollars, *closing) = (*dollars + 1, true),
                _ => {}
            },
        }
    }
}
