//! Standard error: lines for people, or one JSON object a line for programs.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::page_process;

/// Format of standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// Whether standard error has JSON. A global, since a process has one standard error.
static JSON: AtomicBool = AtomicBool::new(false);

/// Looks for `--log-format json` before the arguments are parsed, so that errors about them have that format, too.
///
/// Page processes always write text: the program that started them reads their errors and reports them.
pub(crate) fn choose(arguments: &[OsString]) {
    let arguments: Vec<_> = arguments
        .iter()
        // Behind `--`, the text is an input.
        .take_while(|argument| *argument != "--")
        .map(|argument| argument.to_string_lossy())
        .collect();
    let together = arguments.iter().any(|argument| argument == "--log-format=json");
    let apart = arguments
        .windows(2)
        .any(|pair| pair[0] == "--log-format" && pair[1] == "json");
    JSON.store(
        (together || apart) && page_process::work().is_none(),
        Ordering::Relaxed,
    );
}

/// Whether standard error has JSON.
pub(crate) fn is_json() -> bool {
    JSON.load(Ordering::Relaxed)
}

/// Severity of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// The work goes on normally.
    Info,
    /// Something was left out, or needs attention.
    Warning,
    /// The work ends with this event.
    Error,
}

/// The fields of an event, in the order in which they are written.
pub(crate) type Fields = Vec<(&'static str, Value)>;

/// Writes an event as a line of JSON, without fields that are null. A failed write is ignored: there is no place left to report
/// it.
pub(crate) fn event(level: Level, event: &str, fields: &[(&str, Value)]) {
    let time = jiff::Timestamp::now();
    let time = format!("{time:.3}");
    let line = Line {
        time: &time,
        level,
        event,
        fields,
    };
    if let Ok(mut text) = serde_json::to_vec(&line) {
        text.push(b'\n');
        // One write for the whole line, so that lines of two threads do not mix.
        let _ = io::stderr().lock().write_all(&text);
    }
}

/// The order of the fields is that of docs/log.md: time, level, event, then those of the event.
struct Line<'a> {
    time: &'a str,
    level: Level,
    event: &'a str,
    fields: &'a [(&'a str, Value)],
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("time", self.time)?;
        map.serialize_entry("level", &self.level)?;
        map.serialize_entry("event", self.event)?;
        for (name, value) in self.fields.iter().filter(|(_, value)| !value.is_null()) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
