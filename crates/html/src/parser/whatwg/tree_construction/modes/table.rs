//! The modes of tables (sections 13.2.6.4.9 to 13.2.6.4.15). "in table text" is in `characters.rs`.

use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::token::TagToken;
use crate::tree::Tag;

impl ParserState<'_> {
    /// § The "in table" insertion mode
    pub(crate) fn start_in_table(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::CAPTION => {
                self.stack.clear_back_to(&[Tag::TABLE]);
                if self.open(token) {
                    self.formatting.push_marker();
                    self.mode = Mode::InCaption;
                }
            }
            Tag::COLGROUP => {
                self.stack.clear_back_to(&[Tag::TABLE]);
                if self.open(token) {
                    self.mode = Mode::InColumnGroup;
                }
            }
            Tag::COL => return self.imply(&[Tag::TABLE], Tag::COLGROUP, Mode::InColumnGroup),
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                self.stack.clear_back_to(&[Tag::TABLE]);
                if self.open(token) {
                    self.mode = Mode::InTableBody;
                }
            }
            Tag::TD | Tag::TH | Tag::TR => return self.imply(&[Tag::TABLE], Tag::TBODY, Mode::InTableBody),
            Tag::TABLE => {
                if self.stack.in_table_scope(Tag::TABLE) {
                    self.stack.pop_until(Tag::TABLE);
                    self.reset_insertion_mode();
                    return Flow::Reprocess;
                }
            }
            Tag::STYLE | Tag::SCRIPT | Tag::TEMPLATE => return self.start_in_head(token),
            Tag::INPUT if self.is_hidden_input(token) => return self.insert_void(token),
            Tag::FORM => {
                if self.stack.count(Tag::TEMPLATE) == 0 && self.form.is_none() {
                    self.form = Some(self.insert_html_element(token.tag, token.attrs));
                }
            }
            // § Anything else
            _ => {
                self.foster_parenting = true;
                let flow = self.start_in_body(token);
                self.foster_parenting = false;
                return flow;
            }
        }
        Flow::Done
    }

    pub(crate) fn end_in_table(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::TABLE => {
                if self.stack.in_table_scope(Tag::TABLE) {
                    self.stack.pop_until(Tag::TABLE);
                    self.reset_insertion_mode();
                }
                Flow::Done
            }
            Tag::BODY
            | Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::HTML
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR => Flow::Done,
            Tag::TEMPLATE => self.end_in_head(tag),
            _ => {
                self.foster_parenting = true;
                let flow = self.end_in_body(tag);
                self.foster_parenting = false;
                flow
            }
        }
    }

    /// § "clear the stack back to ..." and insert the implied element that the token needs around it.
    fn imply(&mut self, context: &[Tag], tag: Tag, mode: Mode) -> Flow {
        self.stack.clear_back_to(context);
        if !self.open_implied(tag) {
            return Flow::Done;
        }
        self.mode = mode;
        Flow::Reprocess
    }

    /// § The "in caption" insertion mode
    pub(crate) fn start_in_caption(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR => self.close_caption(Flow::Reprocess),
            _ => self.start_in_body(token),
        }
    }

    pub(crate) fn end_in_caption(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::CAPTION => self.close_caption(Flow::Done),
            Tag::TABLE => self.close_caption(Flow::Reprocess),
            Tag::BODY
            | Tag::COL
            | Tag::COLGROUP
            | Tag::HTML
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR => Flow::Done,
            _ => self.end_in_body(tag),
        }
    }

    /// Closes the caption. `flow` says what then happens to the token; without an open caption it is ignored.
    fn close_caption(&mut self, flow: Flow) -> Flow {
        if !self.stack.in_table_scope(Tag::CAPTION) {
            return Flow::Done;
        }
        self.stack.generate_implied_end_tags(None);
        self.stack.pop_until(Tag::CAPTION);
        self.formatting.clear_to_marker();
        self.mode = Mode::InTable;
        flow
    }

    /// § The "in column group" insertion mode
    pub(crate) fn start_in_column_group(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::HTML => self.start_in_body(token),
            Tag::COL => self.insert_void(token),
            Tag::TEMPLATE => self.start_in_head(token),
            _ => self.anything_else(),
        }
    }

    pub(crate) fn end_in_column_group(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::COLGROUP => {
                self.leave_mode();
                Flow::Done
            }
            Tag::COL => Flow::Done,
            Tag::TEMPLATE => self.end_in_head(tag),
            _ => self.anything_else(),
        }
    }

    /// § The "in table body" insertion mode
    pub(crate) fn start_in_table_body(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::TR => {
                self.stack.clear_back_to(BODY_CONTEXT);
                if self.open(token) {
                    self.mode = Mode::InRow;
                }
                Flow::Done
            }
            Tag::TH | Tag::TD => self.imply(BODY_CONTEXT, Tag::TR, Mode::InRow),
            Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                self.close_table_body()
            }
            _ => self.start_in_table(token),
        }
    }

    pub(crate) fn end_in_table_body(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                if self.stack.in_table_scope(tag) {
                    self.pop_table_body();
                }
                Flow::Done
            }
            Tag::TABLE => self.close_table_body(),
            Tag::BODY | Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::HTML | Tag::TD | Tag::TH | Tag::TR => {
                Flow::Done
            }
            _ => self.end_in_table(tag),
        }
    }

    fn close_table_body(&mut self) -> Flow {
        if !self.stack.any_in_table_scope(self.table_bodies()) {
            return Flow::Done;
        }
        self.pop_table_body();
        Flow::Reprocess
    }

    fn pop_table_body(&mut self) {
        self.stack.clear_back_to(BODY_CONTEXT);
        self.stack.pop();
        self.mode = Mode::InTable;
    }

    /// § The "in row" insertion mode
    pub(crate) fn start_in_row(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::TH | Tag::TD => {
                self.stack.clear_back_to(&[Tag::TR]);
                if self.open(token) {
                    self.mode = Mode::InCell;
                    self.formatting.push_marker();
                }
                Flow::Done
            }
            Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::TBODY | Tag::TFOOT | Tag::THEAD | Tag::TR => {
                self.close_row()
            }
            _ => self.start_in_table(token),
        }
    }

    pub(crate) fn end_in_row(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::TR => {
                self.close_row();
                Flow::Done
            }
            Tag::TABLE => self.close_row(),
            Tag::TBODY | Tag::TFOOT | Tag::THEAD if self.stack.in_table_scope(tag) => self.close_row(),
            Tag::TBODY
            | Tag::TFOOT
            | Tag::THEAD
            | Tag::BODY
            | Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::HTML
            | Tag::TD
            | Tag::TH => Flow::Done,
            _ => self.end_in_table(tag),
        }
    }

    fn close_row(&mut self) -> Flow {
        if !self.stack.in_table_scope(Tag::TR) {
            return Flow::Done;
        }
        self.stack.clear_back_to(&[Tag::TR]);
        self.stack.pop();
        self.mode = Mode::InTableBody;
        Flow::Reprocess
    }

    /// § The "in cell" insertion mode
    pub(crate) fn start_in_cell(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::CAPTION
            | Tag::COL
            | Tag::COLGROUP
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR => {
                if !self.stack.any_in_table_scope(&[Tag::TD, Tag::TH]) {
                    return Flow::Done;
                }
                self.close_cell()
            }
            _ => self.start_in_body(token),
        }
    }

    pub(crate) fn end_in_cell(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::TD | Tag::TH => {
                if self.stack.in_table_scope(tag) {
                    self.stack.generate_implied_end_tags(None);
                    self.stack.pop_until(tag);
                    self.formatting.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                Flow::Done
            }
            Tag::BODY | Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::HTML => Flow::Done,
            Tag::TABLE | Tag::TBODY | Tag::TFOOT | Tag::THEAD | Tag::TR => {
                if self.stack.in_table_scope(tag) {
                    self.close_cell()
                } else {
                    Flow::Done
                }
            }
            _ => self.end_in_body(tag),
        }
    }

    /// § "close the cell"
    fn close_cell(&mut self) -> Flow {
        self.stack.generate_implied_end_tags(None);
        while let Some(open) = self.stack.pop() {
            if open.is(Tag::TD) || open.is(Tag::TH) {
                break;
            }
        }
        self.formatting.clear_to_marker();
        self.mode = Mode::InRow;
        Flow::Reprocess
    }
}

/// § "a table body context", but for `template` and `html`.
const BODY_CONTEXT: &[Tag] = &[Tag::TBODY, Tag::TFOOT, Tag::THEAD];
