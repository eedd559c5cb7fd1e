//! html5ever's tokenizer and tree builder, filling the tree of this crate.
//!
//! html5ever has no limits of its own and is quadratic in nesting depth and in the list of active formatting elements, so a
//! guard between its tokenizer and its tree builder keeps both short. html5ever gives no source offsets: a text that it
//! passes on unchanged is recognized by its address in memory, all other text is copied.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tokenizer::{Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, ExpandedName, LocalName, QualName, local_name, ns};

use super::fnv::Fnv;
use super::limits_hit::LimitsHit;
use super::options::ParseOptions;
use crate::limits::{Deadline, Limits};
use crate::tree::{Builder, Dom, Namespace, NodeId, NodeKind, Tag};
use crate::warning::Warning;

/// Bytes that are fed between two checks of the deadline.
const PIECE: usize = 64 << 10;

/// Parses a whole document, or a fragment, whose nodes become children of an `html` element.
pub(super) fn parse<'s>(
    source: &'s str,
    options: &ParseOptions,
    context: Option<(Namespace, &str)>,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    let input = StrTendril::from_slice(source);
    let sink = Sink::new(source, input.as_ptr() as usize, options.limits);
    let tree = TreeBuilderOpts {
        scripting_enabled: options.scripting,
        ..TreeBuilderOpts::default()
    };
    let mut state = None;
    let tree = match context {
        None => TreeBuilder::new(sink, tree),
        Some((namespace, name)) => {
            let namespace = match namespace {
                Namespace::Html => ns!(html),
                Namespace::Svg => ns!(svg),
                Namespace::MathMl => ns!(mathml),
            };
            let context = QualName::new(None, namespace, name.into());
            let element = sink.create_element(context, Vec::new(), ElementFlags::default());
            let tree = TreeBuilder::new_for_fragment(sink, element, None, tree);
            state = Some(tree.tokenizer_state_for_context_elem(options.scripting));
            tree
        }
    };
    let guard = Guard {
        tree,
        open: RefCell::default(),
    };
    let tokenizer_options = TokenizerOpts {
        initial_state: state,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(guard, tokenizer_options);
    let queue = BufferQueue::default();
    let mut at = 0;
    while at < source.len() {
        if at > 0 && deadline.passed() {
            tokenizer.sink.tree.sink.limits_hit.borrow_mut().deadline = Some(at);
            break;
        }
        let mut end = (at + PIECE).min(source.len());
        while !source.is_char_boundary(end) {
            end += 1;
        }
        queue.push_back(input.subtendril(at as u32, (end - at) as u32));
        // The tokenizer pauses at scripts, which are not run, and at charsets, which have been decided.
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        at = end;
    }
    tokenizer.end();
    let sink = tokenizer.sink.tree.sink;
    let (builder, mut limits_hit) = (sink.builder.into_inner(), sink.limits_hit.into_inner());
    limits_hit.names = builder.unnamed;
    (builder.dom, limits_hit.warnings(&options.limits, source.len()))
}

/// A node as html5ever holds it: its number in the tree and, for elements, the name that html5ever asks for.
#[derive(Clone)]
struct Handle {
    id: NodeId,
    name: Option<Rc<QualName>>,
    integration_point: bool,
}

impl Handle {
    fn nameless(id: NodeId) -> Self {
        Handle {
            id,
            name: None,
            integration_point: false,
        }
    }
}

struct Sink<'s> {
    builder: RefCell<Builder<'s>>,
    limits: Limits,
    limits_hit: RefCell<LimitsHit>,
    /// Where html5ever's copy of the source begins in memory.
    base: usize,
    /// The innermost open element and its depth, as far as insertions and pops tell.
    current: Cell<Option<NodeId>>,
    depth: RefCell<Vec<u32>>,
    text_written: Cell<bool>,
    nameless: QualName,
}

impl<'s> Sink<'s> {
    fn new(source: &'s str, base: usize, limits: Limits) -> Self {
        Sink {
            builder: RefCell::new(Builder::new(source)),
            limits,
            limits_hit: RefCell::default(),
            base,
            current: Cell::new(None),
            depth: RefCell::new(vec![0]),
            text_written: Cell::new(false),
            nameless: QualName::new(None, ns!(), local_name!("")),
        }
    }

    fn depth_of(&self, id: NodeId) -> usize {
        self.depth.borrow().get(id.index()).map_or(0, |&d| d as usize)
    }

    fn set_depth(&self, id: NodeId, depth: usize) {
        let mut all = self.depth.borrow_mut();
        if all.len() <= id.index() {
            all.resize(id.index() + 1, 0);
        }
        all[id.index()] = depth as u32;
    }

    /// Where `text` lies in the source, if html5ever passed a piece of it on.
    fn offset(&self, text: &StrTendril) -> Option<usize> {
        let builder = self.builder.borrow();
        let offset = (text.as_ptr() as usize).checked_sub(self.base)?;
        let source = builder.dom.source;
        (source.get(offset..offset + text.len()) == Some(&**text)).then_some(offset)
    }

    /// Adds `text` to the text node before the place of insertion, or makes a new one.
    fn text(&self, before: Option<NodeId>, text: &StrTendril) -> Option<NodeId> {
        self.text_written.set(true);
        let known = self.offset(text);
        let mut builder = self.builder.borrow_mut();
        if let Some(id) = before.filter(|&id| builder.dom.is_text(id)) {
            builder.extend_text(id, text, known);
            return None;
        }
        let (lo, hi) = match known {
            Some(offset) => (offset as u32, (offset + text.len()) as u32),
            None => builder.keep(text),
        };
        Some(
            builder
                .dom
                .tree
                .push(NodeKind::Text, Tag(u16::MAX), Namespace::Html, lo, hi),
        )
    }

    fn add_attrs(&self, attrs: Vec<Attribute>) -> (u32, u32) {
        let mut builder = self.builder.borrow_mut();
        let lo = builder.dom.attrs.len() as u32;
        let over = attrs.len().saturating_sub(self.limits.attributes);
        self.limits_hit.borrow_mut().attributes += over;
        for attr in attrs.into_iter().take(self.limits.attributes) {
            // `xmlns` has an empty prefix.
            let name = match attr.name.prefix.as_ref().filter(|prefix| !prefix.is_empty()) {
                Some(prefix) => builder.keep(&format!("{prefix}:{}", attr.name.local)),
                None => builder.keep(&attr.name.local),
            };
            let mut value = &*attr.value;
            if value.len() > self.limits.attribute_bytes {
                self.limits_hit.borrow_mut().attribute_bytes += 1;
                value = &value[..value.floor_char_boundary(self.limits.attribute_bytes)];
            }
            let value = builder.keep(value);
            builder.push_attr(name, value);
        }
        (lo, builder.dom.attrs.len() as u32)
    }

    fn insert(&self, parent: NodeId, sibling: Option<NodeId>, child: NodeOrText<Handle>) {
        let before = {
            let tree = &self.builder.borrow().dom.tree;
            match sibling {
                Some(sibling) => tree.prev_sibling(sibling),
                None => tree.last_child(parent),
            }
        };
        let child = match child {
            NodeOrText::AppendText(text) => match self.text(before, &text) {
                Some(id) => Handle::nameless(id),
                None => return,
            },
            NodeOrText::AppendNode(node) => node,
        };
        if child.id == NodeId::DOCUMENT {
            return; // comments and processing instructions are not kept
        }
        let tree = &mut self.builder.borrow_mut().dom.tree;
        tree.detach(child.id);
        match sibling {
            Some(sibling) => tree.insert_before(sibling, child.id),
            None => tree.append(parent, child.id),
        }
        if child.name.is_some() {
            self.set_depth(child.id, self.depth_of(parent) + 1);
            if !child.name.as_ref().is_some_and(|n| is_void(&n.local)) {
                self.current.set(Some(child.id));
                self.text_written.set(false);
            }
        }
    }
}

impl TreeSink for Sink<'_> {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a>
        = ExpandedName<'a>
    where
        Self: 'a;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::nameless(NodeId::DOCUMENT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target
            .name
            .as_ref()
            .map_or(self.nameless.expanded(), |name| name.expanded())
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let (lo, hi) = self.add_attrs(attrs);
        let mut builder = self.builder.borrow_mut();
        let namespace = match name.ns {
            ns!(svg) => Namespace::Svg,
            ns!(mathml) => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let tag = builder.tag(&name.local);
        let id = builder.dom.tree.push(NodeKind::Element, tag, namespace, lo, hi);
        if flags.template {
            let contents = builder
                .dom
                .tree
                .push(NodeKind::Fragment, Tag(u16::MAX), Namespace::Html, 0, 0);
            builder.dom.tree.append(id, contents);
        }
        let integration_point = flags.mathml_annotation_xml_integration_point;
        Handle {
            id,
            name: Some(Rc::new(name)),
            integration_point,
        }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        Handle::nameless(NodeId::DOCUMENT)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        Handle::nameless(NodeId::DOCUMENT)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(parent.id, None, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, prev: &Handle, child: NodeOrText<Handle>) {
        if self.builder.borrow().dom.parent(element.id).is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &Handle) {
        if self.current.get() == Some(node.id) {
            self.current.set(self.builder.borrow().dom.parent(node.id));
            self.text_written.set(true);
        }
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let builder = self.builder.borrow();
        let contents = builder
            .dom
            .children(target.id)
            .find(|&c| builder.dom.kind(c) == NodeKind::Fragment);
        Handle::nameless(contents.unwrap_or(target.id))
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.builder.borrow_mut().dom.quirks = mode == QuirksMode::Quirks;
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.builder.borrow().dom.parent(sibling.id);
        if let Some(parent) = parent {
            self.insert(parent, Some(sibling.id), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let missing: Vec<Attribute> = {
            let builder = self.builder.borrow();
            attrs
                .into_iter()
                .filter(|a| builder.dom.attr(target.id, &a.name.local).is_none())
                .collect()
        };
        if missing.is_empty() {
            return;
        }
        let old = {
            let builder = self.builder.borrow();
            let node = builder.dom.node(target.id);
            builder.dom.attrs[node.lo as usize..node.hi as usize].to_vec()
        };
        let (lo, _) = {
            let mut builder = self.builder.borrow_mut();
            let lo = builder.dom.attrs.len() as u32;
            builder.dom.attrs.extend(old);
            (lo, 0)
        };
        let (_, hi) = self.add_attrs(missing);
        let node = &mut self.builder.borrow_mut().dom.tree.nodes[target.id.index()];
        (node.lo, node.hi) = (lo, hi);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.builder.borrow_mut().dom.tree.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.builder
            .borrow_mut()
            .dom
            .tree
            .reparent_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        handle.integration_point
    }

    fn allow_declarative_shadow_roots(&self, _: &Handle) -> bool {
        false
    }
}

/// What the guard keeps about open elements.
#[derive(Debug, Default)]
struct Open {
    /// Names whose next end tag is to be ignored, as its element was closed early or never opened.
    ignored: Vec<LocalName>,
    /// Formatting elements that are open, with a hash of their attributes; `None` marks the start of a table or a cell.
    formatting: Vec<Option<(LocalName, u64)>>,
}

/// Stands between tokenizer and tree builder and keeps the latter's stacks short.
struct Guard<'s> {
    tree: TreeBuilder<Handle, Sink<'s>>,
    open: RefCell<Open>,
}

impl Guard<'_> {
    /// Whether the tree builder is to see this start tag.
    fn admit(&self, tag: &TagToken, line: u64) -> bool {
        let sink = &self.tree.sink;
        if sink.builder.borrow().dom.len() >= sink.limits.nodes {
            sink.limits_hit.borrow_mut().nodes += 1;
            return false;
        }
        if is_void(&tag.name) {
            return true;
        }
        if !self.note_formatting(tag) {
            sink.limits_hit.borrow_mut().formatting += 1;
            self.open.borrow_mut().ignored.push(tag.name.clone());
            return false;
        }
        let Some(current) = sink
            .current
            .get()
            .filter(|&c| sink.depth_of(c) >= sink.limits.depth)
        else {
            return true;
        };
        sink.limits_hit.borrow_mut().depth += 1;
        let html = {
            let builder = sink.builder.borrow();
            builder
                .dom
                .html_tag(current)
                .map(|tag| LocalName::from(builder.dom.tag_name(tag)))
        };
        let flat = html.filter(|name| !holds_its_place(name));
        let repeats = flat.as_ref() == Some(&tag.name) && !sink.text_written.get();
        match flat {
            Some(name) if !repeats => {
                self.close(name, line);
                true
            }
            _ => {
                self.open.borrow_mut().ignored.push(tag.name.clone());
                false
            }
        }
    }

    /// Closes the innermost element, so that the next one becomes its sibling.
    fn close(&self, name: LocalName, line: u64) {
        self.open.borrow_mut().ignored.push(name.clone());
        let tag = TagToken {
            kind: TagKind::EndTag,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        let _ = self.tree.process_token(Token::TagToken(tag), line);
    }

    /// Whether a formatting element may open: at most three with the same name and attributes count, as in the standard.
    fn note_formatting(&self, tag: &TagToken) -> bool {
        let mut open = self.open.borrow_mut();
        let list = &mut open.formatting;
        if matches!(
            tag.name,
            local_name!("td") | local_name!("th") | local_name!("table")
        ) {
            list.push(None);
        }
        if !is_formatting(&tag.name) {
            return true;
        }
        let hash = hash_attrs(&tag.attrs);
        let start = list.iter().rposition(Option::is_none).map_or(0, |i| i + 1);
        let same = |e: &Option<(LocalName, u64)>| e.as_ref().is_some_and(|e| e.0 == tag.name && e.1 == hash);
        let single = matches!(tag.name, local_name!("a") | local_name!("nobr"));
        let named = |e: &Option<(LocalName, u64)>| e.as_ref().is_some_and(|e| e.0 == tag.name);
        let count = list[start..]
            .iter()
            .filter(|e| if single { named(e) } else { same(e) })
            .count();
        if count >= if single { 1 } else { 3 }
            && let Some(i) =
                list[start..]
                    .iter()
                    .position(if single { &named as &dyn Fn(_) -> _ } else { &same })
        {
            list.remove(start + i);
        }
        if list.len() - start >= self.tree.sink.limits.formatting {
            return false;
        }
        list.push(Some((tag.name.clone(), hash)));
        true
    }

    /// Whether the tree builder is to see this end tag.
    fn admit_end(&self, tag: &TagToken) -> bool {
        let mut open = self.open.borrow_mut();
        let list = &mut open.formatting;
        if matches!(
            tag.name,
            local_name!("td") | local_name!("th") | local_name!("table")
        ) {
            let start = list.iter().rposition(Option::is_none).unwrap_or(0);
            list.truncate(start);
        } else if is_formatting(&tag.name)
            && let Some(i) = list
                .iter()
                .rposition(|e| e.as_ref().is_some_and(|e| e.0 == tag.name))
        {
            list.remove(i);
        }
        if open.ignored.last() == Some(&tag.name) {
            open.ignored.pop();
            return false;
        }
        true
    }
}

impl TokenSink for Guard<'_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::TagToken(tag) = &token {
            let admitted = match tag.kind {
                TagKind::StartTag => self.admit(tag, line),
                TagKind::EndTag => self.admit_end(tag),
            };
            if !admitted {
                return TokenSinkResult::Continue;
            }
        }
        self.tree.process_token(token, line)
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.tree
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// A hash of names and values in their order. By the standard the order does not matter; equal tags, which the rule is about,
/// have the same one.
fn hash_attrs(attrs: &[Attribute]) -> u64 {
    let mut hash = Fnv::new();
    for attr in attrs {
        let bytes = attr.name.local.bytes().chain(*b"=").chain(attr.value.bytes());
        for byte in bytes.chain(*b"\0") {
            hash.add(byte);
        }
    }
    hash.value()
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        &**name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "image"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

fn is_formatting(name: &LocalName) -> bool {
    matches!(
        &**name,
        "a" | "b"
            | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

/// Elements that cannot be closed early: what follows would go to another place in the tree.
fn holds_its_place(name: &LocalName) -> bool {
    matches!(
        &**name,
        "html"
            | "head"
            | "body"
            | "table"
            | "tbody"
            | "thead"
            | "tfoot"
            | "tr"
            | "td"
            | "th"
            | "caption"
            | "colgroup"
            | "template"
            | "select"
            | "frameset"
            | "noscript"
            | "title"
            | "script"
            | "style"
    )
}
