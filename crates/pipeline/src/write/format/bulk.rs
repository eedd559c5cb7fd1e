//! Lines for the bulk APIs of Elasticsearch and OpenSearch: for each document an action, then the document.
//!
//! The lines do not name an index. It is part of the address of the request: `POST /pages/_bulk`.

use std::borrow::Cow;

use serde_json::json;
use xxhash_rust::xxh3::xxh3_128;

use crate::record::{Row, RowKind, json};
use crate::write::format::jsonl::Jsonl;
use crate::write::row_format::{Contents, Framed, Framing, OfLines, RowFormat, RowWriter};

/// Maximum length of an `_id` in bytes: the limit of Elasticsearch.
const LONGEST: usize = 512;

/// Lines for the bulk APIs of Elasticsearch and OpenSearch.
#[derive(Clone, Copy, Debug)]
pub struct Bulk;

impl RowFormat for Bulk {
    fn name(&self) -> &'static str {
        "bulk"
    }

    fn summary(&self) -> &'static str {
        "lines for the bulk interface of Elasticsearch and OpenSearch, with the id as `_id`"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["bulk"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[RowKind::Document]
    }

    fn of_lines(&self) -> OfLines {
        OfLines::By(of_line)
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        if let Row::Document(document) = row {
            add_action(&document.id, to);
            Jsonl.encode(row, to);
        }
    }

    fn writer(&self, _contents: &Contents<'_>) -> Box<dyn RowWriter> {
        Framed::writer(Framing::default())
    }
}

/// Encodes a line of an input: the action with its id, and the line.
fn of_line(line: &[u8], to: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(line);
    // Of repeated fields, the last counts.
    let fields = json::fields(text.as_bytes()).unwrap_or_default();
    let id = fields.iter().rev().find(|(name, _)| name == "id");
    let id = id.and_then(|(_, value)| json::scalar_text(value));
    add_action(&id.unwrap_or_default(), to);
    to.extend_from_slice(text.as_bytes());
    to.push(b'\n');
}

/// Appends the action line, which indexes a document and replaces one with the same id. Without an id, the index assigns one.
fn add_action(id: &str, to: &mut Vec<u8>) {
    let action = match id_of(id) {
        Some(id) => json!({"index": {"_id": id}}),
        None => json!({"index": {}}),
    };
    to.extend_from_slice(action.to_string().as_bytes());
    to.push(b'\n');
}

/// The `_id` of a document: its id, or the hash of an id that is too long (XXH3, 128 bits, 32 hexadecimal digits). `None` for an empty id.
///
/// The document itself always has the whole id.
fn id_of(id: &str) -> Option<Cow<'_, str>> {
    match id.len() {
        0 => None,
        1..=LONGEST => Some(id.into()),
        _ => Some(format!("{:032x}", xxh3_128(id.as_bytes())).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(id: &str) -> Vec<serde_json::Value> {
        let line = json!({"text": "t", "id": id}).to_string();
        let mut out = Vec::new();
        of_line(line.as_bytes(), &mut out);
        let text = String::from_utf8(out).unwrap();
        assert!(text.ends_with('\n'));
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn ids_that_are_too_long_have_a_hash_and_differ() {
        assert_eq!(lines("a \"b\"")[0], json!({"index": {"_id": "a \"b\""}}));
        assert_eq!(lines("")[0], json!({"index": {}}));
        let longest = "é".repeat(LONGEST / 2);
        assert_eq!(lines(&longest)[0]["index"]["_id"], longest);
        let (one, two) = (lines(&format!("{longest}1")), lines(&format!("{longest}2")));
        assert_eq!(one[0]["index"]["_id"].as_str().unwrap().len(), 32);
        assert_ne!(one[0], two[0]);
        assert_eq!(one[1]["id"], format!("{longest}1"));
    }

    #[test]
    fn numbers_are_ids_too() {
        let mut out = Vec::new();
        of_line(b"{\"id\":17}", &mut out);
        assert_eq!(out, b"{\"index\":{\"_id\":\"17\"}}\n{\"id\":17}\n");
    }
}
