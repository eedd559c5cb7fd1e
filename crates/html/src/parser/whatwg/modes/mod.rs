//! Start and end tags by insertion mode (section 13.2.6.4).

mod body;
mod body_end;
mod head;
mod outside;
mod table;

use super::insertion::NO_ATTRIBUTES;
use super::raw_text::RawKind;
use super::scanner::TagToken;
use super::{Flow, Mode, Parser};
use crate::tree::Tag;

impl Parser<'_> {
    #[inline]
    pub(super) fn start_in_mode(&mut self, token: TagToken) -> Flow {
        match self.mode {
            Mode::InBody => self.start_in_body(token),
            Mode::InCell => self.start_in_cell(token),
            Mode::InTable => self.start_in_table(token),
            Mode::InTableBody => self.start_in_table_body(token),
            Mode::InRow => self.start_in_row(token),
            Mode::InCaption => self.start_in_caption(token),
            Mode::InColumnGroup => self.start_in_column_group(token),
            Mode::InHead => self.start_in_head(token),
            Mode::InHeadNoscript => self.start_in_head_noscript(token),
            Mode::Initial => self.anything_else(),
            Mode::BeforeHtml => self.start_before_html(token),
            Mode::BeforeHead => self.start_before_head(token),
            Mode::AfterHead => self.start_after_head(token),
            Mode::InTemplate => self.start_in_template(token),
            Mode::AfterBody | Mode::AfterAfterBody => self.start_after_body(token),
            Mode::InFrameset => self.start_in_frameset(token),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_after_frameset(token),
        }
    }

    #[inline]
    pub(super) fn end_in_mode(&mut self, token: TagToken) -> Flow {
        let tag = token.tag;
        match self.mode {
            Mode::InBody => self.end_in_body(tag),
            Mode::InCell => self.end_in_cell(tag),
            Mode::InTable => self.end_in_table(tag),
            Mode::InTableBody => self.end_in_table_body(tag),
            Mode::InRow => self.end_in_row(tag),
            Mode::InCaption => self.end_in_caption(tag),
            Mode::InColumnGroup => self.end_in_column_group(tag),
            Mode::InHead => self.end_in_head(tag),
            Mode::InHeadNoscript => self.end_in_head_noscript(tag),
            Mode::Initial => self.anything_else(),
            Mode::BeforeHtml | Mode::BeforeHead => self.end_before_head(tag),
            Mode::AfterHead => self.end_after_head(tag),
            Mode::InTemplate if tag == Tag::TEMPLATE => self.end_in_head(tag),
            Mode::InTemplate => Flow::Done,
            Mode::AfterBody => self.end_after_body(tag),
            Mode::AfterAfterBody => self.anything_else(),
            Mode::InFrameset => self.end_in_frameset(tag),
            Mode::AfterFrameset => self.end_after_frameset(tag),
            Mode::AfterAfterFrameset => Flow::Done,
        }
    }

    /// "Anything else" of a mode that hands the token on.
    fn anything_else(&mut self) -> Flow {
        if self.leave_mode() {
            Flow::Reprocess
        } else {
            Flow::Done
        }
    }

    /// What "anything else" does in the modes before and after the body, and in a column group, before the token goes to
    /// the next mode; false if the token is ignored.
    pub(super) fn leave_mode(&mut self) -> bool {
        self.mode = match self.mode {
            Mode::Initial => {
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
            Mode::InColumnGroup if self.stack.last().is_some_and(|o| o.is(Tag::COLGROUP)) => {
                self.stack.pop();
                Mode::InTable
            }
            _ => return false,
        };
        true
    }

    /// § "an end-of-file token" in every mode.
    pub(super) fn end_of_file(&mut self) {
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
                    if self.template_modes.is_empty() || self.stack.count(Tag::TEMPLATE) == 0 {
                        return;
                    }
                    self.close_template();
                }
            }
        }
    }

    fn close_template(&mut self) {
        self.stack.pop_until(Tag::TEMPLATE);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_insertion_mode();
    }

    /// The state in which the text of an element is read, if it holds nothing but text.
    pub(super) fn raw_kind(&self, tag: Tag) -> Option<RawKind> {
        match tag {
            Tag::TITLE | Tag::TEXTAREA => Some(RawKind::Rcdata),
            Tag::STYLE | Tag::XMP | Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES => Some(RawKind::Rawtext),
            Tag::NOSCRIPT if self.scripting => Some(RawKind::Rawtext),
            Tag::SCRIPT => Some(RawKind::Script),
            _ => None,
        }
    }

    /// Inserts an element that has no contents.
    #[inline]
    fn insert_void(&mut self, token: TagToken) -> Flow {
        self.insert_html_element(token.tag, token.attrs);
        Flow::Done
    }
}
