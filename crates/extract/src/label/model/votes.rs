//! Votes of a cheaper method, as features of each line.

use crate::label::extractor::PageView;
use crate::label::model::page_table::PageTable;
use crate::label::model::row::Row;
use crate::label::model::vote_buffers::VoteBuffers;

/// Votes of [`candidate`](super::candidate) on the lines of a page. Without these features, F1 on held-out
/// domains is .0034 lower (docs/train.md).
pub(crate) struct CandidateVotes {
    /// 1 for each line that it keeps, otherwise 0.
    keeps: Vec<f32>,
    /// Weighted mean of `keeps` over the seven lines around each line.
    near: Vec<f32>,
    /// Share of the page's tokens that it keeps.
    share: f32,
}

/// Number of lines on either side that belong to the neighborhood of a line.
const REACH: usize = 3;

/// Number of elements or lines up to which the buffers are kept for reuse. Larger buffers are freed, since they would add to the memory
/// peak of the steps after the votes.
const MAX_KEPT: usize = 10_000;

impl CandidateVotes {
    pub(crate) fn of(view: &PageView<'_>, page: &PageTable) -> CandidateVotes {
        let mut buffers = view.scratch.votes.take();
        let VoteBuffers {
            candidate,
            weights,
            weighted,
        } = &mut buffers;
        let kept = candidate.find(view, page);
        let keeps: Vec<f32> = kept.iter().map(|&kept| f32::from(u8::from(kept))).collect();
        let tokens = keeps
            .iter()
            .zip(&page.lines)
            .map(|(keeps, line)| keeps * line.counts.tokens as f32);
        let share = tokens.sum::<f32>() / page.page.tokens.max(1.0);
        padded(
            weights,
            page.lines.iter().map(|line| (line.counts.tokens as f32).sqrt()),
        );
        // `weights` is padded: the weight of the first line is at `REACH`.
        let of_kept = keeps.iter().zip(&weights[REACH..]);
        padded(weighted, of_kept.map(|(keeps, weight)| keeps * weight));
        let near = sums_around(weighted)
            .zip(sums_around(weights))
            .map(|(kept, all)| kept / f32::max(all, 1.0))
            .collect();
        if page.elements.len().max(page.lines.len()) <= MAX_KEPT {
            view.scratch.votes.replace(buffers);
        }
        CandidateVotes { keeps, near, share }
    }

    #[inline(always)]
    pub(crate) fn put(&self, row: &mut impl Row, i: usize) {
        for (name, value) in [
            ("keeps", self.keeps[i]),
            ("near", self.near[i]),
            ("share", self.share),
        ] {
            row.put_named("candidate", name, value);
        }
    }
}

/// Writes values, padded with [`REACH`] zeros on either side.
fn padded(out: &mut Vec<f32>, values: impl Iterator<Item = f32>) {
    out.clear();
    out.resize(REACH, 0.0);
    out.extend(values);
    out.resize(out.len() + REACH, 0.0);
}

/// Returns, for each padded value, the sum over its neighborhood.
fn sums_around(padded: &[f32]) -> impl Iterator<Item = f32> {
    padded.windows(2 * REACH + 1).map(|near| near.iter().sum())
}
