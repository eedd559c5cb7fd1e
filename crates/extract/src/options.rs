//! Options of an extraction.

use std::sync::Arc;

use crate::document::{MarkdownExtensions, MarkdownTables};
use crate::label::classes::convention::{Convention, Inclusion};
use crate::label::extractor::{Extractor, Focus};
use crate::label::registry::ExtractorChoice;
use crate::parameter::MethodError;
use dehusk_html::limits::Limits;
use dehusk_html::parser::{Parser, ParserKind};

/// Options of an extraction, changed with the consuming `with_*` methods.
///
/// ```
/// use dehusk_extract::{Focus, Options, Page, extract};
///
/// let options = Options::default()
///     .with_extractor("density:link=0.3")?
///     .with_focus(Focus::Recall)
///     .with_content(true);
/// assert_eq!(options.extractor().name(), "density");
/// assert!(extract(&Page::new(b"<p>One.<p>Two."), &options).content.is_some());
/// assert!(Options::default().with_extractor("densty").is_err());
/// # Ok::<(), dehusk_extract::label::MethodError>(())
/// ```
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
    pub(crate) markdown_extensions: MarkdownExtensions,
    pub(crate) html: bool,
    pub(crate) content: bool,
    pub(crate) tables: bool,
    pub(crate) no_tables: bool,
    pub(crate) comments: bool,
    pub(crate) no_comments: bool,
    pub(crate) convention: Convention,
    pub(crate) focus: Focus,
    pub(crate) blocks: bool,
    pub(crate) structured: bool,
    pub(crate) visible_nodes: bool,
    pub(crate) fast: bool,
}

impl Options {
    /// Chooses the extractor by its name, one of [`label::ALL`](crate::label::ALL); default: `default`. Parameters may follow
    /// the name: `density:link=0.3,next=12`.
    ///
    /// # Errors
    /// If the extractor or a parameter does not exist, or a value is not allowed for its parameter.
    pub fn with_extractor(self, extractor: &str) -> Result<Self, MethodError> {
        let extractor = extractor.parse()?;
        Ok(Options { extractor, ..self })
    }

    /// Sets an extractor that the caller implements, in place of one from the table.
    pub fn with_own_extractor(self, extractor: Arc<dyn Extractor>) -> Self {
        let extractor = ExtractorChoice::own(extractor);
        Options { extractor, ..self }
    }

    /// Sets the bounds on the cost of one page; default: [`Limits::default`].
    pub fn with_limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Sets the parser that builds the tree; default: [`ParserKind::Whatwg`].
    pub fn with_parser(self, parser: ParserKind) -> Self {
        Options { parser, ..self }
    }

    /// Whether Markdown is written, too; default: off.
    pub fn with_markdown(self, markdown: bool) -> Self {
        Options { markdown, ..self }
    }

    /// Whether Markdown contains the targets of links; default: off.
    pub fn with_links(self, links: bool) -> Self {
        Options { links, ..self }
    }

    /// Whether Markdown contains images; default: off.
    pub fn with_images(self, images: bool) -> Self {
        Options { images, ..self }
    }

    /// Sets how Markdown writes tables that it cannot express fully; default: [`MarkdownTables::Gfm`].
    pub fn with_markdown_tables(self, markdown_tables: MarkdownTables) -> Self {
        Options {
            markdown_tables,
            ..self
        }
    }

    /// Sets which extensions of CommonMark and GFM Markdown uses; default: all.
    pub fn with_markdown_extensions(self, markdown_extensions: MarkdownExtensions) -> Self {
        Options {
            markdown_extensions,
            ..self
        }
    }

    /// Whether structural HTML is written, too; default: off.
    pub fn with_html(self, html: bool) -> Self {
        Options { html, ..self }
    }

    /// Whether the main content is also returned as a [`Document`](crate::document::Document) of typed blocks; default: off.
    pub fn with_content(self, content: bool) -> Self {
        Options { content, ..self }
    }

    /// Whether the data tables of the main content, nested ones included, are also returned; default: off.
    pub fn with_tables(self, tables: bool) -> Self {
        Options { tables, ..self }
    }

    /// Leaves data tables out of the main content, if `no_tables`; layout tables stay. Default: off.
    pub fn without_tables(self, no_tables: bool) -> Self {
        Options { no_tables, ..self }
    }

    /// Whether readers' comments are also returned; default: off. They are split from the main text in either case.
    pub fn with_comments(self, comments: bool) -> Self {
        Options { comments, ..self }
    }

    /// Leaves readers' comments and replies out of the main text, if `no_comments`: with every extractor, and
    /// even if they are the subject of the page. Default: off.
    pub fn without_comments(self, no_comments: bool) -> Self {
        Options { no_comments, ..self }
    }

    /// Whether the title is part of the main text; by default, the extractor decides.
    pub fn with_title(mut self, title: Inclusion) -> Self {
        self.convention.title = title;
        self
    }

    /// Whether captions are part of the main text; by default, the extractor decides. [`Inclusion::Drop`] drops image credits, too.
    pub fn with_captions(mut self, captions: Inclusion) -> Self {
        self.convention.captions = captions;
        self
    }

    /// Whether bylines and dates are part of the main text; by default, the extractor decides.
    pub fn with_byline(mut self, byline: Inclusion) -> Self {
        self.convention.byline = byline;
        self
    }

    /// Whether the extractor `default` prefers precision or recall in doubtful cases; neither by default.
    pub fn with_focus(self, focus: Focus) -> Self {
        Options { focus, ..self }
    }

    /// Whether a record for every block is also returned, with its verdict, the reason and the votes of all
    /// other extractors; default: off. The votes make extraction several times slower.
    pub fn with_blocks(self, blocks: bool) -> Self {
        Options { blocks, ..self }
    }

    /// Whether the data in JSON-LD, microdata and RDFa are also returned, in one form; default: off.
    pub fn with_structured(self, structured: bool) -> Self {
        Options { structured, ..self }
    }

    /// Whether the page is also returned as it is shown: its elements and texts, each text with the index of its block; default: off.
    pub fn with_visible_nodes(self, visible_nodes: bool) -> Self {
        Options {
            visible_nodes,
            ..self
        }
    }

    /// Whether the extractor `default` trades a little quality for speed by applying only the first of its
    /// trees to every line; default: off. Other extractors are unaffected.
    pub fn with_fast(self, fast: bool) -> Self {
        Options { fast, ..self }
    }

    /// The configured extractor.
    pub fn extractor(&self) -> &dyn Extractor {
        self.extractor.get()
    }

    /// The configured parser.
    pub fn parser(&self) -> ParserKind {
        self.parser
    }

    /// The configured parser with the limits. Repairs are on: by the standard, one missing end tag could hide all text of a page.
    pub(crate) fn html_parser(&self) -> Parser {
        let parser = Parser::default().with_kind(self.parser);
        parser.with_limits(self.limits).with_repairs(true)
    }

    /// The bounds on the cost of one page.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}
