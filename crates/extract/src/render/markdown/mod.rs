//! Markdown: CommonMark with tables and text that is struck through, as GitHub has them. Text above and below the line, for which there
//! are no marks, stands between tags of HTML.

mod escape;
mod line;
mod table;

use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::tables::{is_grid, span};
use crate::render::code_language::code_language;
use crate::render::markdown::escape::escape;
use crate::render::markdown::line::{Line, Span};
use crate::render::markdown::table::{MAX_GRID, Table};
use crate::render::media::{Formula, Image};
use crate::render::writer::Writer;
use dehusk_html::tree::{Dom, NodeId, Tag};
use dehusk_html::url::Base;

/// Largest depth of nested quotes.
const MAX_QUOTES: usize = 32;

/// Writes Markdown block by block.
pub(super) struct Markdown<'u> {
    out: String,
    base: Base<'u>,
    /// Whether the targets of links are written.
    links: bool,
    /// Whether images are written.
    images: bool,
    line: Line,
    /// The prefix of every line: `> ` and the indentation of list items.
    prefix: Vec<String>,
    /// The marker of a list item, which replaces the innermost indentation in the first line.
    marker: Option<String>,
    lists: Vec<Option<u32>>,
    /// Whether an empty line is to be written before the next line.
    needs_gap: bool,
    /// Whether a quote has just begun, so that no empty line is needed.
    quote_begins: bool,
    heading: usize,
    pre: Option<String>,
    language: String,
    quotes: usize,
    table: Option<Table>,
}

impl<'u> Markdown<'u> {
    pub(super) fn new(base: Base<'u>, links: bool, images: bool) -> Self {
        Markdown {
            out: String::new(),
            base,
            links,
            images,
            line: Line::default(),
            prefix: Vec::new(),
            marker: None,
            lists: Vec::new(),
            needs_gap: false,
            quote_begins: false,
            heading: 0,
            pre: None,
            language: String::new(),
            quotes: 0,
            table: None,
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.end_line();
        self.out.truncate(self.out.trim_end().len());
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// Ends the current line. The next line belongs to the same paragraph unless a gap is requested.
    fn end_line(&mut self) {
        let line = self.line.take();
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let heading = self.heading;
        let marked = if heading > 0 {
            format!("{} {line}", "#".repeat(heading))
        } else {
            line.to_owned()
        };
        self.put(&marked);
    }

    fn end_block(&mut self) {
        self.end_line();
        // The first block of an item follows its marker on the same line.
        self.needs_gap |= self.marker.is_none();
    }

    /// Writes a requested empty line.
    fn put_gap(&mut self) {
        let due = std::mem::take(&mut self.needs_gap) && !std::mem::take(&mut self.quote_begins);
        if due && !self.out.is_empty() {
            let prefix = self.prefix.concat();
            self.out.push_str(prefix.trim_end());
            self.out.push('\n');
        }
    }

    fn put(&mut self, line: &str) {
        self.put_gap();
        self.quote_begins = false;
        let inner = self.prefix.len().saturating_sub(1);
        match self.marker.take() {
            Some(marker) => {
                self.out.push_str(&self.prefix[..inner].concat());
                self.out.push_str(&marker);
            }
            None => self.out.push_str(&self.prefix.concat()),
        }
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Writes a line that ends in a hard break: a backslash at its end, which must not end a block.
    fn put_break(&mut self) {
        if let Some(line) = self.line.take_before_break() {
            self.put(&format!("{}\\", line.trim()));
        }
    }

    fn word(&mut self, word: &str) {
        self.put_break();
        self.line.add_word(word, self.heading == 0);
    }

    /// Appends text without escaping it.
    fn raw(&mut self, text: &str) {
        self.put_break();
        self.line.add_raw(text, self.heading == 0);
    }

    fn end_cell(&mut self) {
        let text = self.line.take();
        if let Some(cell) = self
            .table
            .as_mut()
            .and_then(|t| t.rows.last_mut())
            .and_then(|r| r.last_mut())
        {
            if !cell.is_empty() && !text.trim().is_empty() {
                cell.push_str("<br>");
            }
            cell.push_str(&text.trim().replace('|', "\\|"));
        }
    }

    fn end_table(&mut self) {
        let Some(mut table) = self.table.take() else {
            return;
        };
        table.pad_spans();
        let columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
        if !table.caption.is_empty() {
            self.put(&table.caption);
            self.needs_gap = true;
        }
        for (i, row) in table.rows.iter().enumerate() {
            let mut line = String::from("|");
            let width = if columns * table.rows.len() > MAX_GRID {
                row.len()
            } else {
                columns
            };
            for column in 0..width {
                line.push(' ');
                line.push_str(row.get(column).map_or("", |c| c));
                line.push_str(" |");
            }
            self.put(&line);
            if i == 0 {
                self.put(&format!("|{}", " --- |".repeat(columns)));
            }
        }
        self.needs_gap = true;
    }

    /// Whether a cell is open. Cells have no lines, so a space is written instead of a line end.
    fn in_cell(&self) -> bool {
        self.table.as_ref().is_some_and(|t| !t.rows.is_empty())
    }
}

impl Writer for Markdown<'_> {
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        if let Some(table) = &mut self.table {
            match tag {
                Tag::TABLE => table.depth += 1,
                Tag::TR if table.depth == 1 => {
                    table.pad_spans();
                    table.rows.push(Vec::new());
                }
                Tag::TD | Tag::TH if table.depth == 1 => {
                    table.begin_cell(span(dom, id, "colspan"), span(dom, id, "rowspan"));
                }
                _ if is_phrasing(tag) => self.open_inline(dom, id, tag),
                _ => self.end_cell(),
            }
            return;
        }
        match tag {
            Tag::PRE => {
                self.end_block();
                self.pre = Some(String::new());
                self.language = code_language(dom, id);
            }
            Tag::BLOCKQUOTE => {
                self.end_block();
                self.put_gap();
                self.quotes += 1;
                if self.quotes <= MAX_QUOTES {
                    self.prefix.push("> ".to_owned());
                    self.quote_begins = true;
                }
            }
            Tag::UL | Tag::MENU | Tag::DIR => self.open_list(None),
            Tag::OL => {
                let start = dom.attr(id, "start").and_then(|s| s.trim().parse().ok());
                self.open_list(Some(start.unwrap_or(1)));
            }
            Tag::LI if !self.lists.is_empty() && self.lists.len() <= 32 => {
                self.end_line();
                let marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let marker = format!("{number}. ");
                        *number = number.saturating_add(1);
                        marker
                    }
                    _ => "- ".to_owned(),
                };
                self.prefix.push(" ".repeat(marker.len()));
                self.marker = Some(marker);
            }
            Tag::TABLE if is_grid(dom, id) => {
                self.end_block();
                self.table = Some(Table {
                    depth: 1,
                    ..Table::default()
                });
            }
            _ if tag.heading_level().is_some() => {
                self.end_block();
                self.heading = tag.heading_level().map_or(0, usize::from);
            }
            _ if is_phrasing(tag) => self.open_inline(dom, id, tag),
            _ => self.end_block(),
        }
    }

    fn close(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        if let Some(table) = &mut self.table {
            match tag {
                Tag::TABLE => {
                    table.depth -= 1;
                    if table.depth == 0 {
                        self.end_cell();
                        self.end_table();
                    }
                }
                Tag::CAPTION => table.caption = self.line.take().trim().to_owned(),
                _ if is_phrasing(tag) => self.close_inline(tag),
                _ => self.end_cell(),
            }
            return;
        }
        match tag {
            Tag::PRE => self.end_code(),
            Tag::BLOCKQUOTE => {
                self.end_block();
                if self.quotes <= MAX_QUOTES {
                    self.prefix.pop();
                }
                self.quotes = self.quotes.saturating_sub(1);
            }
            Tag::UL | Tag::MENU | Tag::DIR | Tag::OL => {
                self.end_line();
                self.lists.pop();
                self.needs_gap = self.lists.is_empty();
            }
            Tag::LI if !self.lists.is_empty() && self.lists.len() <= 32 => {
                self.end_line();
                self.prefix.pop();
                self.marker = None;
                self.needs_gap = false;
            }
            Tag::DT | Tag::DD => self.end_line(),
            _ if tag.heading_level().is_some() => {
                self.end_block();
                self.heading = 0;
            }
            _ if is_phrasing(tag) => self.close_inline(tag),
            _ => self.end_block(),
        }
        let _ = (dom, id);
    }

    fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.pre {
            code.extend(text.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c }));
            return;
        }
        for (i, word) in text.split(char::is_whitespace).enumerate() {
            if i > 0 {
                self.line.add_space();
            }
            if !word.is_empty() {
                self.word(word);
            }
        }
    }

    fn line_break(&mut self) {
        if let Some(code) = &mut self.pre {
            code.push('\n');
        } else if self.in_cell() {
            self.end_cell();
        } else if self.heading > 0 {
            self.line.add_space();
        } else {
            self.line.add_break();
        }
    }

    fn image(&mut self, image: &Image) {
        if !self.images || self.pre.is_some() {
            return;
        }
        let Some(target) = self.target(&image.src) else {
            return;
        };
        let mut alt = String::new();
        for word in image.alt.split(' ') {
            if !alt.is_empty() {
                alt.push(' ');
            }
            escape(word, false, &mut alt);
        }
        self.raw(&format!("![{alt}]({target})"));
    }

    fn formula(&mut self, formula: &Formula) {
        match &formula.latex {
            _ if self.pre.is_some() => self.text(&formula.text),
            None => self.text(&formula.text),
            Some(latex) if formula.display && self.heading == 0 && !self.in_cell() => {
                self.end_block();
                self.put(&format!("$${latex}$$"));
                self.needs_gap = true;
            }
            Some(latex) => self.raw(&format!("${latex}$")),
        }
    }

    fn written(&self) -> usize {
        self.out.len() + self.line.len()
    }
}

impl Markdown<'_> {
    fn open_list(&mut self, number: Option<u32>) {
        if self.lists.is_empty() {
            self.end_block();
        } else {
            self.end_line();
        }
        self.lists.push(number);
    }

    fn open_inline(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        if let Some(span) = self.span(dom, id, tag) {
            self.line.open(span);
        }
    }

    fn close_inline(&mut self, tag: Tag) {
        if mark(tag).is_some() || tag == Tag::A {
            self.line.close();
        }
    }

    /// How a phrasing element is marked, if some are of its kind.
    fn span(&self, dom: &Dom<'_>, id: NodeId, tag: Tag) -> Option<Span> {
        if tag != Tag::A {
            return mark(tag);
        }
        let href = dom.attr(id, "href").filter(|_| self.links && self.pre.is_none());
        let target = href.and_then(|href| self.target(&href));
        Some(target.map_or(Span::Plain, Span::Link))
    }

    /// The target of a link, escaped for parentheses; a relative one if the address of the page is not known.
    fn target(&self, href: &str) -> Option<String> {
        let absolute = self.base.resolve(href)?;
        let mut out = String::with_capacity(absolute.len());
        for c in absolute.chars() {
            match c {
                '(' => out.push_str("%28"),
                ')' => out.push_str("%29"),
                '<' => out.push_str("%3C"),
                '>' => out.push_str("%3E"),
                ' ' => out.push_str("%20"),
                c => out.push(c),
            }
        }
        Some(out)
    }

    fn end_code(&mut self) {
        let Some(code) = self.pre.take() else { return };
        let code = code.trim_matches('\n');
        if code.trim().is_empty() {
            return;
        }
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let language = std::mem::take(&mut self.language);
        self.put(&format!("{fence}{language}"));
        for line in code.lines() {
            self.put(line.trim_end());
        }
        self.put(&fence);
        self.needs_gap = true;
    }
}

/// How elements of a kind are marked.
fn mark(tag: Tag) -> Option<Span> {
    Some(match tag {
        Tag::B | Tag::STRONG => Span::Marked("**", "**"),
        Tag::I | Tag::EM => Span::Marked("*", "*"),
        Tag::DEL | Tag::S | Tag::STRIKE => Span::Marked("~~", "~~"),
        Tag::SUP => Span::Marked("<sup>", "</sup>"),
        Tag::SUB => Span::Marked("<sub>", "</sub>"),
        Tag::CODE | Tag::TT | Tag::SAMP | Tag::KBD => Span::Code,
        _ => return None,
    })
}
