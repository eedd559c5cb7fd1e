//! Errors of files of rules, with their positions.

use std::fmt;

use toml::Spanned;

/// An error in a file of rules: file, line, column, the problem, and a remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError {
    file: String,
    line: usize,
    column: usize,
    message: String,
    remedy: String,
}

impl RuleError {
    /// Returns the name of the file, as it was given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Returns the remedy; empty if the message suffices.
    pub fn remedy(&self) -> &str {
        &self.remedy
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for RuleError {}

/// An error in a value, without its position in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flaw {
    /// Byte offset in the value at which the error begins.
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) remedy: String,
}

impl Flaw {
    pub(super) fn new(at: usize, message: impl Into<String>, remedy: impl Into<String>) -> Flaw {
        Flaw {
            at,
            message: message.into(),
            remedy: remedy.into(),
        }
    }
}

/// A file of rules as text, for messages.
#[derive(Clone, Copy)]
pub(super) struct SourceFile<'t> {
    pub(super) file: &'t str,
    pub(super) text: &'t str,
}

impl SourceFile<'_> {
    /// Creates an error at a byte offset of the file.
    pub(super) fn error(
        &self,
        at: usize,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> RuleError {
        // Offsets of other parsers may be past the end or inside a character.
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &self.text[..at];
        // Lines and columns count from 1, columns in characters.
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        RuleError {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
            remedy: remedy.into(),
        }
    }

    /// Creates an error within a string of the file.
    pub(super) fn within(&self, string: &Spanned<String>, flaw: Flaw) -> RuleError {
        let (span, value) = (string.span(), string.get_ref());
        let written = self.text.get(span.clone()).unwrap_or("");
        // If the string has no escapes, its value occurs literally in the file.
        let at = written
            .find(value.as_str())
            .map_or(span.start, |start| span.start + start + flaw.at);
        let end = value.char_indices().take_while(|(i, _)| *i < flaw.at).count();
        let message = if value.is_empty() {
            flaw.message
        } else {
            format!("`{value}`, character {}: {}", end + 1, flaw.message)
        };
        self.error(at, message, flaw.remedy)
    }
}
