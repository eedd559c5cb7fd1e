//! The parser by itself, for those who want the tree and not the main text.

#[cfg(any(test, feature = "html5ever"))]
use super::html5ever;
use super::kind::Front;
use super::options::ParseOptions;
use super::whatwg;
use crate::Warning;
use crate::decode;
use crate::limits::{Deadline, Limits};
use crate::tree::{Dom, Namespace, NodeId};

/// The tree of a page by the front that is the default, and the limits it hit.
pub fn parse<'s>(source: &'s str, options: &ParseOptions, deadline: &Deadline) -> (Dom<'s>, Vec<Warning>) {
    whatwg::parse(source, options, None, deadline)
}

/// As [`parse`] by any front, and of fragments too.
pub fn parse_with<'s>(
    front: Front,
    source: &'s str,
    options: &ParseOptions,
    context: Option<(Namespace, &str)>,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    match front {
        Front::Whatwg => whatwg::parse(source, options, context, deadline),
        #[cfg(any(test, feature = "html5ever"))]
        Front::Html5ever => html5ever::parse(source, options, context, deadline),
    }
}

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
