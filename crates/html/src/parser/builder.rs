//! The parser by itself, for those who want the tree and not the main text.

use std::fmt;
use std::str::FromStr;

use super::{ParseOptions, parse_with};
use crate::Warning;
use crate::decode;
use crate::limits::{Deadline, Limits};
use crate::tree::{Dom, Namespace, NodeId};

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

/// Turns decoded text into a tree. Changed with the consuming `with_*` methods.
///
/// ```
/// use dehusk_html::Parser;
/// use dehusk_html::tree::{Namespace, NodeId};
///
/// let (dom, warnings) = Parser::default().parse("<title>Rivers</title><p>one<p>two &amp; three");
/// assert_eq!(dom.text_content(NodeId::DOCUMENT), "Riversonetwo & three");
/// assert!(warnings.is_empty());
///
/// // Cells mean something in a row only: the context of a fragment says where it would stand.
/// let (dom, _) = Parser::default().with_context(Namespace::Html, "tr").parse("<td>a<td>b");
/// assert_eq!(dom.children(NodeId::DOCUMENT).count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Parser {
    front: Front,
    scripting: bool,
    limits: Limits,
    context: Option<(Namespace, String)>,
}

impl Default for Parser {
    fn default() -> Self {
        Parser {
            front: Front::default(),
            scripting: true,
            limits: Limits::default(),
            context: None,
        }
    }
}

impl Parser {
    /// Which parser does the work; [`Front::Whatwg`] unless set.
    pub fn with_front(self, front: Front) -> Self {
        Parser { front, ..self }
    }

    /// Whether to parse as browsers with scripts on, for which the content of `noscript` is one text; with scripts off it is
    /// markup like any other. On unless set. No script is ever run.
    pub fn with_scripting(self, scripting: bool) -> Self {
        Parser { scripting, ..self }
    }

    /// Bounds on what the page may cost.
    pub fn with_limits(self, limits: Limits) -> Self {
        Parser { limits, ..self }
    }

    /// Parses fragments: what would be the content of an element of this name (in lower case; for SVG as the standard
    /// writes it). Their nodes become children of the document, without `html`, `head` and `body` around them.
    pub fn with_context(self, namespace: Namespace, name: &str) -> Self {
        let context = Some((namespace, name.to_owned()));
        Parser { context, ..self }
    }

    /// The tree of a document, or of a fragment if there is a context, and a warning for each limit that acted. Cannot
    /// fail. Time is linear in the length of `source`; past [`Limits::bytes`] it is cut off.
    pub fn parse<'s>(&self, source: &'s str) -> (Dom<'s>, Vec<Warning>) {
        let limits = self.limits.with_bytes(self.limits.bytes);
        let cut = source.floor_char_boundary(limits.bytes);
        let mut warnings = Vec::new();
        if cut < source.len() {
            warnings.push(decode::cut(cut, source.len()));
        }
        let source = &source[..cut];
        let deadline = Deadline::start(&limits, source.len());
        let options = ParseOptions {
            scripting: self.scripting,
            limits,
        };
        let context = self
            .context
            .as_ref()
            .map(|(namespace, name)| (*namespace, name.as_str()));
        let (mut dom, hits) = parse_with(self.front, source, &options, context, &deadline);
        warnings.extend(hits);
        if self.context.is_some()
            && let Some(root) = dom.tree.first_child(NodeId::DOCUMENT)
        {
            dom.tree.detach(root);
            dom.tree.reparent_children(root, NodeId::DOCUMENT);
        }
        (dom, warnings)
    }
}
