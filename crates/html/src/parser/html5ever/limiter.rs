//! Bounds html5ever's stacks: a token sink between the tokenizer and the tree builder that flattens nesting
//! and drops formatting elements.

use std::cell::RefCell;

use html5ever::tokenizer::{Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{Attribute, LocalName, local_name};

use super::sink::{Handle, Sink, is_void};
use crate::fnv;

/// Open elements as known to the limiter.
#[derive(Debug, Default)]
struct OpenElements {
    /// Names whose next end tag is ignored, because the element was closed early or never opened.
    ignored: Vec<LocalName>,
    /// Open formatting elements with a hash of their attributes; `None` marks the start of a table or a cell.
    formatting: Vec<Option<(LocalName, u64)>>,
}

/// Passes tokens on to the tree builder, and bounds its stacks.
pub(super) struct Limiter<'s> {
    pub(super) tree: TreeBuilder<Handle, Sink<'s>>,
    open: RefCell<OpenElements>,
}

impl<'s> Limiter<'s> {
    pub(super) fn new(tree: TreeBuilder<Handle, Sink<'s>>) -> Self {
        Limiter {
            tree,
            open: RefCell::default(),
        }
    }

    /// Whether a start tag is passed on to the tree builder.
    fn passes_on(&self, tag: &TagToken, line: u64) -> bool {
        let sink = &self.tree.sink;
        if sink.builder.borrow().dom.len() >= sink.limits.nodes {
            sink.limits_hit.borrow_mut().nodes += 1;
            return false;
        }
        // Void elements are never open, so they count toward no limit but that of nodes.
        if is_void(&tag.name) {
            return true;
        }
        if !self.add_formatting(tag) {
            sink.limits_hit.borrow_mut().formatting += 1;
            self.open.borrow_mut().ignored.push(tag.name.clone());
            return false;
        }
        // `depth_of` the innermost open element: below the limit everything is passed on.
        let Some(current) = sink
            .current
            .get()
            .filter(|&c| sink.depth_of(c) >= sink.limits.depth)
        else {
            return true;
        };
        sink.limits_hit.borrow_mut().depth += 1;
        // The name of the current element; `None` if it is foreign.
        let html = {
            let builder = sink.builder.borrow();
            builder
                .dom
                .html_tag(current)
                .map(|tag| LocalName::from(builder.dom.tag_name(tag)))
        };
        // The current element, if it may be closed to make its next child a sibling.
        let flat = html.filter(|name| !must_stay_open(name));
        // `<b><b><b>x`: a start tag that repeats an empty current element changes nothing visible, so it is
        // dropped.
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

    /// Closes the innermost element, so that the next element becomes its sibling.
    fn close(&self, name: LocalName, line: u64) {
        // The page still has an end tag for the element, which must not close another one.
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

    /// Whether a formatting element may be opened, that is, whether the list has room. As in the standard,
    /// at most three with equal name and attributes count.
    fn add_formatting(&self, tag: &TagToken) -> bool {
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
        // Only elements after the last marker count.
        let start = list.iter().rposition(Option::is_none).map_or(0, |i| i + 1);
        let same = |e: &Option<(LocalName, u64)>| e.as_ref().is_some_and(|e| e.0 == tag.name && e.1 == hash);
        let single = matches!(tag.name, local_name!("a") | local_name!("nobr"));
        let named = |e: &Option<(LocalName, u64)>| e.as_ref().is_some_and(|e| e.0 == tag.name);
        let count = list[start..]
            .iter()
            .filter(|e| if single { named(e) } else { same(e) })
            .count();
        // `a` and `nobr` close an open element of the same name. Of three other equal elements, the
        // earliest is removed.
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

    /// Whether an end tag is passed on to the tree builder.
    fn passes_on_end(&self, tag: &TagToken) -> bool {
        let mut open = self.open.borrow_mut();
        let list = &mut open.formatting;
        if matches!(
            tag.name,
            local_name!("td") | local_name!("th") | local_name!("table")
        ) {
            // The end of a cell or table removes its marker and the formatting elements after it.
            let start = list.iter().rposition(Option::is_none).unwrap_or(0);
            list.truncate(start);
        } else if is_formatting(&tag.name)
            && let Some(i) = list
                .iter()
                .rposition(|e| e.as_ref().is_some_and(|e| e.0 == tag.name))
        {
            list.remove(i);
        }
        // End tags of ignored elements come in reverse order of the start tags, so only the last name is
        // compared.
        if open.ignored.last() == Some(&tag.name) {
            open.ignored.pop();
            return false;
        }
        true
    }
}

impl TokenSink for Limiter<'_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::TagToken(tag) = &token {
            let admitted = match tag.kind {
                TagKind::StartTag => self.passes_on(tag, line),
                TagKind::EndTag => self.passes_on_end(tag),
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

/// Hash of names and values in their order. In the standard the order does not matter, but equal tags
/// usually have equal order.
fn hash_attrs(attrs: &[Attribute]) -> u64 {
    let bytes = attrs.iter().flat_map(|attr| {
        let assigned = attr.name.local.bytes().chain(*b"=").chain(attr.value.bytes());
        assigned.chain(*b"\0")
    });
    bytes.fold(fnv::START, |hash, byte| fnv::extend(hash, byte.into()))
}

/// § The "formatting" category.
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

/// Elements that cannot be closed early, because following content would be inserted in another place.
fn must_stay_open(name: &LocalName) -> bool {
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
