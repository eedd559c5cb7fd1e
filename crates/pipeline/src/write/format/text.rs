//! Plain text. A line with a form feed separates texts.

use crate::record::{Row, RowKind};
use crate::write::row_format::{Contents, RowFormat, RowWriter, add_lines, form_feeds};

/// Main text, or a normalized text. A line with a form feed separates texts.
#[derive(Clone, Copy, Debug)]
pub struct Text;

impl RowFormat for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn summary(&self) -> &'static str {
        "text alone, with a form feed between pages"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["txt"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[RowKind::Document, RowKind::Normalized]
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        match row {
            Row::Document(document) => add_lines(&document.text, to),
            Row::Normalized(row) => {
                to.extend_from_slice(row.text.unwrap_or_default().as_bytes());
                to.push(b'\n');
            }
            _ => {}
        }
    }

    fn writer(&self, _contents: &Contents<'_>) -> Box<dyn RowWriter> {
        form_feeds()
    }
}
