//! § The "in body" insertion mode (section 13.2.6.4.7): end tags.

use crate::parser::whatwg::elements::{HEADING, SPECIAL};
use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::tag_lists::{block_tags, heading_tags, plain_formatting_tags};
use crate::parser::whatwg::tree_construction::insertion::NO_ATTRIBUTES;
use crate::tree::Tag;

impl ParserState<'_> {
    pub(crate) fn end_in_body(&mut self, tag: Tag) -> Flow {
        match tag {
            block_tags!() | Tag::BUTTON | Tag::DD | Tag::DT | Tag::LISTING | Tag::PRE | Tag::SELECT => {
                self.stack.close_in_scope(tag);
            }
            plain_formatting_tags!() | Tag::A | Tag::NOBR => self.adoption_agency(tag),
            Tag::P => {
                // `</p>` without an open paragraph makes an empty one.
                if !self.stack.in_button_scope(Tag::P) && !self.open_implied(Tag::P) {
                    return Flow::Done;
                }
                self.stack.close(Tag::P);
            }
            Tag::LI => {
                if self.stack.in_list_item_scope(tag) {
                    self.stack.close(tag);
                }
            }
            heading_tags!() => {
                // § Any open heading is closed: `<h1>A</h2>`.
                if self.stack.category_in_scope(HEADING) {
                    self.stack.generate_implied_end_tags(None);
                    self.stack.pop_through(|o| o.categories & HEADING != 0);
                }
            }
            Tag::FORM => self.end_form(),
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                if self.stack.close_in_scope(tag) {
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
                // `</br>` counts as `<br>`.
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
            self.stack.close_in_scope(Tag::FORM);
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
            // The form need not be the current node: elements that are still open inside it stay open.
            self.stack.remove(at);
            // Entries above the removed element have moved down.
            if at < self.stack.len() {
                self.refresh_stack_indexes();
            }
        }
    }

    /// § Any other end tag
    pub(crate) fn any_other_end_tag(&mut self, tag: Tag) {
        // The counter answers for end tags without a start tag, which would otherwise cost a walk each.
        if self.stack.count(tag) == 0 {
            return;
        }
        for i in (0..self.stack.len()).rev() {
            let open = self.stack.as_slice()[i];
            if open.is(tag) {
                self.stack.generate_implied_end_tags(Some(tag));
                // The implied end tags stopped above index `i`, because its tag is the exception.
                self.stack.truncate(i);
                return;
            }
            if open.categories & SPECIAL != 0 {
                return;
            }
        }
    }
}
