//! Readers of records: whatever a file holds, every record of it is read or rejected, and the same again.

use dehusk_pipeline::verbs::extract::{self, Style};
use dehusk_pipeline::verbs::sign;
use dehusk_pipeline::{Cancel, Error, Job, Outcome, Settings, output_format};
use serde_json::Value;

use crate::scratch;

/// The first byte chooses the reader: JSON Lines of documents or of pages, ROMIP, a page. The second one chooses how much of a line is read.
pub(super) fn check(input: &[u8]) {
    let [reader, bounds, bytes @ ..] = input else {
        return;
    };
    let (name, verb): (&str, &Verb) = match reader % 4 {
        0 => ("in.jsonl", &signed),
        1 => ("in.jsonl", &extracted),
        2 => ("in.xml", &extracted),
        _ => ("in.html", &extracted),
    };
    let path = scratch::file(name, bytes);
    let inputs = [path.display().to_string()];
    let one = run(verb, &inputs, "1", *bounds);
    let two = run(verb, &inputs, "2", *bounds);
    assert!(one == two, "the number of threads shows");
    let Some((written, read)) = one else { return };
    if name == "in.jsonl" {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let lines = text
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.trim_ascii().is_empty());
        assert!(
            read == lines.count() as u64 || is_compressed(bytes),
            "{read} records"
        );
    }
    for line in written
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        assert!(
            serde_json::from_slice::<Value>(line).is_ok(),
            "{}",
            String::from_utf8_lossy(line)
        );
    }
}

/// A compressed stream is one rejected record.
fn is_compressed(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 6] = [
        b"\x1f\x8b",
        b"PK\x03\x04",
        b"\xfd7zXZ",
        b"BZh",
        b"\x28\xb5\x2f\xfd",
        b"\x1f\x9d",
    ];
    marks.iter().any(|mark| bytes.starts_with(mark))
}

type Verb = dyn Fn(&Job<'_>, &mut Vec<u8>) -> Result<Outcome, Error>;

/// What was written, and how many records were read; none if the input as a whole is refused.
fn run(verb: &Verb, inputs: &[String], threads: &str, bounds: u8) -> Option<(Vec<u8>, u64)> {
    let mut settings = Settings::default();
    settings.set("threads", threads).expect("a number");
    if bounds % 4 == 0 {
        settings.set("max-bytes", "1024").expect("a number");
    }
    let cancel = Cancel::new();
    let mut out = Vec::new();
    match verb(&Job::new(inputs, &settings, &cancel), &mut out) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
        Ok(outcome) => {
            let counts = &outcome.summary.counts;
            assert!(counts.add_up(), "{counts:?}");
            Some((out, counts.read))
        }
    }
}

fn signed(job: &Job<'_>, out: &mut Vec<u8>) -> Result<Outcome, Error> {
    sign::write(job, &output_format::Jsonl, out, &mut |_| {})
}

fn extracted(job: &Job<'_>, out: &mut Vec<u8>) -> Result<Outcome, Error> {
    let style = Style {
        output: Some(&output_format::Jsonl),
        ..Style::default()
    };
    extract::write(job, style, out, &mut |_| {})
}
