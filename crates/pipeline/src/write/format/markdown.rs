//! Main text as Markdown. A line with a form feed separates pages.

use dehusk_extract::Options;

use crate::record::{Row, RowKind};
use crate::write::row_format::{Contents, RowFormat, RowWriter, add_lines, form_feeds};

/// Main text as Markdown. A line with a form feed separates pages.
#[derive(Clone, Copy, Debug)]
pub struct Markdown;

impl RowFormat for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn summary(&self) -> &'static str {
        "main text as Markdown, with a form feed between pages"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["md", "markdown"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[RowKind::Document]
    }

    fn extraction(&self, options: Options) -> Options {
        options.with_markdown(true)
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        if let Row::Document(document) = row {
            add_lines(document.markdown.as_deref().unwrap_or_default(), to);
        }
    }

    fn writer(&self, _contents: &Contents<'_>) -> Box<dyn RowWriter> {
        form_feeds()
    }
}
