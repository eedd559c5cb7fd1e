//! Start and end tags by insertion mode (section 13.2.6.4).

use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::token::TagToken;
use crate::tree::Tag;

impl ParserState<'_> {
    #[inline]
    pub(crate) fn start_in_mode(&mut self, token: TagToken) -> Flow {
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
    pub(crate) fn end_in_mode(&mut self, token: TagToken) -> Flow {
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
}
