//! Cleaned HTML: the kept text with the elements that carry its structure, and nothing else.

use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::tables::{is_grid, span};
use crate::render::code_language::code_language;
use crate::render::escape::escape;
use crate::render::media::{Formula, Image};
use crate::render::writer::Writer;
use dehusk_html::tree::{Dom, NodeId, Tag};
use dehusk_html::url::Base;

/// Largest depth of elements; of deeper ones only the contents are written.
const MAX_DEPTH: usize = 128;

/// Writes elements without attributes except addresses, spans, numbers of lists and languages of code. The output is well-formed and
/// needs no sanitizing: text is escaped, and addresses are relative or of the web or mail.
pub(super) struct Html<'u> {
    out: String,
    base: Base<'u>,
    /// Open block-level elements of the page, with the name under which they were written.
    blocks: Vec<(NodeId, Option<&'static str>)>,
    /// Whether a `p` is open that the page does not have.
    paragraph: bool,
    /// Open inline elements of the page, with start tag and name; the first `written` of them are open in the output.
    inline: Vec<(NodeId, String, &'static str)>,
    written: usize,
    space: bool,
    /// Whether nothing has been written to the current line.
    line_is_empty: bool,
    pre: usize,
    /// For each open table, whether it is a data table.
    data_tables: Vec<bool>,
}

impl<'u> Html<'u> {
    pub(super) fn new(base: Base<'u>) -> Self {
        Html {
            out: String::new(),
            base,
            blocks: Vec::new(),
            paragraph: false,
            inline: Vec::new(),
            written: 0,
            space: false,
            line_is_empty: true,
            pre: 0,
            data_tables: Vec::new(),
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.end_line();
        self.out
    }

    /// The name of the innermost element written.
    fn parent_name(&self) -> &'static str {
        self.blocks.iter().rev().find_map(|(_, name)| *name).unwrap_or("")
    }

    /// Closes inline elements, and the paragraph that the page does not have.
    fn end_line(&mut self) {
        self.end_inline();
        if std::mem::take(&mut self.paragraph) {
            self.out.push_str("</p>\n");
        }
        (self.space, self.line_is_empty) = (false, true);
    }

    fn end_inline(&mut self) {
        for i in (0..self.written).rev() {
            tag(&mut self.out, "</", self.inline[i].2);
        }
        self.written = 0;
    }

    /// Opens a paragraph for text, unless the parent may hold text itself.
    fn begin_text(&mut self) {
        let parent_name = self.parent_name();
        if !self.paragraph && !TEXT_PARENTS.contains(&parent_name) {
            self.out.push_str("<p>");
            self.paragraph = true;
        }
        if std::mem::take(&mut self.space) && !self.line_is_empty {
            self.out.push(' ');
        }
        self.line_is_empty = false;
        while let Some((_, start, _)) = self.inline.get(self.written) {
            self.out.push_str(start);
            self.written += 1;
        }
    }

    fn open_block(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        self.end_line();
        let parent_name = self.parent_name();
        let grid = self.data_tables.last().copied().unwrap_or(false);
        let name = match tag {
            _ if self.blocks.len() >= MAX_DEPTH || self.pre > 0 => None,
            Tag::PRE => Some("pre"),
            // In a line of its own kind no other may begin.
            _ if matches!(
                parent_name,
                "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "caption" | "summary"
            ) =>
            {
                None
            }
            Tag::P => Some("p"),
            Tag::H1 => Some("h1"),
            Tag::H2 => Some("h2"),
            Tag::H3 => Some("h3"),
            Tag::H4 => Some("h4"),
            Tag::H5 => Some("h5"),
            Tag::H6 => Some("h6"),
            Tag::BLOCKQUOTE => Some("blockquote"),
            Tag::UL | Tag::MENU | Tag::DIR => Some("ul"),
            Tag::OL => Some("ol"),
            Tag::LI if matches!(parent_name, "ul" | "ol") => Some("li"),
            Tag::DL => Some("dl"),
            Tag::DT if parent_name == "dl" => Some("dt"),
            Tag::DD if parent_name == "dl" => Some("dd"),
            Tag::FIGURE => Some("figure"),
            Tag::FIGCAPTION if parent_name == "figure" => Some("figcaption"),
            Tag::DETAILS => Some("details"),
            Tag::SUMMARY if parent_name == "details" => Some("summary"),
            Tag::TABLE => {
                let grid = is_grid(dom, id);
                self.data_tables.push(grid);
                grid.then_some("table")
            }
            Tag::CAPTION if parent_name == "table" => Some("caption"),
            Tag::THEAD if grid && parent_name == "table" => Some("thead"),
            Tag::TBODY if grid && parent_name == "table" => Some("tbody"),
            Tag::TFOOT if grid && parent_name == "table" => Some("tfoot"),
            Tag::TR if grid && matches!(parent_name, "table" | "thead" | "tbody" | "tfoot") => Some("tr"),
            Tag::TD if grid && parent_name == "tr" => Some("td"),
            Tag::TH if grid && parent_name == "tr" => Some("th"),
            _ => None,
        };
        self.blocks.push((id, name));
        let Some(name) = name else { return };
        self.out.push('<');
        self.out.push_str(name);
        match tag {
            Tag::OL => {
                let start = dom.attr(id, "start").and_then(|s| s.trim().parse::<i32>().ok());
                if let Some(start) = start.filter(|&start| start != 1) {
                    self.attribute("start", &start.to_string());
                }
            }
            Tag::TD | Tag::TH => {
                for attribute in ["colspan", "rowspan"] {
                    let span = span(dom, id, attribute);
                    if span > 1 {
                        self.attribute(attribute, &span.to_string());
                    }
                }
            }
            _ => {}
        }
        self.out.push('>');
        if tag == Tag::PRE {
            self.pre += 1;
            let language = code_language(dom, id);
            self.out.push_str("<code");
            if !language.is_empty() {
                self.attribute("class", &format!("language-{language}"));
            }
            self.out.push('>');
        } else if BLOCK_NAMES.contains(&name) {
            self.out.push('\n');
        }
    }

    fn close_block(&mut self, id: NodeId, tag: Tag) {
        if self.blocks.last().is_none_or(|(open, _)| *open != id) {
            return;
        }
        self.end_line();
        let written = self.blocks.pop().and_then(|(_, name)| name);
        if tag == Tag::TABLE {
            self.data_tables.pop();
        }
        let Some(name) = written else { return };
        if name == "pre" {
            self.pre = self.pre.saturating_sub(1);
            self.out.truncate(self.out.trim_end().len());
            self.out.push_str("</code>");
        }
        self::tag(&mut self.out, "</", name);
        self.out.push('\n');
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape(value, &mut self.out);
        self.out.push('"');
    }
}

/// Elements that may hold text directly.
const TEXT_PARENTS: &[&str] = &[
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "dt",
    "dd",
    "td",
    "th",
    "caption",
    "figcaption",
    "figure",
    "summary",
    "pre",
];

/// Elements whose start tag has a line of its own.
const BLOCK_NAMES: &[&str] = &[
    "blockquote",
    "ul",
    "ol",
    "dl",
    "figure",
    "details",
    "table",
    "thead",
    "tbody",
    "tfoot",
    "tr",
];

fn tag(out: &mut String, open: &str, name: &str) {
    out.push_str(open);
    out.push_str(name);
    out.push('>');
}

/// The name under which an inline element is written.
fn inline_name(tag: Tag) -> Option<&'static str> {
    Some(match tag {
        Tag::B | Tag::STRONG => "strong",
        Tag::I | Tag::EM => "em",
        Tag::CODE | Tag::TT => "code",
        Tag::SAMP => "samp",
        Tag::KBD => "kbd",
        Tag::VAR => "var",
        Tag::SUB => "sub",
        Tag::SUP => "sup",
        Tag::DEL | Tag::S | Tag::STRIKE => "del",
        Tag::INS => "ins",
        Tag::MARK => "mark",
        Tag::CITE => "cite",
        Tag::Q => "q",
        _ => return None,
    })
}

impl Writer for Html<'_> {
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        if !is_phrasing(tag) {
            self.open_block(dom, id, tag);
            return;
        }
        if self.pre > 0 || self.inline.len() >= MAX_DEPTH {
            return;
        }
        if tag == Tag::A {
            let target = dom.attr(id, "href").and_then(|href| self.base.resolve(&href));
            let inside = self.inline.iter().any(|(_, _, name)| *name == "a");
            if let Some(target) = target.filter(|_| !inside) {
                let mut start = String::from("<a href=\"");
                escape(&target, &mut start);
                start.push_str("\">");
                self.inline.push((id, start, "a"));
            }
        } else if let Some(name) = inline_name(tag) {
            self.inline.push((id, format!("<{name}>"), name));
        }
    }

    fn close(&mut self, _: &Dom<'_>, id: NodeId, tag: Tag) {
        if !is_phrasing(tag) {
            self.close_block(id, tag);
        } else if self.inline.last().is_some_and(|(open, ..)| *open == id)
            && let Some((_, _, name)) = self.inline.pop()
            && self.written > self.inline.len()
        {
            self.written = self.inline.len();
            self::tag(&mut self.out, "</", name);
        }
    }

    fn text(&mut self, text: &str) {
        if self.pre > 0 {
            if !text.is_empty() {
                self.begin_text();
                escape(text, &mut self.out);
            }
            return;
        }
        for (i, word) in text.split(char::is_whitespace).enumerate() {
            self.space |= i > 0;
            if !word.is_empty() {
                self.begin_text();
                escape(word, &mut self.out);
            }
        }
    }

    fn line_break(&mut self) {
        if self.pre > 0 {
            self.out.push('\n');
        } else if !self.line_is_empty {
            self.out.push_str("<br>");
            (self.space, self.line_is_empty) = (false, true);
        }
    }

    fn image(&mut self, image: &Image) {
        let Some(src) = self.base.resolve(&image.src).filter(|_| self.pre == 0) else {
            return;
        };
        self.begin_text();
        self.out.push_str("<img");
        self.attribute("src", &src);
        self.attribute("alt", &image.alt);
        self.out.push('>');
    }

    fn formula(&mut self, formula: &Formula) {
        if formula.display && self.pre == 0 && !TEXT_PARENTS.contains(&self.parent_name()) {
            self.end_line();
        }
        self.begin_text();
        match (&formula.mathml, &formula.latex) {
            (Some(mathml), _) if self.pre == 0 => self.out.push_str(mathml),
            (_, Some(latex)) => {
                let (open, close) = if formula.display {
                    ("\\[", "\\]")
                } else {
                    ("\\(", "\\)")
                };
                self.out.push_str(open);
                escape(latex, &mut self.out);
                self.out.push_str(close);
            }
            _ => escape(&formula.text, &mut self.out),
        }
    }

    fn written(&self) -> usize {
        self.out.len()
    }
}
