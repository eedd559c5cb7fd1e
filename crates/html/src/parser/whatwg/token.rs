//! Tokens (section 13.2.5): ranges of the source.

use crate::tree::{NodeKind, Tag};

/// A range of characters in the source or the side buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    pub(crate) form: Form,
    /// Whether U+0000 may be among its characters.
    pub(crate) may_hold_nul: bool,
}

/// What has to be done to read a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Nothing.
    Verbatim,
    /// Resolve character references and normalize newlines.
    Encoded,
    /// Normalize newlines, and replace U+0000.
    Raw,
    /// Normalize newlines. It is white space of ASCII alone.
    Blank,
}

impl Run {
    pub(crate) fn new(lo: usize, hi: usize, form: Form, may_hold_nul: bool) -> Self {
        Run {
            lo: lo as u32,
            hi: hi as u32,
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
    /// Numbers of its attributes; an end tag has none.
    pub(crate) attrs: (u32, u32),
}

/// One token of the standard, or a whole run of its character tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    Text(Run),
    Start(TagToken),
    End(TagToken),
    /// Range of the data of a comment.
    Comment(u32, u32),
    /// Range of the text after `<!doctype`.
    Doctype(u32, u32),
}
