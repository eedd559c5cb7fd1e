//! Inlines: the parts of a line of text.

/// Part of a line.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Inline {
    /// Plain text, with white space collapsed.
    Text(String),
    /// Anything other than plain text.
    Span(Box<Span>),
}

/// Part of a line that is not plain text.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Span {
    /// Marked text.
    Marked {
        /// Kind of mark.
        mark: Mark,
        /// Marked content.
        inlines: Vec<Inline>,
    },
    /// Inline code.
    Code {
        /// Kind of code.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "CodeKind::is_code"))]
        of: CodeKind,
        /// Text of the code.
        text: String,
    },
    /// A link.
    Link {
        /// Target address, absolute if the page's address is known.
        target: String,
        /// Title of the link.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        title: Option<String>,
        /// Linked content.
        inlines: Vec<Inline>,
    },
    /// An image.
    Image(Image),
    /// A video or sound.
    Player(Player),
    /// A formula.
    Formula(Formula),
    /// Reference to a note.
    Note {
        /// Number of the note, from 1.
        number: u32,
    },
    /// A line break.
    Break,
    /// Ruby text: text with its reading above.
    Ruby {
        /// Base texts with their readings.
        parts: Vec<RubyPart>,
    },
}

/// Kind of marked text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Mark {
    /// Emphasis: `em`, `i`.
    Emphasis,
    /// Strong importance: `strong`, `b`.
    Strong,
    /// Deleted text: `del`, `s`.
    Deleted,
    /// Inserted text: `ins`.
    Inserted,
    /// Highlighted text: `mark`.
    Highlight,
    /// Subscript: `sub`.
    Subscript,
    /// Superscript: `sup`.
    Superscript,
    /// Quotation: `q`.
    Quote,
    /// Title of a work: `cite`.
    Title,
    /// Variable: `var`.
    Variable,
}

/// Kind of inline code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum CodeKind {
    /// Program text: `code`, `tt`.
    #[default]
    Code,
    /// User input: `kbd`.
    Keyboard,
    /// Program output: `samp`.
    Sample,
}

impl CodeKind {
    #[cfg(feature = "serde")]
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
    fn is_code(&self) -> bool {
        *self == CodeKind::Code
    }
}

/// An image.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Image {
    /// Address, absolute if the page's address is known.
    pub src: String,
    /// Alternative text; may be empty.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub alt: String,
    /// Title of the image.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
}

/// A video or sound. It is written as a link, around the poster if there is one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Player {
    /// Kind of media.
    pub of: PlayerKind,
    /// Address of the file, or of the page that plays it; absolute if the page's address is known. `None` if
    /// only a poster or title is known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub src: Option<String>,
    /// Address of the image shown before playing.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub poster: Option<String>,
    /// Title, unless it only names the player.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
}

impl Player {
    /// Text to show for the player: its title, or its address if it has none; empty without either.
    pub fn label(&self) -> &str {
        self.title.as_deref().or(self.src.as_deref()).unwrap_or_default()
    }
}

/// Kind of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PlayerKind {
    /// Moving pictures.
    #[default]
    Video,
    /// Sound alone.
    Audio,
}

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Formula {
    /// TeX source.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub tex: Option<String>,
    /// Presentation MathML.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mathml: Option<String>,
    /// Plain characters of the formula, if there is no TeX.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub text: String,
    /// Whether the formula has a line of its own.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub display: bool,
}

impl Formula {
    /// TeX source, or the plain characters without one.
    pub fn as_text(&self) -> &str {
        self.tex.as_deref().unwrap_or(&self.text)
    }

    /// Approximate size as JSON, in bytes.
    pub(super) fn json_bytes(&self) -> usize {
        let mathml = self
            .mathml
            .as_ref()
            .map_or(0, |mathml| mathml.len() + mathml.len() / 8);
        2 * self.tex.as_ref().map_or(0, String::len) + mathml + self.text.len()
    }
}

/// A piece of ruby text and its reading.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RubyPart {
    /// Base text.
    pub base: String,
    /// Reading shown above the base text.
    pub reading: String,
}

impl Inline {
    /// Wraps a span.
    pub(crate) fn span(span: Span) -> Inline {
        Inline::Span(Box::new(span))
    }

    /// The span; `None` for plain text.
    pub(crate) fn as_span(&self) -> Option<&Span> {
        match self {
            Inline::Text(_) => None,
            Inline::Span(span) => Some(span),
        }
    }
}
