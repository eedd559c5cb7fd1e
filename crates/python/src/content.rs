//! The stored content of documents in other forms.

use dehusk_pipeline::extract::document::{Document, MarkdownOptions, MarkdownTables};
use dehusk_pipeline::settings::MarkdownExtensionNames;
use pyo3::prelude::*;

use crate::error;

/// Content as JSON in another form; `dehusk.render_content` is its public form.
#[pyfunction]
pub(crate) fn render_content(
    py: Python<'_>,
    content: &str,
    form: &str,
    links: bool,
    images: bool,
    markdown_tables: &str,
    markdown_extensions: &str,
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
    let extensions: MarkdownExtensionNames = markdown_extensions.parse().map_err(|message: String| {
        let message = format!("`markdown_extensions`: {message}");
        error::option(py, "markdown_extensions", &message, None)
    })?;
    let options = MarkdownOptions::default()
        .with_links(links)
        .with_images(images)
        .with_tables(tables)
        .with_extensions(extensions.0);
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
