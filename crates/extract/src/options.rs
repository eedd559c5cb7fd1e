//! What to extract, and how.

use std::fmt;

use crate::label;
use crate::label::extractor::Extractor;
use crate::label::methods::density::DensityTree;
use crate::label::methods::sentences::SentenceRules;
use crate::parameter;
use crate::parameter::MethodError;
use dehusk_html::limits::Limits;
use dehusk_html::parser::Front;

/// Which way the extractor `default` leans where it doubts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Focus {
    /// What is as likely as not to belong.
    #[default]
    Balanced,
    /// Little that does not belong, at the cost of what is doubtful.
    Precision,
    /// Little that is missing, at the cost of husk among it.
    Recall,
}

/// What to extract, and how. Changed with the consuming `with_*` methods.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Options {
    pub(crate) extractor: &'static dyn Extractor,
    pub(crate) density: DensityTree,
    pub(crate) sentences: SentenceRules,
    pub(crate) limits: Limits,
    pub(crate) front: Front,
    pub(crate) markdown: bool,
    pub(crate) links: bool,
    pub(crate) images: bool,
    pub(crate) html: bool,
    pub(crate) content: bool,
    pub(crate) tables: bool,
    pub(crate) no_tables: bool,
    pub(crate) comments: bool,
    pub(crate) no_comments: bool,
    pub(crate) focus: Focus,
    pub(crate) blocks: bool,
    pub(crate) parts: bool,
    pub(crate) fast: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            extractor: label::DEFAULT,
            density: DensityTree::default(),
            sentences: SentenceRules::default(),
            limits: Limits::default(),
            front: Front::default(),
            markdown: false,
            links: false,
            images: false,
            html: false,
            content: false,
            tables: false,
            no_tables: false,
            comments: false,
            no_comments: false,
            focus: Focus::Balanced,
            blocks: false,
            parts: false,
            fast: false,
        }
    }
}

impl Options {
    /// Chooses the extractor by its name, one of [`crate::label::ALL`]; `default` unless set. Parameters may stand behind it:
    /// `density:link=0.3,next=12`.
    ///
    /// # Errors
    /// If there is no such extractor or parameter, or a value is not one the parameter can have.
    pub fn with_method(self, method: &str) -> Result<Self, MethodError> {
        parameter::choose(self, method)
    }

    /// Decision tree of the extractor `density`, with its thresholds; the published one on text densities unless set. No
    /// other extractor reads it.
    pub fn with_density(self, density: DensityTree) -> Self {
        Options { density, ..self }
    }

    /// Thresholds of the extractor `sentences`; the published ones unless set. No other extractor reads them.
    pub fn with_sentences(self, sentences: SentenceRules) -> Self {
        Options { sentences, ..self }
    }

    /// Bounds on what one page may cost.
    pub fn with_limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Which parser makes the tree; [`Front::Whatwg`] unless set.
    pub fn with_front(self, front: Front) -> Self {
        Options { front, ..self }
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

    /// Also renders cleaned HTML; off unless set.
    pub fn with_html(self, html: bool) -> Self {
        Options { html, ..self }
    }

    /// Also returns the main content as typed elements; off unless set.
    pub fn with_content(self, content: bool) -> Self {
        Options { content, ..self }
    }

    /// Also returns the data tables of the main content, whatever they stand in; off unless set.
    pub fn with_tables(self, tables: bool) -> Self {
        Options { tables, ..self }
    }

    /// Leaves data tables out of the main content; off unless set. Tables that only arrange the page are no data.
    pub fn without_tables(self, no_tables: bool) -> Self {
        Options { no_tables, ..self }
    }

    /// Also returns readers' comments; off unless set. They are told from the main text in either case.
    pub fn with_comments(self, comments: bool) -> Self {
        Options { comments, ..self }
    }

    /// Leaves readers' comments and replies out of the main text where they are what the page is about, too, and whatever
    /// the extractor; off unless set.
    pub fn without_comments(self, no_comments: bool) -> Self {
        Options { no_comments, ..self }
    }

    /// Which way the extractor `default` leans where it doubts; to neither side unless set.
    pub fn with_focus(self, focus: Focus) -> Self {
        Options { focus, ..self }
    }

    /// Also returns a record for every block, kept or dropped, with the reason and with what every other method makes of it,
    /// which costs several times as much; off unless set.
    pub fn with_blocks(self, blocks: bool) -> Self {
        Options { blocks, ..self }
    }

    /// Also returns the page as it is shown: its elements and texts, each text with the number of its block; off unless set.
    pub fn with_parts(self, parts: bool) -> Self {
        Options { parts, ..self }
    }

    /// Trades a little quality for speed: the extractor `default` asks the first of its trees alone about every line; off
    /// unless set. No other extractor is changed.
    pub fn with_fast(self, fast: bool) -> Self {
        Options { fast, ..self }
    }

    /// The chosen extractor.
    pub fn extractor(&self) -> &'static dyn Extractor {
        self.extractor
    }

    /// The parser in force.
    pub fn front(&self) -> Front {
        self.front
    }

    /// The bounds in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("extractor", &self.extractor.name())
            .field("density", &self.density)
            .field("sentences", &self.sentences)
            .field("limits", &self.limits)
            .field("front", &self.front.name())
            .field("markdown", &self.markdown)
            .field("links", &self.links)
            .field("images", &self.images)
            .field("html", &self.html)
            .field("content", &self.content)
            .field("tables", &self.tables)
            .field("no_tables", &self.no_tables)
            .field("comments", &self.comments)
            .field("no_comments", &self.no_comments)
            .field("focus", &self.focus)
            .field("blocks", &self.blocks)
            .field("parts", &self.parts)
            .field("fast", &self.fast)
            .finish()
    }
}
