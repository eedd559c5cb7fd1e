//! What other methods say of a line.

use super::candidate;
use super::features::Row;
use super::page::PageTable;
use super::unit::Unit;
use crate::label::extractor::PageView;

/// What another method says.
pub(crate) struct Vote {
    /// Share of each line that it keeps, and of the lines around.
    lines: Vec<(f32, f32)>,
    /// Share of the page's text.
    share: f32,
}

impl Vote {
    /// Of the best candidate, and of what a method said that `kept` these blocks.
    pub(crate) fn all(view: &PageView<'_>, page: &PageTable, kept: &[bool]) -> [Vote; 2] {
        let candidate = candidate::kept(view.dom, view.table, page);
        let weight: Vec<f32> = page.units.iter().map(|u| (u.tokens as f32).sqrt()).collect();
        let candidate = candidate.into_iter().map(|kept| f32::from(u8::from(kept)));
        let other = page.units.iter().map(|unit| {
            let (mut ours, mut all) = (0.0, 0.0);
            for block in unit.blocks() {
                let chars = view.table.blocks()[block].chars as f32;
                all += chars;
                if kept.get(block).is_some_and(|kept| *kept) {
                    ours += chars;
                }
            }
            ours / f32::max(all, 1.0)
        });
        [
            Vote::new(page, candidate, &weight),
            Vote::new(page, other, &weight),
        ]
    }

    fn new(page: &PageTable, kept: impl Iterator<Item = f32>, weight: &[f32]) -> Self {
        let mut lines: Vec<(f32, f32)> = kept.map(|kept| (kept, 0.0)).collect();
        let of_line = |(line, unit): (&(f32, f32), &Unit)| line.0 * unit.tokens as f32;
        let tokens: f32 = lines.iter().zip(&page.units).map(of_line).sum();
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

    pub(crate) fn put(&self, row: &mut impl Row, name: &str, i: usize) {
        let (keeps, near) = self.lines[i];
        row.named(name, "keeps", keeps);
        row.named(name, "near", near);
        row.named(name, "share", self.share);
    }
}
