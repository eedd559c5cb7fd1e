//! What to extract, and how.

use std::fmt;

use crate::extractor::{self, DensityTree, Extractor, MethodError, SentenceRules};
use crate::front::Front;
use crate::limits::Limits;
use crate::parameter;

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
    pub(crate) blocks: bool,
    pub(crate) parts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            extractor: extractor::DEFAULT,
            density: DensityTree::default(),
            sentences: SentenceRules::default(),
            limits: Limits::default(),
            front: Front::default(),
            markdown: false,
            links: false,
            images: false,
            html: false,
            content: false,
            blocks: false,
            parts: false,
        }
    }
}

impl Options {
    /// Chooses the extractor by its name, one of [`extractor::ALL`]; `default` unless set. Parameters may stand behind it:
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

    /// Also returns a record for every block, kept or dropped, with the reason and with what every other method makes of it,
    /// which costs several times as much; off unless set.
    pub fn with_blocks(self, blocks: bool) -> Self {
        Options { blocks, ..self }
    }

    /// Also returns the page as it is shown: its elements and texts, each text with the number of its block; off unless set.
    pub fn with_parts(self, parts: bool) -> Self {
        Options { parts, ..self }
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
            .field("blocks", &self.blocks)
            .field("parts", &self.parts)
            .finish()
    }
}
