//! A line of Markdown that is being written, with the emphasis, the links and the code that are open in it.

use crate::render::markdown::escape::escape;

/// A stretch of a line that is marked at its beginning and at its end.
#[derive(Debug)]
pub(super) enum Span {
    /// What stands before and after it.
    Marked(&'static str, &'static str),
    /// A link, by its target.
    Link(String),
    /// Code, in which nothing has a meaning.
    Code,
    /// A stretch that Markdown does not mark.
    Plain,
}

/// A span, and what has been written of it.
#[derive(Debug)]
struct OpenSpan {
    span: Span,
    /// Whether its beginning stands in the line, so that its end has to.
    shown: bool,
}

/// The current line, without the prefix of quotes and lists. Beginnings of spans are written with the first content in them, so that
/// none is empty and none begins with white space. A line that ends in the middle of spans ends them, and the next one begins them again.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    /// Whether white space stands before what follows.
    space: bool,
    /// Whether a hard break follows, unless the block ends before any content.
    break_due: bool,
    /// Open spans, the outermost first.
    spans: Vec<OpenSpan>,
    /// The number of them, from the first on, that content has been written in.
    begun: usize,
    /// Number of spans of code that are open.
    code_depth: usize,
    /// Code that is not yet written, since its marks depend on all of it.
    code: String,
}

impl Line {
    /// White space: none at the beginning of a line, and one character between words.
    pub(super) fn add_space(&mut self) {
        self.space = true;
    }

    /// Adds a word, whose characters stand for themselves.
    pub(super) fn add_word(&mut self, word: &str, marks: bool) {
        if self.code_depth > 0 {
            let within = !self.code.is_empty();
            if !within {
                self.begin(marks);
            }
            if within && std::mem::take(&mut self.space) {
                self.code.push(' ');
            }
            self.code
                .extend(word.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c }));
            return;
        }
        self.begin(marks);
        escape(word, self.text.is_empty(), &mut self.text);
    }

    /// Adds text as it is.
    pub(super) fn add_raw(&mut self, text: &str, marks: bool) {
        self.end_code();
        self.begin(marks);
        self.text.push_str(text);
    }

    /// Opens a span.
    pub(super) fn open(&mut self, span: Span) {
        match span {
            // A link in code parts it, since there are no links in it.
            Span::Link(_) => self.end_code(),
            Span::Code => self.code_depth += 1,
            Span::Marked(..) | Span::Plain => {}
        }
        self.spans.push(OpenSpan { span, shown: false });
    }

    /// Closes the innermost span.
    pub(super) fn close(&mut self) {
        let closes_code = match self.spans.last().map(|open| &open.span) {
            Some(Span::Code) => {
                self.code_depth -= 1;
                self.code_depth == 0
            }
            Some(Span::Link(_)) => true,
            _ => false,
        };
        if closes_code {
            self.end_code();
        }
        if let Some(open) = self.spans.pop() {
            self.begun = self.begun.min(self.spans.len());
            open.write_end(&mut self.text);
        }
    }

    /// Writes what is due before content: white space, and the beginnings of spans; those of emphasis only if `marks` is set.
    fn begin(&mut self, marks: bool) {
        if std::mem::take(&mut self.space) && !self.text.is_empty() {
            self.text.push(' ');
        }
        for at in self.begun..self.spans.len() {
            let (outer, inner) = self.spans.split_at_mut(at);
            let Some(open) = inner.first_mut() else { break };
            open.shown = match &open.span {
                Span::Marked(begin, _) => {
                    let again = outer.iter().any(|above| above.is_shown_as(begin));
                    let shown = marks && !again && self.code_depth == 0;
                    if shown {
                        self.text.push_str(begin);
                    }
                    shown
                }
                Span::Link(_) => {
                    self.text.push('[');
                    true
                }
                Span::Code | Span::Plain => false,
            };
        }
        self.begun = self.spans.len();
    }

    /// Writes the code so far, between marks that are longer than any in it.
    fn end_code(&mut self) {
        if self.code.is_empty() {
            return;
        }
        let code = std::mem::take(&mut self.code);
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let mark = "`".repeat(longest + 1);
        let pad = if code.starts_with('`') || code.ends_with('`') {
            " "
        } else {
            ""
        };
        for part in [&mark, pad, &code, pad, &mark] {
            self.text.push_str(part);
        }
    }

    /// A hard break follows, if anything does. In code there is none.
    pub(super) fn add_break(&mut self) {
        if self.code_depth > 0 {
            self.space = true;
        } else if !self.text.trim().is_empty() {
            self.break_due = true;
        }
    }

    /// The text up to a hard break, if one is due; what follows stands on the next line, in the same spans.
    pub(super) fn take_before_break(&mut self) -> Option<String> {
        if !std::mem::take(&mut self.break_due) {
            return None;
        }
        self.space = false;
        Some(std::mem::take(&mut self.text))
    }

    /// The whole line. Its spans end, and those that are open begin again with the next content.
    pub(super) fn take(&mut self) -> String {
        self.end_code();
        for open in self.spans[..self.begun].iter_mut().rev() {
            open.write_end(&mut self.text);
            open.shown = false;
        }
        self.begun = 0;
        (self.space, self.break_due) = (false, false);
        std::mem::take(&mut self.text)
    }

    /// Bytes written so far.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.code.len()
    }
}

impl OpenSpan {
    fn is_shown_as(&self, mark: &str) -> bool {
        self.shown && matches!(self.span, Span::Marked(begin, _) if begin == mark)
    }

    fn write_end(&self, out: &mut String) {
        match &self.span {
            Span::Marked(_, end) if self.shown => out.push_str(end),
            Span::Link(target) if self.shown => {
                out.push_str("](");
                out.push_str(target);
                out.push(')');
            }
            _ => {}
        }
    }
}
