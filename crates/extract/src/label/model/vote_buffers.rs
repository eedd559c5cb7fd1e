//! Memory for the answer of a cheaper method, which the next page uses again.

use crate::label::model::candidate::buffers::CandidateBuffers;

/// Memory for the votes on the lines of a page. The lists begin and end with zeros, as many as lines are near a line on one side.
#[derive(Debug, Default)]
pub(crate) struct VoteBuffers {
    pub(super) candidate: CandidateBuffers,
    /// What each line counts.
    pub(super) weights: Vec<f32>,
    /// The same, and 0 for lines that are not kept.
    pub(super) weighted: Vec<f32>,
}
