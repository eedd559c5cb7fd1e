//! What other methods say of a line.

use super::features::Row;
use super::page::PageTable;
use crate::extractor::{Labels, View};

/// What another method says.
pub(super) struct Vote {
    /// Share of each line that it keeps, and of the lines around.
    lines: Vec<(f32, f32)>,
    /// Share of the page's text.
    share: f32,
}

impl Vote {
    pub(super) fn all(view: &View<'_>, page: &PageTable, votes: &[&Labels]) -> Vec<Vote> {
        let weight: Vec<f32> = page.units.iter().map(|u| (u.tokens as f32).sqrt()).collect();
        let vote = |labels: &&Labels| Vote::new(view, page, labels, &weight);
        votes.iter().map(vote).collect()
    }

    fn new(view: &View<'_>, page: &PageTable, labels: &Labels, weight: &[f32]) -> Self {
        let mut tokens = 0.0;
        let kept = |unit: &super::unit::Unit| {
            let (mut kept, mut all) = (0.0, 0.0);
            for block in unit.blocks.clone() {
                let chars = view.table.blocks()[block].chars as f32;
                all += chars;
                if labels.verdicts.get(block).is_some_and(|v| v.kept) {
                    kept += chars;
                }
            }
            let kept = kept / f32::max(all, 1.0);
            tokens += kept * unit.tokens as f32;
            (kept, 0.0)
        };
        let mut lines: Vec<(f32, f32)> = page.units.iter().map(kept).collect();
        for i in 0..lines.len() {
            let range = i.saturating_sub(3)..(i + 4).min(lines.len());
            let (mut sum, mut all) = (0.0, 0.0);
            for (line, weight) in lines[range.clone()].iter().zip(&weight[range]) {
                sum += line.0 * weight;
                all += weight;
            }
            lines[i].1 = sum / f32::max(all, 1.0);
        }
        Vote {
            lines,
            share: tokens / page.page.tokens.max(1.0),
        }
    }

    pub(super) fn put(&self, row: &mut impl Row, name: &str, i: usize) {
        let (keeps, near) = self.lines[i];
        row.named(name, "keeps", keeps);
        row.named(name, "near", near);
        row.named(name, "share", self.share);
    }
}
