//! Writes HTML that expresses structure and nothing else.

use std::collections::BTreeSet;

use crate::document::inline::{CodeKind, Formula, Inline, Mark, Player, Span};
use crate::document::markup::escape;
use crate::document::mathml;
use crate::document::tree::{Block, Cell, Document, List, Row, Table, is_compact};
use dehusk_html::url::is_followed;

/// Renders the document as HTML of about `most` bytes. The flag is whether it was cut.
pub(super) fn html(document: &Document, most: usize) -> (String, bool) {
    let mut html = Html::within(most);
    html.blocks(&document.blocks);
    if !document.notes.is_empty() {
        html.out.push_str("<section class=\"footnotes\">\n<ol>\n");
        let mut next = 1;
        for note in &document.notes {
            let number = note.number;
            html.out.push_str(&format!("<li id=\"fn-{number}\""));
            // `<ol>` counts by itself, so a number is written only where it does not continue the count.
            if number != next {
                html.attribute("value", &number.to_string());
            }
            next = number.saturating_add(1);
            html.out.push('>');
            html.parts(&note.blocks);
            html.out.push_str("</li>\n");
        }
        html.out.push_str("</ol>\n</section>\n");
    }
    (html.out, html.cut)
}

/// Renders a table as HTML of about `most` bytes, without empty lines.
pub(super) fn table_html(table: &Table, most: usize) -> String {
    let mut html = Html::within(most);
    html.in_markdown = true;
    html.table(table);
    html.out
}

/// HTML writer.
///
/// The only attributes are addresses, titles, spans, alignment, list numbering, code languages, and ids and classes of notes. The output is
/// well-formed and needs no sanitizing: text is escaped, and addresses are relative or have the scheme http, https, ftp or mailto.
struct Html {
    out: String,
    most: usize,
    cut: bool,
    /// Numbers of notes that were referenced already, so that ids are unique.
    called: BTreeSet<u32>,
    /// Whether the writer is inside a link, which cannot contain another.
    linked: bool,
    /// Whether line ends inside code are encoded, so that no line is empty.
    in_markdown: bool,
}

impl Html {
    fn within(most: usize) -> Self {
        Html {
            out: String::new(),
            most,
            cut: false,
            called: BTreeSet::new(),
            linked: false,
            in_markdown: false,
        }
    }

    /// Writes text whose line ends count.
    fn code(&mut self, text: &str) {
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                self.out.push_str(if self.in_markdown { "&#10;" } else { "\n" });
            }
            escape(line, &mut self.out);
        }
    }

    /// Writes an attribute with its value escaped.
    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape(value, &mut self.out);
        self.out.push('"');
    }

    fn open(&mut self, name: &str) {
        self.out.push('<');
        self.out.push_str(name);
        self.out.push('>');
    }

    fn close(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            if self.is_full() {
                return;
            }
            self.block(block);
        }
    }

    /// Whether the limit is reached. Asked between blocks, items and rows, so that every element is closed.
    fn is_full(&mut self) -> bool {
        self.cut |= self.out.len() > self.most;
        self.cut
    }

    /// Writes the content of a list item, a cell or a similar container.
    fn parts(&mut self, blocks: &[Block]) {
        // The only paragraph needs no tag: `<li>text</li>`.
        match blocks.split_first() {
            Some((Block::Paragraph { inlines, .. }, rest)) if is_compact(blocks) => {
                self.inlines(inlines);
                self.blocks(rest);
            }
            _ => self.blocks(blocks),
        }
        // The end tag is written on the same line.
        self.out.truncate(self.out.trim_end_matches('\n').len());
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph { inlines, .. } => {
                self.open("p");
                self.inlines(inlines);
                self.out.push_str("</p>\n");
            }
            Block::Heading { level, inlines, .. } => {
                let name = heading_name(*level);
                self.open(name);
                self.inlines(inlines);
                self.close(name);
                self.out.push('\n');
            }
            Block::List(list) => self.list(list),
            Block::Definitions { items } => {
                self.out.push_str("<dl>\n");
                for item in items {
                    for term in &item.terms {
                        self.open("dt");
                        self.inlines(term);
                        self.out.push_str("</dt>\n");
                    }
                    for blocks in &item.definitions {
                        self.open("dd");
                        self.parts(blocks);
                        self.out.push_str("</dd>\n");
                    }
                }
                self.out.push_str("</dl>\n");
            }
            Block::Table(table) => self.table(table),
            Block::Code {
                language,
                text,
                links,
            } => {
                self.out.push_str("<pre><code");
                if let Some(language) = language {
                    self.attribute("class", &format!("language-{language}"));
                }
                self.out.push('>');
                let mut written = 0;
                for link in links.iter().filter(|link| is_followed(&link.target)) {
                    // A document read from JSON may have any range.
                    let (before, linked) = (text.get(written..link.start), text.get(link.start..link.end));
                    if let (Some(before), Some(linked)) = (before, linked) {
                        self.code(before);
                        self.out.push_str("<a");
                        self.attribute("href", &link.target);
                        self.out.push('>');
                        self.code(linked);
                        self.out.push_str("</a>");
                        written = link.end;
                    }
                }
                self.code(&text[written..]);
                self.out.push_str("</code></pre>\n");
            }
            Block::Quote { blocks } => {
                self.out.push_str("<blockquote>\n");
                self.blocks(blocks);
                self.out.push_str("</blockquote>\n");
            }
            Block::Formula(formula) => {
                self.open("p");
                self.formula(formula);
                self.out.push_str("</p>\n");
            }
            Block::Figure { blocks, caption } => {
                self.out.push_str("<figure>\n");
                for block in blocks {
                    match block {
                        // The images of a figure need no paragraph around them.
                        Block::Paragraph { inlines, .. } if holds_images_alone(inlines) => {
                            self.inlines(inlines);
                            self.out.push('\n');
                        }
                        block => self.block(block),
                    }
                }
                if !caption.is_empty() {
                    self.open("figcaption");
                    self.inlines(caption);
                    self.out.push_str("</figcaption>\n");
                }
                self.out.push_str("</figure>\n");
            }
        }
    }

    fn list(&mut self, list: &List) {
        let name = if list.ordered { "ol" } else { "ul" };
        self.out.push('<');
        self.out.push_str(name);
        if let Some(start) = list.start {
            self.attribute("start", &start.to_string());
        }
        if list.reversed {
            self.out.push_str(" reversed");
        }
        if let Some(style) = list.style {
            self.attribute("type", style.encode_utf8(&mut [0; 4]));
        }
        self.out.push_str(">\n");
        for item in &list.items {
            if self.is_full() {
                break;
            }
            self.out.push_str("<li");
            if let Some(value) = item.value.filter(|_| list.ordered) {
                self.attribute("value", &value.to_string());
            }
            self.out.push('>');
            match item.checked {
                Some(true) => self.out.push_str("<input type=\"checkbox\" disabled checked> "),
                Some(false) => self.out.push_str("<input type=\"checkbox\" disabled> "),
                None => {}
            }
            self.parts(&item.blocks);
            self.out.push_str("</li>\n");
        }
        self.close(name);
        self.out.push('\n');
    }

    fn table(&mut self, table: &Table) {
        self.out.push_str("<table>\n");
        if !table.caption.is_empty() {
            self.open("caption");
            self.inlines(&table.caption);
            self.out.push_str("</caption>\n");
        }
        // A document read from JSON may count more header rows than it has.
        let (head, body) = table.rows.split_at(table.head.min(table.rows.len()));
        for (name, rows) in [("thead", head), ("tbody", body)] {
            if !rows.is_empty() {
                self.open(name);
                self.out.push('\n');
                rows.iter().for_each(|row| self.row(row));
                self.close(name);
                self.out.push('\n');
            }
        }
        self.out.push_str("</table>\n");
    }

    fn row(&mut self, row: &Row) {
        if self.is_full() {
            return;
        }
        self.out.push_str("<tr>\n");
        for cell in &row.cells {
            self.cell(cell);
        }
        self.out.push_str("</tr>\n");
    }

    fn cell(&mut self, cell: &Cell) {
        let name = if cell.header { "th" } else { "td" };
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, span) in [("colspan", cell.colspan), ("rowspan", cell.rowspan)] {
            if span > 1 {
                self.attribute(attribute, &span.to_string());
            }
        }
        if let Some(align) = cell.align {
            self.attribute("align", align.name());
        }
        self.out.push('>');
        self.parts(&cell.blocks);
        self.close(name);
        self.out.push('\n');
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text(text) => escape(text, &mut self.out),
                Inline::Span(span) => self.span(span),
            }
        }
    }

    fn span(&mut self, span: &Span) {
        match span {
            Span::Marked { mark, inlines } => {
                let name = mark_name(*mark);
                self.open(name);
                self.inlines(inlines);
                self.close(name);
            }
            Span::Code { of, text } => {
                let name = code_name(*of);
                self.open(name);
                escape(text, &mut self.out);
                self.close(name);
            }
            Span::Link {
                target,
                title,
                inlines,
            } => {
                // A document read from JSON may contain any address, and links inside links, which HTML cannot nest.
                if self.linked || !is_followed(target) {
                    return self.inlines(inlines);
                }
                self.out.push_str("<a");
                self.attribute("href", target);
                if let Some(title) = title {
                    self.attribute("title", title);
                }
                self.out.push('>');
                // Players inside the link are then written without a link of their own.
                let linked = std::mem::replace(&mut self.linked, true);
                self.inlines(inlines);
                self.linked = linked;
                self.out.push_str("</a>");
            }
            Span::Image(image) if is_followed(&image.src) => {
                self.out.push_str("<img");
                self.attribute("src", &image.src);
                self.attribute("alt", &image.alt);
                if let Some(title) = &image.title {
                    self.attribute("title", title);
                }
                self.out.push('>');
            }
            Span::Image(image) => escape(&image.alt, &mut self.out),
            Span::Player(player) => self.player(player),
            Span::Formula(formula) => self.formula(formula),
            // Renderers of Markdown choose the ids of notes themselves, so there is nothing to link to.
            Span::Note { number } if self.in_markdown => {
                self.out.push_str(&format!("<sup>{number}</sup>"));
            }
            Span::Note { number } => {
                self.out.push_str("<sup><a");
                self.attribute("href", &format!("#fn-{number}"));
                // Only the first reference gets the id, so that ids are unique.
                if self.called.insert(*number) {
                    self.attribute("id", &format!("fnref-{number}"));
                }
                self.out.push_str(&format!(">{number}</a></sup>"));
            }
            Span::Break => self.out.push_str("<br>"),
            Span::Ruby { parts } => {
                self.open("ruby");
                for part in parts {
                    escape(&part.base, &mut self.out);
                    self.out.push_str("<rp>(</rp><rt>");
                    escape(&part.reading, &mut self.out);
                    self.out.push_str("</rt><rp>)</rp>");
                }
                self.close("ruby");
            }
        }
    }

    /// Writes a player as its poster or label, linked unless it is inside a link.
    fn player(&mut self, player: &Player) {
        let src = player.src.as_ref().filter(|src| !self.linked && is_followed(src));
        if let Some(src) = src {
            self.out.push_str("<a");
            self.attribute("href", src);
            self.out.push('>');
        }
        match player.poster.as_ref().filter(|poster| is_followed(poster)) {
            Some(poster) => {
                self.out.push_str("<img");
                self.attribute("src", poster);
                self.attribute("alt", player.title.as_deref().unwrap_or_default());
                self.out.push('>');
            }
            None => escape(player.label(), &mut self.out),
        }
        if src.is_some() {
            self.out.push_str("</a>");
        }
    }

    /// Writes a formula as MathML, as TeX between `\(` and `\)` or `\[` and `\]`, or as its plain characters.
    fn formula(&mut self, formula: &Formula) {
        match (&formula.mathml, &formula.tex) {
            // MathML of this crate has known elements and attributes only; a document read from JSON may
            // contain any.
            (Some(mathml), _) if is_math(mathml) => self.out.push_str(mathml),
            (_, Some(tex)) => {
                let (open, close) = if formula.display {
                    ("\\[", "\\]")
                } else {
                    ("\\(", "\\)")
                };
                self.out.push_str(open);
                escape(tex, &mut self.out);
                self.out.push_str(close);
            }
            _ => escape(&formula.text, &mut self.out),
        }
    }
}

/// Whether `text` is MathML as this crate writes it: known elements, and only attributes, as `name="value"`,
/// that cannot hold addresses or scripts.
fn is_math(text: &str) -> bool {
    let mut rest = text;
    if !rest.starts_with("<math") {
        return false;
    }
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>') else {
            return false;
        };
        // A value with `>` ends the tag early; it then lacks its closing quotation mark and is rejected
        // below.
        let tag = &rest[start + 1..start + end];
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let name = name.strip_prefix('/').unwrap_or(name);
        if !mathml::ELEMENTS.contains(&name) {
            return false;
        }
        let mut attributes = attributes;
        while !attributes.is_empty() {
            let Some((name, behind)) = attributes.split_once("=\"") else {
                return false;
            };
            let Some((_, behind)) = behind.split_once('"') else {
                return false;
            };
            if !mathml::ATTRIBUTES.contains(&name.trim()) {
                return false;
            }
            attributes = behind.trim_start();
        }
        rest = &rest[start + end + 1..];
    }
    true
}

/// Whether inlines consist of images only, linked or not. False without inlines.
pub(crate) fn holds_images_alone(inlines: &[Inline]) -> bool {
    !inlines.is_empty()
        && inlines.iter().all(|inline| match inline {
            Inline::Text(text) => text.trim().is_empty(),
            Inline::Span(span) => match &**span {
                Span::Image(_) => true,
                Span::Link { inlines, .. } => holds_images_alone(inlines),
                _ => false,
            },
        })
}

/// Element name of a heading. Levels outside of 1 to 6 are cut to this range.
fn heading_name(level: u8) -> &'static str {
    match level {
        0 | 1 => "h1",
        2 => "h2",
        3 => "h3",
        4 => "h4",
        5 => "h5",
        _ => "h6",
    }
}

/// HTML element name of a mark.
pub(super) fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::Emphasis => "em",
        Mark::Strong => "strong",
        Mark::Deleted => "del",
        Mark::Inserted => "ins",
        Mark::Highlight => "mark",
        Mark::Subscript => "sub",
        Mark::Superscript => "sup",
        Mark::Quote => "q",
        Mark::Title => "cite",
        Mark::Variable => "var",
    }
}

/// Element name of inline code.
fn code_name(kind: CodeKind) -> &'static str {
    match kind {
        CodeKind::Code => "code",
        CodeKind::Keyboard => "kbd",
        CodeKind::Sample => "samp",
    }
}
