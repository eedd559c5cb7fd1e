//! Creating and inserting nodes (section 13.2.6.1).

use crate::narrow;
use crate::parser::whatwg::elements::{FOSTER, categories_of};
use crate::parser::whatwg::stack::OpenElement;
use crate::parser::whatwg::state::{Flow, ParserState};
use crate::parser::whatwg::token::{Run, TagToken};
use crate::parser::whatwg::tokenization::raw_text::RawKind;
use crate::tree::{Marks, NONE, Namespace, Node, NodeId, NodeKind, Tag};

/// § "appropriate place for inserting a node": after the last child of `parent`, or before the child `before`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    parent: NodeId,
    before: Option<NodeId>,
}

impl Place {
    /// After the last child of `parent`.
    pub(crate) fn at_end_of(parent: NodeId) -> Place {
        Place { parent, before: None }
    }

    /// The end of the document, for a tree without elements.
    pub(crate) fn in_document() -> Place {
        Place {
            parent: NodeId::DOCUMENT,
            before: None,
        }
    }
}

/// The empty list of attributes, used for implied elements.
pub(crate) const NO_ATTRIBUTES: (u32, u32) = (0, 0);

/// Tag of nodes that are not elements.
const NO_TAG: Tag = Tag(u16::MAX);

impl ParserState<'_> {
    #[inline]
    fn place(&self) -> Place {
        match self.stack.last() {
            Some(open) => self.place_in(open),
            None => Place::in_document(),
        }
    }

    /// § The appropriate place with an override target.
    #[inline]
    pub(crate) fn place_in(&self, target: &OpenElement) -> Place {
        if self.foster_parenting && target.categories & FOSTER != 0 {
            return self.foster_place();
        }
        Place {
            parent: target.inner,
            before: None,
        }
    }

    #[cold]
    fn foster_place(&self) -> Place {
        let stack = self.stack.as_slice();
        let end = Place::at_end_of;
        // § The innermost template or table decides, whichever is found first.
        for (i, open) in stack.iter().enumerate().rev() {
            if open.is(Tag::TEMPLATE) {
                return end(open.inner);
            }
            if open.is(Tag::TABLE) {
                return match (
                    self.builder.dom.parent(open.node),
                    i.checked_sub(1).and_then(|i| stack.get(i)),
                ) {
                    // § In front of the table if it has a parent, else at the end of the element that the
                    // table was opened in.
                    (Some(parent), _) => Place {
                        parent,
                        before: Some(open.node),
                    },
                    (None, Some(below)) => end(below.inner),
                    (None, None) => end(NodeId::DOCUMENT),
                };
            }
        }
        // § Without a table, as in a fragment, at the end of `html`.
        end(stack.first().map_or(NodeId::DOCUMENT, |html| html.inner))
    }

    /// Inserts a node that has no parent yet.
    pub(crate) fn insert_at(&mut self, place: Place, node: NodeId) {
        let tree = &mut self.builder.dom.tree;
        match place.before {
            Some(sibling) => tree.insert_before(sibling, node),
            None => tree.append(place.parent, node),
        }
    }

    /// Creates and inserts a node.
    #[inline(always)]
    fn insert_new(
        &mut self,
        place: Place,
        kind: NodeKind,
        tag: Tag,
        namespace: Namespace,
        range: (u32, u32),
    ) -> NodeId {
        let (lo, hi) = range;
        // Foster parenting is rare. The usual place is at the end, where links to one sibling and the
        // parent change.
        if place.before.is_some() {
            let node = self.builder.dom.tree.push(kind, tag, namespace, lo, hi);
            self.insert_at(place, node);
            self.note_metadata(kind, node);
            return node;
        }
        let nodes = &mut self.builder.dom.tree.nodes;
        let id = narrow::to_u32(nodes.len());
        // The new node's number is known before it is pushed, so its neighbors can be linked first.
        let parent = &mut nodes[place.parent.index()];
        let prev = std::mem::replace(&mut parent.last_child, id);
        match prev {
            NONE => parent.first_child = id,
            _ => nodes[prev as usize].next = id,
        }
        let (parent, first_child, last_child, next) = (place.parent.0, NONE, NONE, NONE);
        let names = if kind == NodeKind::Element { self.names } else { 0 };
        nodes.push(Node {
            parent,
            first_child,
            last_child,
            next,
            prev,
            tag,
            kind,
            marks: Marks::new(namespace, names),
            lo,
            hi,
        });
        self.note_metadata(kind, NodeId(id));
        NodeId(id)
    }

    /// Records a newly created node if it may be metadata.
    #[inline(always)]
    fn note_metadata(&mut self, kind: NodeKind, node: NodeId) {
        if kind == NodeKind::Element && self.may_hold_metadata {
            self.builder.dom.metadata.push(node);
        }
    }

    /// § "create an element for a token", in the HTML namespace.
    pub(crate) fn new_html_element(&mut self, tag: Tag, attrs: (u32, u32)) -> NodeId {
        let tree = &mut self.builder.dom.tree;
        let node = tree.push(NodeKind::Element, tag, Namespace::Html, attrs.0, attrs.1);
        self.note_metadata(NodeKind::Element, node);
        node
    }

    /// Inserts an HTML element without pushing it onto the stack: a void element, or an element that the caller pushes.
    #[inline(always)]
    pub(crate) fn insert_html_element(&mut self, tag: Tag, attrs: (u32, u32)) -> NodeId {
        self.insert_element_at(self.place(), tag, attrs)
    }

    /// Like [`ParserState::insert_html_element`], at a given place.
    #[inline(always)]
    pub(crate) fn insert_element_at(&mut self, place: Place, tag: Tag, attrs: (u32, u32)) -> NodeId {
        self.insert_new(place, NodeKind::Element, tag, Namespace::Html, attrs)
    }

    /// § "insert an HTML element": inserts and pushes the element. The flag is false if the depth limit
    /// kept the element off the stack; the caller must then not switch to a mode that expects it there.
    #[inline]
    pub(crate) fn open_html_element(&mut self, tag: Tag, attrs: (u32, u32)) -> (NodeId, bool) {
        if self.is_deep() {
            return self.open_flattened(tag, attrs);
        }
        (self.open_shallow(tag, attrs), true)
    }

    #[inline(never)]
    fn open_shallow(&mut self, tag: Tag, attrs: (u32, u32)) -> NodeId {
        let node = self.insert_html_element(tag, attrs);
        self.push_open(node, tag);
        node
    }

    /// Like [`ParserState::open_html_element`], returning only the flag.
    #[inline]
    pub(crate) fn open(&mut self, token: TagToken) -> bool {
        self.open_html_element(token.tag, token.attrs).1
    }

    /// Inserts and pushes an implied element, unless the depth limit is reached. Returns whether it is on the stack.
    pub(crate) fn open_implied(&mut self, tag: Tag) -> bool {
        !self.is_deep() && self.open_html_element(tag, NO_ATTRIBUTES).1
    }

    /// § "insert a foreign element".
    pub(crate) fn insert_foreign_element(
        &mut self,
        token: TagToken,
        namespace: Namespace,
        name: Tag,
        categories: u16,
    ) {
        let node = self.insert_new(self.place(), NodeKind::Element, name, namespace, token.attrs);
        // § "Acknowledge the token's self-closing flag": the element has no content.
        if token.self_closing {
            return;
        }
        if self.is_deep() {
            self.limits_hit.depth += 1;
            // Its end tag must be recognized although the element is not on the stack.
            self.flattened.push(token.tag);
            return;
        }
        self.stack.push(OpenElement {
            node,
            inner: node,
            tag: token.tag,
            categories,
        });
    }

    /// Inserts and pushes a template with its contents. Returns whether it is on the stack.
    pub(crate) fn open_template(&mut self, attrs: (u32, u32)) -> bool {
        let (node, pushed) = self.open_html_element(Tag::TEMPLATE, attrs);
        let place = Place {
            parent: node,
            before: None,
        };
        self.builder.dom.tree.reordered = true;
        let contents = self.insert_new(place, NodeKind::Fragment, NO_TAG, Namespace::Html, (0, 0));
        if pushed {
            // Children of a template go into its contents, so the stack needs `inner`.
            self.stack.pop();
            self.stack.push(OpenElement {
                node,
                inner: contents,
                tag: Tag::TEMPLATE,
                categories: categories_of(Tag::TEMPLATE),
            });
        }
        pushed
    }

    /// § "insert a character", for a whole run. Adjacent text nodes are not merged; readers of the tree
    /// treat them as one.
    #[inline(always)]
    pub(crate) fn insert_text(&mut self, run: Run) {
        if run.is_empty() {
            return;
        }
        let place = self.place();
        // § "If the adjusted insertion location is in a Document node, then return."
        if place.parent == NodeId::DOCUMENT {
            return;
        }
        self.add_text(place, run);
    }

    #[inline(always)]
    fn add_text(&mut self, place: Place, run: Run) {
        if self.builder.dom.len() >= self.limits.nodes {
            self.insert_overflow_text(place, run);
            return;
        }
        self.insert_new(place, run.form.kind(), NO_TAG, Namespace::Html, (run.lo, run.hi));
    }

    /// Adds text past the limit of nodes to a single node at the end of the side buffer.
    #[cold]
    fn insert_overflow_text(&mut self, place: Place, run: Run) {
        let text = self.read(run).into_owned();
        let (lo, hi) = self.builder.keep(&text);
        if let Some(node) = self.overflow_text {
            let node = &mut self.builder.dom.tree.nodes[node.index()];
            // Texts past the limit are adjacent in the side buffer unless something else was stored in
            // between.
            if node.hi == lo {
                node.hi = hi;
                return;
            }
        }
        self.overflow_text = Some(self.insert_new(place, NodeKind::Text, NO_TAG, Namespace::Html, (lo, hi)));
    }

    /// § The generic raw text element parsing algorithm and the generic RCDATA element parsing algorithm.
    pub(crate) fn raw_text_element(&mut self, token: TagToken, kind: RawKind) {
        let node = self.insert_html_element(token.tag, token.attrs);
        self.insert_raw_text(node, token.tag, kind);
    }

    fn insert_raw_text(&mut self, node: NodeId, tag: Tag, kind: RawKind) {
        let run = self.consume_raw_text(tag, kind);
        if tag == Tag::NOSCRIPT {
            self.builder.dom.noscript_bytes += (run.hi - run.lo) as usize;
        }
        if !run.is_empty() {
            self.add_text(
                Place {
                    parent: node,
                    before: None,
                },
                run,
            );
        }
    }

    /// Reads the text and the end tag of a raw text element whose start tag has just been read.
    pub(crate) fn consume_raw_text(&mut self, tag: Tag, kind: RawKind) -> Run {
        // Elements of raw text have constants, so the name is known.
        let mut run = self.raw_text(kind, tag.known_name().unwrap_or("").as_bytes());
        if tag == Tag::TEXTAREA {
            // § 'If the next token is a U+000A LINE FEED (LF) character token, then ignore that token'
            run = self.without_newline(run);
        }
        match tag {
            // Few scripts and style sheets are ever read. U+0000 is replaced when they are.
            Tag::SCRIPT | Tag::STYLE => run,
            _ => self.with_replacements(run),
        }
    }

    /// Inserts and pushes the `html` element.
    pub(crate) fn insert_root(&mut self, attrs: (u32, u32)) {
        let node = self.insert_new(
            Place::in_document(),
            NodeKind::Element,
            Tag::HTML,
            Namespace::Html,
            attrs,
        );
        self.push_open(node, Tag::HTML);
    }

    /// § "insert a comment", only in tests: an empty fragment whose text is in the side buffer.
    pub(crate) fn insert_comment(&mut self, parent: Option<NodeId>, text: &str) -> NodeId {
        let range = self.builder.keep(text);
        self.builder.dom.tree.reordered = true;
        let place = parent.map_or_else(|| self.place(), |parent| Place { parent, before: None });
        self.insert_new(place, NodeKind::Fragment, NO_TAG, Namespace::Html, range)
    }

    /// § A start tag "html" or "body" while such an element is open: adds the attributes that the element lacks.
    pub(crate) fn add_missing_attributes(&mut self, node: NodeId, attrs: (u32, u32)) {
        let (mut lo, mut hi) = (self.builder.dom.node(node).lo, self.builder.dom.node(node).hi);
        // The tag has just been read, so its attributes are the last in the document's list.
        let new = self.builder.dom.attrs.split_off(attrs.0 as usize);
        for attr in new {
            let name = self.builder.dom.slice(attr.name.0, attr.name.1).to_owned();
            if self.name_table.contains(&self.builder.dom, &name, lo..hi) {
                continue;
            }
            if (hi - lo) as usize >= self.limits.attributes {
                self.limits_hit.attributes += 1;
                continue;
            }
            let list = &mut self.builder.dom.attrs;
            if hi as usize != list.len() {
                // Attributes of other elements follow in the list, so the range is copied to its end. The
                // limit above bounds how often this happens.
                let start = narrow::to_u32(list.len());
                list.extend_from_within(lo as usize..hi as usize);
                (lo, hi) = (start, start + (hi - lo));
            }
            list.push(attr);
            hi += 1;
        }
        let dom = &mut self.builder.dom;
        // `metadata` ascends by node.
        if let Err(place) = dom.metadata.binary_search(&node) {
            dom.metadata.insert(place, node);
        }
        let node = &mut dom.tree.nodes[node.index()];
        (node.lo, node.hi) = (lo, hi);
        // The element may have any attribute now.
        node.marks = Marks::of_any(node.marks.namespace());
    }

    /// Inserts a void element.
    #[inline]
    pub(crate) fn insert_void(&mut self, token: TagToken) -> Flow {
        self.insert_html_element(token.tag, token.attrs);
        Flow::Done
    }
}
