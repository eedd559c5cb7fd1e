//! Options of the Markdown output.

/// Options of the Markdown output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MarkdownOptions {
    /// Whether the targets of links are written; default: off.
    pub links: bool,
    /// Whether images are written; default: off.
    pub images: bool,
    /// How tables are written that Markdown cannot express fully.
    pub tables: MarkdownTables,
}

impl MarkdownOptions {
    /// Sets whether the targets of links are written.
    pub fn with_links(self, links: bool) -> Self {
        MarkdownOptions { links, ..self }
    }

    /// Sets whether images are written.
    pub fn with_images(self, images: bool) -> Self {
        MarkdownOptions { images, ..self }
    }

    /// Sets how tables are written that Markdown cannot express fully.
    pub fn with_tables(self, tables: MarkdownTables) -> Self {
        MarkdownOptions { tables, ..self }
    }
}

/// How tables are written that Markdown cannot express fully: those with spanning cells or several blocks in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum MarkdownTables {
    /// As Markdown tables. A spanning cell is written at its first position, its other positions are empty; the blocks of a cell are written on
    /// one line, separated by `<br>`.
    #[default]
    Gfm,
    /// As HTML tables.
    Html,
}
