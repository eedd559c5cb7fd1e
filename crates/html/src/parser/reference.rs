//! html5ever's own tree (markup5ever_rcdom), for comparison with the trees of this crate.

use std::fmt;

use ::html5ever::tendril::TendrilSink;
use ::html5ever::tokenizer::TokenizerOpts;
use ::html5ever::tree_builder::TreeBuilderOpts;
use ::html5ever::{ParseOpts, QualName, ns, parse_document, parse_fragment};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::options::ParseOptions;
use super::outline::Outline;
use super::whatwg::testing::{self, Parsed, Setup};
use crate::budget::Budget;
use crate::tree::{Namespace, TreeBuffers};

/// Outline of html5ever's tree of a document or fragment.
pub(crate) fn outline(source: &str, setup: &Setup<'_>, out: Outline) -> Outline {
    let tree_builder = TreeBuilderOpts {
        scripting_enabled: setup.scripting,
        ..TreeBuilderOpts::default()
    };
    let tokenizer = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let options = ParseOpts {
        tokenizer,
        tree_builder,
    };
    let Some((namespace, name)) = setup.context else {
        let dom = parse_document(RcDom::default(), options).one(source);
        return walk(&dom.document, setup.comments, out);
    };
    let namespace = match namespace {
        Namespace::Html => ns!(html),
        Namespace::Svg => ns!(svg),
        Namespace::MathMl => ns!(mathml),
    };
    let context = QualName::new(None, namespace, name.into());
    let dom = parse_fragment(RcDom::default(), options, context, Vec::new(), setup.scripting).one(source);
    let children = dom.document.children.borrow();
    children
        .first()
        .map_or(out.clone(), |root| walk(root, setup.comments, out))
}

fn walk(root: &Handle, comments: bool, mut out: Outline) -> Outline {
    let mut stack: Vec<(Handle, usize)> = Vec::new();
    let push = |stack: &mut Vec<_>, parent: &Handle, depth| {
        stack.extend(
            parent
                .children
                .borrow()
                .iter()
                .rev()
                .map(|child| (child.clone(), depth)),
        );
    };
    push(&mut stack, root, 0);
    while let Some((node, depth)) = stack.pop() {
        match &node.data {
            NodeData::Document => {
                out.contents(depth);
                push(&mut stack, &node, depth + 1);
            }
            NodeData::Doctype {
                name,
                public_id,
                system_id,
            } => {
                if comments {
                    out.doctype(name, public_id, system_id);
                }
            }
            NodeData::Text { contents } => out.text(depth, &contents.borrow()),
            NodeData::Comment { contents } => {
                if comments {
                    out.comment(depth, contents);
                }
            }
            NodeData::ProcessingInstruction { .. } => {}
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                let prefix = match name.ns {
                    ns!(svg) => "svg ",
                    ns!(mathml) => "math ",
                    _ => "",
                };
                let attributes = attrs.borrow();
                let attributes = attributes.iter().map(|attribute| {
                    let prefix = match attribute.name.ns {
                        ns!(xlink) => "xlink ",
                        ns!(xml) => "xml ",
                        ns!(xmlns) => "xmlns ",
                        _ => "",
                    };
                    (
                        format!("{prefix}{}", attribute.name.local),
                        attribute.value.to_string(),
                    )
                });
                if out.element(depth, prefix, &name.local, attributes.collect()) {
                    push(&mut stack, &node, depth + 1);
                }
                if let Some(contents) = &*template_contents.borrow() {
                    stack.push((contents.clone(), depth + 1));
                }
            }
        }
    }
    out
}

/// Two trees of one page differ although they should be equal.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(unreachable_pub)] // public with the feature only
pub struct TreeDifference {
    /// The parser whose tree differs from html5ever's own: `whatwg` or `html5ever`.
    pub parser: &'static str,
    /// The first differing entries, and the entry before them, each cut to 200 characters.
    pub place: String,
}

impl fmt::Display for TreeDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parser {}: {}", self.parser, self.place)
    }
}

impl std::error::Error for TreeDifference {}

/// Checks that the parser of this crate, and html5ever behind the same interface, give the tree that
/// html5ever itself builds in markup5ever_rcdom: the same elements, attributes and text.
///
/// Comments, doctypes, the boundaries of adjacent texts, and html5ever's known deviations from the standard
/// are not compared.
///
/// # Errors
/// If a tree differs; the error holds the first difference.
#[allow(unreachable_pub)] // public with the feature only
pub fn reference_check(source: &str, scripting: bool) -> Result<(), TreeDifference> {
    let setup = Setup {
        scripting,
        as_html5ever: true,
        ..Setup::default()
    };
    let theirs = outline(source, &setup, Outline::default());
    let ours = testing::parse(source, &setup).outline(false, Outline::default());
    let options = ParseOptions {
        scripting,
        repairs: false,
        limits: testing::limits(),
    };
    let (dom, _) = super::html5ever::parse(
        TreeBuffers::default(),
        source,
        &options,
        None,
        &Budget::start(&options.limits, source.len()),
    );
    let behind = Parsed::from(dom).outline(false, Outline::default());
    for (parser, tree) in [("whatwg", ours), ("html5ever", behind)] {
        if let Some(place) = tree.difference(&theirs) {
            return Err(TreeDifference { parser, place });
        }
    }
    Ok(())
}
