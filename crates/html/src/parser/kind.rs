//! Which parser does the work.

use std::fmt;
use std::str::FromStr;

/// Name of the front that can be left out.
const HTML5EVER: &str = "html5ever";

/// Which parser fills the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Front {
    /// Ours: the HTML standard of the WHATWG, linear in the page's length. The default.
    #[default]
    Whatwg,
    /// html5ever, which ours is compared with: the same trees, more slowly. It knows no source offsets but those of texts
    /// it took over unchanged. Only with the feature `html5ever`.
    #[cfg(any(test, feature = "html5ever"))]
    Html5ever,
}

impl Front {
    /// All fronts that were compiled in.
    pub const ALL: &[Front] = &[
        Front::Whatwg,
        #[cfg(any(test, feature = "html5ever"))]
        Front::Html5ever,
    ];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Front::Whatwg => "whatwg",
            #[cfg(any(test, feature = "html5ever"))]
            Front::Html5ever => HTML5EVER,
        }
    }
}

impl FromStr for Front {
    type Err = UnknownFront;

    fn from_str(name: &str) -> Result<Self, UnknownFront> {
        let found = Front::ALL.iter().copied().find(|front| front.name() == name);
        found.ok_or_else(|| UnknownFront {
            name: name.to_owned(),
        })
    }
}

/// No parser has this name, or it was not compiled in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFront {
    name: String,
}

impl fmt::Display for UnknownFront {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Front::ALL.iter().map(|front| front.name()).collect();
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

impl std::error::Error for UnknownFront {}
