//! Where html5ever departs from the standard and we do not.
//!
//! A comparison with html5ever asks for its ways by [`ParserState::as_html5ever`]; what is left must be equal. This file
//! is the whole list.

use super::elements::{
    ANNOTATION, FOREIGN, HTML_POINT, SCOPE, SPECIAL, TEXT_POINT, class_of, foreign_class_of,
};
use super::stack::Open;
use super::state::ParserState;
use crate::tree::Tag;

impl ParserState<'_> {
    /// Whether the comparison is on. Never outside of tests and of the feature `reference`.
    #[inline]
    fn as_html5ever(&self) -> bool {
        cfg!(any(test, feature = "reference")) && self.as_html5ever
    }

    /// The properties of an HTML element. In html5ever 0.39 `search` is not special yet and `isindex` still is.
    #[inline]
    pub(crate) fn class(&self, tag: Tag) -> u16 {
        match tag {
            Tag::SEARCH if self.as_html5ever() => class_of(tag) & !SPECIAL,
            Tag::ISINDEX if self.as_html5ever() => class_of(tag) | SPECIAL,
            _ => class_of(tag),
        }
    }

    /// The properties of a foreign element. In html5ever none of them is special, and `annotation-xml` does not end a
    /// scope.
    pub(crate) fn foreign_class(&self, svg: bool, name: &str) -> u16 {
        let class = foreign_class_of(svg, name);
        match self.as_html5ever() {
            false => class,
            true if class & ANNOTATION != 0 => class & !(SPECIAL | SCOPE),
            true => class & !SPECIAL,
        }
    }

    /// Whether leaving foreign content stops at an element of this class. html5ever goes past an `annotation-xml` that is
    /// an HTML integration point.
    pub(crate) fn ends_leaving(&self, class: u16) -> bool {
        if self.as_html5ever() && class & ANNOTATION != 0 {
            return false;
        }
        class & FOREIGN == 0 || class & (TEXT_POINT | HTML_POINT) != 0
    }

    /// One of which must be in table scope for a table body to be closed. html5ever looks for `table` instead of `thead`.
    pub(crate) fn table_bodies(&self) -> &'static [Tag] {
        if self.as_html5ever() {
            &[Tag::TABLE, Tag::TBODY, Tag::TFOOT]
        } else {
            &[Tag::TBODY, Tag::TFOOT, Tag::THEAD]
        }
    }

    /// Whether characters in this element are table text for being in a template. In html5ever they are not.
    pub(crate) fn is_template_in_table(&self, current: &Open) -> bool {
        current.is(Tag::TEMPLATE) && !self.as_html5ever()
    }

    /// Whether an `input` is ignored, as in the contents of a `select`. In html5ever it is not.
    pub(crate) fn drops_input(&self) -> bool {
        self.context
            .is_some_and(|c| c.tag == Tag::SELECT && c.class & FOREIGN == 0)
            && !self.as_html5ever()
    }

    /// Whether a reference to a line feed, without its `&`, is the newline that is dropped behind `<pre>`. In html5ever a
    /// parse error between keeps it.
    pub(crate) fn counts_as_newline(&self, reference: &[u8]) -> bool {
        !self.as_html5ever() || reference.ends_with(b";")
    }

    /// A parse error without a token. html5ever takes it for the token behind `<pre>`.
    #[inline]
    pub(crate) fn note_parse_error(&mut self) {
        if self.as_html5ever() {
            self.skip_newline = false;
        }
    }

    /// Length of the doctype that `rest` begins with, if it does not end the characters of a table. In html5ever none does.
    pub(crate) fn ignored_doctype(&self, rest: &[u8]) -> Option<usize> {
        let doctype = self.as_html5ever()
            && rest.starts_with(b"<!")
            && rest
                .get(2..9)
                .is_some_and(|word| word.eq_ignore_ascii_case(b"doctype"));
        doctype.then(|| rest.iter().position(|&b| b == b'>').map_or(rest.len(), |i| i + 1))
    }
}
