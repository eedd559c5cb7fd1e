//! The modes from "before html" to "after head" (sections 13.2.6.4.2 to 13.2.6.4.6). The mode "initial" and
//! the handling of all other tokens in these modes are in [`ParserState::leave_mode`].

use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::tag_lists::metadata_tags;
use crate::parser::whatwg::token::TagToken;
use crate::parser::whatwg::tokenization::raw_text::RawKind;
use crate::tree::Tag;

impl ParserState<'_> {
    /// § The "before html" insertion mode
    pub(crate) fn start_before_html(&mut self, token: TagToken) -> Flow {
        if token.tag != Tag::HTML {
            return self.anything_else();
        }
        self.insert_root(token.attrs);
        self.mode = Mode::BeforeHead;
        Flow::Done
    }

    /// § The "before head" insertion mode
    pub(crate) fn start_before_head(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => self.start_in_body(token),
            Tag::HEAD => {
                self.head = Some(self.open_html_element(Tag::HEAD, token.attrs).0);
                self.mode = Mode::InHead;
                Flow::Done
            }
            _ => self.anything_else(),
        }
    }

    /// § "before html" and "before head": end tags
    pub(crate) fn end_before_head(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::HEAD | Tag::BODY | Tag::HTML | Tag::BR => self.anything_else(),
            _ => Flow::Done,
        }
    }

    /// § The "in head" insertion mode
    pub(crate) fn start_in_head(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => return self.start_in_body(token),
            Tag::BASE | Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META => {
                return self.insert_void(token);
            }
            Tag::TITLE => self.raw_text_element(token, RawKind::Rcdata),
            Tag::NOFRAMES | Tag::STYLE => self.raw_text_element(token, RawKind::Rawtext),
            Tag::NOSCRIPT if self.scripting => self.raw_text_element(token, RawKind::Rawtext),
            Tag::NOSCRIPT => {
                if self.open(token) {
                    self.mode = Mode::InHeadNoscript;
                }
            }
            Tag::SCRIPT => self.raw_text_element(token, RawKind::Script),
            Tag::TEMPLATE => {
                if self.open_template(token.attrs) {
                    self.formatting.push_marker();
                    self.frameset_ok = false;
                    self.mode = Mode::InTemplate;
                    self.template_modes.push(Mode::InTemplate);
                }
            }
            Tag::HEAD => {}
            _ => return self.anything_else(),
        }
        Flow::Done
    }

    pub(crate) fn end_in_head(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::HEAD => {
                self.stack.pop();
                self.mode = Mode::AfterHead;
                Flow::Done
            }
            Tag::BODY | Tag::HTML | Tag::BR => self.anything_else(),
            Tag::TEMPLATE => {
                if self.stack.count(Tag::TEMPLATE) > 0 {
                    // § The template need not be in scope: everything inside it is closed.
                    self.stack.generate_implied_end_tags_thoroughly();
                    self.close_template();
                }
                Flow::Done
            }
            _ => Flow::Done,
        }
    }

    /// § The "in head noscript" insertion mode
    pub(crate) fn start_in_head_noscript(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => self.start_in_body(token),
            Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META | Tag::NOFRAMES | Tag::STYLE => {
                self.start_in_head(token)
            }
            Tag::HEAD | Tag::NOSCRIPT => Flow::Done,
            _ => self.anything_else(),
        }
    }

    pub(crate) fn end_in_head_noscript(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::NOSCRIPT => {
                self.stack.pop();
                self.mode = Mode::InHead;
                Flow::Done
            }
            Tag::BR => self.anything_else(),
            _ => Flow::Done,
        }
    }

    /// § The "after head" insertion mode
    pub(crate) fn start_after_head(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => self.start_in_body(token),
            Tag::BODY => {
                self.open(token);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Flow::Done
            }
            Tag::FRAMESET => {
                self.open(token);
                self.mode = Mode::InFrameset;
                Flow::Done
            }
            metadata_tags!() => {
                // These elements go into the head, which is reopened for them.
                let Some(head) = self.head else {
                    debug_assert!(false, "the head was left, so there is one");
                    return Flow::Done;
                };
                // The new children of the head come before white space that already follows it.
                self.builder.dom.tree.reordered = true;
                // § "Push the node pointed to by the head element pointer": it was closed already.
                self.push_open(head, Tag::HEAD);
                let flow = self.start_in_head(token);
                // § It need not be the current node at this point: `<template>` leaves another element on
                // top.
                if let Some(at) = self.stack.position(head) {
                    self.stack.remove(at);
                }
                flow
            }
            Tag::HEAD => Flow::Done,
            _ => self.anything_else(),
        }
    }

    pub(crate) fn end_after_head(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::TEMPLATE => self.end_in_head(tag),
            Tag::BODY | Tag::HTML | Tag::BR => self.anything_else(),
            _ => Flow::Done,
        }
    }
}
