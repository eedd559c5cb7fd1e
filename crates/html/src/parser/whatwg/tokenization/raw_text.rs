//! Tokenization, continued: RCDATA, RAWTEXT and script data (sections 13.2.5.2 to 13.2.5.4 and 13.2.5.9 to 13.2.5.31).
//!
//! Inside these elements only their own end tag counts, so the whole text is read when the start tag is handled. The
//! "text" insertion mode (section 13.2.6.4.8) is therefore not needed.

use memchr::{memchr, memchr_iter, memchr2};

use super::tags::ends_name;
use crate::parser::whatwg::state::ParserState;
use crate::parser::whatwg::token::{Form, Run, Token};
use crate::tree::Tag;

/// Tokenizer state for the text of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RawKind {
    /// `title`, `textarea`: character references are resolved.
    Rcdata,
    /// `style`, `xmp`, `iframe`, `noembed`, `noframes`, and `noscript` while scripts run.
    Rawtext,
    /// `script`.
    Script,
}

impl ParserState<'_> {
    /// Reads the text before the end tag `name` (lower case), and the end tag. Without such an end tag, the
    /// rest of the source is text.
    pub(crate) fn raw_text(&mut self, kind: RawKind, name: &[u8]) -> Run {
        let lo = self.pos;
        let end = match kind {
            RawKind::Script => self.end_of_script(lo, name),
            _ => self.end_of_text(lo, name),
        };
        if end.is_none()
            && let Some(hi) = self.repaired_end(lo, kind, name)
        {
            // The text ends here. Parsing continues as if the end tag had been present.
            self.pos = hi;
            return self.raw_run(kind, lo, hi);
        }
        // Without an end tag and without repair the element takes the rest of the source.
        let hi = end.unwrap_or(self.bytes.len());
        if end.is_some() {
            // The end tag was found but the source ends inside it: it is dropped, as is every tag that is
            // not closed.
            if self.rest_of_end_tag(hi + 2 + name.len()).is_none() {
                self.pos = self.bytes.len();
            }
        } else {
            self.pos = hi;
        }
        self.raw_run(kind, lo, hi)
    }

    fn raw_run(&self, kind: RawKind, lo: usize, hi: usize) -> Run {
        let text = &self.bytes[lo..hi];
        let form = match kind {
            RawKind::Rcdata if memchr2(b'&', b'\r', text).is_some() => Form::Encoded,
            RawKind::Rcdata => Form::Verbatim,
            // Few of these texts are ever read, so they are not scanned for characters to replace.
            RawKind::Rawtext | RawKind::Script => Form::Raw,
        };
        Run::new(lo, hi, form, true)
    }

    /// Where an unclosed element that contains markup ends, if repairs are on; `None` otherwise. Not in the standard.
    fn repaired_end(&mut self, lo: usize, kind: RawKind, name: &[u8]) -> Option<usize> {
        if self.repairs_left == 0 {
            return None;
        }
        let end = match kind {
            // Comments inside scripts may hide the end tag. Strings in scripts contain tags, but those
            // rarely begin a line.
            RawKind::Script => self
                .end_of_text(lo, name)
                .or_else(|| self.first_tag(lo, is_start_of_line))?,
            _ => {
                let tag = self.first_tag(lo, |_| true)?;
                let text = &self.bytes[lo..tag];
                let start = text.iter().position(|byte| !byte.is_ascii_whitespace());
                // A title takes the rest of its line. `<title>News\n<p>`: the title is "News".
                match start.and_then(|start| memchr(b'\n', &text[start..]).map(|end| lo + start + end)) {
                    Some(end) if name == b"title" => end,
                    _ => tag,
                }
            }
        };
        // The warning needs a name that outlives the page.
        let name = Tag::ALL
            .iter()
            .filter_map(|tag| tag.known_name())
            .find(|known| known.as_bytes() == name);
        self.count_repair(name.unwrap_or("script"));
        Some(end)
    }

    /// Counts an element or a comment that was closed early; `what` is its name.
    pub(crate) fn count_repair(&mut self, what: &'static str) {
        self.repairs_left -= 1;
        let (count, first) = &mut self.limits_hit.unclosed;
        if *count == 0 {
            *first = what;
        }
        *count += 1;
    }

    /// Offset of the first tag after `lo` for which `fits` accepts the bytes between `lo` and the tag.
    pub(crate) fn first_tag(&self, lo: usize, fits: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let rest = &self.bytes[lo..];
        memchr_iter(b'<', rest)
            .find(|&at| {
                let name = &rest[at + 1..];
                let name = name.strip_prefix(b"/").unwrap_or(name);
                name.first().is_some_and(u8::is_ascii_alphabetic) && fits(&rest[..at])
            })
            .map(|at| lo + at)
    }

    /// § PLAINTEXT state: the rest of the source; `None` at its end.
    pub(crate) fn plaintext_token(&mut self, form: Form) -> Option<Token> {
        // Taking the rest at once: nothing ends plain text.
        let lo = std::mem::replace(&mut self.pos, self.bytes.len());
        (lo < self.pos).then(|| Token::Text(self.with_replacements(Run::new(lo, self.pos, form, true))))
    }

    /// State in which the text of an element is read; `None` for elements with other content than text.
    pub(crate) fn raw_text_kind(&self, tag: Tag) -> Option<RawKind> {
        match tag {
            Tag::TITLE | Tag::TEXTAREA => Some(RawKind::Rcdata),
            Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => Some(RawKind::Rawtext),
            Tag::NOSCRIPT if self.scripting => Some(RawKind::Rawtext),
            Tag::SCRIPT => Some(RawKind::Script),
            _ => None,
        }
    }

    /// Whether "an appropriate end tag token" of this name begins at `at`, where there is a `<`.
    fn is_end_tag(&self, at: usize, name: &[u8]) -> bool {
        let rest = &self.bytes[at + 1..];
        rest.first() == Some(&b'/')
            && rest
                .get(1..=name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(name))
            // `</scripting` is not an end tag of `script`.
            && rest.get(1 + name.len()).is_some_and(|&b| ends_name(b))
    }

    /// § RCDATA state, RAWTEXT state and the states of their end tags. Offset of the end tag; `None` if it is missing.
    fn end_of_text(&self, lo: usize, name: &[u8]) -> Option<usize> {
        let mut from = lo;
        loop {
            let at = from + memchr(b'<', &self.bytes[from..])?;
            if self.is_end_tag(at, name) {
                return Some(at);
            }
            from = at + 1;
        }
    }

    /// § Script data state and the states after it: inside `<!-- -->`, a further `<script>` hides the next end tag.
    fn end_of_script(&self, lo: usize, name: &[u8]) -> Option<usize> {
        let mut from = lo;
        loop {
            let at = from + memchr(b'<', &self.bytes[from..])?;
            if self.is_end_tag(at, name) {
                return Some(at);
            }
            from = at + 1;
            if self.bytes[from..].starts_with(b"!--") {
                match self.end_of_escape(from + 1, name) {
                    Escape::Left(at) => from = at,
                    Escape::EndTag(at) => return Some(at),
                    // Inside an escape that never ends, the standard finds no end tag.
                    Escape::Eof => return None,
                }
            }
        }
    }

    /// § Script data escaped states and script data double escaped states. `lo` is the offset of the dashes of `<!--`.
    fn end_of_escape(&self, lo: usize, name: &[u8]) -> Escape {
        // After the dashes of `<!--`. They may also be those of `-->`: `<!-->` leaves the escape at once.
        let mut from = lo + 2;
        let mut double = false;
        while let Some(found) = memchr2(b'<', b'>', &self.bytes[from..]) {
            let at = from + found;
            from = at + 1;
            if self.bytes[at] == b'>' {
                // The dashes are searched from `lo` on, because they may be those of `<!--`.
                if self.bytes[lo..at].ends_with(b"--") {
                    return Escape::Left(from);
                }
            } else if double {
                // § Script data double escape end state
                if self.is_end_tag(at, b"script") {
                    double = false;
                    from = at + b"</script".len() + 1;
                }
            } else if self.is_end_tag(at, name) {
                return Escape::EndTag(at);
            } else {
                // § Script data double escape start state
                let rest = &self.bytes[from..];
                let word = rest
                    .get(..6)
                    .is_some_and(|word| word.eq_ignore_ascii_case(b"script"));
                if word && rest.get(6).is_some_and(|&b| ends_name(b)) {
                    double = true;
                    from += 7;
                }
            }
        }
        Escape::Eof
    }
}

/// Whether only white space separates the end of `before` from the preceding line feed, or from the start
/// of the text.
fn is_start_of_line(before: &[u8]) -> bool {
    let solid = before
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    solid.is_none_or(|at| before[at] == b'\n')
}

/// End of an escaped part of a script.
enum Escape {
    /// `-->`; offset after it.
    Left(usize),
    /// The end tag of the script; offset of its `<`.
    EndTag(usize),
    /// The end of the source.
    Eof,
}
