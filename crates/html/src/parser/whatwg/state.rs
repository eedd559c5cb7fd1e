//! The state of a parser at work (section 13.2.4 and that of the tokenizer): what every rule reads and changes.

use std::borrow::Cow;

use memchr::memchr;

use super::attribute_names::ManyNames;
use super::doctype::Doctype;
use super::elements::FOREIGN;
use super::flattened::Flattened;
use super::formatting::Formatting;
use super::stack::Stack;
use super::tag_names::Recent;
use super::token::{Form, TagToken};
use crate::limits::Limits;
use crate::parser::limits_hit::Hits;
use crate::parser::options::ParseOptions;
use crate::tree::{Builder, Dom, NodeId, Tag};
use crate::warning::Warning;

/// § The insertion mode. "text" and "in table text" are missing: raw text is consumed with its start tag, a run of
/// characters in a table is handled as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

impl Mode {
    /// Whether U+0000 is one of "anything else" in this mode.
    pub(crate) fn tells_nul_apart(self) -> bool {
        matches!(
            self,
            Mode::Initial
                | Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead
                | Mode::InColumnGroup
                | Mode::AfterBody
                | Mode::AfterAfterBody
        )
    }
}

/// What is to be done with a token after a mode has handled it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Done,
    /// Handle it again by the mode that is set now.
    Reprocess,
}

/// The context element of a fragment (section 13.5).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) tag: Tag,
    pub(crate) class: u16,
}

/// A parser at work on one document.
#[derive(Debug)]
pub(crate) struct ParserState<'s> {
    pub(crate) source: &'s str,
    pub(crate) bytes: &'s [u8],
    /// Where the next token begins.
    pub(crate) pos: usize,
    /// Whether there is a U+0000 anywhere: seldom, and then slower ways are taken.
    pub(crate) has_nul: bool,
    /// § PLAINTEXT state: all that follows is text of this form.
    pub(crate) plaintext: Option<Form>,
    pub(crate) builder: Builder<'s>,
    pub(crate) recent: Recent,
    pub(crate) many_names: ManyNames,

    pub(crate) mode: Mode,
    pub(crate) template_modes: Vec<Mode>,
    pub(crate) stack: Stack,
    pub(crate) flattened: Flattened,
    pub(crate) formatting: Formatting,
    /// § The element pointers.
    pub(crate) head: Option<NodeId>,
    pub(crate) form: Option<NodeId>,
    pub(crate) frameset_ok: bool,
    pub(crate) foster_parenting: bool,
    /// A line feed that comes next is dropped, as behind `<pre>`.
    pub(crate) skip_newline: bool,
    pub(crate) scripting: bool,
    /// Departs from the standard where html5ever does.
    pub(crate) as_html5ever: bool,
    pub(crate) context: Option<Context>,
    pub(crate) svg_names: Vec<Option<Tag>>,

    pub(crate) limits: Limits,
    pub(crate) hits: Hits,
    /// How many nodes without a tag of their own may still be made: formatting elements that are opened again.
    pub(crate) budget: usize,
    /// The text that takes up what follows when there may be no more nodes.
    pub(crate) collected: Option<NodeId>,
    /// Comments and doctypes, on request of a test.
    pub(crate) marks: Option<Vec<(NodeId, Option<Doctype>)>>,
}

impl<'s> ParserState<'s> {
    pub(crate) fn new(source: &'s str, options: &ParseOptions) -> Self {
        ParserState {
            source,
            bytes: source.as_bytes(),
            pos: 0,
            has_nul: memchr(0, source.as_bytes()).is_some(),
            plaintext: None,
            builder: Builder::new(source),
            recent: Recent::new(),
            many_names: ManyNames::default(),
            mode: Mode::Initial,
            template_modes: Vec::new(),
            stack: Stack::new(),
            flattened: Flattened::default(),
            formatting: Formatting::default(),
            head: None,
            form: None,
            frameset_ok: true,
            foster_parenting: false,
            skip_newline: false,
            scripting: options.scripting,
            as_html5ever: false,
            context: None,
            svg_names: Vec::new(),
            limits: Limits {
                depth: options.limits.depth.max(16),
                ..options.limits
            },
            hits: Hits::default(),
            budget: 1024 + source.len() / 16,
            collected: None,
            marks: None,
        }
    }

    /// The tree, and a warning for each limit that acted.
    pub(crate) fn finish(mut self) -> (Dom<'s>, Vec<Warning>) {
        self.hits.names = self.builder.nameless;
        let warnings = self.hits.warnings(&self.limits, self.source.len());
        (self.builder.dom, warnings)
    }

    /// Value of an attribute of a token.
    pub(crate) fn token_attribute(&self, token: TagToken, name: &str) -> Option<Cow<'_, str>> {
        let dom = &self.builder.dom;
        let attrs = &dom.attrs[token.attrs.0 as usize..token.attrs.1 as usize];
        let found = attrs
            .iter()
            .find(|a| dom.slice(a.name.0, a.name.1).eq_ignore_ascii_case(name))?;
        Some(dom.attr_value(found))
    }

    /// The properties of the adjusted current node.
    #[inline]
    pub(crate) fn adjusted_class(&self) -> u16 {
        match (&self.context, self.stack.len()) {
            (Some(context), 1) => context.class,
            _ => self.stack.last().map_or(0, |o| o.class),
        }
    }

    /// Whether the adjusted current node is not in the HTML namespace.
    #[inline]
    pub(crate) fn in_foreign_content(&self) -> bool {
        self.adjusted_class() & FOREIGN != 0
    }
}
