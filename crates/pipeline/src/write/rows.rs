//! Rows of tables in the formats of files. A format is an implementation of [`RowFormat`]; rows know nothing of formats.

use std::borrow::Cow;
use std::io::Write;

use serde::Serialize;

use crate::record::{PairRow, SignatureRow};

/// Rows on their way to a file: made on worker threads, written in order by one.
#[derive(Default)]
pub(crate) struct Rows {
    bytes: Vec<u8>,
    count: u64,
}

impl Rows {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    fn end(&mut self) {
        self.bytes.push(b'\n');
        self.count += 1;
    }
}

/// A format of files with rows of one kind.
pub(crate) trait RowFormat<R: ?Sized>: Sync {
    /// Adds a row.
    fn encode(&self, row: &R, to: &mut Rows);
}

/// One JSON object a line.
pub(crate) struct JsonLines;

/// Fields between tabs.
pub(crate) struct Tsv;

impl<R: Serialize> RowFormat<R> for JsonLines {
    fn encode(&self, row: &R, to: &mut Rows) {
        // Rows of strings, numbers and lists of them always are JSON, and memory takes all of it.
        let _ = serde_json::to_writer(&mut to.bytes, row);
        to.end();
    }
}

/// Two ids and their similarity.
impl RowFormat<PairRow<'_>> for Tsv {
    fn encode(&self, row: &PairRow<'_>, to: &mut Rows) {
        // Memory takes all that is written.
        let _ = write!(
            to.bytes,
            "{}\t{}\t{}",
            field(&row.a),
            field(&row.b),
            row.similarity
        );
        to.end();
    }
}

/// The id and the signature.
impl RowFormat<SignatureRow<'_>> for Tsv {
    fn encode(&self, row: &SignatureRow<'_>, to: &mut Rows) {
        let _ = write!(to.bytes, "{}\t{}", field(row.id), row.signature);
        to.end();
    }
}

/// An id as a field of a table: tabs, line ends and backslashes as `\t`, `\n`, `\r`, `\\`.
fn field(id: &str) -> Cow<'_, str> {
    if id.contains(['\t', '\n', '\r', '\\']) {
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
