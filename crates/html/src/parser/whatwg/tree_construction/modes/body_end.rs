//! § The "in body" insertion mode (section 13.2.6.4.7): end tags.

use crate::parser::whatwg::elements::{HEADING, SPECIAL};
use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::tree_construction::insertion::NO_ATTRIBUTES;
use crate::tree::Tag;

impl ParserState<'_> {
    pub(crate) fn end_in_body(&mut self, tag: Tag) -> Flow {
        match tag {
            Tag::ADDRESS
            | Tag::ARTICLE
            | Tag::ASIDE
            | Tag::BLOCKQUOTE
            | Tag::BUTTON
            | Tag::CENTER
            | Tag::DETAILS
            | Tag::DIALOG
            | Tag::DIR
            | Tag::DIV
            | Tag::DL
            | Tag::FIELDSET
            | Tag::FIGCAPTION
            | Tag::FIGURE
            | Tag::FOOTER
            | Tag::HEADER
            | Tag::HGROUP
            | Tag::LISTING
            | Tag::MAIN
            | Tag::MENU
            | Tag::NAV
            | Tag::OL
            | Tag::PRE
            | Tag::SEARCH
            | Tag::SECTION
            | Tag::SELECT
            | Tag::SUMMARY
            | Tag::UL => {
                if self.stack.in_scope(tag) {
                    self.stack.generate_implied_end_tags(None);
                    self.stack.pop_until(tag);
                }
            }
            Tag::A
            | Tag::B
            | Tag::BIG
            | Tag::CODE
            | Tag::EM
            | Tag::FONT
            | Tag::I
            | Tag::NOBR
            | Tag::S
            | Tag::SMALL
            | Tag::STRIKE
            | Tag::STRONG
            | Tag::TT
            | Tag::U => self.adoption_agency(tag),
            Tag::P => {
                if !self.stack.in_button_scope(Tag::P) && !self.open_implied(Tag::P) {
                    return Flow::Done;
                }
                self.stack.close_p();
            }
            Tag::LI => {
                if self.stack.in_list_item_scope(tag) {
                    self.stack.generate_implied_end_tags(Some(tag));
                    self.stack.pop_until(tag);
                }
            }
            Tag::DD | Tag::DT => {
                if self.stack.in_scope(tag) {
                    self.stack.generate_implied_end_tags(Some(tag));
                    self.stack.pop_until(tag);
                }
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                if self.stack.category_in_scope(HEADING) {
                    self.stack.generate_implied_end_tags(None);
                    self.stack.pop_until_category(HEADING);
                }
            }
            Tag::FORM => self.end_form(),
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                if self.stack.in_scope(tag) {
                    self.stack.generate_implied_end_tags(None);
                    self.stack.pop_until(tag);
                    self.formatting.clear_to_marker();
                }
            }
            Tag::BODY => {
                if self.stack.in_scope(Tag::BODY) {
                    self.mode = Mode::AfterBody;
                }
            }
            Tag::HTML => {
                if self.stack.in_scope(Tag::BODY) {
                    self.mode = Mode::AfterBody;
                    return Flow::Reprocess;
                }
            }
            Tag::TEMPLATE => return self.end_in_head(tag),
            Tag::BR => {
                self.reconstruct_formatting();
                self.insert_html_element(tag, NO_ATTRIBUTES);
                self.frameset_ok = false;
            }
            _ => self.any_other_end_tag(tag),
        }
        Flow::Done
    }

    fn end_form(&mut self) {
        if self.stack.count(Tag::TEMPLATE) > 0 {
            if self.stack.in_scope(Tag::FORM) {
                self.stack.generate_implied_end_tags(None);
                self.stack.pop_until(Tag::FORM);
            }
            return;
        }
        let Some(node) = self.form.take() else {
            return;
        };
        if !self.stack.node_in_scope(node) {
            return;
        }
        self.stack.generate_implied_end_tags(None);
        if let Some(at) = self.stack.position(node) {
            self.stack.remove(at);
            if at < self.stack.len() {
                self.refresh_stack_indexes();
            }
        }
    }

    /// § Any other end tag
    pub(crate) fn any_other_end_tag(&mut self, tag: Tag) {
        if self.stack.count(tag) == 0 {
            return;
        }
        for i in (0..self.stack.len()).rev() {
            let open = self.stack.as_slice()[i];
            if open.is(tag) {
                self.stack.generate_implied_end_tags(Some(tag));
                self.stack.truncate(i);
                return;
            }
            if open.categories & SPECIAL != 0 {
                return;
            }
        }
    }
}
