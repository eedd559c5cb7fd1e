//! Lines: the units that the model decides about.
//!
//! A block ends at every tag that boilerpipe does not treat as inline, so an image or a `<small>` divides a sentence. A line joins the
//! blocks that are shown in one line.

use std::ops::Range;

use crate::analysis::blocks::block::{Block, BlockKind, Boundary};
use crate::analysis::blocks::counts::Counts;
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
    /// Characters in links divided by characters.
    pub(crate) link_density: f32,
    pub(crate) counts: Counts,
}

impl Line {
    /// Its blocks, by number.
    pub(crate) fn blocks(&self) -> Range<usize> {
        self.blocks.start as usize..self.blocks.end as usize
    }
}

fn link_density(link_chars: u32, chars: u32) -> f32 {
    link_chars as f32 / chars.max(1) as f32
}

/// The lines of a page, in document order.
pub(crate) fn lines(dom: &Dom<'_>, table: &BlockTable) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(table.blocks().len());
    for (i, (block, counts)) in table.blocks().iter().zip(table.counts()).enumerate() {
        let joins = block.boundary == Boundary::Phrase
            && out
                .last()
                .is_some_and(|u| u.hidden == block.hidden && u.heading == block.heading)
            && !is_control(dom, block);
        match out.last_mut().filter(|_| joins) {
            Some(line) => {
                line.blocks.end = i as u32 + 1;
                line.chars += block.chars + 1;
                line.link_chars += block.link_chars;
                line.link_density = link_density(line.link_chars, line.chars);
                line.counts.join(counts);
            }
            None => out.push(Line {
                blocks: i as u32..i as u32 + 1,
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
            }),
        }
    }
    out
}

fn is_control(dom: &Dom<'_>, block: &Block) -> bool {
    matches!(
        dom.html_tag(block.element),
        Some(Tag::OPTION | Tag::BUTTON | Tag::LABEL)
    )
}
