//! Evaluation of expressions on a copy of the page.

use std::collections::HashMap;

use sxd_document::Package;
use sxd_document::dom::{Document, Element, Text};
use sxd_xpath::context::{Context, Evaluation};
use sxd_xpath::function::{Error, Function};
use sxd_xpath::nodeset::Node;
use sxd_xpath::{Factory, Value};

use super::meter::{CHARS, Kind, Metered, STEP, TEXT};
use crate::rules::budget::{BYTES, BYTES_BY_LETTER, MAX_FOUND, RuleBudget, Stopped, most_copied};
use crate::rules::error::Flaw;
use dehusk_html::tree::{Dom, NodeId, NodeKind};

/// Maximum depth of the copy. Deeper elements become siblings, because the evaluator recurses when it reads texts.
const MAX_DEPTH: u32 = 256;

/// A result of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// An element or a text of the page.
    Node(NodeId),
    /// The value of an attribute or of a function.
    Text(String),
}

/// Checks that the evaluator understands an expression.
pub(crate) fn compiles(metered: &Metered) -> Result<(), Flaw> {
    match Factory::new().build(&metered.text) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(Flaw::new(
            0,
            "an empty expression",
            "write a path such as `//article`",
        )),
        Err(error) => Err(Flaw::new(
            0,
            format!("not understood: {error}"),
            "write it in a simpler way",
        )),
    }
}

/// A copy of a page as a document of the evaluator.
pub(crate) struct PageCopy<'d> {
    document: Document<'d>,
    /// Node of the page for each copy.
    origin: HashMap<Node<'d>, NodeId>,
    /// Copy of each node of the page; `None` if it has none.
    copies: Vec<Option<Copied<'d>>>,
    /// Number of copies, including the root. Removals do not change it.
    nodes: u64,
}

#[derive(Clone, Copy)]
enum Copied<'d> {
    Element(Element<'d>),
    Text(Text<'d>),
}

/// Returns the number of nodes and attributes of a page that are not removed.
fn copied(dom: &Dom<'_>, removed: &[bool]) -> usize {
    let (mut copied, mut walk) = (0, dom.preorder(NodeId::DOCUMENT));
    while let Some(id) = walk.next() {
        if removed[id.index()] {
            walk.skip_subtree(id);
        } else {
            copied += 1 + dom.attrs_of(id).len();
        }
    }
    copied
}

impl<'d> PageCopy<'d> {
    /// Copies the nodes of a page that are not removed, if their number is within the limit.
    pub(crate) fn new(
        package: &'d Package,
        dom: &Dom<'_>,
        removed: &[bool],
    ) -> Result<PageCopy<'d>, Stopped> {
        let most = most_copied(dom.source().len());
        if copied(dom, removed) > most {
            return Err(Stopped::Page(most));
        }
        let document = package.as_document();
        let mut out = PageCopy {
            document,
            origin: HashMap::from([(Node::Root(document.root()), NodeId::DOCUMENT)]),
            copies: vec![None; dom.len()],
            nodes: 1,
        };
        // The path from the document to the previous node. With each node: the element to which copies of its
        // children are added, and the depth of that element; `None` above the first element.
        let mut path: Vec<(NodeId, Option<(Element<'d>, u32)>)> = Vec::new();
        let mut walk = dom.preorder(NodeId::DOCUMENT);
        while let Some(id) = walk.next() {
            if removed[id.index()] {
                walk.skip_subtree(id);
                continue;
            }
            // Nodes come in document order, so the parent of this node is on the path.
            while path.last().is_some_and(|(last, _)| Some(*last) != dom.parent(id)) {
                path.pop();
            }
            let above = path.last().and_then(|(_, holder)| *holder);
            match dom.kind(id) {
                NodeKind::Element => {
                    let element = document.create_element(dom.name(id));
                    for (name, value) in dom.attributes(id) {
                        element.set_attribute_value(name.to_ascii_lowercase().as_str(), &value);
                    }
                    let depth = match above {
                        Some((holder, depth)) => {
                            holder.append_child(element);
                            depth + 1
                        }
                        None => {
                            document.root().append_child(element);
                            0
                        }
                    };
                    // At the greatest depth the holder stays the same, so deeper elements become siblings.
                    let holder = Some((element, depth)).filter(|_| depth < MAX_DEPTH).or(above);
                    path.push((id, holder));
                    out.origin.insert(Node::Element(element), id);
                    out.copies[id.index()] = Some(Copied::Element(element));
                    out.nodes += 1;
                }
                _ if dom.is_text(id) => {
                    // The root of the copy contains no text.
                    if let Some((holder, _)) = above {
                        let text = document.create_text(&dom.text(id));
                        holder.append_child(text);
                        out.origin.insert(Node::Text(text), id);
                        out.copies[id.index()] = Some(Copied::Text(text));
                        out.nodes += 1;
                    }
                }
                // Nodes without a copy: their children are added to the element around them.
                _ => path.push((id, above)),
            }
        }
        Ok(out)
    }

    /// Removes a node with its descendants.
    pub(crate) fn remove(&mut self, id: NodeId) {
        match self.copies[id.index()] {
            Some(Copied::Element(element)) => element.remove_from_parent(),
            Some(Copied::Text(text)) => text.remove_from_parent(),
            None => {}
        }
    }

    /// Returns the nodes that an expression finds, in document order, or its value as text.
    pub(crate) fn find(&self, metered: &Metered, budget: &RuleBudget) -> Result<Vec<Found>, Stopped> {
        let refuse = |why: String| Stopped::Evaluator(why);
        let compiled = Factory::new()
            .build(&metered.text)
            .map_err(|e| refuse(e.to_string()))?;
        let Some(compiled) = compiled else {
            return Ok(Vec::new());
        };
        let mut context = Context::new();
        for (name, bytes) in [(STEP, None), (TEXT, Some(BYTES)), (CHARS, Some(BYTES_BY_LETTER))] {
            let function = PayFunction {
                budget: budget.clone(),
                nodes: self.nodes,
                bytes,
            };
            context.set_function(name, function);
        }
        let value = compiled
            .evaluate(&context, self.document.root())
            // An exhausted budget reaches the evaluator as an error of a counting function.
            .map_err(|e| match budget.left() {
                0 => Stopped::Steps,
                _ => refuse(e.to_string()),
            })?;
        match value {
            Value::Nodeset(found) => {
                if found.size() > MAX_FOUND {
                    return Err(Stopped::Found(found.size()));
                }
                // Sorting into document order visits all nodes of the page.
                budget.take(self.nodes)?;
                Ok(found
                    .document_order()
                    .into_iter()
                    .filter_map(|node| self.origin_of(node))
                    .collect())
            }
            other => Ok(vec![Found::Text(other.string())]),
        }
    }

    /// Returns the node of the page, or the text, that a result stands for.
    fn origin_of(&self, node: Node<'d>) -> Option<Found> {
        match node {
            Node::Attribute(attribute) => Some(Found::Text(attribute.value().to_owned())),
            node => self.origin.get(&node).map(|&id| Found::Node(id)),
        }
    }
}

/// The counting functions: `dh-step(axis)` returns true, `dh-text(value)` and `dh-chars(value)` return the
/// value. All fail if the budget does not cover the cost.
struct PayFunction {
    budget: RuleBudget,
    nodes: u64,
    /// Number of bytes of text that cost a step; `None` for the function that does not pay for text.
    bytes: Option<u64>,
}

impl PayFunction {
    /// Spends steps; an error ends the evaluation.
    fn pay(&self, steps: u64) -> Result<(), Error> {
        self.budget.take(steps).map_err(|why| Error::Other(why.message()))
    }

    /// Pays for a node and its descendants.
    fn below(&self, node: Node<'_>) -> Result<(), Error> {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let text = match node {
                Node::Text(text) => text.text().len() as u64,
                Node::Attribute(attribute) => attribute.value().len() as u64,
                _ => 0,
            };
            self.pay(1 + self.bytes.map_or(0, |bytes| text / bytes))?;
            open.extend(node.children());
        }
        Ok(())
    }
}

impl Function for PayFunction {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the expression was rewritten by this program, whose codes are small whole numbers"
    )]
    fn evaluate<'c, 'd>(
        &self,
        context: &Evaluation<'c, 'd>,
        mut arguments: Vec<Value<'d>>,
    ) -> Result<Value<'d>, Error> {
        // Each counting function has one argument, as written by `meter.rs`.
        let argument = arguments.pop().ok_or(Error::ArgumentMissing)?;
        if let Some(bytes) = self.bytes {
            match &argument {
                Value::Nodeset(nodes) => {
                    if nodes.size() > 1 {
                        // To find the first of several nodes, the evaluator numbers all nodes of the page.
                        self.pay(self.nodes)?;
                    }
                    for node in nodes {
                        self.below(node)?;
                    }
                }
                Value::String(text) => self.pay(1 + text.len() as u64 / bytes)?,
                Value::Number(_) | Value::Boolean(_) => {}
            }
            return Ok(argument);
        }
        let siblings = |node: Node<'d>| node.parent().map_or(0, |parent| parent.children().len() as u64);
        // The cost classes of `AXES`. No element of the copy has more than MAX_DEPTH ancestors.
        match argument.number() as u32 {
            0 => self.pay(1)?,
            1 => self.pay(1 + context.node.children().len() as u64)?,
            2 => self.below(context.node)?,
            3 => self.pay(u64::from(MAX_DEPTH))?,
            4 => self.pay(1 + siblings(context.node))?,
            _ => self.pay(self.nodes)?,
        }
        Ok(Value::Boolean(true))
    }
}

impl Metered {
    /// Returns whether the result is nodes, rather than a text, a number or a truth value.
    pub(crate) fn finds_nodes(&self) -> bool {
        self.kind == Kind::Nodes
    }
}
