//! Errors that end a run. An unusable record is not an error: it is [rejected](crate::record::Rejected).

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why a run ended early.
///
/// The type is opaque. Its properties are [`kind`](Error::kind), [`path`](Error::path),
/// [`line`](Error::line), [`option`](Error::option) and [`help`](Error::help). The message names the place,
/// and `help` a remedy.
///
/// ```
/// use dehusk_pipeline::{Cancel, ErrorKind, Job, Settings};
///
/// let (inputs, settings, cancel) = (["no/such/file.html".to_owned()], Settings::default(), Cancel::new());
/// let error = Job::new(&inputs, &settings, &cancel).file_sizes().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Usage);
/// assert!(error.to_string().contains("no/such/file.html"));
/// ```
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Details>);

/// The parts of an error. They are behind a pointer, so that results stay small.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Details {
    kind: ErrorKind,
    message: String,
    path: Option<PathBuf>,
    line: Option<u64>,
    option: Option<String>,
    notes: Vec<String>,
    help: Option<String>,
    #[source]
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Kind of an [`Error`], which decides the exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading, writing or another part of the work failed.
    Failed,
    /// An option, an input name or a configuration file is wrong.
    Usage,
    /// Another run is writing to the output folder, or it cannot be written to.
    Output,
    /// A signal asked the process to end.
    Interrupted(Interrupt),
    /// The reader of the output closed the pipe.
    ClosedPipe,
}

/// Signals that end a run cleanly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// `SIGHUP`: the terminal was closed.
    Hangup,
    /// `SIGINT`, Ctrl-C.
    Keyboard,
    /// `SIGTERM`.
    Terminate,
}

impl Interrupt {
    /// Exit code: 128 plus the number of the signal.
    pub fn exit_code(self) -> u8 {
        match self {
            Interrupt::Hangup => 129,
            Interrupt::Keyboard => 130,
            Interrupt::Terminate => 143,
        }
    }
}

impl ErrorKind {
    /// Name in logs: `failed`, `usage`, `output`, `interrupted`, `closed-pipe`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Failed => "failed",
            ErrorKind::Usage => "usage",
            ErrorKind::Output => "output",
            ErrorKind::Interrupted(_) => "interrupted",
            ErrorKind::ClosedPipe => "closed-pipe",
        }
    }

    /// Exit code of a program that ends for this reason: 1, 2, 4, 129, 130 or 143. 0 for a closed pipe: a
    /// reader such as `head` closes it when it needs no more.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorKind::Failed => 1,
            ErrorKind::Usage => 2,
            ErrorKind::Output => 4,
            ErrorKind::Interrupted(signal) => signal.exit_code(),
            ErrorKind::ClosedPipe => 0,
        }
    }
}

impl Error {
    /// An error without further properties.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Details {
            kind,
            message: message.into(),
            path: None,
            line: None,
            option: None,
            notes: Vec::new(),
            help: None,
            source: None,
        }))
    }

    /// Error for a wrong option, input or configuration.
    pub fn usage(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// Error at the byte `start` of the file `path` with the content `text`. The message names line and column.
    pub fn at_byte(path: &Path, text: &str, start: usize, message: impl fmt::Display) -> Self {
        let before = &text.as_bytes()[..start.min(text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        let place = path.display();
        Error::usage(format!("`{place}`, line {line}, column {column}: {message}"))
            .with_path(path)
            .with_line(line)
    }

    /// Error for a failed write to standard output.
    pub fn stdout(error: io::Error) -> Self {
        Error::write(Path::new("standard output"), error)
    }

    /// Error for an output folder that cannot be used.
    pub(crate) fn output(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Output, message)
    }

    /// Error for a part of the work that failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Failed, message)
    }

    /// Error for contradictory settings of a search for duplicates.
    pub(crate) fn settings(error: &dehusk_dedup::BuildError) -> Self {
        let wrong = Error::usage(error.to_string());
        match error.parameter() {
            Some(name) => wrong.with_option(&name.replace('_', "-")),
            None => wrong,
        }
    }

    /// Error for a wrong value of an option, with the reason.
    pub fn value(option: &str, reason: impl fmt::Display) -> Self {
        Error::usage(format!("`--{option}`: {reason}")).with_option(option)
    }

    /// Error for a run that a signal ended.
    pub(crate) fn interrupted(signal: Interrupt) -> Self {
        let message = match signal {
            Interrupt::Hangup => "the terminal went away",
            Interrupt::Keyboard => "interrupted",
            Interrupt::Terminate => "terminated",
        };
        Error::new(ErrorKind::Interrupted(signal), message)
    }

    /// Error for an input that cannot be read at all.
    pub fn input(path: &Path, error: io::Error) -> Self {
        Error::usage(format!("cannot read `{}`: {}", path.display(), plain(&error)))
            .with_path(path)
            .with_help("check the name and the permissions")
            .with_source(error)
    }

    /// Error for a failed write to the file `path`.
    pub fn write(path: &Path, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Error::new(ErrorKind::ClosedPipe, "the reader closed the pipe").with_source(error);
        }
        let denied = matches!(
            error.kind(),
            io::ErrorKind::PermissionDenied
                | io::ErrorKind::ReadOnlyFilesystem
                | io::ErrorKind::NotADirectory
        );
        let kind = if denied {
            ErrorKind::Output
        } else {
            ErrorKind::Failed
        };
        let help = match is_full(&error) {
            true => "make room and run the same command again",
            false => "check that the folder can be written to, or choose another",
        };
        Error::new(
            kind,
            format!("cannot write `{}`: {}", path.display(), plain(&error)),
        )
        .with_path(path)
        .with_help(help)
        .with_source(error)
    }

    /// Error for a file or folder `path` that cannot be created. Its kind is [`ErrorKind::Output`], unless the disk is full.
    pub(crate) fn create(path: &Path, error: io::Error) -> Self {
        let full = is_full(&error);
        let mut error = Error::write(path, error);
        if !full {
            error.0.kind = ErrorKind::Output;
        }
        error
    }

    /// Sets the file or folder that the error is about.
    #[must_use]
    pub fn with_path(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_owned());
        self
    }

    /// Sets the line of that file, from 1.
    #[must_use]
    pub fn with_line(mut self, line: u64) -> Self {
        self.0.line = Some(line);
        self
    }

    /// Sets the option that the error is about, without dashes.
    #[must_use]
    pub fn with_option(mut self, option: &str) -> Self {
        self.0.option = Some(option.to_owned());
        self
    }

    /// Sets details, each to be shown on a line of its own.
    #[must_use]
    pub fn with_notes(mut self, notes: Vec<String>) -> Self {
        self.0.notes = notes;
        self
    }

    /// Sets the remedy for the user.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Sets the error that caused this one.
    pub(crate) fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// File or folder that the error is about.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Line of that file, from 1.
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }

    /// Option that the error is about, without dashes.
    pub fn option(&self) -> Option<&str> {
        self.0.option.as_deref()
    }

    /// Details after the message, each for a line of its own. If there are several faults, all of them are
    /// listed here.
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }

    /// Remedy, as a sentence without a full stop.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

/// Whether the disk or the quota is full.
fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Message of the system without the number that Rust appends, as in `No such file or directory (os error
/// 2)`.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_messages_lose_their_number() {
        let missing = io::Error::from_raw_os_error(2);
        let error = Error::input(Path::new("pages"), missing);
        assert!(!error.to_string().contains("os error"), "{error}");
        assert!(error.to_string().starts_with("cannot read `pages`: "), "{error}");
        assert_eq!(error.kind().exit_code(), 2);
        assert_eq!(error.path(), Some(Path::new("pages")));
        assert!(error.help().is_some());
    }

    #[test]
    fn a_closed_pipe_is_no_failure_and_a_forbidden_folder_is_code_4() {
        let closed = Error::write(Path::new("-"), io::ErrorKind::BrokenPipe.into());
        assert_eq!(closed.kind().exit_code(), 0);
        let forbidden = Error::write(Path::new("out"), io::ErrorKind::PermissionDenied.into());
        assert_eq!(forbidden.kind().exit_code(), 4);
        let full = Error::write(Path::new("out"), io::ErrorKind::StorageFull.into());
        assert_eq!(full.kind().exit_code(), 1);
        assert!(full.help().is_some_and(|h| h.contains("make room")));
        let created = Error::create(Path::new("out"), io::ErrorKind::StorageFull.into());
        assert_eq!(created.kind().exit_code(), 1);
        let missing = Error::create(Path::new("out/file"), io::ErrorKind::NotFound.into());
        assert_eq!(missing.kind().exit_code(), 4);
    }
}
