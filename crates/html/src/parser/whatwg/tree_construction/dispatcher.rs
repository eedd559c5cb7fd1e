//! The main loop and § the tree construction dispatcher (section 13.2.6), which chooses the rules for a token.

use crate::budget::Budget;
use crate::parser::whatwg::doctype::{Doctype, is_html_alone};
use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::token::{TagToken, Token};
use crate::parser::whatwg::tokenization::tags::Tokens;
use crate::tree::NodeId;

/// Number of tokens that are charged to the budget in one step.
const TOKENS_PER_CHARGE: u32 = 4096;

/// Builds the tree from tokens.
struct TreeConstruction;

impl Tokens for TreeConstruction {
    #[inline(always)]
    fn take(&mut self, parser: &mut ParserState<'_>, token: Token) {
        match token {
            Token::Text(run) => parser.characters(run),
            Token::Start(tag) => parser.start_tag(tag),
            Token::End(tag) => parser.end_tag(tag),
            Token::Comment(lo, hi) => parser.comment(lo, hi),
            Token::Doctype(lo, hi) => parser.doctype(lo, hi),
        }
    }
}

impl ParserState<'_> {
    pub(crate) fn run(&mut self, budget: &Budget) {
        let mut until_charge = TOKENS_PER_CHARGE;
        loop {
            until_charge -= 1;
            if until_charge == 0 {
                until_charge = TOKENS_PER_CHARGE;
                // The tree so far is complete and is returned with a warning.
                if !budget.charge("parsing", TOKENS_PER_CHARGE as usize) {
                    self.limits_hit.stopped = budget.spent().map(|(why, _)| (why, self.pos));
                    break;
                }
                // Done once per charge, because the estimate needs some tokens to be useful.
                self.make_room();
            }
            let more = match self.plaintext {
                None => self.next_token(&mut TreeConstruction),
                Some(form) => {
                    let token = self.plaintext_token(form);
                    token.map(|token| TreeConstruction.take(self, token)).is_some()
                }
            };
            if !more {
                break;
            }
        }
        self.end_of_file();
    }

    /// Reserves memory for the nodes of the rest of the page, assuming the node density so far, when little
    /// capacity is left. Repeated growth would copy the list each time.
    #[inline(never)]
    fn make_room(&mut self) {
        let nodes = &mut self.builder.dom.tree.nodes;
        // An estimate that is too small only costs another growth; the limit of nodes bounds one that is
        // too large.
        if nodes.capacity() - nodes.len() < 2 * TOKENS_PER_CHARGE as usize {
            let rest = self.bytes.len().saturating_sub(self.pos) as u64;
            let wanted = nodes.len() as u64 * rest / self.pos.max(1) as u64;
            let allowed = self.limits.nodes.saturating_sub(nodes.len());
            nodes.reserve(allowed.min(usize::try_from(wanted).unwrap_or(allowed)));
        }
    }

    #[inline(always)]
    fn start_tag(&mut self, token: TagToken) {
        self.skip_newline = false;
        // A shortcut: most tags are in the body.
        if self.is_in_plain_body()
            && self.builder.dom.len() < self.limits.nodes
            && self.start_in_body(token) == Flow::Done
        {
            return;
        }
        self.start_tag_by_mode(token);
    }

    #[inline(never)]
    fn start_tag_by_mode(&mut self, token: TagToken) {
        // Past the limit only text is kept.
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

    #[inline(always)]
    fn end_tag(&mut self, token: TagToken) {
        self.skip_newline = false;
        // Flattened elements are not on the stack, so their end tags must not reach the rules of the modes.
        if !self.flattened.is_empty() && self.close_flattened(token.tag) {
            return;
        }
        if self.is_in_plain_body() && self.builder.dom.len() < self.limits.nodes {
            // A shortcut: most end tags close the current node.
            let closed = self.stack.pop_if_closed_by(token.tag);
            if closed || self.end_in_body(token.tag) == Flow::Done {
                return;
            }
        }
        self.end_tag_by_mode(token);
    }

    #[inline(never)]
    fn end_tag_by_mode(&mut self, token: TagToken) {
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

    /// Whether the insertion mode is § "in body" and no element of another namespace is open.
    #[inline]
    pub(crate) fn is_in_plain_body(&self) -> bool {
        self.mode == Mode::InBody && !self.may_be_foreign()
    }

    /// Handles a start tag past the limit of nodes: ignores it, together with the text of an element like `script`.
    #[cold]
    fn start_past_limit(&mut self, token: TagToken) {
        self.limits_hit.nodes += 1;
        if let Some(kind) = self
            .raw_text_kind(token.tag)
            .filter(|_| !self.in_foreign_content())
        {
            self.consume_raw_text(token.tag, kind);
        }
    }

    fn comment(&mut self, lo: u32, hi: u32) {
        self.skip_newline = false;
        // Comments leave no nodes in ordinary trees.
        if self.recorded.is_some() {
            self.record_comment(lo, hi);
        }
    }

    fn doctype(&mut self, lo: u32, hi: u32) {
        self.skip_newline = false;
        // § A doctype anywhere else is ignored.
        if self.mode != Mode::Initial {
            return;
        }
        let text = &self.source[lo as usize..hi as usize];
        self.builder.dom.quirks = !is_html_alone(text) && Doctype::read(text).asks_for_quirks();
        self.mode = Mode::BeforeHtml;
        if self.recorded.is_some() {
            let node = self.insert_comment(Some(NodeId::DOCUMENT), "");
            let doctype = Some(Doctype::read(text));
            self.recorded.get_or_insert_default().push((node, doctype));
        }
    }

    /// § "Insert a comment" at the place that the insertion mode requires.
    fn record_comment(&mut self, lo: u32, hi: u32) {
        let raw = &self.source[lo as usize..hi as usize];
        let text = crate::tree::character_reference::normalize_newlines(raw).replace('\0', "\u{FFFD}");
        // § Comments go to the document before the root and after everything, and to `html` after the body.
        let parent = match self.mode {
            _ if self.in_foreign_content() => None,
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                Some(NodeId::DOCUMENT)
            }
            Mode::AfterBody => self.stack.get(0).map(|html| html.node),
            _ => None,
        };
        let node = self.insert_comment(parent, &text);
        self.recorded.get_or_insert_default().push((node, None));
    }
}
