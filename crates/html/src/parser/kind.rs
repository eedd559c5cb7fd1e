//! The available parsers.

use std::fmt;
use std::str::FromStr;

/// Name of the parser that is available with a cargo feature.
const HTML5EVER: &str = "html5ever";

/// The parser that builds the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum ParserKind {
    /// The parser of this crate, by the HTML standard of the WHATWG; linear in the length of the page. The default.
    #[default]
    Whatwg,
    /// html5ever, the parser of Servo, as a reference: slower, with the same trees except for a few
    /// deviations from the standard. It gives source offsets only for texts that it passes on unchanged.
    /// Only available with the feature `html5ever`.
    #[cfg(any(test, feature = "html5ever"))]
    Html5ever,
}

impl ParserKind {
    /// All parsers that were compiled in.
    pub const ALL: &[ParserKind] = &[
        ParserKind::Whatwg,
        #[cfg(any(test, feature = "html5ever"))]
        ParserKind::Html5ever,
    ];

    /// Name as users type it: `whatwg` or `html5ever`.
    pub fn name(self) -> &'static str {
        match self {
            ParserKind::Whatwg => "whatwg",
            #[cfg(any(test, feature = "html5ever"))]
            ParserKind::Html5ever => HTML5EVER,
        }
    }
}

impl FromStr for ParserKind {
    type Err = UnknownParser;

    fn from_str(name: &str) -> Result<Self, UnknownParser> {
        let found = ParserKind::ALL.iter().copied().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownParser {
            name: name.to_owned(),
        })
    }
}

/// Error: there is no parser of this name, or it was not compiled in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownParser {
    name: String,
}

impl fmt::Display for UnknownParser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = ParserKind::ALL.iter().map(|kind| kind.name()).collect();
        let known = known.join(", ");
        if self.name == HTML5EVER {
            write!(
                f,
                "this build has no parser `{HTML5EVER}`, which a cargo feature adds; known: {known}"
            )
        } else {
            write!(f, "unknown parser `{}`; known: {known}", self.name)
        }
    }
}

impl std::error::Error for UnknownParser {}
