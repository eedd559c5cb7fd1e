//! Plain text.

use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::blocks::words::{run, skip_white};
use crate::analysis::tables::is_grid;
use crate::render::media::Formula;
use crate::render::writer::Writer;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Writes lines, with an empty one between blocks and none between items of a list or rows of a table. Items carry `- `,
/// two spaces for each list around them; cells are parted by tabs.
#[derive(Default)]
pub(super) struct Plain {
    out: String,
    /// Line ends owed before the next text: 1 ends a line, 2 leaves one empty.
    owed: usize,
    space: bool,
    lists: usize,
    pre: usize,
    /// The next text begins a list item.
    item: bool,
    /// Of each table around, whether it is written as rows of cells.
    tables: Vec<bool>,
    /// A table row has begun; whether a cell of it has been written.
    row: Option<bool>,
}

impl Plain {
    pub(super) fn finish(mut self) -> String {
        self.out.truncate(self.out.trim_end().len());
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    fn owe(&mut self, lines: usize) {
        // Inside a row of a table everything stays on its line.
        if self.row.is_some() && self.lists == 0 && self.pre == 0 {
            self.space = true;
        } else {
            self.owed = self.owed.max(lines);
        }
    }

    fn owe_block(&mut self) {
        self.owe(if self.lists > 0 { 1 } else { 2 });
    }

    /// Whether what comes stands in a table of rows and cells. Tables that only place things are written as what they hold.
    fn in_grid(&self) -> bool {
        self.tables.last().is_none_or(|grid| *grid)
    }

    fn settle(&mut self) {
        if !self.out.is_empty() {
            for _ in 0..self.owed {
                self.out.push('\n');
            }
        }
        let fresh = self.out.is_empty() || self.owed > 0;
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
        (self.owed, self.space, self.item) = (0, false, false);
    }
}

impl Writer for Plain {
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        match tag {
            Tag::TABLE => {
                self.owe_block();
                self.tables.push(is_grid(dom, id));
            }
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR => {
                self.owe(if self.lists > 0 { 1 } else { 2 });
                self.lists += 1;
            }
            Tag::LI => {
                self.owe(1);
                self.item = self.lists > 0;
            }
            Tag::DT | Tag::DD | Tag::THEAD | Tag::TBODY | Tag::TFOOT => self.owe(1),
            Tag::TR if self.in_grid() => {
                self.owe(1);
                self.row = Some(false);
            }
            Tag::TD | Tag::TH if self.in_grid() => {
                if let Some(written) = &mut self.row
                    && std::mem::replace(written, true)
                    && self.owed == 0
                {
                    self.out.push('\t');
                    self.space = false;
                }
            }
            Tag::PRE => {
                self.owe(2);
                self.pre += 1;
            }
            _ if is_phrasing(tag) => {}
            _ => self.owe_block(),
        }
    }

    fn close(&mut self, _: &Dom<'_>, _: NodeId, tag: Tag) {
        match tag {
            Tag::TABLE => {
                self.tables.pop();
                self.owe_block();
            }
            Tag::UL | Tag::OL | Tag::MENU | Tag::DIR => {
                self.lists = self.lists.saturating_sub(1);
                self.owe(if self.lists > 0 { 1 } else { 2 });
            }
            Tag::LI => {
                self.item = false;
                self.owe(1);
            }
            Tag::DT | Tag::DD | Tag::THEAD | Tag::TBODY | Tag::TFOOT => self.owe(1),
            Tag::TR if self.in_grid() => {
                self.row = None;
                self.owe(1);
            }
            Tag::TD | Tag::TH if self.in_grid() => self.space = true,
            Tag::PRE => {
                self.pre = self.pre.saturating_sub(1);
                self.out.truncate(self.out.trim_end().len());
                self.owe(2);
            }
            _ if is_phrasing(tag) => {}
            _ => self.owe_block(),
        }
    }

    fn text(&mut self, text: &str) {
        if self.pre > 0 && !text.is_empty() {
            if text.trim().is_empty() && self.owed > 0 {
                return;
            }
            self.settle();
            self.out
                .extend(text.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c }));
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
            self.settle();
            let words = &text[start..run.end];
            if run.nul {
                self.out.push_str(&words.replace('\0', "\u{FFFD}"));
            } else {
                self.out.push_str(words);
            }
            at = run.end;
        }
    }

    fn line_break(&mut self) {
        self.owe(1);
    }

    fn formula(&mut self, formula: &Formula) {
        if formula.display {
            self.owe(1);
        }
        self.text(&formula.text);
        if formula.display {
            self.owe(1);
        }
    }
}
