//! What to extract, and how.

use std::sync::Arc;

use crate::document::MarkdownTables;
use crate::label::classes::convention::{Convention, Inclusion};
use crate::label::extractor::{Extractor, Focus};
use crate::label::registry::ExtractorChoice;
use crate::parameter::MethodError;
use dehusk_html::limits::Limits;
use dehusk_html::parser::{Parser, ParserKind};

/// What to extract, and how. Changed with the consuming `with_*` methods.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default)
)]
pub struct Options {
    pub(crate) extractor: ExtractorChoice,
    pub(crate) limits: Limits,
    pub(crate) parser: ParserKind,
    pub(crate) markdown: bool,
    pub(crate) links: bool,
    pub(crate) images: bool,
    pub(crate) markdown_tables: MarkdownTables,
    pub(crate) html: bool,
    pub(crate) content: bool,
    pub(crate) tables: bool,
    pub(crate) no_tables: bool,
    pub(crate) comments: bool,
    pub(crate) no_comments: bool,
    pub(crate) convention: Convention,
    pub(crate) focus: Focus,
    pub(crate) blocks: bool,
    pub(crate) visible_nodes: bool,
    pub(crate) fast: bool,
}

impl Options {
    /// Chooses the extractor by its name, one of [`label::ALL`](crate::label::ALL); `default` unless set. Parameters may follow
    /// it: `density:link=0.3,next=12`.
    ///
    /// # Errors
    /// If there is no such extractor or parameter, or a value is not one the parameter can have.
    pub fn with_extractor(self, extractor: &str) -> Result<Self, MethodError> {
        let extractor = extractor.parse()?;
        Ok(Options { extractor, ..self })
    }

    /// Chooses an extractor of the caller's own.
    pub fn with_own_extractor(self, extractor: Arc<dyn Extractor>) -> Self {
        let extractor = ExtractorChoice::own(extractor);
        Options { extractor, ..self }
    }

    /// Bounds on what one page may cost.
    pub fn with_limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Which parser makes the tree; [`ParserKind::Whatwg`] unless set.
    pub fn with_parser(self, parser: ParserKind) -> Self {
        Options { parser, ..self }
    }

    /// Also renders Markdown; off unless set.
    pub fn with_markdown(self, markdown: bool) -> Self {
        Options { markdown, ..self }
    }

    /// Writes the targets of links into Markdown; off unless set.
    pub fn with_links(self, links: bool) -> Self {
        Options { links, ..self }
    }

    /// Writes images into Markdown; off unless set.
    pub fn with_images(self, images: bool) -> Self {
        Options { images, ..self }
    }

    /// How Markdown has tables that hold more than it can say; [`MarkdownTables::Gfm`] unless set.
    pub fn with_markdown_tables(self, markdown_tables: MarkdownTables) -> Self {
        Options {
            markdown_tables,
            ..self
        }
    }

    /// Also renders cleaned HTML; off unless set.
    pub fn with_html(self, html: bool) -> Self {
        Options { html, ..self }
    }

    /// Also returns the main content as a [`Document`](crate::document::Document) of typed blocks; off unless set.
    pub fn with_content(self, content: bool) -> Self {
        Options { content, ..self }
    }

    /// Also returns the data tables of the main content, nested ones included; off unless set.
    pub fn with_tables(self, tables: bool) -> Self {
        Options { tables, ..self }
    }

    /// Leaves data tables out of the main content, but not layout tables; off unless set.
    pub fn without_tables(self, no_tables: bool) -> Self {
        Options { no_tables, ..self }
    }

    /// Also returns readers' comments; off unless set. They are split from the main text in either case.
    pub fn with_comments(self, comments: bool) -> Self {
        Options { comments, ..self }
    }

    /// Leaves readers' comments and replies out of the main text with every extractor, and even if they are the subject of the page;
    /// off unless set.
    pub fn without_comments(self, no_comments: bool) -> Self {
        Options { no_comments, ..self }
    }

    /// Whether the title is part of the main text; unless set, as the extractor decides.
    pub fn with_title(mut self, title: Inclusion) -> Self {
        self.convention.title = title;
        self
    }

    /// Whether captions are part of the main text, and with [`Inclusion::Drop`] credits, too; unless set, as the extractor decides.
    pub fn with_captions(mut self, captions: Inclusion) -> Self {
        self.convention.captions = captions;
        self
    }

    /// Whether the lines that say who wrote the text, and when, are part of it; unless set, as the extractor decides.
    pub fn with_byline(mut self, byline: Inclusion) -> Self {
        self.convention.byline = byline;
        self
    }

    /// Whether the extractor `default` prefers precision or recall in doubtful cases; neither unless set.
    pub fn with_focus(self, focus: Focus) -> Self {
        Options { focus, ..self }
    }

    /// Also returns a record for every block, kept or dropped, with the reason and the votes of all other extractors, which costs
    /// several times as much; off unless set.
    pub fn with_blocks(self, blocks: bool) -> Self {
        Options { blocks, ..self }
    }

    /// Also returns the page as it is shown: its elements and texts, each text with the number of its block; off unless set.
    pub fn with_visible_nodes(self, visible_nodes: bool) -> Self {
        Options {
            visible_nodes,
            ..self
        }
    }

    /// Trades a little quality for speed: the extractor `default` applies only the first of its trees to every line; off unless set.
    /// No other extractor is changed.
    pub fn with_fast(self, fast: bool) -> Self {
        Options { fast, ..self }
    }

    /// The chosen extractor.
    pub fn extractor(&self) -> &dyn Extractor {
        self.extractor.get()
    }

    /// The chosen parser.
    pub fn parser(&self) -> ParserKind {
        self.parser
    }

    /// The chosen parser with the limits. A page should not lose all of its text because one end tag is missing, as the standard has it.
    pub(crate) fn html_parser(&self) -> Parser {
        let parser = Parser::default().with_kind(self.parser);
        parser.with_limits(self.limits).with_repairs(true)
    }

    /// The bounds on what one page may cost.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}
