//! The only writer of markup.
//!
//! Tags, attribute names and literal markup are `'static`, so they come from the source of this program.
//! All other text is escaped when it is written. So no call can turn content of a page into markup.

use std::fmt::{Display, Write};

use serde::{Deserialize, Serialize};

use super::escape::{self, Escaped, Sight};

/// Attributes of one element, in order.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// Elements that are followed by a line feed in the source.
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

/// An HTML page that is being written.
///
/// It can be sent to another process of this program, which trusts it like markup of its own.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Html {
    out: String,
}

impl Html {
    /// Appends markup that was written to another `Html`.
    pub fn append(&mut self, other: &Html) {
        self.out.push_str(&other.out);
    }

    /// Number of bytes written so far.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// The finished page.
    pub fn finish(self) -> String {
        self.out
    }

    /// Appends literal markup unchanged.
    pub fn markup(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// Appends text, escaped.
    pub fn text(&mut self, text: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(Escaped(&mut self.out), "{text}");
    }

    /// Appends at most `limit` characters of untrusted text. `bdi` isolates its writing direction.
    pub fn prose(&mut self, text: &str, limit: usize) {
        self.within("bdi", &[], |html| html.foreign(text, Sight::Prose, limit));
    }

    /// Appends at most `limit` characters of an untrusted name, such as an id. Invisible characters are shown as code points.
    pub fn exact(&mut self, text: &str, limit: usize) {
        self.within("code", &[], |html| {
            html.within("bdi", &[], |html| html.foreign(text, Sight::Exact, limit));
        });
    }

    /// Appends an untrusted address, as a link if it is safe to follow.
    pub fn address(&mut self, url: &str, limit: usize) {
        match escape::link(url) {
            Some(href) => self.within("a", &[("href", &href), ("rel", &"noopener noreferrer")], |html| {
                html.within("bdi", &[], |html| html.foreign(url, Sight::Exact, limit));
            }),
            None => self.exact(url, limit),
        }
    }

    /// Appends at most `limit` characters. An ellipsis stands for the rest.
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

    /// Appends an element with the content that `body` writes.
    pub fn within(&mut self, tag: &'static str, attributes: Attributes<'_>, body: impl FnOnce(&mut Html)) {
        self.open(tag, attributes);
        body(self);
        self.close(tag);
    }

    /// Appends a start tag; [`close`](Html::close) appends its end tag. For trees whose depth depends on
    /// the input, which closures would follow by recursion.
    pub fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.out.push('>');
    }

    /// Appends an end tag.
    pub fn close(&mut self, tag: &'static str) {
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
        self.end_line(tag);
    }

    /// Appends an element with escaped text.
    pub fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, text: impl Display) {
        self.within(tag, attributes, |html| html.text(text));
    }

    /// Appends an HTML element without content and end tag.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.out.push_str(">\n");
    }

    /// Appends an empty SVG element.
    pub fn shape(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.out.push_str("/>");
        self.end_line(tag);
    }

    /// Appends a start tag without its end.
    fn start(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"");
            // Attribute values are quoted, and quotes in them escaped.
            let _ = write!(Escaped(&mut self.out), "{value}");
            self.out.push('"');
        }
    }

    /// Appends a line feed after some elements, for readable sources and differences.
    fn end_line(&mut self, tag: &str) {
        if BLOCKS.contains(&tag) {
            self.out.push('\n');
        }
    }
}
