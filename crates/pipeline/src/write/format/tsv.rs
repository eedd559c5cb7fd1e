//! Fields separated by tabs. In ids, tabs, line ends and backslashes are escaped as `\t`, `\n`, `\r` and `\\`. In files of signatures, the
//! first line is a header, a comment after `#`.

use std::borrow::Cow;
use std::io::Write;

use crate::record::{Row, RowKind};
use crate::write::row_format::{Contents, Framed, Framing, RowFormat, RowWriter};

/// One row a line, with tabs between its fields.
///
/// For pairs: both ids, the similarity, the number of pairs that the row represents, and, if one document
/// contains the other, the id of the contained one. For signatures: id and signature.
#[derive(Clone, Copy, Debug)]
pub struct Tsv;

impl RowFormat for Tsv {
    fn name(&self) -> &'static str {
        "tsv"
    }

    fn summary(&self) -> &'static str {
        "one row a line, with tabs between its fields"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tsv"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[RowKind::Signature, RowKind::Pair]
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        // Writing to memory cannot fail.
        let _ = match row {
            Row::Pair(row) => {
                let (a, b) = (field(&row.a), field(&row.b));
                let link = row.link.unwrap_or(1);
                let _ = write!(to, "{a}\t{b}\t{}\t{link}", row.similarity);
                if let Some(contained) = &row.contained {
                    let _ = write!(to, "\t{}", field(contained));
                }
                writeln!(to)
            }
            Row::Signature(row) => writeln!(to, "{}\t{}", field(row.id), row.signature),
            _ => Ok(()),
        };
    }

    fn writer(&self, contents: &Contents<'_>) -> Box<dyn RowWriter> {
        Framed::with_header(Framing::default(), header(contents))
    }
}

/// The header line, for files of signatures.
fn header(contents: &Contents<'_>) -> Option<String> {
    let header = contents.header.filter(|_| contents.kind == RowKind::Signature)?;
    Some(format!("# {}", serde_json::Value::Object(header.clone())))
}

/// An id, escaped as a field of the table.
fn field(id: &str) -> Cow<'_, str> {
    if id.contains(['\t', '\n', '\r', '\\']) {
        // Backslashes first: those of the other escapes must not be escaped again.
        id.replace('\\', "\\\\")
            .replace('\t', "\\t")
            .replace('\n', "\\n")
            .replace('\r', "\\r")
            .into()
    } else {
        id.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_in_their_fields() {
        assert_eq!(field("plain id"), "plain id");
        assert_eq!(field("a\tb\\n\n"), "a\\tb\\\\n\\n");
    }
}
