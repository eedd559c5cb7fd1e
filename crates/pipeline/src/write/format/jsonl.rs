//! JSON Lines: one object a line. In files of signatures, the first line is a header: an object under `header`.

use serde_json::Value;

use crate::record::{Row, RowKind};
use crate::write::row_format::{Contents, Framed, Framing, OfLines, RowFormat, RowWriter};

/// One JSON object a line.
#[derive(Clone, Copy, Debug)]
pub struct Jsonl;

impl RowFormat for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn summary(&self) -> &'static str {
        "JSON Lines: one object a line"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[
            RowKind::Document,
            RowKind::Failure,
            RowKind::Normalized,
            RowKind::Signature,
            RowKind::Pair,
            RowKind::Decision,
            RowKind::Match,
            RowKind::Matches,
            RowKind::SiteText,
            RowKind::Layout,
            RowKind::Passage,
            RowKind::Occurrence,
            RowKind::Contained,
            RowKind::Repeated,
            RowKind::ItemMatch,
            RowKind::Item,
            RowKind::Rejected,
        ]
    }

    fn of_lines(&self) -> OfLines {
        OfLines::Same
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        // Rows of strings, numbers and lists always serialize, and writing to memory cannot fail.
        let _ = serde_json::to_writer(&mut *to, &row);
        to.push(b'\n');
    }

    fn writer(&self, contents: &Contents<'_>) -> Box<dyn RowWriter> {
        Framed::with_header(Framing::default(), header(contents))
    }
}

/// The header line, for files of signatures.
///
/// Signatures are comparable only with signatures of the same header, so their files begin with it. Other
/// files have rows only, so that every program can read them.
fn header(contents: &Contents<'_>) -> Option<String> {
    let header = contents.header.filter(|_| contents.kind == RowKind::Signature)?;
    Some(serde_json::json!({ "header": Value::Object(header.clone()) }).to_string())
}
