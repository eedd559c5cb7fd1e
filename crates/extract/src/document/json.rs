//! Documents as JSON.

use std::fmt;

use crate::document::inline::{Inline, Span};
use crate::document::tree::{Block, Document, MAX_INLINES, MAX_NESTING, VERSION};

/// Error: a text is not a document.
#[derive(Debug)]
#[non_exhaustive]
pub enum DocumentError {
    /// The text is not JSON, or not the JSON of a document.
    Json(serde_json::Error),
    /// The document has another version of the model.
    Version {
        /// The version found.
        found: u32,
    },
    /// Containers are nested deeper than [`MAX_NESTING`] or [`MAX_INLINES`] allows.
    Nesting,
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocumentError::Json(error) => write!(f, "no document: {error}"),
            DocumentError::Version { found } => write!(
                f,
                "the document has version {found} of the model, and this program reads version {VERSION}: extract the page again"
            ),
            DocumentError::Nesting => {
                write!(
                    f,
                    "blocks of the document lie more than {MAX_NESTING} deep, or inlines more than {MAX_INLINES}"
                )
            }
        }
    }
}

impl std::error::Error for DocumentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DocumentError::Json(error) => Some(error),
            DocumentError::Version { .. } | DocumentError::Nesting => None,
        }
    }
}

impl Document {
    /// Reads a document that was written as JSON, such as the field `content` of a record.
    ///
    /// # Errors
    /// If the text is not the JSON of a document, has another version, or is nested too deep.
    pub fn from_json(text: &str) -> Result<Document, DocumentError> {
        #[derive(serde::Deserialize)]
        struct Versioned {
            version: u32,
        }
        let read: Result<Document, _> = serde_json::from_str(text);
        // Another version may have any structure, so a version mismatch is reported in preference to a parse error.
        let found = match &read {
            Ok(document) => document.version,
            Err(_) => serde_json::from_str::<Versioned>(text).map_or(VERSION, |other| other.version),
        };
        if found != VERSION {
            return Err(DocumentError::Version { found });
        }
        let document = read.map_err(DocumentError::Json)?;
        // The JSON reader bounds the depth, so this recursion is bounded, too.
        let notes = document.notes.iter().map(|note| depth(&note.blocks));
        if notes
            .chain([depth(&document.blocks)])
            .any(|depth| depth.is_none())
        {
            return Err(DocumentError::Nesting);
        }
        Ok(document)
    }
}

/// Nesting depth of the containers in `blocks`, where a list and its item count separately; `None` if a bound is exceeded.
fn depth(blocks: &[Block]) -> Option<usize> {
    let mut most = 0;
    for block in blocks {
        let own = match block {
            Block::Paragraph { .. } | Block::Heading { .. } | Block::Code { .. } | Block::Formula(_) => 0,
            Block::Quote { .. } | Block::Figure { .. } => 1,
            Block::List(_) | Block::Definitions { .. } | Block::Table(_) => 2,
        };
        // `None` as soon as a part exceeds the bound.
        let mut inner = Some(0);
        block.each_part(|part| inner = inner.zip(depth(part)).map(|(most, depth)| most.max(depth)));
        let fits = match block {
            Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => fits(inlines),
            Block::Figure { caption, .. } => fits(caption),
            Block::Table(table) => fits(&table.caption),
            Block::Definitions { items } => items.iter().flat_map(|item| &item.terms).all(|term| fits(term)),
            Block::List(_) | Block::Code { .. } | Block::Quote { .. } | Block::Formula(_) => true,
        };
        most = most.max(own + inner.filter(|_| fits)?);
    }
    (most <= MAX_NESTING).then_some(most)
}

/// Whether the nesting of marks and links is within [`MAX_INLINES`].
fn fits(inlines: &[Inline]) -> bool {
    inline_depth(inlines) <= MAX_INLINES
}

/// Nesting depth of marks and links; 0 for plain text.
fn inline_depth(inlines: &[Inline]) -> usize {
    let depth = |inline: &Inline| match inline.as_span() {
        Some(Span::Marked { inlines, .. } | Span::Link { inlines, .. }) => 1 + inline_depth(inlines),
        _ => 0,
    };
    inlines.iter().map(depth).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::MarkdownOptions;

    #[test]
    fn documents_of_other_programs_do_not_break_out_of_their_elements() {
        let text = r#"{"version":1,"blocks":[
            {"kind":"code","language":"c\n```\n# out","text":"x"},
            {"kind":"paragraph","inlines":[{"kind":"link","target":"https://a.example/","inlines":["a ",
                {"kind":"link","target":"https://b.example/","inlines":["b"]}]}]}]}"#;
        let document = Document::from_json(text).expect("a document");
        let markdown = document.markdown(&MarkdownOptions::default());
        assert!(markdown.starts_with("```c\nx\n```\n"), "{markdown}");
        let html = document.html();
        assert!(html.contains("<a href=\"https://a.example/\">a b</a>"), "{html}");
    }
}
