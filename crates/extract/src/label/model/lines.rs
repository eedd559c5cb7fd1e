//! Lines: the units that the model classifies.
//!
//! A block ends at every tag that boilerpipe does not treat as inline, so an image or a `<small>` splits a sentence. A line joins the
//! blocks that are displayed on one line.

use std::ops::Range;

use crate::analysis::blocks::block::{Block, BlockKind, Boundary};
use crate::analysis::blocks::counts::Counts;
use crate::analysis::blocks::elements::is_in_sentence;
use crate::analysis::blocks::table::BlockTable;
use dehusk_html::tree::{Dom, Tag};

/// One line of a page.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    blocks: Range<u32>,
    pub(crate) context: u32,
    pub(crate) kind: BlockKind,
    pub(crate) boundary: Boundary,
    pub(crate) heading: u8,
    pub(crate) lists: u16,
    pub(crate) tables: u16,
    pub(crate) hidden: bool,
    pub(crate) chars: u32,
    pub(crate) link_chars: u32,
    /// Characters in links divided by all characters.
    pub(crate) link_density: f32,
    pub(crate) counts: Counts,
}

impl Line {
    /// Returns the range of the numbers of its blocks.
    pub(crate) fn blocks(&self) -> Range<usize> {
        self.blocks.start as usize..self.blocks.end as usize
    }

    /// Appends the block of the next line.
    fn join(&mut self, next: &Line) {
        self.blocks.end = next.blocks.end;
        self.chars += next.chars + 1;
        self.link_chars += next.link_chars;
        self.link_density = link_density(self.link_chars, self.chars);
        self.counts.join(&next.counts);
    }
}

fn link_density(link_chars: u32, chars: u32) -> f32 {
    link_chars as f32 / chars.max(1) as f32
}

/// Returns the lines of a page, in document order.
pub(crate) fn lines(dom: &Dom<'_>, table: &BlockTable) -> Vec<Line> {
    let blocks = table.blocks();
    let lines = blocks.iter().zip(table.counts()).zip(0_u32..);
    // Each block is written as its own line first and then merged into its predecessor: constructing a line conditionally would keep two
    // copies of it on the stack.
    let mut out: Vec<Line> = Vec::with_capacity(blocks.len());
    out.extend(lines.map(|((block, counts), i)| Line {
        blocks: i..i + 1,
        context: block.context,
        kind: block.kind,
        boundary: block.boundary,
        heading: block.heading,
        lists: block.lists,
        tables: block.tables,
        hidden: block.hidden,
        chars: block.chars,
        link_chars: block.link_chars,
        link_density: link_density(block.link_chars, block.chars),
        counts: *counts,
    }));
    // `dedup_by` removes its first argument, the later line, if the closure returns true.
    out.dedup_by(|next, line| {
        let joins = next.boundary == Boundary::Phrase
            && next.hidden == line.hidden
            && next.heading == line.heading
            && !is_control(dom, &blocks[next.blocks.start as usize]);
        if joins {
            line.join(next);
        }
        joins
    });
    out
}

/// Returns whether a block lies in a control that is not part of a sentence. Such a block is not joined to
/// the line before it.
fn is_control(dom: &Dom<'_>, block: &Block) -> bool {
    match dom.html_tag(block.element) {
        Some(Tag::BUTTON) => !is_in_sentence(dom, block.element, Tag::BUTTON),
        tag => matches!(tag, Some(Tag::OPTION | Tag::LABEL)),
    }
}
