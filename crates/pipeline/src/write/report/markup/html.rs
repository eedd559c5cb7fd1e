//! The only writer of markup.
//!
//! Tags, attribute names and ready-made markup are `'static`: they are in the source of this program. All other text is
//! escaped on its way out, so no call can turn what a page says into markup.

use std::fmt::{Display, Write};

use serde::{Deserialize, Serialize};

use super::escape::{self, Escaped, Sight};

/// Attributes of one element, in order.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// Elements that stand on lines of their own in the source.
const BLOCKS: &[&str] = &[
    "aside",
    "body",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "g",
    "h1",
    "h2",
    "h3",
    "head",
    "header",
    "html",
    "li",
    "line",
    "main",
    "nav",
    "ol",
    "p",
    "rect",
    "section",
    "summary",
    "svg",
    "table",
    "tbody",
    "text",
    "thead",
    "title",
    "tr",
    "ul",
];

/// A page that is being written.
///
/// It can be sent to another process of this program, which trusts it as it trusts itself.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Html {
    out: String,
}

impl Html {
    /// Adds what was written elsewhere.
    pub fn append(&mut self, other: &Html) {
        self.out.push_str(&other.out);
    }

    /// Bytes so far.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// The page.
    pub fn finish(self) -> String {
        self.out
    }

    /// Markup as it is.
    pub fn markup(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// Text, escaped.
    pub fn text(&mut self, text: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(Escaped(&mut self.out), "{text}");
    }

    /// Text of a page, at most `limit` characters of it, with a writing direction of its own.
    pub fn prose(&mut self, text: &str, limit: usize) {
        self.within("bdi", &[], |html| html.foreign(text, Sight::Prose, limit));
    }

    /// A name that a page gave, such as an id: invisible characters are shown.
    pub fn exact(&mut self, text: &str, limit: usize) {
        self.within("code", &[], |html| {
            html.within("bdi", &[], |html| html.foreign(text, Sight::Exact, limit));
        });
    }

    /// A foreign address, as a link if it is safe to follow.
    pub fn address(&mut self, url: &str, limit: usize) {
        match escape::link(url) {
            Some(href) => self.within("a", &[("href", &href), ("rel", &"noopener noreferrer")], |html| {
                html.within("bdi", &[], |html| html.foreign(url, Sight::Exact, limit));
            }),
            None => self.exact(url, limit),
        }
    }

    fn foreign(&mut self, text: &str, sight: Sight, limit: usize) {
        let mut chars = text.chars();
        for c in chars.by_ref().take(limit) {
            if sight.hides(c) {
                self.element("span", &[("class", &"cp")], escape::code_point(c));
            } else {
                escape::push(&mut self.out, c);
            }
        }
        if chars.next().is_some() {
            self.element(
                "span",
                &[("class", &"cut"), ("title", &"The rest is not shown")],
                "…",
            );
        }
    }

    /// An element around what `body` writes.
    pub fn within(&mut self, tag: &'static str, attributes: Attributes<'_>, body: impl FnOnce(&mut Html)) {
        self.open(tag, attributes);
        body(self);
        self.close(tag);
    }

    /// The beginning of an element whose end [`close`](Html::close) writes: for trees whose depth others decide.
    pub fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.out.push('>');
    }

    /// The end of an element.
    pub fn close(&mut self, tag: &'static str) {
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
        self.end_line(tag);
    }

    /// An element with text, escaped.
    pub fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, text: impl Display) {
        self.within(tag, attributes, |html| html.text(text));
    }

    /// An element of HTML that has no content and no end tag.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.out.push_str(">\n");
    }

    /// An element of SVG without content.
    pub fn shape(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.out.push_str("/>");
        self.end_line(tag);
    }

    fn start(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"");
            let _ = write!(Escaped(&mut self.out), "{value}");
            self.out.push('"');
        }
    }

    fn end_line(&mut self, tag: &str) {
        if BLOCKS.contains(&tag) {
            self.out.push('\n');
        }
    }
}
