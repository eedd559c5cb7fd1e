//! The answers of two cheaper methods, as features of each line.

use crate::label::extractor::PageView;
use crate::label::model::page_table::PageTable;
use crate::label::model::row::Row;
use crate::label::model::vote_buffers::VoteBuffers;

/// The lines that another method keeps.
pub(crate) struct MethodVotes {
    /// Share of each line that the method keeps.
    keeps: Vec<f32>,
    /// Mean share of the seven lines around it.
    near: Vec<f32>,
    /// Share of the page's text that it keeps.
    share: f32,
}

/// Lines before and after a line that are near it.
const REACH: usize = 3;

/// Elements or lines of a page up to which its buffers are kept: what comes after the votes should not have to stand beside long ones.
const MAX_KEPT: usize = 10_000;

impl MethodVotes {
    /// Votes of [`candidate`](super::candidate), and of the method that keeps the blocks `kept`.
    pub(crate) fn all(view: &PageView<'_>, page: &PageTable, kept: &[bool]) -> [MethodVotes; 2] {
        let mut buffers = view.scratch.votes.take();
        let VoteBuffers {
            candidate,
            weights,
            near,
            ..
        } = &mut buffers;
        padded(
            weights,
            page.lines.iter().map(|line| (line.counts.tokens as f32).sqrt()),
        );
        near.clear();
        near.extend(sums_around(weights).map(|sum| f32::max(sum, 1.0)));
        let candidate = candidate.find(view.dom, view.table, page);
        let candidate: Vec<f32> = candidate.iter().map(|&kept| f32::from(u8::from(kept))).collect();
        let blocks = view.table.blocks();
        let other = page.lines.iter().map(|line| {
            let (mut ours, mut all) = (0.0, 0.0);
            for block in line.blocks() {
                let chars = blocks[block].chars as f32;
                all += chars;
                if kept.get(block).is_some_and(|kept| *kept) {
                    ours += chars;
                }
            }
            ours / f32::max(all, 1.0)
        });
        let other = other.collect();
        let votes = [candidate, other].map(|keeps| MethodVotes::new(page, keeps, &mut buffers));
        if page.elements.len().max(page.lines.len()) <= MAX_KEPT {
            view.scratch.votes.replace(buffers);
        }
        votes
    }

    fn new(page: &PageTable, keeps: Vec<f32>, buffers: &mut VoteBuffers) -> Self {
        let VoteBuffers {
            weights,
            weighted,
            near,
            ..
        } = buffers;
        let tokens = keeps
            .iter()
            .zip(&page.lines)
            .map(|(share, line)| share * line.counts.tokens as f32);
        let share = tokens.sum::<f32>() / page.page.tokens.max(1.0);
        padded(
            weighted,
            keeps
                .iter()
                .zip(&weights[REACH..])
                .map(|(share, weight)| share * weight),
        );
        let near = sums_around(weighted).zip(near).map(|(sum, all)| sum / *all);
        MethodVotes {
            near: near.collect(),
            keeps,
            share,
        }
    }

    #[inline(always)]
    pub(crate) fn put(&self, row: &mut impl Row, name: &str, i: usize) {
        row.put_named(name, "keeps", self.keeps[i]);
        row.put_named(name, "near", self.near[i]);
        row.put_named(name, "share", self.share);
    }
}

/// Writes values between [`REACH`] zeros on either side.
fn padded(out: &mut Vec<f32>, values: impl Iterator<Item = f32>) {
    out.clear();
    out.resize(REACH, 0.0);
    out.extend(values);
    out.resize(out.len() + REACH, 0.0);
}

/// For each value between the zeros, the sum of it and of those near it, from the first to the last.
fn sums_around(padded: &[f32]) -> impl Iterator<Item = f32> {
    padded.windows(2 * REACH + 1).map(|near| near.iter().sum())
}
