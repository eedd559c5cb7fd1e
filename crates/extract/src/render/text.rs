//! Plain text.

use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::blocks::table::Words;
use crate::analysis::blocks::words::{run, skip_white};
use crate::analysis::tables::is_grid;
use crate::render::media::Formula;
use crate::render::writer::Writer;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Writes lines, with an empty line between blocks but not between items of a list or rows of a table. Items begin with `- `, after two
/// spaces for each outer list; tabs separate cells.
#[derive(Default)]
pub(super) struct Plain {
    out: String,
    /// Line ends to be written before the next text: 1 ends a line, 2 leave one empty.
    pending_line_ends: usize,
    space: bool,
    lists: usize,
    pre: usize,
    /// Whether the next text begins a list item.
    item: bool,
    /// For each open table, whether it is a data table, written as rows of cells.
    tables: Vec<bool>,
    /// The open table row: whether a cell of it has been written.
    row: Option<bool>,
}

impl Plain {
    /// A writer with room for so many bytes.
    pub(super) fn with_room(bytes: usize) -> Self {
        Plain {
            out: String::with_capacity(bytes),
            ..Plain::default()
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.out.truncate(self.out.trim_end().len());
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    fn request_line_ends(&mut self, lines: usize) {
        // The content of a table row is written on one line.
        if self.row.is_some() && self.lists == 0 && self.pre == 0 {
            self.space = true;
        } else {
            self.pending_line_ends = self.pending_line_ends.max(lines);
        }
    }

    fn request_block_end(&mut self) {
        self.request_line_ends(if self.lists > 0 { 1 } else { 2 });
    }

    /// Whether the current place is in a data table. Layout tables are written as the blocks they hold.
    fn in_data_table(&self) -> bool {
        self.tables.last().is_none_or(|grid| *grid)
    }

    fn write_pending(&mut self) {
        if !self.out.is_empty() {
            for _ in 0..self.pending_line_ends {
                self.out.push('\n');
            }
        }
        let fresh = self.out.is_empty() || self.pending_line_ends > 0;
        if fresh {
            if self.item {
                for _ in 1..self.lists.min(16) {
                    self.out.push_str("  ");
                }
                self.out.push_str("- ");
            }
        } else if self.space && !self.out.ends_with(['\n', '\t']) {
            self.out.push(' ');
        }
        (self.pending_line_ends, self.space, self.item) = (0, false, false);
    }
}

/// Appends a text with U+FFFD in place of each NUL.
fn push_without_nul(out: &mut String, text: &str) {
    for (i, part) in text.split('\0').enumerate() {
        if i > 0 {
            out.push('\u{FFFD}');
        }
        out.push_str(part);
    }
}

impl Writer for Plain {
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        match tag {
            Tag::TABLE => {
                self.request_block_end();
                self.tables.push(is_grid(dom, id));
            }
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR => {
                self.request_block_end();
                self.lists += 1;
            }
            Tag::LI => {
                self.request_line_ends(1);
                self.item = self.lists > 0;
            }
            Tag::DT | Tag::DD | Tag::THEAD | Tag::TBODY | Tag::TFOOT => self.request_line_ends(1),
            Tag::TR if self.in_data_table() => {
                self.request_line_ends(1);
                self.row = Some(false);
            }
            Tag::TD | Tag::TH if self.in_data_table() => {
                if let Some(written) = &mut self.row
                    && std::mem::replace(written, true)
                    && self.pending_line_ends == 0
                {
                    self.out.push('\t');
                    self.space = false;
                }
            }
            Tag::PRE => {
                self.request_line_ends(2);
                self.pre += 1;
            }
            _ if is_phrasing(tag) => {}
            _ => self.request_block_end(),
        }
    }

    fn close(&mut self, _: &Dom<'_>, _: NodeId, tag: Tag) {
        match tag {
            Tag::TABLE => {
                self.tables.pop();
                self.request_block_end();
            }
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR => {
                self.lists = self.lists.saturating_sub(1);
                self.request_block_end();
            }
            Tag::LI => {
                self.item = false;
                self.request_line_ends(1);
            }
            Tag::DT | Tag::DD | Tag::THEAD | Tag::TBODY | Tag::TFOOT => self.request_line_ends(1),
            Tag::TR if self.in_data_table() => {
                self.row = None;
                self.request_line_ends(1);
            }
            Tag::TD | Tag::TH if self.in_data_table() => self.space = true,
            Tag::PRE => {
                self.pre = self.pre.saturating_sub(1);
                self.out.truncate(self.out.trim_end().len());
                self.request_line_ends(2);
            }
            _ if is_phrasing(tag) => {}
            _ => self.request_block_end(),
        }
    }

    fn text(&mut self, text: &str) {
        if self.pre > 0 && !text.is_empty() {
            if text.trim().is_empty() && self.pending_line_ends > 0 {
                return;
            }
            self.write_pending();
            push_without_nul(&mut self.out, text);
            return;
        }
        let mut at = 0;
        loop {
            let start = skip_white(text, at);
            self.space |= start > at;
            let run = run(text, start);
            if run.end == start {
                return;
            }
            self.write_pending();
            let words = &text[start..run.end];
            if run.nul {
                push_without_nul(&mut self.out, words);
            } else {
                self.out.push_str(words);
            }
            at = run.end;
        }
    }

    fn words(&mut self, dom: &Dom<'_>, id: NodeId, words: Words<'_>, decoded: &mut String) {
        if self.pre > 0 {
            self.text(dom.text_in(id, decoded));
            return;
        }
        self.space |= words.space_before;
        self.write_pending();
        self.out.push_str(words.text);
        self.space = words.space_after;
    }

    fn blank(&mut self, dom: &Dom<'_>, id: NodeId) {
        if self.pre > 0 {
            self.text(&dom.text(id));
        } else {
            self.space = true;
        }
    }

    fn line_break(&mut self) {
        self.request_line_ends(1);
    }

    fn formula(&mut self, formula: &Formula) {
        if formula.display {
            self.request_line_ends(1);
        }
        self.text(&formula.text);
        if formula.display {
            self.request_line_ends(1);
        }
    }

    fn written(&self) -> usize {
        self.out.len()
    }
}
