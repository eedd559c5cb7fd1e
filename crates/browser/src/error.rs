//! Errors: of one page, or of the browser.

use std::fmt;

/// Error: there is no working browser.
#[derive(Debug)]
pub struct Error {
    message: String,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Error {
            message: message.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A page that could not be rendered.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LostPage {
    /// The reason, for statistics.
    pub reason: LostReason,
    /// The reason, for people: one sentence without a full stop.
    pub message: String,
}

impl LostPage {
    pub(crate) fn new(reason: LostReason, message: impl Into<String>) -> Self {
        LostPage {
            reason,
            message: message.into(),
        }
    }
}

impl fmt::Display for LostPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.name(), self.message)
    }
}

/// The reason why a page is lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum LostReason {
    /// It exceeded the time limit.
    Time,
    /// The browser exceeded the memory limit.
    Memory,
    /// It has too many elements.
    Elements,
    /// It has too many bytes.
    Bytes,
    /// The browser or the process of the page crashed.
    Crash,
    /// The browser refused a command.
    Refused,
}

impl LostReason {
    /// Returns the name used in records and statistics.
    pub fn name(self) -> &'static str {
        match self {
            LostReason::Time => "render-time",
            LostReason::Memory => "render-memory",
            LostReason::Elements => "render-elements",
            LostReason::Bytes => "render-bytes",
            LostReason::Crash => "render-crash",
            LostReason::Refused => "render-refused",
        }
    }
}
