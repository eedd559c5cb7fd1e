//! Inlines: what a line of text consists of.

/// A part of a line.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Inline {
    /// Text, white space collapsed.
    Text(String),
    /// Anything else.
    Span(Box<Span>),
}

/// A part of a line that is more than its text.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Span {
    /// Marked text.
    Marked {
        /// How.
        mark: Mark,
        /// What is marked.
        inlines: Vec<Inline>,
    },
    /// Code.
    Code {
        /// Of what kind it is.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "CodeKind::is_code"))]
        of: CodeKind,
        /// Its text.
        text: String,
    },
    /// A link.
    Link {
        /// Its address, absolute if the page's own is known.
        target: String,
        /// Its title.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        title: Option<String>,
        /// What is linked.
        inlines: Vec<Inline>,
    },
    /// An image.
    Image(Image),
    /// A formula.
    Formula(Formula),
    /// A call of a note.
    Note {
        /// Its number, from 1.
        number: u32,
    },
    /// A line break.
    Break,
    /// Text with its reading above.
    Ruby {
        /// The parts of the text.
        parts: Vec<RubyPart>,
    },
}

/// How text is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Mark {
    /// Stressed: `em`, `i`.
    Emphasis,
    /// Important: `strong`, `b`.
    Strong,
    /// No longer valid: `del`, `s`.
    Deleted,
    /// Added: `ins`.
    Inserted,
    /// Marked by a reader: `mark`.
    Highlight,
    /// Below the line: `sub`.
    Subscript,
    /// Above the line: `sup`.
    Superscript,
    /// Quoted: `q`.
    Quote,
    /// The title of a work: `cite`.
    Title,
    /// A variable: `var`.
    Variable,
}

/// Kind of code in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum CodeKind {
    /// Program text: `code`, `tt`.
    #[default]
    Code,
    /// What a user types: `kbd`.
    Keyboard,
    /// What a program answers: `samp`.
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
    /// Its address, absolute if the page's own is known.
    pub src: String,
    /// Alternative text; may be empty.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub alt: String,
    /// Its title.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
}

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Formula {
    /// TeX.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub tex: Option<String>,
    /// Presentation MathML.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mathml: Option<String>,
    /// Its characters, where there is no TeX.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub text: String,
    /// Whether it stands on a line of its own.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub display: bool,
}

impl Formula {
    /// TeX, or else the characters.
    pub fn as_text(&self) -> &str {
        self.tex.as_deref().unwrap_or(&self.text)
    }

    /// About how many bytes it takes as JSON.
    pub(super) fn json_bytes(&self) -> usize {
        let mathml = self
            .mathml
            .as_ref()
            .map_or(0, |mathml| mathml.len() + mathml.len() / 8);
        2 * self.tex.as_ref().map_or(0, String::len) + mathml + self.text.len()
    }
}

/// A part of a text and its reading.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RubyPart {
    /// The text.
    pub base: String,
    /// What stands above it.
    pub reading: String,
}

impl Inline {
    /// A part that is more than its text.
    pub(crate) fn span(span: Span) -> Inline {
        Inline::Span(Box::new(span))
    }

    /// The span, if it is one.
    pub(crate) fn as_span(&self) -> Option<&Span> {
        match self {
            Inline::Text(_) => None,
            Inline::Span(span) => Some(span),
        }
    }
}
