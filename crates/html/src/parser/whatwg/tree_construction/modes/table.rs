//! The modes of tables (sections 13.2.6.4.9 to 13.2.6.4.15). "in table text" is in `characters.rs`.

use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::tag_lists::table_part_tags;
use crate::parser::whatwg::token::TagToken;
use crate::tree::Tag;

impl ParserState<'_> {
    /// § The "in table" insertion mode
    pub(crate) fn start_in_table(&mut self, token: TagToken) -> Flow {
        match token.tag {
            Tag::CAPTION => {
                if self.open_in(&[Tag::TABLE], token, Mode::InCaption) {
                    self.formatting.push_marker();
                }
            }
            Tag::COLGROUP => {
                self.open_in(&[Tag::TABLE], token, Mode::InColumnGroup);
            }
            Tag::COL => return self.imply(&[Tag::TABLE], Tag::COLGROUP, Mode::InColumnGroup),
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                self.open_in(&[Tag::TABLE], token, Mode::InTableBody);
            }
            Tag::TD | Tag::TH | Tag::TR => return self.imply(&[Tag::TABLE], Tag::TBODY, Mode::InTableBody),
            Tag::TABLE => {
                // `<table><table>`: the first table ends, and the second follows it.
                if self.close_table() {
                    return Flow::Reprocess;
                }
            }
            Tag::STYLE | Tag::SCRIPT | Tag::TEMPLATE => return self.start_in_head(token),
            Tag::INPUT if self.is_hidden_input(token) => return self.insert_void(token),
            Tag::FORM => {
                if self.stack.count(Tag::TEMPLATE) == 0 && self.form.is_none() {
                    // § The form is inserted but not left open.
                    self.form = Some(self.insert_html_element(token.tag, token.attrs));
                }
            }
            // § Anything else
            _ => return self.with_foster_parenting(|parser| parser.start_in_body(token)),
        }
        Flow::Done
    }

    pub(crate) fn end_in_table(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::TABLE => {
                self.close_table();
                Flow::Done
            }
            _ if is_ignored_end(tag) => Flow::Done,
            Tag::TEMPLATE => self.end_in_head(tag),
            _ => self.with_foster_parenting(|parser| parser.end_in_body(tag)),
        }
    }

    /// Applies rules with § foster parenting enabled.
    pub(crate) fn with_foster_parenting<T>(&mut self, rules: impl FnOnce(&mut Self) -> T) -> T {
        // The rules of the body never call those of tables, so the flag need not be saved.
        self.foster_parenting = true;
        let result = rules(self);
        self.foster_parenting = false;
        result
    }

    /// Closes the innermost table; returns whether a table was in table scope.
    fn close_table(&mut self) -> bool {
        let open = self.stack.in_table_scope(Tag::TABLE);
        if open {
            self.stack.pop_until(Tag::TABLE);
            self.reset_insertion_mode();
        }
        open
    }

    /// § "clear the stack back to ..." and insert the element of the token, whose content follows the rules
    /// of `mode`. Returns false if the depth limit kept it off the stack.
    fn open_in(&mut self, context: &[Tag], token: TagToken, mode: Mode) -> bool {
        // `<table><b><tr>`: the misplaced `b` is popped.
        self.stack.clear_back_to(context);
        let open = self.open(token);
        if open {
            self.mode = mode;
        }
        open
    }

    /// § "clear the stack back to ..." and insert the implied element that must contain the token.
    fn imply(&mut self, context: &[Tag], tag: Tag, mode: Mode) -> Flow {
        self.stack.clear_back_to(context);
        // At the depth limit the token is ignored, or it would be reprocessed in the same mode forever.
        if !self.open_implied(tag) {
            return Flow::Done;
        }
        self.mode = mode;
        Flow::Reprocess
    }

    /// § The "in caption" insertion mode
    pub(crate) fn start_in_caption(&mut self, token: TagToken) -> Flow {
        match token.tag {
            tag if is_table_part(tag) => self.close_caption(Flow::Reprocess),
            _ => self.start_in_body(token),
        }
    }

    pub(crate) fn end_in_caption(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::CAPTION => self.close_caption(Flow::Done),
            Tag::TABLE => self.close_caption(Flow::Reprocess),
            _ if is_ignored_end(tag) => Flow::Done,
            _ => self.end_in_body(tag),
        }
    }

    /// Closes the caption and returns `flow`. Without an open caption, the token is ignored.
    fn close_caption(&mut self, flow: Flow) -> Flow {
        // § A fragment inside a caption: the caption is not on the stack.
        if !self.stack.in_table_scope(Tag::CAPTION) {
            return Flow::Done;
        }
        self.close_to_marker(&[Tag::CAPTION], Mode::InTable);
        flow
    }

    /// Closes the open caption or cell, one of `tags`, with the formatting elements inside it, and switches to `mode`.
    fn close_to_marker(&mut self, tags: &[Tag], mode: Mode) {
        self.stack.generate_implied_end_tags(None);
        self.stack
            .pop_through(|open| tags.iter().any(|&tag| open.is(tag)));
        // The marker was set when the caption or cell was opened.
        self.formatting.clear_to_marker();
        self.mode = mode;
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
                self.open_in(BODY_CONTEXT, token, Mode::InRow);
                Flow::Done
            }
            Tag::TH | Tag::TD => self.imply(BODY_CONTEXT, Tag::TR, Mode::InRow),
            tag if is_table_part(tag) => self.close_table_body(),
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
            _ if is_ignored_end(tag) => Flow::Done,
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
                if self.open_in(&[Tag::TR], token, Mode::InCell) {
                    self.formatting.push_marker();
                }
                Flow::Done
            }
            tag if is_table_part(tag) => self.close_row(),
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
            _ if is_ignored_end(tag) => Flow::Done,
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
            tag if is_table_part(tag) => {
                if !self.stack.any_in_table_scope(CELLS) {
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
                    self.close_to_marker(&[tag], Mode::InRow);
                }
                Flow::Done
            }
            // § The end tag belongs to an element around the cell, which is closed first.
            Tag::TABLE | Tag::TBODY | Tag::TFOOT | Tag::THEAD | Tag::TR if self.stack.in_table_scope(tag) => {
                self.close_cell()
            }
            Tag::TABLE => Flow::Done,
            _ if is_ignored_end(tag) => Flow::Done,
            _ => self.end_in_body(tag),
        }
    }

    /// § "close the cell"
    fn close_cell(&mut self) -> Flow {
        self.close_to_marker(CELLS, Mode::InRow);
        Flow::Reprocess
    }
}

/// § "a table body context", except `template` and `html`.
const BODY_CONTEXT: &[Tag] = &[Tag::TBODY, Tag::TFOOT, Tag::THEAD];

const CELLS: &[Tag] = &[Tag::TD, Tag::TH];

#[inline]
fn is_table_part(tag: Tag) -> bool {
    matches!(tag, table_part_tags!())
}

/// Whether the table modes ignore this end tag, unless another rule handles it.
#[inline]
fn is_ignored_end(tag: Tag) -> bool {
    is_table_part(tag) || matches!(tag, Tag::BODY | Tag::HTML)
}
