//! Options of the Markdown output.

/// Options of the Markdown output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MarkdownOptions {
    /// Whether the targets of links are written; default: off.
    pub links: bool,
    /// Whether images are written; default: off.
    pub images: bool,
    /// How tables are written that Markdown cannot express fully; default: [`MarkdownTables::Gfm`].
    pub tables: MarkdownTables,
    /// Extensions of CommonMark and GFM that are used; default: all.
    pub extensions: MarkdownExtensions,
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

    /// Sets the extensions of CommonMark and GFM that are used.
    pub fn with_extensions(self, extensions: MarkdownExtensions) -> Self {
        MarkdownOptions { extensions, ..self }
    }
}

/// Extensions to CommonMark and GFM. If one is off, its content is written by means of CommonMark and GFM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct MarkdownExtensions {
    /// Notes as `[^1]` and `[^1]: ...`; if off, as `[1]` and numbered lists after a thematic break at the
    /// end.
    pub footnotes: bool,
    /// A term, then `: meaning`; if off, the term in bold, followed by the meaning as blocks.
    pub definition_lists: bool,
    /// Formulas as `$x$` and `$$x$$`; if off, as code.
    pub dollars: bool,
}

impl MarkdownExtensions {
    /// No extension.
    pub const NONE: MarkdownExtensions = MarkdownExtensions {
        footnotes: false,
        definition_lists: false,
        dollars: false,
    };

    /// Names of all extensions.
    pub const NAMES: [&str; 3] = ["footnotes", "definition-lists", "dollars"];

    /// Turns on the extension with this name, one of [`NAMES`](Self::NAMES). Returns `None` for other names.
    pub fn and(mut self, name: &str) -> Option<Self> {
        match name {
            "footnotes" => self.footnotes = true,
            "definition-lists" => self.definition_lists = true,
            "dollars" => self.dollars = true,
            _ => return None,
        }
        Some(self)
    }

    /// Names of the extensions that are on, in the order of [`NAMES`](Self::NAMES).
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let used = [self.footnotes, self.definition_lists, self.dollars];
        Self::NAMES
            .into_iter()
            .zip(used)
            .filter_map(|(name, used)| used.then_some(name))
    }
}

impl Default for MarkdownExtensions {
    fn default() -> Self {
        MarkdownExtensions {
            footnotes: true,
            definition_lists: true,
            dollars: true,
        }
    }
}

/// How tables are written that Markdown cannot express fully: those with spanning cells or several blocks in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum MarkdownTables {
    /// As Markdown tables. A spanning cell is written at its first position, its other positions are empty;
    /// the blocks of a cell are written on one line, separated by `<br>`.
    #[default]
    Gfm,
    /// As HTML tables.
    Html,
}
