//! Markdown: CommonMark with GitHub's tables, strikethrough and task lists, and, unless turned off, with
//! footnotes, definition lists and formulas between dollars. Constructs without Markdown syntax are written
//! as HTML tags.

mod escape;
mod inline;
mod options;

use crate::document::grid::Place as Square;
use crate::document::html::{holds_images_alone, table_html};
use crate::document::inline::{Inline, Mark, Span};
use crate::document::markdown::inline::{Place, inlines};
use crate::document::plain::inline_text;
use crate::document::tree::{Align, Block, Cell, Definition, Document, List, Note, Table, is_compact};

pub use options::{MarkdownExtensions, MarkdownOptions, MarkdownTables};

/// Maximum number of grid positions of a table; short rows are padded with empty cells.
const MAX_GRID: usize = 100_000;

/// Renders the document as Markdown of about `most` bytes. The flag is whether it was cut.
pub(super) fn markdown(document: &Document, options: &MarkdownOptions, most: usize) -> (String, bool) {
    let mut markdown = Markdown {
        out: String::new(),
        options,
        prefix: String::new(),
        marker: None,
        gap: None,
        most,
        cut: false,
    };
    markdown.blocks(&document.blocks);
    if options.extensions.footnotes {
        for note in &document.notes {
            markdown.request_gap(true);
            markdown.inside("    ", Some(&format!("[^{}]: ", note.number)), |markdown| {
                markdown.blocks(&note.blocks);
            });
        }
    } else if !document.notes.is_empty() {
        markdown.note_lists(&document.notes);
    }
    let Markdown { mut out, cut, .. } = markdown;
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    (out, cut)
}

struct Markdown<'o> {
    out: String,
    options: &'o MarkdownOptions,
    /// Prefix of every line: `> ` and the indentation of list items.
    prefix: String,
    /// Pending list markers for the next line: they replace the prefix from this length on. `None` if no marker is pending.
    marker: Option<(usize, String)>,
    /// Length of the prefix on the empty line due before the next line; `None` if no empty line is due.
    gap: Option<usize>,
    most: usize,
    cut: bool,
}

impl Markdown<'_> {
    /// Requests an empty line before the next line, if `due`.
    fn request_gap(&mut self, due: bool) {
        if due {
            let length = self.prefix.len();
            self.gap = Some(self.gap.map_or(length, |before| before.min(length)));
        }
    }

    /// Writes a line.
    fn put(&mut self, line: &str) {
        if let Some(length) = self.gap.take().filter(|_| !self.out.is_empty()) {
            // With a marker pending, the next line begins an item: the empty line has only the prefix around
            // the list.
            let before = self
                .marker
                .as_ref()
                .map_or(self.prefix.len(), |(length, _)| *length);
            self.out.push_str(self.prefix[..before.min(length)].trim_end());
            self.out.push('\n');
        }
        match self.marker.take() {
            Some((length, marker)) => {
                self.out.push_str(&self.prefix[..length]);
                self.out.push_str(&marker);
            }
            None => self.out.push_str(&self.prefix),
        }
        self.out.push_str(line);
        // White space at the end of a line of code is code.
        if line.is_empty() {
            let end = self.out.trim_end_matches([' ', '\t']).len();
            self.out.truncate(end);
        }
        self.out.push('\n');
    }

    /// Writes blocks with `more` added to the prefix. The first line has `marker` instead of `more`.
    fn inside(&mut self, more: &str, marker: Option<&str>, write: impl FnOnce(&mut Self)) {
        let length = self.prefix.len();
        let before = self.marker.clone();
        self.prefix.push_str(more);
        // Markers of several levels may be pending: an item that begins with a list gives `- 1. text`.
        match (&mut self.marker, marker) {
            (Some((_, due)), marker) => due.push_str(marker.unwrap_or(more)),
            (None, Some(marker)) => self.marker = Some((length, marker.to_owned())),
            (None, None) => {}
        }
        write(self);
        self.prefix.truncate(length);
        // `write` produced nothing, so the marker is withdrawn.
        if self.marker.is_some() {
            self.marker = before;
        }
    }

    /// Writes blocks separated by empty lines.
    fn blocks(&mut self, blocks: &[Block]) {
        self.spaced(blocks, true);
    }

    /// Writes blocks; unless `loose`, a list follows its paragraph without an empty line where Markdown allows it.
    fn spaced(&mut self, blocks: &[Block], loose: bool) {
        let mut before: Option<&Block> = None;
        let mut other = false;
        for block in blocks {
            self.cut |= self.out.len() > self.most;
            if self.cut {
                return;
            }
            let start = self.out.len();
            // Adjacent lists of one kind would merge, so every second one uses another marker.
            other = match (before, block) {
                (Some(Block::List(before)), Block::List(list)) if before.ordered == list.ordered => !other,
                _ => false,
            };
            if before.is_some() {
                let follows = matches!((before, block), (Some(Block::Paragraph { .. }), Block::List(list)) if interrupts(list));
                self.request_gap(loose || !follows);
            }
            self.block(block, other);
            // A block that wrote nothing does not separate its neighbors.
            if self.out.len() > start {
                before = Some(block);
            }
        }
    }

    /// Writes a block. With `other`, a list gets the second of its two markers.
    fn block(&mut self, block: &Block, other: bool) {
        match block {
            Block::Paragraph { inlines, .. } => self.paragraph(inlines),
            Block::Heading {
                level, inlines: line, ..
            } => {
                let line = inlines(line, self.options, Place::Heading);
                let line = line.trim();
                if !line.is_empty() {
                    let marks = "#".repeat(usize::from(*level).clamp(1, 6));
                    self.put(&format!("{marks} {line}"));
                }
            }
            Block::List(list) => self.list(list, other),
            Block::Definitions { items } => self.definitions(items),
            Block::Table(table) => self.table(table),
            Block::Code { language, text, .. } => self.code(language.as_deref(), text),
            Block::Quote { blocks } => self.inside("> ", None, |markdown| markdown.blocks(blocks)),
            Block::Formula(formula) => match &formula.tex {
                Some(tex) if !self.options.extensions.dollars => self.code(Some("math"), tex),
                Some(tex) => self.put(&format!("$${tex}$$")),
                None => self.paragraph(&[Inline::Text(formula.text.clone())]),
            },
            Block::Figure { blocks, caption } => {
                self.blocks(blocks);
                // A caption equal to the image's alternative text is not repeated.
                let says_more = self.options.links && holds_link(caption);
                if says_more || !(self.options.images && is_alt(&inline_text(caption), blocks)) {
                    self.request_gap(!blocks.is_empty());
                    self.paragraph(caption);
                }
            }
        }
    }

    /// Writes inlines as a paragraph; nothing if they have no text.
    fn paragraph(&mut self, line: &[Inline]) {
        if !self.options.images && holds_images_alone(line) {
            return;
        }
        let text = inlines(line, self.options, Place::Line);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        // A break at the end of a block has no effect and is dropped.
        for line in text
            .strip_suffix('\\')
            .filter(|rest| rest.ends_with('\n'))
            .unwrap_or(text)
            .lines()
        {
            self.put(line.trim());
        }
    }

    fn list(&mut self, list: &List, other: bool) {
        let loose = !list.items.iter().all(|item| is_compact(&item.blocks));
        let mark = match (list.ordered, other) {
            (true, false) => ".",
            (true, true) => ")",
            (false, false) => "-",
            (false, true) => "*",
        };
        let mut first = true;
        for (number, item) in list.numbers() {
            if self.cut {
                return;
            }
            self.request_gap(loose && !first);
            // CommonMark allows nine digits, and no sign.
            let marker = if list.ordered {
                format!("{}{mark} ", number.clamp(0, 999_999_999))
            } else {
                format!("{mark} ")
            };
            // The check box is part of the content, so the lines after the first are not indented by it.
            let indent = " ".repeat(marker.len());
            let marker = match item.checked {
                Some(true) => marker + "[x] ",
                Some(false) => marker + "[ ] ",
                None => marker,
            };
            let start = self.out.len();
            self.inside(&indent, Some(&marker), |markdown| {
                markdown.spaced(&item.blocks, loose);
            });
            // Empty items write nothing and need no empty line after them.
            first &= self.out.len() == start;
        }
    }

    /// Writes notes as numbered lists after a thematic break. Markdown numbers the items of a list itself, so
    /// each gap in the numbers begins another list.
    fn note_lists(&mut self, notes: &[Note]) {
        self.request_gap(true);
        self.put("---");
        let loose = !notes.iter().all(|note| is_compact(&note.blocks));
        let (mut next, mut mark) = (None, ')');
        for note in notes {
            let number = note.number.min(999_999_999);
            let follows = next == Some(number);
            // A list with the other delimiter is a new list.
            if !follows {
                mark = if mark == '.' { ')' } else { '.' };
            }
            self.request_gap(loose || !follows);
            let marker = format!("{number}{mark} ");
            let start = self.out.len();
            self.inside(&" ".repeat(marker.len()), Some(&marker), |markdown| {
                markdown.spaced(&note.blocks, loose);
            });
            if self.out.len() > start {
                next = Some(number + 1);
            }
        }
    }

    /// Writes each term in bold, followed by its definitions as blocks.
    fn bold_terms(&mut self, items: &[Definition]) {
        for item in items {
            let mut line: Vec<Inline> = Vec::new();
            for term in &item.terms {
                if !line.is_empty() {
                    line.push(Inline::span(Span::Break));
                }
                let mut inlines = Vec::new();
                without_strong(term, &mut inlines);
                let mark = Mark::Strong;
                line.push(Inline::span(Span::Marked { mark, inlines }));
            }
            self.request_gap(true);
            self.paragraph(&line);
            for blocks in &item.definitions {
                self.request_gap(true);
                self.blocks(blocks);
            }
        }
    }

    fn definitions(&mut self, items: &[Definition]) {
        if !self.options.extensions.definition_lists {
            return self.bold_terms(items);
        }
        for (i, item) in items.iter().enumerate() {
            self.request_gap(i > 0);
            // Most renderers treat only the last line before a definition as its term, so terms share one line.
            let terms = item.terms.iter().map(|term| {
                let term = inlines(term, self.options, Place::Line);
                term.replace("\\\n", " ").trim().to_owned()
            });
            let terms: Vec<String> = terms.filter(|term| !term.is_empty()).collect();
            if !terms.is_empty() {
                self.put(&terms.join("<br>"));
            }
            for blocks in &item.definitions {
                if item.terms.is_empty() {
                    self.blocks(blocks);
                } else {
                    self.inside("  ", Some(": "), |markdown| markdown.blocks(blocks));
                }
            }
        }
    }

    /// Writes a fenced code block.
    fn code(&mut self, language: Option<&str>, text: &str) {
        // The fence is longer than any run of backticks in the code.
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        // A document from JSON may have any language. A line feed would end the line of the fence, and a backtick the fence.
        let language = language
            .and_then(|language| language.lines().next())
            .unwrap_or("");
        self.put(&format!("{fence}{}", language.replace('`', "")));
        for line in text.lines() {
            self.cut |= self.out.len() > self.most;
            if self.cut {
                break;
            }
            self.put(line);
        }
        self.put(&fence);
    }

    /// Writes a table as a Markdown table, or as HTML if the options request it for tables that Markdown
    /// cannot express.
    fn table(&mut self, table: &Table) {
        let room = self.most.saturating_sub(self.out.len());
        if self.options.tables == MarkdownTables::Html && !is_sayable(table) {
            for line in table_html(table, room).lines() {
                self.put(line);
            }
            return;
        }
        if !table.caption.is_empty() {
            self.paragraph(&table.caption);
            self.request_gap(true);
        }
        // At least one byte is written per position, so the room also bounds the grid.
        let grid = table.places_within(room.min(MAX_GRID));
        let width = grid.iter().map(Vec::len).max().unwrap_or(0);
        if width == 0 {
            return;
        }
        let mut rows = grid.iter().enumerate().peekable();
        // Markdown tables need a header row; without one, the first data row would be taken for it.
        let head = rows.next_if(|_| table.head > 0);
        match head {
            Some((_, row)) => self.row(row),
            None => self.put(&format!("|{}", "  |".repeat(width))),
        }
        let rule: String = (0..width).map(|column| rule(&grid, column)).collect();
        self.put(&format!("|{rule}"));
        for (_, row) in rows {
            self.cut |= self.out.len() > self.most;
            if self.cut {
                return;
            }
            self.row(row);
        }
    }

    /// Writes a row of a Markdown table.
    fn row(&mut self, row: &[Option<Square<'_>>]) {
        let mut line = String::from("|");
        for place in row {
            line.push(' ');
            // A spanning cell is written at its first position; the others stay empty.
            if let Some(place) = place.filter(|place| place.first) {
                let mut text = String::new();
                self.flat(&place.cell.blocks, &mut text);
                line.push_str(&text.replace('|', "\\|"));
            }
            line.push_str(" |");
        }
        self.put(&line);
    }

    /// Appends blocks as one line, separated by `<br>`.
    fn flat(&self, blocks: &[Block], out: &mut String) {
        let part = |text: &str, out: &mut String| {
            if !text.is_empty() {
                if !out.is_empty() {
                    out.push_str("<br>");
                }
                out.push_str(text);
            }
        };
        let line = |line: &[Inline], out: &mut String| {
            // Dollars of several blocks on one line could pair up as a formula.
            let shared = blocks.len() > 1 || !out.is_empty();
            part(inlines(line, self.options, Place::Cell { shared }).trim(), out);
        };
        for block in blocks {
            match block {
                Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => line(inlines, out),
                Block::Code { text, .. } => {
                    // A cell is one line, so each line of code becomes a span of its own.
                    for text in text.lines().filter(|text| !text.trim().is_empty()) {
                        let mut code = String::new();
                        inline::code(text, &mut code);
                        part(&code, out);
                    }
                }
                Block::Formula(formula) => {
                    let formula = Inline::span(Span::Formula((**formula).clone()));
                    line(&[formula], out);
                }
                Block::Figure { blocks, caption } => {
                    self.flat(blocks, out);
                    line(caption, out);
                }
                Block::Definitions { items } => {
                    for item in items {
                        item.terms.iter().for_each(|term| line(term, out));
                        item.definitions.iter().for_each(|blocks| self.flat(blocks, out));
                    }
                }
                Block::Table(table) => {
                    line(&table.caption, out);
                    table
                        .rows
                        .iter()
                        .flat_map(|row| &row.cells)
                        .for_each(|cell| self.flat(&cell.blocks, out));
                }
                Block::List(_) | Block::Quote { .. } => block.each_part(|blocks| self.flat(blocks, out)),
            }
        }
    }
}

/// Copies inlines without marks for strong text, so that they can be put into strong text: these marks do not
/// nest.
fn without_strong(inlines: &[Inline], out: &mut Vec<Inline>) {
    for inline in inlines {
        match inline.as_span() {
            Some(Span::Marked {
                mark: Mark::Strong,
                inlines,
            }) => without_strong(inlines, out),
            Some(Span::Marked { mark, inlines }) => {
                let mut inner = Vec::new();
                without_strong(inlines, &mut inner);
                out.push(Inline::span(Span::Marked {
                    mark: *mark,
                    inlines: inner,
                }));
            }
            Some(Span::Link {
                target,
                title,
                inlines,
            }) => {
                let mut inner = Vec::new();
                without_strong(inlines, &mut inner);
                let (target, title) = (target.clone(), title.clone());
                out.push(Inline::span(Span::Link {
                    target,
                    title,
                    inlines: inner,
                }));
            }
            _ => out.push(inline.clone()),
        }
    }
}

/// Whether a list may follow a paragraph without an empty line in between: bullets, and numbers that begin
/// with 1 (CommonMark, section 5.3).
fn interrupts(list: &List) -> bool {
    !list.ordered || list.numbers().next().is_none_or(|(number, _)| number == 1)
}

/// Whether a Markdown table can express everything in `table`.
fn is_sayable(table: &Table) -> bool {
    let fits = |cell: &Cell| {
        cell.colspan == 1
            && cell.rowspan == 1
            && matches!(cell.blocks.as_slice(), [] | [Block::Paragraph { .. }])
    };
    table.head <= 1 && table.rows.iter().flat_map(|row| &row.cells).all(fits)
}

/// Delimiter row cell for a column, from the alignment shared by its cells.
fn rule(grid: &[Vec<Option<Square<'_>>>], column: usize) -> &'static str {
    let mut cells = grid
        .iter()
        .filter_map(|row| row.get(column).copied().flatten())
        .map(|place| place.cell);
    let first = cells.next().and_then(|cell| cell.align);
    match first.filter(|_| cells.all(|cell| cell.align == first)) {
        Some(Align::Left) => " :-- |",
        Some(Align::Center) => " :-: |",
        Some(Align::Right) => " --: |",
        None => " --- |",
    }
}

/// Whether inlines contain a link.
fn holds_link(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match inline.as_span() {
        Some(Span::Link { .. }) => true,
        Some(Span::Marked { inlines, .. }) => holds_link(inlines),
        _ => false,
    })
}

/// Whether a caption equals the alternative text of an image among `blocks`.
fn is_alt(caption: &str, blocks: &[Block]) -> bool {
    let is_image = |inline: &Inline| {
        match inline.as_span() {
        Some(Span::Image(image)) => image.alt.trim() == caption.trim(),
        Some(Span::Link { inlines, .. }) => inlines
            .iter()
            .any(|inline| matches!(inline.as_span(), Some(Span::Image(image)) if image.alt.trim() == caption.trim())),
        _ => false,
    }
    };
    blocks
        .iter()
        .any(|block| matches!(block, Block::Paragraph { inlines, .. } if inlines.iter().any(is_image)))
}
