//! The modes of templates, after the body, and of framesets (sections 13.2.6.4.16 to 13.2.6.4.21).

use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::tag_lists::metadata_tags;
use crate::parser::whatwg::token::TagToken;
use crate::tree::Tag;

impl ParserState<'_> {
    /// § The "in template" insertion mode
    pub(crate) fn start_in_template(&mut self, token: TagToken) -> Flow {
        let mode = match token.tag {
            metadata_tags!() => return self.start_in_head(token),
            Tag::CAPTION | Tag::COLGROUP | Tag::TBODY | Tag::TFOOT | Tag::THEAD => Mode::InTable,
            Tag::COL => Mode::InColumnGroup,
            Tag::TR => Mode::InTableBody,
            Tag::TD | Tag::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        // § The mode of the template is replaced: its first tag decides what it contains.
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        Flow::Reprocess
    }

    /// § The "after body" and "after after body" insertion modes
    pub(crate) fn start_after_body(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => self.start_in_body(token),
            _ => self.anything_else(),
        }
    }

    pub(crate) fn end_after_body(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::HTML => {
                // In a fragment there is nothing after the body.
                if self.context.is_none() {
                    self.mode = Mode::AfterAfterBody;
                }
                Flow::Done
            }
            _ => self.anything_else(),
        }
    }

    /// § The "in frameset" insertion mode
    pub(crate) fn start_in_frameset(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => self.start_in_body(token),
            Tag::FRAMESET => {
                self.open(token);
                Flow::Done
            }
            Tag::FRAME => self.insert_void(token),
            Tag::NOFRAMES => self.start_in_head(token),
            _ => Flow::Done,
        }
    }

    pub(crate) fn end_in_frameset(&mut self, tag: Tag) -> Flow {
        if tag == Tag::FRAMESET && self.stack.len() > 1 {
            // § The root is not popped.
            self.stack.pop();
            if self.context.is_none() && !self.stack.last().is_some_and(|o| o.is(Tag::FRAMESET)) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Flow::Done
    }

    /// § The "after frameset" and "after after frameset" insertion modes
    pub(crate) fn start_after_frameset(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => self.start_in_body(token),
            Tag::NOFRAMES => self.start_in_head(token),
            _ => Flow::Done,
        }
    }

    pub(crate) fn end_after_frameset(&mut self, tag: Tag) -> Flow {
        if tag == Tag::HTML {
            self.mode = Mode::AfterAfterFrameset;
        }
        Flow::Done
    }
}
