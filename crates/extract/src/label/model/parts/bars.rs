//! Lines of links alone: the bar at the end of a page (`Back | Top | Write to us`), and rows of buttons to share a page.

use std::collections::BTreeMap;

use super::{CONTROL, NO_PART, Page};
use crate::analysis::blocks::block::BlockKind;
use crate::label::classes::names_sharing;
use crate::label::model::lines::Line;
use dehusk_html::narrow;
use dehusk_html::tree::Tag;

/// Maximum length of a bar, and of each of its links on average, in words.
const MAX_WORDS: u32 = 16;
const MAX_LINK: u32 = 4;

/// Minimum number of links of a bar.
const MIN_LINKS: usize = 2;

/// Minimum length of a paragraph, and of the paragraphs before a bar, in tokens.
const MIN_PARAGRAPH: u32 = 15;
const MIN_TEXT: u32 = 40;

/// Maximum number of bars.
const MAX_BARS: usize = 2;

/// Maximum number of lines between the last paragraph and a bar.
const NEAR: usize = 4;

impl Page<'_> {
    /// Marks bars right after the last paragraph of the text, and rows of links that all share the page.
    ///
    /// Several bars below each other are a list of links, such as the letters of an index, which may be content.
    pub(super) fn add_bars(&self, of_lines: &mut Vec<u8>) {
        const MAX_LINKED: f32 = 0.35;
        let lines = &self.page.lines;
        let core = self.page.cores[1].start..self.page.cores[1].end.min(lines.len());
        let is_text = |line: &Line| {
            line.counts.tokens >= MIN_PARAGRAPH && line.link_density < MAX_LINKED && !line.hidden
        };
        let text = lines[core.clone()].iter().filter(|line| is_text(line));
        let has_text = text.map(|line| line.counts.tokens).sum::<u32>() >= MIN_TEXT;
        let last = lines[core.clone()]
            .iter()
            .rposition(is_text)
            .map(|last| core.start + last);
        let mut grids = BTreeMap::new();
        let mut bars = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let is_free = of_lines.get(i).is_none_or(|&part| part == NO_PART);
            if !is_free || !self.is_bar(line) || line.tables > 0 && self.is_in_grid(line, &mut grids) {
                continue;
            }
            if names_sharing(&self.text(line).to_lowercase()) {
                self.mark(of_lines, i..i + 1, CONTROL);
            } else if has_text && last.is_some_and(|last| (last + 1..=last + NEAR).contains(&i)) {
                // Marked only below, since several bars are a list.
                bars.push(i);
            }
        }
        if bars.len() <= MAX_BARS {
            for bar in bars {
                self.mark(of_lines, bar..bar + 1, CONTROL);
            }
        }
    }

    /// Whether a line consists of a few short links.
    fn is_bar(&self, line: &Line) -> bool {
        let table = self.view.table;
        let may_be_one = line.heading == 0
            && line.link_chars > 0
            && line.counts.tokens <= MAX_WORDS
            && matches!(
                line.kind,
                BlockKind::Paragraph | BlockKind::Text | BlockKind::TableCell
            );
        if !may_be_one {
            return false;
        }
        let blocks = &table.blocks()[line.blocks()];
        let words: u32 = blocks.iter().map(|block| block.words).sum();
        if words == 0 || blocks.iter().any(|block| block.link_words < block.words) {
            return false;
        }
        let dom = self.view.dom;
        // Texts of one link are adjacent, so comparing with the last link is enough.
        let mut links = Vec::new();
        for &node in blocks.iter().flat_map(|block| table.nodes(block)) {
            let link = dom
                .ancestors(node)
                .take(4)
                .find(|&at| dom.html_tag(at) == Some(Tag::A));
            if let Some(link) = link
                && links.last() != Some(&link)
            {
                links.push(link);
            }
        }
        links.len() >= MIN_LINKS && words <= MAX_LINK * narrow::to_u32(links.len())
    }
}
