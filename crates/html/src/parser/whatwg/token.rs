//! Tokens (section 13.2.5): ranges of the source.

use crate::narrow;
use crate::tree::{NodeKind, Tag};

/// A range of characters in the source or the side buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    pub(crate) form: Form,
    /// Whether its characters may include U+0000.
    pub(crate) may_hold_nul: bool,
}

/// Processing needed to read a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// None.
    Verbatim,
    /// Resolve character references and normalize newlines.
    Encoded,
    /// Normalize newlines, and replace U+0000.
    Raw,
    /// Normalize newlines. The run consists of spaces and of characters from U+0009 to U+000D.
    Blank,
}

impl Run {
    pub(crate) fn new(lo: usize, hi: usize, form: Form, may_hold_nul: bool) -> Self {
        Run {
            lo: narrow::to_u32(lo),
            hi: narrow::to_u32(hi),
            form,
            may_hold_nul,
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.lo == self.hi
    }
}

impl Form {
    pub(crate) fn kind(self) -> NodeKind {
        match self {
            Form::Verbatim => NodeKind::Text,
            Form::Encoded => NodeKind::EncodedText,
            Form::Raw => NodeKind::RawText,
            Form::Blank => NodeKind::Blank,
        }
    }
}

/// A start or end tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TagToken {
    pub(crate) tag: Tag,
    pub(crate) self_closing: bool,
    /// Range of indices of its attributes; empty for an end tag.
    pub(crate) attrs: (u32, u32),
}

/// One token of the standard, or a whole run of its character tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    Text(Run),
    Start(TagToken),
    End(TagToken),
    /// Range of the comment's data.
    Comment(u32, u32),
    /// Range of the text after `<!doctype`.
    Doctype(u32, u32),
}
