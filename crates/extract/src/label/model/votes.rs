//! The answers of two cheaper methods, as features of each line.

use crate::label::extractor::PageView;
use crate::label::model::candidate;
use crate::label::model::lines::Line;
use crate::label::model::page_table::PageTable;
use crate::label::model::row::Row;

/// The lines that another method keeps.
pub(crate) struct MethodVotes {
    /// Share of each line that the method keeps, and mean share of the seven lines around it.
    lines: Vec<(f32, f32)>,
    /// Share of the page's text that it keeps.
    share: f32,
}

impl MethodVotes {
    /// Votes of [`candidate`], and of the method that keeps the blocks `kept`.
    pub(crate) fn all(view: &PageView<'_>, page: &PageTable, kept: &[bool]) -> [MethodVotes; 2] {
        let candidate = candidate::kept(view.dom, view.table, page);
        let weight: Vec<f32> = page.lines.iter().map(|u| (u.tokens as f32).sqrt()).collect();
        let candidate = candidate.into_iter().map(|kept| f32::from(u8::from(kept)));
        let other = page.lines.iter().map(|line| {
            let (mut ours, mut all) = (0.0, 0.0);
            for block in line.blocks() {
                let chars = view.table.blocks()[block].chars as f32;
                all += chars;
                if kept.get(block).is_some_and(|kept| *kept) {
                    ours += chars;
                }
            }
            ours / f32::max(all, 1.0)
        });
        [
            MethodVotes::new(page, candidate, &weight),
            MethodVotes::new(page, other, &weight),
        ]
    }

    fn new(page: &PageTable, kept: impl Iterator<Item = f32>, weight: &[f32]) -> Self {
        let mut lines: Vec<(f32, f32)> = kept.map(|kept| (kept, 0.0)).collect();
        let of_line = |(share, line): (&(f32, f32), &Line)| share.0 * line.tokens as f32;
        let tokens: f32 = lines.iter().zip(&page.lines).map(of_line).sum();
        for i in 0..lines.len() {
            let range = i.saturating_sub(3)..(i + 4).min(lines.len());
            let (mut sum, mut all) = (0.0, 0.0);
            for (line, weight) in lines[range.clone()].iter().zip(&weight[range]) {
                sum += line.0 * weight;
                all += weight;
            }
            lines[i].1 = sum / f32::max(all, 1.0);
        }
        MethodVotes {
            lines,
            share: tokens / page.page.tokens.max(1.0),
        }
    }

    pub(crate) fn put(&self, row: &mut impl Row, name: &str, i: usize) {
        let (keeps, near) = self.lines[i];
        row.put_named(name, "keeps", keeps);
        row.put_named(name, "near", near);
        row.put_named(name, "share", self.share);
    }
}
