//! Readers of records: for any file, each record is read or rejected, and the result does not depend on the
//! number of threads.

use dehusk_pipeline::record::{Reason, Rejected};
use dehusk_pipeline::verbs::extract::{self, Style};
use dehusk_pipeline::verbs::sign;
use dehusk_pipeline::{Cancel, Error, Job, Outcome, Settings, output_format};
use serde_json::Value;

use crate::scratch;

/// Checks a reader of records. The first byte of the input chooses the reader: JSON Lines of documents or
/// of pages, ROMIP, a page, archives, or compressed lines. The second byte chooses the limit of record
/// length.
pub(super) fn check(input: &[u8]) {
    let [reader, bounds, bytes @ ..] = input else {
        return;
    };
    let (name, verb): (&str, &Verb) = match reader % 8 {
        0 => ("in.jsonl", &signed),
        1 => ("in.jsonl", &extracted),
        2 => ("in.xml", &extracted),
        4 => ("in.tar", &extracted),
        5 => ("in.warc", &extracted),
        6 => ("in.jsonl.gz", &extracted),
        _ => ("in.html", &extracted),
    };
    let path = scratch::file(name, bytes);
    let inputs = [path.display().to_string()];
    let one = run(verb, &inputs, "1", *bounds);
    let two = run(verb, &inputs, "2", *bounds);
    assert!(one == two, "the number of threads shows");
    let Some(one) = one else { return };
    // A compressed stream counts as one rejected record.
    if name == "in.jsonl" && !one.compressed {
        // A byte order mark at the start is not part of the first line.
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let lines = text.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.trim_ascii().is_empty());
        assert_eq!(one.read, lines.count() as u64);
    }
    let rows = one.written.split(|byte| *byte == b'\n');
    for row in rows.filter(|row| !row.is_empty()) {
        let json: serde_json::Result<Value> = serde_json::from_slice(row);
        assert!(json.is_ok(), "{}", String::from_utf8_lossy(row));
    }
}

/// The result of reading a file, for comparison.
#[derive(PartialEq)]
struct Ran {
    written: Vec<u8>,
    read: u64,
    compressed: bool,
}

type OnRejected<'a> = &'a mut dyn FnMut(&Rejected);
type Verb = dyn Fn(&Job<'_>, &mut Vec<u8>, OnRejected<'_>) -> Result<Outcome, Error>;

/// Reads the inputs. Returns `None` if they are rejected as a whole.
fn run(verb: &Verb, inputs: &[String], threads: &str, bounds: u8) -> Option<Ran> {
    let mut settings = Settings::default();
    settings.set("threads", threads).expect("a number");
    // A quarter of the inputs has a limit that short records exceed.
    if bounds.is_multiple_of(4) {
        settings.set("max-bytes", "1024").expect("a number");
    }
    let cancel = Cancel::new();
    let (mut written, mut compressed) = (Vec::new(), false);
    let mut on_rejected = |rejected: &Rejected| compressed |= rejected.reason == Reason::Compressed;
    match verb(
        &Job::new(inputs, &settings, &cancel),
        &mut written,
        &mut on_rejected,
    ) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
        Ok(outcome) => {
            let counts = &outcome.summary.counts;
            assert!(counts.add_up(), "{counts:?}");
            let read = counts.read;
            Some(Ran {
                written,
                read,
                compressed,
            })
        }
    }
}

/// Signs the documents of the inputs.
fn signed(job: &Job<'_>, out: &mut Vec<u8>, on_rejected: OnRejected<'_>) -> Result<Outcome, Error> {
    sign::write(job, &output_format::Jsonl, out, on_rejected)
}

/// Extracts the pages of the inputs.
fn extracted(job: &Job<'_>, out: &mut Vec<u8>, on_rejected: OnRejected<'_>) -> Result<Outcome, Error> {
    let style = Style {
        output: Some(&output_format::Jsonl),
        ..Style::default()
    };
    extract::write(job, style, out, on_rejected)
}
