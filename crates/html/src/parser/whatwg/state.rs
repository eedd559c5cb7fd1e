//! The state of a parser (section 13.2.4) and of its tokenizer.

use std::borrow::Cow;

use super::attribute_names::NameTable;
use super::doctype::Doctype;
use super::elements::FOREIGN;
use super::flattened::Flattened;
use super::formatting::Formatting;
use super::stack::Stack;
use super::tag_names::RecentNames;
use super::token::{Form, TagToken};
use crate::limits::Limits;
use crate::parser::limits_hit::LimitsHit;
use crate::parser::options::ParseOptions;
use crate::tree::{Builder, Dom, NodeId, Tag, TreeBuffers};
use crate::warning::Warning;

/// § The insertion mode. The modes "text" and "in table text" are not needed: the text of elements like
/// `script` is read together with their start tag, and all characters between two tags of a table are
/// handled in one step.
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
    /// Whether U+0000 falls under "anything else" in this mode.
    pub(crate) fn nul_is_anything_else(self) -> bool {
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

/// Further handling of a token after the rules of a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// The token is finished.
    Done,
    /// § "Reprocess the token", by the rules of the mode that is now set.
    Reprocess,
}

/// The context element of a fragment (section 13.5).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) tag: Tag,
    pub(crate) categories: u16,
}

/// Maximum number of unclosed elements and comments that are closed early per page. The bound keeps the search for their
/// ends linear.
const MAX_REPAIRS: u32 = 32;

/// The state of parsing one document or fragment.
#[derive(Debug)]
pub(crate) struct ParserState<'s> {
    pub(crate) source: &'s str,
    pub(crate) bytes: &'s [u8],
    /// Offset in the source at which the next token begins.
    pub(crate) pos: usize,
    /// § PLAINTEXT state: if set, the rest of the source is text of this form.
    pub(crate) plaintext: Option<Form>,
    pub(crate) builder: Builder<'s>,
    pub(crate) recent: RecentNames,
    pub(crate) name_table: NameTable,

    pub(crate) mode: Mode,
    pub(crate) template_modes: Vec<Mode>,
    pub(crate) stack: Stack,
    pub(crate) flattened: Flattened,
    pub(crate) formatting: Formatting,
    /// § The head element pointer.
    pub(crate) head: Option<NodeId>,
    pub(crate) form: Option<NodeId>,
    pub(crate) frameset_ok: bool,
    /// Whether elements created for the last start tag are recorded as possible metadata.
    pub(crate) may_hold_metadata: bool,
    /// Bit set of the numbered attribute names that these elements may have.
    pub(crate) names: u32,
    pub(crate) foster_parenting: bool,
    /// Whether the next character is dropped if it is a line feed, as after `<pre>`.
    pub(crate) skip_newline: bool,
    pub(crate) scripting: bool,
    /// Whether to depart from the standard where html5ever does (see `deviations.rs`).
    pub(crate) as_html5ever: bool,
    pub(crate) context: Option<Context>,
    pub(crate) svg_names: Vec<Option<Tag>>,

    /// Number of unclosed elements and comments that may still be closed early: the end of each is searched
    /// for up to the end of the source.
    pub(crate) repairs_left: u32,
    pub(crate) limits: Limits,
    pub(crate) limits_hit: LimitsHit,
    /// Number of copies of formatting elements that may still be made. The bound keeps the number of nodes linear.
    pub(crate) clones_left: usize,
    /// Total bytes of attributes that such copies may still share with their originals.
    pub(crate) copied_bytes_left: usize,
    /// The text node that takes all further text when the limit of nodes is reached.
    pub(crate) overflow_text: Option<NodeId>,
    /// Comments and doctypes, recorded only in tests; in the tree each is an empty fragment.
    pub(crate) recorded: Option<Vec<(NodeId, Option<Doctype>)>>,
}

impl<'s> ParserState<'s> {
    pub(crate) fn new(buffers: TreeBuffers, source: &'s str, options: &ParseOptions) -> Self {
        ParserState {
            source,
            bytes: source.as_bytes(),
            pos: 0,
            plaintext: None,
            builder: Builder::new(source, buffers),
            recent: RecentNames::new(),
            name_table: NameTable::default(),
            mode: Mode::Initial,
            template_modes: Vec::new(),
            stack: Stack::new(),
            flattened: Flattened::default(),
            formatting: Formatting::default(),
            head: None,
            form: None,
            frameset_ok: true,
            may_hold_metadata: false,
            names: 0,
            foster_parenting: false,
            skip_newline: false,
            scripting: options.scripting,
            as_html5ever: false,
            context: None,
            svg_names: Vec::new(),
            repairs_left: if options.repairs { MAX_REPAIRS } else { 0 },
            limits: Limits {
                depth: options.limits.depth.max(16),
                ..options.limits
            },
            limits_hit: LimitsHit::default(),
            clones_left: 1024 + source.len() / 16,
            copied_bytes_left: (64 << 10) + 4 * source.len(),
            overflow_text: None,
            recorded: None,
        }
    }

    /// Returns the finished tree, and a warning for each limit that acted.
    pub(crate) fn finish(mut self) -> (Dom<'s>, Vec<Warning>) {
        self.limits_hit.names = self.builder.names_past_limit;
        let warnings = self.limits_hit.warnings(&self.limits, self.source.len());
        (self.builder.dom, warnings)
    }

    /// Value of the attribute `name` (lower case) of a start tag.
    pub(crate) fn token_attribute(&self, token: TagToken, name: &str) -> Option<Cow<'_, str>> {
        let dom = &self.builder.dom;
        let attrs = &dom.attrs[token.attrs.0 as usize..token.attrs.1 as usize];
        let found = attrs
            .iter()
            .find(|a| dom.slice(a.name.0, a.name.1).eq_ignore_ascii_case(name))?;
        Some(dom.attr_value(found))
    }

    /// Categories of § the adjusted current node.
    #[inline]
    pub(crate) fn adjusted_categories(&self) -> u16 {
        match (&self.context, self.stack.len()) {
            // Fragments: the only element on the stack is the `html` element that stands for the context.
            (Some(context), 1) => context.categories,
            _ => self.stack.last().map_or(0, |o| o.categories),
        }
    }

    /// Whether the adjusted current node may be in another namespace. Rarely true, and cheaper to check
    /// than its categories.
    #[inline]
    pub(crate) fn may_be_foreign(&self) -> bool {
        self.stack.holds_foreign() || self.context.is_some()
    }

    /// Whether the adjusted current node is not in the HTML namespace.
    #[inline]
    pub(crate) fn in_foreign_content(&self) -> bool {
        self.may_be_foreign() && self.adjusted_categories() & FOREIGN != 0
    }
}
