//! JSON with indents: one object, or an array of objects.

use crate::record::{Row, RowKind};
use crate::write::row_format::{Contents, Framed, Framing, RowFormat, RowWriter};

/// An object for a single page, an array for several.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl RowFormat for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn summary(&self) -> &'static str {
        "one JSON object for a single page, an array for several"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[RowKind::Document]
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        if let Row::Document(document) = row {
            // Strings, numbers and lists of them always are JSON, and memory takes all of it.
            let _ = serde_json::to_writer_pretty(to, document);
        }
    }

    fn writer(&self, contents: &Contents<'_>) -> Box<dyn RowWriter> {
        Framed::writer(if contents.single {
            Framing {
                end: "\n",
                ..Framing::default()
            }
        } else {
            Framing {
                begin: "[",
                before_first: "\n",
                between: ",\n",
                end: "\n]\n",
                end_of_none: "]\n",
            }
        })
    }
}
