//! The interface to all parsers.

#[cfg(any(test, feature = "html5ever"))]
use super::html5ever;
use super::kind::ParserKind;
use super::options::ParseOptions;
use super::whatwg;
use crate::budget::Budget;
use crate::limits::Limits;
use crate::tree::{Dom, Namespace, NodeId, TreeBuffers};
use crate::warning::Warning;

/// Parses decoded text into a tree. Options are set with the consuming `with_*` methods.
///
/// ```
/// use dehusk_html::Parser;
/// use dehusk_html::tree::{Namespace, NodeId};
///
/// let (dom, warnings) = Parser::default().parse("<title>Rivers</title><p>one<p>two &amp; three");
/// assert_eq!(dom.text_content(NodeId::DOCUMENT), "Riversonetwo & three");
/// assert!(warnings.is_empty());
///
/// // Cells are allowed in rows only: the context of a fragment is the element that would hold it.
/// let (dom, _) = Parser::default().with_context(Namespace::Html, "tr").parse("<td>a<td>b");
/// assert_eq!(dom.children(NodeId::DOCUMENT).count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Parser {
    kind: ParserKind,
    scripting: bool,
    repairs: bool,
    limits: Limits,
    context: Option<(Namespace, String)>,
}

impl Default for Parser {
    fn default() -> Self {
        Parser {
            kind: ParserKind::default(),
            scripting: true,
            repairs: false,
            limits: Limits::default(),
            context: None,
        }
    }
}

impl Parser {
    /// Sets which parser is used; default: [`ParserKind::Whatwg`].
    pub fn with_kind(self, kind: ParserKind) -> Self {
        Parser { kind, ..self }
    }

    /// Whether to parse like a browser that runs scripts, where the content of `noscript` is one text;
    /// otherwise it is ordinary markup. Default: on. Scripts are never run.
    pub fn with_scripting(self, scripting: bool) -> Self {
        Parser { scripting, ..self }
    }

    /// Whether elements and comments without an end are closed early, with a warning; default: off.
    ///
    /// By the standard, an unclosed `title`, `textarea`, `style`, `script` or comment contains the rest of
    /// the page with all its tags. With repairs, it ends at the first tag inside it; a `title` ends at the
    /// end of its line if that comes first, a comment at the first `>`, a `script` at the first tag that
    /// begins a line. Only [`ParserKind::Whatwg`] supports this.
    pub fn with_repairs(self, repairs: bool) -> Self {
        Parser { repairs, ..self }
    }

    /// Sets bounds on the cost of a page; default: [`Limits::default`].
    pub fn with_limits(self, limits: Limits) -> Self {
        Parser { limits, ..self }
    }

    /// Parses fragments instead of whole documents: possible contents of an element with this name (in
    /// lower case; for SVG as spelled in the standard).
    ///
    /// The nodes of a fragment become children of the document, without `html`, `head` and `body` around them.
    pub fn with_context(self, namespace: Namespace, name: &str) -> Self {
        let context = Some((namespace, name.to_owned()));
        Parser { context, ..self }
    }

    /// Parses a document, or a fragment if a context is set. Returns the tree, and a warning for each limit that acted.
    ///
    /// Cannot fail. Time and memory are linear in the length of `source`; text beyond [`Limits::bytes`] is cut off.
    pub fn parse<'s>(&self, source: &'s str) -> (Dom<'s>, Vec<Warning>) {
        let cut = source.floor_char_boundary(self.limits.bytes);
        let mut warnings = Vec::new();
        if cut < source.len() {
            warnings.push(Warning::cut(cut, source.len()));
        }
        let source = &source[..cut];
        let (dom, limits_hit) = self.parse_until(source, &Budget::start(&self.limits, source.len()));
        warnings.extend(limits_hit);
        (dom, warnings)
    }

    /// Like [`Parser::parse`], but with a budget that is shared with other work on the page, and without
    /// the limit on bytes, which [`decode`](crate::decode()) has already applied.
    pub fn parse_until<'s>(&self, source: &'s str, budget: &Budget) -> (Dom<'s>, Vec<Warning>) {
        self.parse_with_buffers(TreeBuffers::default(), source, budget)
    }

    /// Like [`Parser::parse_until`], but reuses the memory of an earlier tree ([`Dom::into_buffers`]).
    pub fn parse_with_buffers<'s>(
        &self,
        buffers: TreeBuffers,
        source: &'s str,
        budget: &Budget,
    ) -> (Dom<'s>, Vec<Warning>) {
        let options = ParseOptions {
            scripting: self.scripting,
            repairs: self.repairs,
            limits: self.limits,
        };
        let context = self
            .context
            .as_ref()
            .map(|(namespace, name)| (*namespace, name.as_str()));
        let (mut dom, warnings) = match self.kind {
            ParserKind::Whatwg => whatwg::parse(buffers, source, &options, context, budget),
            #[cfg(any(test, feature = "html5ever"))]
            ParserKind::Html5ever => html5ever::parse(buffers, source, &options, context, budget),
        };
        // The parser puts the nodes of a fragment under an `html` element, which is dissolved here.
        if self.context.is_some()
            && let Some(root) = dom.tree.first_child(NodeId::DOCUMENT)
        {
            dom.tree.detach(root);
            dom.tree.reparent_children(root, NodeId::DOCUMENT);
        }
        (dom, warnings)
    }
}
