//! JSON Lines: one object a line. A header is an object under `header` in the first line.

use serde_json::Value;

use crate::record::{Row, RowKind};
use crate::write::row_format::{FileHeader, Framed, Framing, RowByRow, RowEncoder, RowFormat, RowWriter};

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
            RowKind::Rejected,
        ]
    }

    fn encoder(&self) -> Box<dyn RowEncoder> {
        RowByRow::encoder(encode)
    }

    fn writer(&self, _single: bool) -> Box<dyn RowWriter> {
        Framed::writer(Framing {
            header: Some(header),
            ..Framing::default()
        })
    }
}

fn encode(row: Row<'_>, to: &mut Vec<u8>) {
    // Rows of strings, numbers and lists of them always are JSON, and memory takes all of it.
    let _ = serde_json::to_writer(&mut *to, &row);
    to.push(b'\n');
}

fn header(header: &FileHeader) -> String {
    serde_json::json!({ "header": Value::Object(header.clone()) }).to_string()
}
