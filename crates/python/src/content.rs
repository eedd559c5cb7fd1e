//! The stored content of documents in other forms.

use dehusk_pipeline::extract::document::{Document, MarkdownOptions, MarkdownTables};
use pyo3::prelude::*;

use crate::error;

/// Content as JSON in another form; `dehusk.render_content` is its face.
#[pyfunction]
pub(crate) fn render_content(
    py: Python<'_>,
    content: &str,
    form: &str,
    links: bool,
    images: bool,
    markdown_tables: &str,
) -> PyResult<String> {
    let document = Document::from_json(content).map_err(|found| error::content(py, &found.to_string()))?;
    let tables = match markdown_tables {
        "gfm" => MarkdownTables::Gfm,
        "html" => MarkdownTables::Html,
        other => {
            let message = format!("`markdown_tables`: there is no way `{other}` to write tables");
            return Err(error::option(
                py,
                "markdown_tables",
                &message,
                Some("name `gfm` or `html`"),
            ));
        }
    };
    let options = MarkdownOptions::default()
        .with_links(links)
        .with_images(images)
        .with_tables(tables);
    Ok(match form {
        "text" => document.text(),
        "markdown" => document.markdown(&options),
        "html" => document.html(),
        other => {
            let message = format!("`form`: there is no form `{other}`");
            return Err(error::option(
                py,
                "form",
                &message,
                Some("name `text`, `markdown` or `html`"),
            ));
        }
    })
}
