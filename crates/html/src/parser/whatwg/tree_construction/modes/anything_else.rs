//! § "Anything else" in the modes that pass a token on to the next mode, and the end of the file in every mode.

use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::tree_construction::insertion::NO_ATTRIBUTES;
use crate::tree::Tag;

impl ParserState<'_> {
    /// § "Anything else" in the modes that pass a token on.
    pub(crate) fn anything_else(&mut self) -> Flow {
        if self.leave_mode() {
            Flow::Reprocess
        } else {
            Flow::Done
        }
    }

    /// The steps of "anything else" before the token is reprocessed, in the modes before and after the body
    /// and in a column group. Returns false if the token is ignored.
    pub(crate) fn leave_mode(&mut self) -> bool {
        self.mode = match self.mode {
            Mode::Initial => {
                // § A document without doctype is in quirks mode.
                self.builder.dom.quirks = true;
                Mode::BeforeHtml
            }
            Mode::BeforeHtml => {
                self.insert_root(NO_ATTRIBUTES);
                Mode::BeforeHead
            }
            Mode::BeforeHead => {
                self.head = Some(self.open_html_element(Tag::HEAD, NO_ATTRIBUTES).0);
                Mode::InHead
            }
            Mode::InHead => {
                self.stack.pop();
                Mode::AfterHead
            }
            Mode::InHeadNoscript => {
                self.stack.pop();
                Mode::InHead
            }
            Mode::AfterHead => {
                self.open_implied(Tag::BODY);
                Mode::InBody
            }
            Mode::AfterBody | Mode::AfterAfterBody => Mode::InBody,
            // In a fragment the context may be a column group, which is not on the stack.
            Mode::InColumnGroup if self.stack.last().is_some_and(|o| o.is(Tag::COLGROUP)) => {
                self.stack.pop();
                Mode::InTable
            }
            _ => return false,
        };
        true
    }

    /// § "an end-of-file token" in every mode.
    pub(crate) fn end_of_file(&mut self) {
        // Each round leaves the mode for the next one. Implied elements are inserted also in an empty
        // document.
        loop {
            match self.mode {
                Mode::Initial
                | Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead => {
                    self.leave_mode();
                }
                Mode::AfterBody
                | Mode::AfterAfterBody
                | Mode::InFrameset
                | Mode::AfterFrameset
                | Mode::AfterAfterFrameset => return,
                _ => {
                    // § The "in template" insertion mode, an end-of-file token
                    // § In a fragment of a template the context is not on the stack.
                    if self.template_modes.is_empty() || self.stack.count(Tag::TEMPLATE) == 0 {
                        return;
                    }
                    self.close_template();
                }
            }
        }
    }

    pub(crate) fn close_template(&mut self) {
        self.stack.pop_until(Tag::TEMPLATE);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_insertion_mode();
    }
}
