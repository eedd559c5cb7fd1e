//! Main text as structural HTML: one fragment a page. A line with a form feed separates pages.

use dehusk_extract::Options;

use crate::record::{Row, RowKind};
use crate::write::row_format::{Contents, RowFormat, RowWriter, add_lines, form_feeds};

/// Main text as structural HTML: one fragment a page. A line with a form feed separates pages.
#[derive(Clone, Copy, Debug)]
pub struct Html;

impl RowFormat for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn summary(&self) -> &'static str {
        "main text as HTML of structure alone, with a form feed between pages"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["html", "htm"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[RowKind::Document]
    }

    fn extraction(&self, options: Options) -> Options {
        options.with_html(true)
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        if let Row::Document(document) = row {
            add_lines(document.html.as_deref().unwrap_or_default(), to);
        }
    }

    fn writer(&self, _contents: &Contents<'_>) -> Box<dyn RowWriter> {
        form_feeds()
    }
}
