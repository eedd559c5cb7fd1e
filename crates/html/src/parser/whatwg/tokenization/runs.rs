//! Runs of characters: reading, white space, U+0000.

use std::borrow::Cow;

use memchr::memchr;

use crate::narrow;
use crate::parser::whatwg::state::ParserState;
use crate::parser::whatwg::token::{Form, Run};
use crate::tree::character_reference;

impl ParserState<'_> {
    /// Copies `text` to the side buffer and returns it as a run.
    pub(crate) fn stored_run(&mut self, text: &str) -> Run {
        let (lo, hi) = self.builder.keep(text);
        Run {
            lo,
            hi,
            form: Form::Verbatim,
            may_hold_nul: false,
        }
    }

    /// The characters of a run, including U+0000.
    pub(crate) fn read(&self, run: Run) -> Cow<'_, str> {
        let raw = self.builder.dom.slice(run.lo, run.hi);
        match run.form {
            Form::Verbatim => Cow::Borrowed(raw),
            Form::Encoded => character_reference::decode_text(raw),
            Form::Raw | Form::Blank => character_reference::normalize_newlines(raw),
        }
    }

    /// Whether the run contains U+0000.
    #[inline]
    pub(crate) fn holds_nul(&self, run: Run) -> bool {
        run.may_hold_nul && memchr(0, self.builder.dom.slice(run.lo, run.hi).as_bytes()).is_some()
    }

    /// The run with U+0000 removed.
    pub(crate) fn without_nul(&mut self, run: Run) -> Run {
        if !self.holds_nul(run) {
            return run;
        }
        // A run is one range of the source or the side buffer, so the remaining characters are copied.
        let mut text = self.read(run).into_owned();
        text.retain(|c| c != '\0');
        self.stored_run(&text)
    }

    /// The run with U+0000 replaced by U+FFFD.
    pub(crate) fn with_replacements(&mut self, run: Run) -> Run {
        if !self.holds_nul(run) {
            return run;
        }
        let text = self.read(run).replace('\0', "\u{FFFD}");
        self.stored_run(&text)
    }

    /// The run without a leading line feed: `\n`, `\r`, `\r\n` or a reference such as `&#10;`.
    #[cold]
    pub(crate) fn without_newline(&self, run: Run) -> Run {
        let bytes = self.builder.dom.slice(run.lo, run.hi).as_bytes();
        let skip = match (bytes.first(), run.form) {
            (Some(b'\n'), _) => 1,
            (Some(b'\r'), Form::Encoded | Form::Raw | Form::Blank) => {
                // `\r\n` is one newline.
                1 + u32::from(bytes.get(1) == Some(&b'\n'))
            }
            // The reference may be `&#10;`, `&#xA;` or `&NewLine;`.
            (Some(b'&'), Form::Encoded) => match character_reference::resolve(&bytes[1..], false) {
                Some((reference, len))
                    if reference.first == '\n' && self.counts_as_newline(&bytes[1..=len]) =>
                {
                    1 + narrow::to_u32(len)
                }
                _ => 0,
            },
            _ => 0,
        };
        Run {
            lo: run.lo + skip,
            ..run
        }
    }

    /// Number of bytes of white space at the start of the run, including references to white space.
    fn leading_space(&self, run: Run) -> usize {
        let bytes = self.builder.dom.slice(run.lo, run.hi).as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += match byte {
                b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' => 1,
                b'&' if run.form == Form::Encoded => {
                    // A reference to white space counts as white space: `&#32;`.
                    match character_reference::resolve(&bytes[at + 1..], false) {
                        Some((reference, len)) if is_space(reference.first) => 1 + len,
                        _ => break,
                    }
                }
                _ => break,
            };
        }
        at
    }

    /// Whether the run consists of white space, including references to white space.
    pub(crate) fn is_space(&self, run: Run) -> bool {
        self.leading_space(run) == (run.hi - run.lo) as usize
    }

    /// Splits the run after its leading white space.
    pub(crate) fn split_space(&self, run: Run) -> (Run, Run) {
        let middle = run.lo + narrow::to_u32(self.leading_space(run));
        (Run { hi: middle, ..run }, Run { lo: middle, ..run })
    }
}

pub(crate) fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0C' | '\r' | ' ')
}

#[cfg(test)]
mod tests {
    use crate::{NodeId, Parser, Tag};

    #[test]
    fn nul_is_found_wherever_it_stands() {
        for before in (0..300).chain([5000]) {
            for form in ["<b>", "<b c='", "<script>", "<!--"] {
                let end = form.replace("<b c='", "'>").replace("<!--", "-->");
                let end = end.replace("<script>", "</script>").replace("<b>", "</b>");
                let source = [form, &"x".repeat(before), &end, "<i>1\u{0}2</i><u a\u{0}b=c>"].concat();
                let (dom, _) = Parser::default().parse(&source);
                let found = |tag| dom.find(NodeId::DOCUMENT, tag).unwrap();
                assert_eq!(dom.text_content(found(Tag::I)), "12", "{before} {form}");
                let name = dom.attributes(found(Tag::U)).next().unwrap().0;
                assert_eq!(name, "a\u{FFFD}b", "{before} {form}");
            }
        }
    }
}
