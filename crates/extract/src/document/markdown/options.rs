//! How Markdown is written.

/// How Markdown is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MarkdownOptions {
    /// Whether the targets of links are written; they are not unless set.
    pub links: bool,
    /// Whether images are written; they are not unless set.
    pub images: bool,
    /// How tables are written that hold more than Markdown can say.
    pub tables: MarkdownTables,
}

impl MarkdownOptions {
    /// Whether the targets of links are written.
    pub fn with_links(self, links: bool) -> Self {
        MarkdownOptions { links, ..self }
    }

    /// Whether images are written.
    pub fn with_images(self, images: bool) -> Self {
        MarkdownOptions { images, ..self }
    }

    /// How tables are written that hold more than Markdown can say.
    pub fn with_tables(self, tables: MarkdownTables) -> Self {
        MarkdownOptions { tables, ..self }
    }
}

/// How tables are written that hold more than Markdown can say: cells over several places, several blocks in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum MarkdownTables {
    /// As tables of Markdown: a cell stands in the first of its places, the others are empty; blocks stand in one line, with `<br>` between.
    #[default]
    Gfm,
    /// As HTML.
    Html,
}
