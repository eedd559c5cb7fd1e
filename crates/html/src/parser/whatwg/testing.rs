//! Parsing for tests and for the comparison with html5ever, which also need comments, doctypes and fragments.

use super::doctype::Doctype;
use super::state::ParserState;
use super::tree_construction::foreign::adjusted_attribute;
use crate::budget::Budget;
use crate::limits::Limits;
use crate::parser::options::ParseOptions;
use crate::parser::outline::Outline;
use crate::tree::{Dom, Namespace, NodeId, NodeKind, TreeBuffers};

/// Parse options of a test.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Setup<'a> {
    pub(crate) scripting: bool,
    /// Whether to keep comments and doctypes.
    pub(crate) comments: bool,
    /// Whether to depart from the standard where html5ever does.
    pub(crate) as_html5ever: bool,
    /// Namespace and name of a fragment's context element.
    pub(crate) context: Option<(Namespace, &'a str)>,
}

/// A tree, with the comments and doctypes that the tree itself does not hold.
#[derive(Debug)]
pub(crate) struct Parsed<'s> {
    pub(crate) dom: Dom<'s>,
    recorded: Vec<(NodeId, Option<Doctype>)>,
}

/// The default limits without the limit on the length of attribute values, which would cut values of real pages.
pub(crate) fn limits() -> Limits {
    Limits {
        attribute_bytes: usize::MAX,
        ..Limits::default()
    }
}

pub(crate) fn parse<'s>(source: &'s str, setup: &Setup<'_>) -> Parsed<'s> {
    let options = ParseOptions {
        scripting: setup.scripting,
        repairs: false,
        limits: limits(),
    };
    let mut parser = ParserState::new(TreeBuffers::default(), source, &options);
    parser.as_html5ever = setup.as_html5ever;
    if setup.comments {
        parser.recorded = Some(Vec::new());
    }
    if let Some((namespace, name)) = setup.context {
        parser.enter_fragment(namespace, name);
    }
    parser.run(&Budget::start(&options.limits, source.len()));
    let recorded = parser.recorded.take().unwrap_or_default();
    Parsed {
        dom: parser.finish().0,
        recorded,
    }
}

impl<'s> From<Dom<'s>> for Parsed<'s> {
    fn from(dom: Dom<'s>) -> Self {
        Parsed {
            dom,
            recorded: Vec::new(),
        }
    }
}

impl Parsed<'_> {
    /// Adds the tree of a document or of a fragment to an outline.
    pub(crate) fn outline(&self, fragment: bool, mut out: Outline) -> Outline {
        let dom = &self.dom;
        let root = if fragment {
            dom.children(NodeId::DOCUMENT).next()
        } else {
            Some(NodeId::DOCUMENT)
        };
        let mut next = root.and_then(|root| dom.tree.first_child(root));
        let mut depth = 0;
        while let Some(id) = next {
            let entered = self.describe(id, depth, &mut out);
            if let Some(child) = dom.tree.first_child(id).filter(|_| entered) {
                depth += 1;
                next = Some(child);
                continue;
            }
            let mut at = id;
            next = loop {
                if let Some(sibling) = dom.tree.next_sibling(at) {
                    break Some(sibling);
                }
                match dom.parent(at) {
                    Some(parent) if Some(parent) != root => at = parent,
                    _ => break None,
                }
                depth -= 1;
            };
        }
        out
    }

    /// Adds one node; returns whether its children are compared.
    fn describe(&self, id: NodeId, depth: usize, out: &mut Outline) -> bool {
        let dom = &self.dom;
        match dom.kind(id) {
            NodeKind::Document => {}
            NodeKind::Element => {
                let namespace = dom.namespace(id);
                let attributes = dom.attributes(id).map(|(name, value)| {
                    let (prefix, local) = adjusted_attribute(namespace, name);
                    let space = if prefix.is_empty() { "" } else { " " };
                    (format!("{prefix}{space}{local}"), value.into_owned())
                });
                let prefix = match namespace {
                    Namespace::Html => "",
                    Namespace::Svg => "svg ",
                    Namespace::MathMl => "math ",
                };
                return out.element(depth, prefix, dom.name(id), attributes.collect());
            }
            NodeKind::Text | NodeKind::EncodedText | NodeKind::RawText | NodeKind::Blank => {
                out.text(depth, &dom.text(id));
            }
            NodeKind::Fragment => match self.recorded.binary_search_by_key(&id, |mark| mark.0) {
                Ok(i) => match &self.recorded[i].1 {
                    Some(doctype) => out.doctype(
                        doctype.name.as_deref().unwrap_or_default(),
                        doctype.public_id.as_deref().unwrap_or_default(),
                        doctype.system_id.as_deref().unwrap_or_default(),
                    ),
                    None => {
                        let node = dom.node(id);
                        out.comment(depth, dom.slice(node.lo, node.hi));
                    }
                },
                Err(_) => out.contents(depth),
            },
        }
        true
    }
}
