//! Complete list of html5ever's deviations from the standard.
//!
//! Comparisons with html5ever set [`ParserState::as_html5ever`], which makes this parser deviate in the
//! same way, so that the trees must be equal.

use super::elements::{
    ANNOTATION, FOREIGN, HTML_POINT, SCOPE, SPECIAL, TEXT_POINT, categories_of, foreign_categories_of,
};
use super::stack::OpenElement;
use super::state::ParserState;
use crate::tree::Tag;

impl ParserState<'_> {
    /// Whether to imitate html5ever; only in tests and with the feature `reference`.
    #[inline]
    fn as_html5ever(&self) -> bool {
        cfg!(any(test, feature = "reference")) && self.as_html5ever
    }

    /// Categories of an HTML element. In html5ever 0.39, `search` is not special yet, and `isindex` still is.
    #[inline]
    pub(crate) fn categories(&self, tag: Tag) -> u16 {
        match tag {
            Tag::SEARCH if self.as_html5ever() => categories_of(tag) & !SPECIAL,
            Tag::ISINDEX if self.as_html5ever() => categories_of(tag) | SPECIAL,
            _ => categories_of(tag),
        }
    }

    /// Categories of a foreign element. In html5ever no foreign element is special, and `annotation-xml` does not end a
    /// scope.
    pub(crate) fn foreign_categories(&self, svg: bool, name: &str) -> u16 {
        let categories = foreign_categories_of(svg, name);
        match self.as_html5ever() {
            false => categories,
            true if categories & ANNOTATION != 0 => categories & !(SPECIAL | SCOPE),
            true => categories & !SPECIAL,
        }
    }

    /// Whether leaving foreign content stops at an element of these categories. html5ever continues past an
    /// `annotation-xml` that is an HTML integration point.
    pub(crate) fn ends_leaving(&self, categories: u16) -> bool {
        if self.as_html5ever() && categories & ANNOTATION != 0 {
            return false;
        }
        // A foreign element ends leaving only if it is an integration point; an HTML element always does.
        categories & FOREIGN == 0 || categories & (TEXT_POINT | HTML_POINT) != 0
    }

    /// A table body is closed only if one of these elements is in table scope. html5ever looks for `table`
    /// instead of `thead`.
    pub(crate) fn table_bodies(&self) -> &'static [Tag] {
        if self.as_html5ever() {
            &[Tag::TABLE, Tag::TBODY, Tag::TFOOT]
        } else {
            &[Tag::TBODY, Tag::TFOOT, Tag::THEAD]
        }
    }

    /// Whether characters are table text because the current node is a template. In html5ever they are not.
    pub(crate) fn is_template_in_table(&self, current: &OpenElement) -> bool {
        current.is(Tag::TEMPLATE) && !self.as_html5ever()
    }

    /// Whether an `input` is ignored because the context of the fragment is a `select`. In html5ever it is not.
    pub(crate) fn drops_input(&self) -> bool {
        self.context
            .is_some_and(|c| c.tag == Tag::SELECT && c.categories & FOREIGN == 0)
            && !self.as_html5ever()
    }

    /// Whether a reference to a line feed (here without its `&`) counts as the newline that is dropped
    /// after `<pre>`. In html5ever a reference without semicolon does not, because a parse error precedes
    /// it.
    pub(crate) fn counts_as_newline(&self, reference: &[u8]) -> bool {
        !self.as_html5ever() || reference.ends_with(b";")
    }

    /// Reports a parse error without a token. html5ever treats the error as the token after `<pre>`.
    #[inline]
    pub(crate) fn note_parse_error(&mut self) {
        if self.as_html5ever() {
            self.skip_newline = false;
        }
    }

    /// Length of a doctype at the start of `rest` that does not end the characters of a table; `None` if
    /// they end. In html5ever no doctype ends them, by the standard every doctype does.
    pub(crate) fn ignored_doctype(&self, rest: &[u8]) -> Option<usize> {
        let doctype = self.as_html5ever()
            && rest.starts_with(b"<!")
            && rest
                .get(2..9)
                .is_some_and(|word| word.eq_ignore_ascii_case(b"doctype"));
        doctype.then(|| rest.iter().position(|&b| b == b'>').map_or(rest.len(), |i| i + 1))
    }
}
