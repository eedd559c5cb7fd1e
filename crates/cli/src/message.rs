//! Messages on standard error, for people or for programs, and data on standard output.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};
use std::panic::PanicHookInfo;

use clap::error::{ContextKind, ContextValue};
use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::summary::{FileCounts, LineFacts};
use dehusk_pipeline::{ChangedFiles, Error, ErrorKind, Summary, printable};
use serde_json::json;

use crate::log::{self, Level};

/// Writes to standard output and returns the exit code of success, 0.
///
/// # Errors
/// If the write fails. A closed pipe is an error with the exit code 0.
pub(crate) fn print(bytes: &[u8]) -> Result<u8, Error> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(Error::stdout)?;
    Ok(0)
}

/// Writes a line to standard error. A failed write is ignored: there is no place left to report it.
pub(crate) fn line(text: impl fmt::Display) {
    let text = text.to_string();
    if log::is_json() {
        log::event(Level::Info, "note", &[("message", text.trim().into())]);
    } else {
        let _ = writeln!(io::stderr().lock(), "{}", printable(&text));
    }
}

/// Whether standard error is a terminal that shows colors. `NO_COLOR` turns them off.
fn colors() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the word at the start of a line, in color if standard error has colors.
fn label(word: &str, color: &str) -> String {
    if colors() {
        format!("\x1b[1;{color}m{word}:\x1b[0m")
    } else {
        format!("{word}:")
    }
}

/// Reports an error, its notes, and advice. A closed pipe is not reported.
pub(crate) fn error(error: &Error) {
    // The reader has enough: `dehusk ... | head` is not a failure.
    if error.kind() == ErrorKind::ClosedPipe {
        return;
    }
    if log::is_json() {
        let fields = [
            ("kind", error.kind().name().into()),
            ("message", error.to_string().into()),
            ("path", json!(error.path().map(|path| path.display().to_string()))),
            ("line", json!(error.line())),
            ("option", json!(error.option())),
            (
                "notes",
                json!(Some(error.notes()).filter(|notes| !notes.is_empty())),
            ),
            ("help", json!(error.help())),
            ("exit_code", error.kind().exit_code().into()),
        ];
        return log::event(Level::Error, "error", &fields);
    }
    let mut text = printable(&error.to_string()).into_owned();
    for note in error.notes().iter().map(String::as_str).chain(error.help()) {
        let _ = write!(text, "\n  {}", printable(note));
    }
    let _ = writeln!(io::stderr().lock(), "{} {text}", label("error", "31"));
}

/// Reports wrong arguments, and returns the exit code. Help and version are written to standard output, with exit code 0.
pub(crate) fn wrong_arguments(error: &clap::Error) -> u8 {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    // clap prints help and version to standard output, in text for either format.
    if !log::is_json() || !error.use_stderr() {
        let _ = error.print(); // a closed pipe needs no report
        return code;
    }
    let text = error.render().to_string();
    // The first line is the message; usage and tips become notes.
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(arg)) => arg.strip_prefix("--"),
        _ => None,
    };
    let option = option.and_then(|arg| arg.split([' ', '=']).next());
    let fields = [
        ("kind", ErrorKind::Usage.name().into()),
        ("message", first.strip_prefix("error: ").unwrap_or(first).into()),
        ("option", json!(option)),
        ("notes", json!(lines.collect::<Vec<_>>())),
        ("exit_code", code.into()),
    ];
    log::event(Level::Error, "error", &fields);
    code
}

/// Reports a panic, which is a defect of the program, as an event.
pub(crate) fn panicked(info: &PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string);
    let message = info.payload_as_str().unwrap_or("the program has a defect");
    let fields = [
        ("kind", "panic".into()),
        ("message", message.into()),
        ("place", json!(place)),
        ("exit_code", 1.into()),
    ];
    log::event(Level::Error, "error", &fields);
}

/// Reports a record that could not be used.
pub(crate) fn rejected(rejected: &Rejected) {
    if log::is_json() {
        let row = serde_json::to_value(rejected).unwrap_or_default(); // cannot fail: a struct of text and numbers
        let fields = row.as_object().into_iter().flatten();
        let fields = fields.map(|(name, value)| (name.as_str(), value.clone()));
        return log::event(Level::Warning, "rejected", &fields.collect::<Vec<_>>());
    }
    // The message already has a line number for formats that count lines.
    let counted = rejected.offset > 0 && !rejected.message.contains("line ");
    let place = if counted {
        format!(", byte {}", rejected.offset)
    } else {
        String::new()
    };
    let text = format!(
        "{}{place}: {}: {}",
        rejected.input,
        rejected.reason.name(),
        rejected.message
    );
    let _ = writeln!(
        io::stderr().lock(),
        "{} {}",
        label("rejected", "33"),
        printable(&text)
    );
}

/// Warns that too many of the `read` records were rejected, with counts by reason: the cause of exit code 3.
pub(crate) fn damaged<'a>(rejected: impl Iterator<Item = (&'a str, u64)>, read: u64) {
    let rejected: BTreeMap<&str, u64> = rejected.filter(|(_, count)| *count > 0).collect();
    let total: u64 = rejected.values().sum();
    let text = format!(
        "{total} of {read} records were rejected ({}), more than --max-bad allows (default: 1%, or 2 records if that is more, but less than half, and none cut off)",
        listed(rejected.iter().map(|(reason, count)| (*reason, *count)))
    );
    if log::is_json() {
        let fields = [
            ("message", text.into()),
            ("read", read.into()),
            ("quarantined", json!(rejected)),
            ("exit_code", 3.into()),
        ];
        return log::event(Level::Warning, "max-bad", &fields);
    }
    let _ = writeln!(io::stderr().lock(), "{} {text}", label("warning", "33"));
}

/// Warns that the inputs have no record at all, which is rarely intended.
pub(crate) fn nothing_read() {
    let text =
        "nothing was read: the inputs are empty, or hold no files and records of the kind that is read";
    warning("nothing-read", text);
}

/// Number of kinds of files and records that are listed one by one.
const MAX_LISTED: usize = 10;

/// Warns that all given files and records were passed over, and lists them with advice.
pub(crate) fn passed_over(summary: &Summary) {
    let files = summary.passed_over.iter().map(|passed| {
        let extension = extension_of(&passed.extension);
        let count = counted(passed.files, "files");
        format!(
            "{count}{extension} ({}, such as {})",
            passed.reason, passed.example
        )
    });
    let records = summary.skipped_records.iter().map(|(kind, count)| {
        let holds = |file: &&FileCounts| file.skipped_records.contains_key(*kind);
        let file = summary
            .by_file
            // The first file that has such a record serves as example.
            .iter()
            .find(holds)
            .and_then(|file| file.file.as_deref());
        let example = file.map_or(String::new(), |file| format!(", such as in {file}"));
        format!("{} ({kind}{example})", counted(*count, "records"))
    });
    let all: Vec<String> = files.chain(records).collect();
    let mut text = format!(
        "nothing was read of what was given; passed over: {}",
        all[..all.len().min(MAX_LISTED)].join(", ")
    );
    if all.len() > MAX_LISTED {
        let _ = write!(text, ", and {} other kinds", all.len() - MAX_LISTED);
    }
    let kinds = summary.skipped_files.keys().chain(summary.skipped_records.keys());
    // Kinds are known by name; several may have the same advice.
    let mut advice: Vec<&str> = kinds.filter_map(|kind| dehusk_pipeline::advice(kind)).collect();
    advice.sort_unstable();
    advice.dedup();
    for advice in advice {
        let _ = write!(text, "\n  {advice}");
    }
    warning("nothing-read", &text);
}

/// Returns an extension to follow a number of files, such as ` .pdf`; empty if absent.
pub(crate) fn extension_of(extension: &str) -> String {
    match extension {
        "" => String::new(),
        extension => format!(" .{extension}"),
    }
}

/// Warns that no document has the field that `--keep` ranks by.
pub(crate) fn missing_field(name: &str) {
    let text = format!(
        "no document has the field `{name}`, which `--keep` reads, so that the first in the input stays; name a field of the records, below a dot in an object: `--keep field:meta.score`"
    );
    warning("missing-field", &text);
}

/// Warns that the only page has no main text. The empty text on standard output does not show the reason.
pub(crate) fn no_text() {
    let text = "the page has no main text; `--output-format json` gives the reason, and `dehusk explain` shows the page";
    warning("no-main-text", text);
}

/// Warns of input files that were changed while they were read.
pub(crate) fn changed(files: &ChangedFiles) {
    let (which, count) = (files.example.as_str(), counted(files.files, "files"));
    let text = format!(
        "{count} changed while being read, such as {which}: records may be missing, cut or of two versions; run again when nothing writes to the inputs"
    );
    warning("input-changed", &text);
}

/// Warns of flaws that were mended in records, and of columns that no record has.
pub(crate) fn lines(facts: &LineFacts) {
    let told = facts.mended.iter().map(|(flaw, count)| {
        let (what, now) = match *flaw {
            "invalid-utf8" => ("not UTF-8", "U+FFFD"),
            "lone-surrogate" => ("half of a surrogate pair", "U+FFFD"),
            "control-character" => ("a control character in a string", "escaped"),
            _ => ("NaN or Infinity", "null"),
        };
        let (places, records) = (counted(count.places, "places"), counted(count.records, "records"));
        format!("{places} in {records}: {what}, now {now}")
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        warning("mended", &format!("the input was mended: {}", told.join("; ")));
    }
    for column in &facts.missing_columns {
        let theirs = column.split_once('=').map_or("", |(_, theirs)| theirs);
        warning(
            "missing-column",
            &format!("no record has the field `{theirs}` (`--column {column}`)"),
        );
    }
}

/// Writes a warning.
pub(crate) fn warning(event: &'static str, text: &str) {
    if log::is_json() {
        return log::event(Level::Warning, event, &[("message", text.into())]);
    }
    // The text may hold names of files from the input, and so escapes that a terminal would obey.
    let _ = writeln!(
        io::stderr().lock(),
        "{} {}",
        label("warning", "33"),
        printable(text)
    );
}

/// Returns a number with its noun: `1 page`, `2 pages`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    match (count, what.strip_suffix('s')) {
        (1, Some(one)) => format!("1 {one}"),
        _ => format!("{count} {what}"),
    }
}

/// Returns counts by name: `2 empty, 1 near-duplicate`.
pub(crate) fn listed<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> String {
    let counts: Vec<String> = counts.map(|(name, count)| format!("{count} {name}")).collect();
    counts.join(", ")
}
