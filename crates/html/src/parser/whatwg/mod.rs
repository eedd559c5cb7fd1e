//! A parser of our own: tokenization and tree construction as the HTML standard has them (section 13.2), from decoded
//! text into the arena.
//!
//! The parts are named as in the standard, so that both can be read side by side; `§` marks names of its sections and
//! algorithms.
//!
//! | file | section |
//! |---|---|
//! | `scanner.rs`, `attributes.rs`, `markup.rs`, `doctype.rs`, `raw_text.rs` | 13.2.5 Tokenization |
//! | `stack.rs`, `formatting.rs`, `reset.rs` | 13.2.4 Parse state; the adoption agency of 13.2.6.4.7 |
//! | `insertion.rs` | 13.2.6.1 Creating and inserting nodes |
//! | `characters.rs`, `modes/` | 13.2.6.4 The rules by insertion mode |
//! | `foreign.rs` | 13.2.6.5 The rules for foreign content |
//! | `names.rs` | tag names as numbers, and the categories of elements |
//!
//! Where this differs from the standard: errors are not reported; comments and doctypes leave no nodes; texts that are
//! neighbors are not joined; an option is not cloned into `selectedcontent`, which depends on the state of a form control;
//! declarative shadow roots are templates; and the limits of [`crate::Limits`] flatten or cut.

mod attributes;
mod characters;
mod deviations;
mod doctype;
mod foreign;
mod formatting;
mod insertion;
mod markup;
mod modes;
mod names;
mod raw_text;
mod reset;
mod scanner;
mod stack;
#[cfg(any(test, feature = "reference"))]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod tokens;

use std::borrow::Cow;

use memchr::memchr;

use self::attributes::ManyNames;
use self::doctype::Doctype;
use self::formatting::Formatting;
use self::names::Recent;
use self::scanner::{Form, Run, TagToken, Token};
use self::stack::{Flattened, Stack};
use super::ParseOptions;
use super::hits::Hits;
use crate::Warning;
use crate::limits::{Deadline, Limits};
use crate::tree::{Builder, Dom, Namespace, NodeId, Tag};

/// Parses a whole document, or a fragment, whose nodes become children of an `html` element.
pub(super) fn parse<'s>(
    source: &'s str,
    options: &ParseOptions,
    context: Option<(Namespace, &str)>,
    deadline: &Deadline,
) -> (Dom<'s>, Vec<Warning>) {
    let mut parser = Parser::new(source, options);
    if let Some((namespace, name)) = context {
        parser.enter_fragment(namespace, name);
    }
    parser.run(deadline);
    parser.finish()
}

/// § The insertion mode. "text" and "in table text" are missing: raw text is consumed with its start tag, a run of
/// characters in a table is handled as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
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
    fn tells_nul_apart(self) -> bool {
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
enum Flow {
    Done,
    /// Handle it again by the mode that is set now.
    Reprocess,
}

/// The context element of a fragment (section 13.5).
#[derive(Clone, Copy, Debug)]
struct Context {
    tag: Tag,
    class: u16,
}

/// A parser at work on one document.
#[derive(Debug)]
struct Parser<'s> {
    source: &'s str,
    bytes: &'s [u8],
    /// Where the next token begins.
    pos: usize,
    /// Whether there is a U+0000 anywhere: seldom, and then slower ways are taken.
    has_nul: bool,
    /// § PLAINTEXT state: all that follows is text of this form.
    plaintext: Option<Form>,
    builder: Builder<'s>,
    recent: Recent,
    many_names: ManyNames,

    mode: Mode,
    template_modes: Vec<Mode>,
    stack: Stack,
    flattened: Flattened,
    formatting: Formatting,
    /// § The element pointers.
    head: Option<NodeId>,
    form: Option<NodeId>,
    frameset_ok: bool,
    foster_parenting: bool,
    /// A line feed that comes next is dropped, as behind `<pre>`.
    skip_newline: bool,
    scripting: bool,
    /// Departs from the standard where html5ever does.
    as_html5ever: bool,
    context: Option<Context>,
    svg_names: Vec<Option<Tag>>,

    limits: Limits,
    hits: Hits,
    /// How many nodes without a tag of their own may still be made: formatting elements that are opened again.
    budget: usize,
    /// The text that takes up what follows when there may be no more nodes.
    collected: Option<NodeId>,
    /// Comments and doctypes, on request of a test.
    marks: Option<Vec<(NodeId, Option<Doctype>)>>,
}

/// Tokens between two looks at the clock.
const TOKENS_PER_LOOK: u32 = 4096;

impl<'s> Parser<'s> {
    fn new(source: &'s str, options: &ParseOptions) -> Self {
        Parser {
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

    fn run(&mut self, deadline: &Deadline) {
        let mut until_look = TOKENS_PER_LOOK;
        loop {
            until_look -= 1;
            if until_look == 0 {
                until_look = TOKENS_PER_LOOK;
                if deadline.passed() {
                    self.hits.deadline = Some(self.pos);
                    break;
                }
            }
            let token = match self.plaintext {
                None => self.next_token(),
                Some(form) => self.plaintext_token(form),
            };
            match token {
                Token::Text(run) => self.characters(run),
                Token::Start(tag) => self.start_tag(tag),
                Token::End(tag) => self.end_tag(tag),
                Token::Comment(lo, hi) => self.comment(lo, hi),
                Token::Doctype(lo, hi) => self.doctype(lo, hi),
                Token::Eof => break,
            }
        }
        self.end_of_file();
    }

    fn finish(mut self) -> (Dom<'s>, Vec<Warning>) {
        self.hits.names = self.builder.nameless;
        let warnings = self.hits.warnings(&self.limits, self.source.len());
        (self.builder.dom, warnings)
    }

    /// § PLAINTEXT state.
    fn plaintext_token(&mut self, form: Form) -> Token {
        let lo = std::mem::replace(&mut self.pos, self.bytes.len());
        if lo == self.pos {
            return Token::Eof;
        }
        Token::Text(self.with_replacements(Run::new(lo, self.pos, form)))
    }

    #[inline]
    fn start_tag(&mut self, token: TagToken) {
        self.skip_newline = false;
        if self.builder.dom.len() >= self.limits.nodes {
            self.start_past_limit(token);
            return;
        }
        loop {
            let flow = if self.start_is_foreign(token.tag) {
                self.foreign_start(token)
            } else {
                self.start_in_mode(token)
            };
            if flow == Flow::Done {
                break;
            }
        }
    }

    #[inline]
    fn end_tag(&mut self, token: TagToken) {
        self.skip_newline = false;
        if !self.flattened.is_empty() && self.close_flattened(token.tag) {
            return;
        }
        if self.builder.dom.len() >= self.limits.nodes {
            return;
        }
        loop {
            let flow = if self.in_foreign_content() {
                self.foreign_end(token)
            } else {
                self.end_in_mode(token)
            };
            if flow == Flow::Done {
                break;
            }
        }
    }

    /// A start tag when there may be no more nodes: dropped, with the text of scripts and the like.
    #[cold]
    fn start_past_limit(&mut self, token: TagToken) {
        self.hits.nodes += 1;
        if let Some(kind) = self.raw_kind(token.tag).filter(|_| !self.in_foreign_content()) {
            self.raw_text_behind(token.tag, kind);
        }
    }

    fn comment(&mut self, lo: u32, hi: u32) {
        self.skip_newline = false;
        if self.marks.is_some() {
            self.record(lo, hi);
        }
    }

    fn doctype(&mut self, lo: u32, hi: u32) {
        self.skip_newline = false;
        if self.mode != Mode::Initial {
            return;
        }
        let doctype = Doctype::read(&self.source[lo as usize..hi as usize]);
        self.builder.dom.quirks = doctype.asks_for_quirks();
        self.mode = Mode::BeforeHtml;
        if self.marks.is_some() {
            let node = self.record_comment(Some(NodeId::DOCUMENT), "");
            self.marks.get_or_insert_default().push((node, Some(doctype)));
        }
    }

    /// Keeps a comment where its mode puts it.
    fn record(&mut self, lo: u32, hi: u32) {
        let raw = &self.source[lo as usize..hi as usize];
        let text = crate::tree::charref::normalize_newlines(raw).replace('\0', "\u{FFFD}");
        let parent = match self.mode {
            _ if self.in_foreign_content() => None,
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                Some(NodeId::DOCUMENT)
            }
            Mode::AfterBody => self.stack.get(0).map(|html| html.node),
            _ => None,
        };
        let node = self.record_comment(parent, &text);
        self.marks.get_or_insert_default().push((node, None));
    }

    /// Value of an attribute of a token.
    fn token_attribute(&self, token: TagToken, name: &str) -> Option<Cow<'_, str>> {
        let dom = &self.builder.dom;
        let attrs = &dom.attrs[token.attrs.0 as usize..token.attrs.1 as usize];
        let found = attrs
            .iter()
            .find(|a| dom.slice(a.name.0, a.name.1).eq_ignore_ascii_case(name))?;
        Some(dom.attr_value(found))
    }
}
