//! Paragraphs as in jusText: the text between two tags that start a line, or between two consecutive line breaks.

use super::classes::ParagraphFeatures;
use crate::analysis::blocks::block::{Block, Boundary};
use crate::label::extractor::PageView;
use dehusk_html::narrow;
use dehusk_html::tree::{NodeId, Tag};

/// A paragraph: one or several blocks of the page.
#[derive(Debug)]
pub(crate) struct Paragraph {
    /// Numbers of its blocks, ascending.
    pub(crate) blocks: Vec<usize>,
    pub(crate) features: ParagraphFeatures,
    /// Number of characters other than white space. `linked`: how many of them are in links.
    chars_without_spaces: u32,
    linked: u32,
}

impl Paragraph {
    /// Returns the texts of the blocks.
    pub(crate) fn texts<'v>(&'v self, view: &'v PageView<'_>) -> impl Iterator<Item = &'v str> {
        let blocks = view.table.blocks();
        self.blocks.iter().map(|&i| view.table.text(&blocks[i]))
    }

    fn add(&mut self, i: usize, block: &Block, view: &PageView<'_>) {
        let text = view.table.text(block);
        // The texts of blocks have only single spaces.
        let spaces = narrow::to_u32(text.bytes().filter(|&b| b == b' ').count());
        self.features.chars += block.chars + u32::from(!self.blocks.is_empty());
        self.features.is_heading |= block.heading > 0;
        self.features.is_control |= matches!(
            view.dom.html_tag(block.element),
            Some(Tag::SELECT | Tag::OPTION | Tag::OPTGROUP | Tag::BUTTON)
        );
        self.features.has_copyright |= text.contains('©') || text.contains("&copy");
        self.chars_without_spaces += block.chars - spaces.min(block.chars);
        self.linked += block.link_chars;
        self.features.link_density = f64::from(self.linked) / f64::from(self.chars_without_spaces.max(1));
        self.blocks.push(i);
    }
}

/// Returns the paragraphs of a page, except hidden blocks.
pub(crate) fn read(view: &PageView<'_>) -> Vec<Paragraph> {
    let mut out: Vec<Paragraph> = Vec::new();
    let mut before: Option<&Block> = None;
    for (i, block) in view.table.blocks().iter().enumerate() {
        let starts = match (before, block.boundary) {
            (None, _) | (_, Boundary::Block) => true,
            (_, Boundary::Phrase) => false,
            (Some(before), Boundary::Break) => has_two_breaks(view, before, block),
        };
        // Hidden blocks belong to no paragraph, but may stand between two of them.
        before = Some(block);
        if block.hidden {
            continue;
        }
        match out.last_mut() {
            Some(paragraph) if !starts => paragraph.add(i, block, view),
            _ => {
                let mut paragraph = Paragraph {
                    blocks: Vec::new(),
                    features: ParagraphFeatures::default(),
                    chars_without_spaces: 0,
                    linked: 0,
                };
                paragraph.add(i, block, view);
                out.push(paragraph);
            }
        }
    }
    out
}

/// Returns whether two or more `br` are between two blocks.
fn has_two_breaks(view: &PageView<'_>, before: &Block, after: &Block) -> bool {
    let (Some(&start), Some(&end)) = (view.table.nodes(before).last(), view.table.nodes(after).first())
    else {
        return false;
    };
    // Walks in document order from the last text of one block to the first text of the other.
    let mut breaks = 0;
    let mut at = start;
    while let Some(next) = view
        .dom
        .tree()
        .after(NodeId::DOCUMENT, at)
        .filter(|&next| next != end)
    {
        breaks += usize::from(view.dom.html_tag(next) == Some(Tag::BR));
        if breaks == 2 {
            return true;
        }
        at = next;
    }
    false
}
