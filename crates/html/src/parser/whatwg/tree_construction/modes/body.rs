//! § The "in body" insertion mode (section 13.2.6.4.7): start tags.

use crate::parser::whatwg::elements::HEADING;
use crate::parser::whatwg::state::{Flow, Mode, ParserState};
use crate::parser::whatwg::tag_lists::{
    block_tags, heading_tags, metadata_tags, plain_formatting_tags, table_part_tags,
};
use crate::parser::whatwg::token::{Form, TagToken};
use crate::parser::whatwg::tokenization::raw_text::RawKind;
use crate::tree::Tag;

impl ParserState<'_> {
    #[inline]
    fn close_p_in_button_scope(&mut self) {
        if self.stack.in_button_scope(Tag::P) {
            self.stack.close(Tag::P);
        }
    }

    pub(crate) fn start_in_body(&mut self, token: TagToken) -> Flow {
        match token.tag {
            block_tags!() | Tag::P => {
                // `<p>5<p>`: the second tag ends the first paragraph.
                self.close_p_in_button_scope();
                self.open(token);
            }
            Tag::A => {
                self.close_active_link();
                self.reconstruct_formatting();
                self.open_formatting(token.tag, token.attrs);
            }
            plain_formatting_tags!() => {
                self.reconstruct_formatting();
                self.open_formatting(token.tag, token.attrs);
            }
            Tag::LI => self.open_item(token, &[Tag::LI]),
            Tag::DD | Tag::DT => self.open_item(token, &[Tag::DD, Tag::DT]),
            heading_tags!() => {
                self.close_p_in_button_scope();
                // `<h1>A<h2>B`: headings do not nest.
                if self.stack.last().is_some_and(|o| o.categories & HEADING != 0) {
                    self.stack.pop();
                }
                self.open(token);
            }
            Tag::AREA | Tag::BR | Tag::EMBED | Tag::IMG | Tag::KEYGEN | Tag::WBR => {
                return self.start_void_in_body(token);
            }
            // § "Change the token's tag name to "img" and reprocess it."
            Tag::IMAGE => {
                return self.start_void_in_body(TagToken {
                    tag: Tag::IMG,
                    ..token
                });
            }
            metadata_tags!() => return self.start_in_head(token),
            Tag::TABLE => {
                // In quirks mode a table may lie inside a paragraph.
                if !self.builder.dom.quirks {
                    self.close_p_in_button_scope();
                }
                if self.open(token) {
                    self.mode = Mode::InTable;
                }
                self.frameset_ok = false;
            }
            Tag::INPUT | Tag::SELECT | Tag::OPTION | Tag::OPTGROUP | Tag::HR | Tag::BUTTON | Tag::FORM => {
                self.start_control(token);
            }
            Tag::MATH | Tag::SVG => {
                self.reconstruct_formatting();
                self.open_foreign(token, token.tag == Tag::SVG);
            }
            Tag::HTML | Tag::BODY | Tag::FRAMESET => self.start_structure(token),
            Tag::PRE | Tag::LISTING => {
                self.close_p_in_button_scope();
                self.open(token);
                self.skip_newline = true;
                self.frameset_ok = false;
            }
            Tag::NOBR => {
                self.reconstruct_formatting();
                if self.stack.in_scope(Tag::NOBR) {
                    self.adoption_agency(Tag::NOBR);
                    self.reconstruct_formatting();
                }
                self.open_formatting(token.tag, token.attrs);
            }
            Tag::PLAINTEXT => {
                self.close_p_in_button_scope();
                self.open(token);
                // Nothing ends plain text, so the tokenizer stays in this state.
                self.plaintext = Some(Form::Raw);
            }
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                self.reconstruct_formatting();
                if self.open(token) {
                    self.formatting.push_marker();
                }
                self.frameset_ok = false;
            }
            Tag::PARAM | Tag::SOURCE | Tag::TRACK => return self.insert_void(token),
            Tag::TEXTAREA => {
                self.frameset_ok = false;
                self.raw_text_element(token, RawKind::Rcdata);
            }
            Tag::XMP => {
                self.close_p_in_button_scope();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                self.raw_text_element(token, RawKind::Rawtext);
            }
            Tag::IFRAME => {
                self.frameset_ok = false;
                self.raw_text_element(token, RawKind::Rawtext);
            }
            Tag::NOEMBED => self.raw_text_element(token, RawKind::Rawtext),
            Tag::NOSCRIPT if self.scripting => self.raw_text_element(token, RawKind::Rawtext),
            Tag::RB | Tag::RTC => {
                if self.stack.in_scope(Tag::RUBY) {
                    self.stack.generate_implied_end_tags(None);
                }
                self.open(token);
            }
            Tag::RP | Tag::RT => {
                if self.stack.in_scope(Tag::RUBY) {
                    self.stack.generate_implied_end_tags(Some(Tag::RTC));
                }
                self.open(token);
            }
            // § Ignored outside tables, framesets and the head.
            table_part_tags!() | Tag::FRAME | Tag::HEAD => {}
            // § Any other start tag
            _ => {
                self.reconstruct_formatting();
                self.open(token);
            }
        }
        Flow::Done
    }

    fn start_void_in_body(&mut self, token: TagToken) -> Flow {
        self.reconstruct_formatting();
        self.frameset_ok = false;
        self.insert_void(token)
    }

    /// § The start tags "html", "body" and "frameset".
    #[cold]
    fn start_structure(&mut self, token: TagToken) {
        // The second element on the stack is `body` unless a frameset or a fragment has taken its place.
        let body = self.stack.get(1).filter(|o| o.is(Tag::BODY)).map(|o| o.node);
        let in_template = self.stack.count(Tag::TEMPLATE) > 0;
        match (token.tag, body) {
            (Tag::HTML, _) if !in_template => {
                if let Some(html) = self.stack.get(0).map(|o| o.node) {
                    self.add_missing_attributes(html, token.attrs);
                }
            }
            (Tag::BODY, Some(body)) if !in_template => {
                self.frameset_ok = false;
                self.add_missing_attributes(body, token.attrs);
            }
            (Tag::FRAMESET, Some(body)) if self.frameset_ok => {
                // § A frameset replaces a body without content.
                self.builder.dom.tree.detach(body);
                self.stack.truncate(1);
                self.open(token);
                self.mode = Mode::InFrameset;
            }
            _ => {}
        }
    }

    /// § The start tags "li", "dd" and "dt": closes the open item, one of `tags`, that the new item
    /// follows, and opens the new item.
    fn open_item(&mut self, token: TagToken, tags: &[Tag]) {
        self.frameset_ok = false;
        // The search stops at special elements such as `ul`, so the item of an outer list stays open.
        if let Some(tag) = self.stack.item_to_close(tags) {
            self.stack.close(tag);
        }
        self.close_p_in_button_scope();
        self.open(token);
    }

    /// § The start tags of forms and their controls.
    fn start_control(&mut self, token: TagToken) {
        match token.tag {
            Tag::FORM => {
                let in_template = self.stack.count(Tag::TEMPLATE) > 0;
                if self.form.is_some() && !in_template {
                    return;
                }
                self.close_p_in_button_scope();
                let (node, _) = self.open_html_element(token.tag, token.attrs);
                // Forms inside templates do not set the pointer.
                if !in_template {
                    self.form = Some(node);
                }
            }
            Tag::BUTTON => {
                self.stack.close_in_scope(Tag::BUTTON);
                self.reconstruct_formatting();
                self.open(token);
                self.frameset_ok = false;
            }
            Tag::INPUT => {
                if self.drops_input() {
                    return;
                }
                // § A `select` does not contain an `input`: `<select><input>` closes it.
                if self.stack.in_scope(Tag::SELECT) {
                    self.stack.pop_until(Tag::SELECT);
                }
                self.reconstruct_formatting();
                self.insert_html_element(token.tag, token.attrs);
                if !self.is_hidden_input(token) {
                    self.frameset_ok = false;
                }
            }
            Tag::SELECT => {
                if self.context.is_some_and(|c| c.tag == Tag::SELECT) {
                    return;
                }
                // `<select><select>`: the second tag acts as an end tag.
                if self.stack.in_scope(Tag::SELECT) {
                    self.stack.pop_until(Tag::SELECT);
                    return;
                }
                self.reconstruct_formatting();
                self.open(token);
                self.frameset_ok = false;
            }
            Tag::OPTION | Tag::OPTGROUP => {
                if self.stack.in_scope(Tag::SELECT) {
                    // An `optgroup` may contain the option, so it stays open.
                    let except = (token.tag == Tag::OPTION).then_some(Tag::OPTGROUP);
                    self.stack.generate_implied_end_tags(except);
                } else if self.stack.last().is_some_and(|o| o.is(Tag::OPTION)) {
                    self.stack.pop();
                }
                self.reconstruct_formatting();
                self.open(token);
            }
            _ => {
                // § "hr"
                self.close_p_in_button_scope();
                if self.stack.in_scope(Tag::SELECT) {
                    self.stack.generate_implied_end_tags(None);
                }
                self.insert_html_element(token.tag, token.attrs);
                self.frameset_ok = false;
            }
        }
    }

    pub(crate) fn is_hidden_input(&self, token: TagToken) -> bool {
        self.token_attribute(token, "type")
            .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }
}
