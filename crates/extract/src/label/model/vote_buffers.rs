//! Reusable memory for the votes of a cheaper method.

use crate::label::model::candidate::buffers::CandidateBuffers;

/// Reusable memory for the votes on the lines of a page. The lists are padded with zeros on both sides, by the reach of the neighborhood.
#[derive(Debug, Default)]
pub(crate) struct VoteBuffers {
    pub(super) candidate: CandidateBuffers,
    /// Weight of each line.
    pub(super) weights: Vec<f32>,
    /// Weight of each kept line; 0 for other lines.
    pub(super) weighted: Vec<f32>,
}
