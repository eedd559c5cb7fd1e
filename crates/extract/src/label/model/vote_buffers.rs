//! Memory for the answers of cheaper methods, which the next page uses again.

use crate::label::model::candidate::buffers::CandidateBuffers;

/// Memory for the votes on the lines of a page. The lists begin and end with zeros, as many as lines are near a line on one side.
#[derive(Debug, Default)]
pub(crate) struct VoteBuffers {
    pub(super) candidate: CandidateBuffers,
    /// What each line counts.
    pub(super) weights: Vec<f32>,
    /// The same, times the share of the line that a method keeps.
    pub(super) weighted: Vec<f32>,
    /// Sum of the weights around each line, at least 1, without zeros before and after.
    pub(super) near: Vec<f32>,
}
