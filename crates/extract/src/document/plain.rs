//! Writes plain text.

use crate::document::inline::{Inline, Mark, Player, Span};
use crate::document::tree::{Block, Document, Item, Table};

/// Number of nested lists up to which items are indented further; bounds the length of lines.
const MAX_INDENT: usize = 16;

/// Renders the document as text of about `most` bytes, with memory for `room` bytes allocated in advance. The
/// flag is whether it was cut.
///
/// An empty line separates blocks, except items of a list and rows of a table. Items begin with `- `,
/// indented by two spaces per outer list; tabs separate cells.
pub(super) fn text(document: &Document, most: usize, room: usize) -> (String, bool) {
    let mut plain = Plain {
        out: String::with_capacity(room),
        line_ends: 0,
        marker: String::new(),
        buffer: String::new(),
        lists: 0,
        most,
        cut: false,
    };
    plain.blocks(&document.blocks);
    for note in &document.notes {
        plain.end(2);
        plain.marker = format!("[{}] ", note.number);
        plain.blocks(&note.blocks);
    }
    let Plain { mut out, cut, .. } = plain;
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    (out, cut)
}

/// Renders blocks as text on one line.
pub(super) fn flat_text(blocks: &[Block]) -> String {
    let mut out = String::new();
    flat(blocks, &mut out);
    out
}

/// Renders inlines as text.
pub(super) fn inline_text(inlines: &[Inline]) -> String {
    let mut out = String::new();
    push_inlines(inlines, &mut out);
    out
}

struct Plain {
    out: String,
    /// Line ends due before the next text: 1 ends the line, 2 also leave an empty line.
    line_ends: usize,
    /// Marker due before the next text, if it begins an item or a note.
    marker: String,
    /// Memory for a line, empty between lines.
    buffer: String,
    /// Number of enclosing lists.
    lists: usize,
    most: usize,
    cut: bool,
}

impl Plain {
    /// Ends the line. With `2`, an empty line follows, unless the block is inside a list.
    fn end(&mut self, line_ends: usize) {
        let line_ends = if self.lists > 0 { 1 } else { line_ends };
        self.line_ends = self.line_ends.max(line_ends);
    }

    /// Writes the pending line ends and marker.
    fn begin(&mut self) {
        let line_ends = std::mem::take(&mut self.line_ends);
        if !self.out.is_empty() {
            for _ in 0..line_ends {
                self.out.push('\n');
            }
        }
        self.out.push_str(&self.marker);
        self.marker.clear();
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.cut |= self.out.len() > self.most;
            if self.cut {
                return;
            }
            self.block(block);
        }
    }

    /// Writes inlines as a line; nothing if they have no text.
    fn line(&mut self, inlines: &[Inline], line_ends: usize) {
        self.end(line_ends);
        // Most lines are one text.
        if let [Inline::Text(text)] = inlines {
            return self.write(text, line_ends);
        }
        // A paragraph of images only has no text.
        if has_text(inlines, &self.out) {
            let mut text = std::mem::take(&mut self.buffer);
            push_inlines(inlines, &mut text);
            self.write(&text, line_ends);
            text.clear();
            self.buffer = text;
        }
    }

    /// Writes a line of text, without the spaces and breaks that spans without text have beside them at its ends.
    fn write(&mut self, text: &str, line_ends: usize) {
        let text = text.trim_matches([' ', '\n']);
        if !text.is_empty() {
            self.begin();
            self.out.push_str(text);
            self.end(line_ends);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => self.line(inlines, 2),
            Block::List(list) => {
                self.end(2);
                self.lists += 1;
                for item in &list.items {
                    self.item(item);
                }
                self.lists -= 1;
                self.end(2);
            }
            Block::Definitions { items } => {
                self.end(2);
                for item in items {
                    for term in &item.terms {
                        self.line(term, 1);
                    }
                    for blocks in &item.definitions {
                        self.end(1);
                        // A definition of several paragraphs is spaced like a list.
                        self.lists += 1;
                        self.blocks(blocks);
                        self.lists -= 1;
                        self.end(1);
                    }
                }
                self.end(2);
            }
            Block::Table(table) => self.table(table),
            Block::Code { text, .. } => {
                // Not `end`: code has empty lines around it in a list, too.
                self.line_ends = self.line_ends.max(2);
                self.begin();
                self.out.push_str(text);
                self.line_ends = self.line_ends.max(2);
            }
            Block::Quote { blocks } => {
                self.end(2);
                self.blocks(blocks);
                self.end(2);
            }
            Block::Formula(formula) => {
                self.end(2);
                self.begin();
                self.out.push_str(formula.as_text());
                self.end(2);
            }
            Block::Figure { blocks, caption } => {
                let start = self.out.len();
                self.blocks(blocks);
                // A caption that only repeats the title of a video is not written again.
                if self.out[start..].trim() != inline_text(caption) {
                    self.line(caption, 2);
                }
            }
        }
    }

    /// Writes an item of a list, indented by the number of lists around it.
    fn item(&mut self, item: &Item) {
        self.end(1);
        // An item that begins with a list shows only the inner list's marker.
        self.marker.clear();
        for _ in 1..self.lists.min(MAX_INDENT) {
            self.marker.push_str("  ");
        }
        self.marker.push_str(match item.checked {
            Some(true) => "- [x] ",
            Some(false) => "- [ ] ",
            None => "- ",
        });
        self.blocks(&item.blocks);
        self.marker.clear();
        self.end(1);
    }

    /// Writes a table, one row per line. Spanning cells appear once.
    fn table(&mut self, table: &Table) {
        if !table.caption.is_empty() {
            self.line(&table.caption, 2);
        }
        self.end(2);
        let room = self.most.saturating_sub(self.out.len());
        for row in table.places_within(room.min(1_000_000)) {
            if self.out.len() > self.most {
                self.cut = true;
                return;
            }
            self.begin();
            let start = self.out.len();
            for (i, place) in row.iter().enumerate() {
                if i > 0 {
                    self.out.push('\t');
                }
                if let Some(place) = place.filter(|place| place.first) {
                    flat(&place.cell.blocks, &mut self.out);
                }
            }
            // Empty cells at the end of a row leave no tabs.
            let end = self.out.trim_end_matches('\t').len().max(start);
            self.out.truncate(end);
            self.end(1);
        }
        self.end(2);
    }
}

/// Whether inlines contain any text that is written after `out`.
fn has_text(inlines: &[Inline], out: &str) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Text(text) => !text.is_empty(),
        Inline::Span(span) => match &**span {
            Span::Image(_) => false,
            Span::Player(player) => title_after(player, out).is_some(),
            Span::Marked { inlines, .. } | Span::Link { inlines, .. } => has_text(inlines, out),
            _ => true,
        },
    })
}

/// Title of a player that is written after `out`; `None` if it has none, or if the text just before contains
/// it, as a heading does.
fn title_after<'p>(player: &'p Player, out: &str) -> Option<&'p str> {
    /// Bytes of text that are examined.
    const NEAR: usize = 512;
    // Only the end is searched, so that many players on a page take linear time.
    let near = &out[out.ceil_char_boundary(out.len().saturating_sub(NEAR))..];
    player.title.as_deref().filter(|title| !near.contains(title))
}

/// Appends blocks as text on one line.
fn flat(blocks: &[Block], out: &mut String) {
    let part = |text: &str, out: &mut String| {
        if !out.is_empty() && !out.ends_with(['\n', '\t', ' ']) {
            out.push(' ');
        }
        for (i, word) in text.split_whitespace().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            out.push_str(word);
        }
    };
    for block in blocks {
        match block {
            Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => {
                part(&inline_text(inlines), out);
            }
            Block::Code { text, .. } => part(text, out),
            Block::Formula(formula) => part(formula.as_text(), out),
            Block::Definitions { items } => {
                for item in items {
                    item.terms.iter().for_each(|term| part(&inline_text(term), out));
                    item.definitions.iter().for_each(|blocks| flat(blocks, out));
                }
            }
            Block::Figure { blocks, caption } => {
                flat(blocks, out);
                part(&inline_text(caption), out);
            }
            Block::Table(table) => {
                part(&inline_text(&table.caption), out);
                table
                    .rows
                    .iter()
                    .flat_map(|row| &row.cells)
                    .for_each(|cell| flat(&cell.blocks, out));
            }
            Block::List(_) | Block::Quote { .. } => block.each_part(|blocks| flat(blocks, out)),
        }
    }
}

/// Appends inlines as text.
fn push_inlines(inlines: &[Inline], out: &mut String) {
    for inline in inlines {
        match inline {
            // A span without text may be before the first space, or between two spaces.
            Inline::Text(text) if out.is_empty() || out.ends_with([' ', '\n', '\t']) => {
                out.push_str(text.trim_start_matches(' '));
            }
            Inline::Text(text) => out.push_str(text),
            Inline::Span(span) => push_span(span, out),
        }
    }
}

fn push_span(span: &Span, out: &mut String) {
    match span {
        Span::Marked { mark, inlines } => match mark {
            Mark::Superscript => push_script(&inline_text(inlines), &SUPERSCRIPT, Some('^'), out),
            Mark::Subscript => push_script(&inline_text(inlines), &SUBSCRIPT, None, out),
            Mark::Quote => {
                out.push('“');
                push_inlines(inlines, out);
                out.push('”');
            }
            _ => push_inlines(inlines, out),
        },
        Span::Code { text, .. } => out.push_str(text),
        Span::Link { inlines, .. } => push_inlines(inlines, out),
        Span::Image(_) => {}
        Span::Player(player) => out.push_str(title_after(player, out).unwrap_or_default()),
        // A display formula has a line of its own.
        Span::Formula(formula) if formula.display => {
            out.truncate(out.trim_end_matches(' ').len());
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(formula.as_text());
            out.push('\n');
        }
        Span::Formula(formula) => out.push_str(formula.as_text()),
        Span::Note { number } => out.push_str(&format!("[{number}]")),
        Span::Break => {
            out.truncate(out.trim_end_matches(' ').len());
            // Between two breaks there may be a span without text.
            if !(out.is_empty() || out.ends_with('\n')) {
                out.push('\n');
            }
        }
        Span::Ruby { parts } => {
            parts.iter().for_each(|part| out.push_str(&part.base));
            if parts.iter().any(|part| !part.reading.is_empty()) {
                out.push('(');
                parts.iter().for_each(|part| out.push_str(&part.reading));
                out.push(')');
            }
        }
    }
}

/// Unicode superscripts of ASCII characters.
const SUPERSCRIPT: [(char, char); 17] = [
    ('0', '⁰'),
    ('1', '¹'),
    ('2', '²'),
    ('3', '³'),
    ('4', '⁴'),
    ('5', '⁵'),
    ('6', '⁶'),
    ('7', '⁷'),
    ('8', '⁸'),
    ('9', '⁹'),
    ('+', '⁺'),
    ('-', '⁻'),
    ('−', '⁻'),
    ('=', '⁼'),
    ('(', '⁽'),
    (')', '⁾'),
    ('n', 'ⁿ'),
];

/// Unicode subscripts of ASCII characters.
const SUBSCRIPT: [(char, char); 16] = [
    ('0', '₀'),
    ('1', '₁'),
    ('2', '₂'),
    ('3', '₃'),
    ('4', '₄'),
    ('5', '₅'),
    ('6', '₆'),
    ('7', '₇'),
    ('8', '₈'),
    ('9', '₉'),
    ('+', '₊'),
    ('-', '₋'),
    ('−', '₋'),
    ('=', '₌'),
    ('(', '₍'),
    (')', '₎'),
];

/// Appends a superscript or subscript: as Unicode characters if all have one, after `sign` if it reads as an exponent, else as plain text
/// (`1st`, `XIXe`).
fn push_script(text: &str, characters: &[(char, char)], sign: Option<char>, out: &mut String) {
    let find = |c: char| {
        characters
            .iter()
            .find(|(plain, _)| *plain == c)
            .map(|(_, script)| *script)
    };
    let scripts: Option<String> = text.chars().map(find).collect();
    let after_one_letter = || {
        let mut before = out.chars().rev();
        before.next().is_some_and(char::is_alphabetic) && !before.next().is_some_and(char::is_alphanumeric)
    };
    // A letter is an exponent only alone and after a single letter: `x^k`, but `1st` and `XIXe`.
    let is_power = match text.chars().next() {
        Some(c) if c.is_alphabetic() => text.chars().count() == 1 && after_one_letter(),
        Some(c) => c.is_alphanumeric() || c == '-' || c == '−' || c == '+',
        None => false,
    };
    let follows_word = out
        .chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || c == ')');
    match (scripts, sign) {
        // `x²`, `H₂O`, `f(x)²`.
        (Some(scripts), _) if follows_word => out.push_str(&scripts),
        // `x^k`, `x^(-k)`.
        (None, Some(sign)) if follows_word && is_power => {
            out.push(sign);
            let one = text.chars().all(char::is_alphanumeric);
            if !one {
                out.push('(');
            }
            out.push_str(text);
            if !one {
                out.push(')');
            }
        }
        _ => out.push_str(text),
    }
}
