//! Every number of the method in one place.

/// Characters a result must have to be accepted.
pub(crate) const CHAR_THRESHOLD: u32 = 500;
/// Candidates compared with the best one.
pub(crate) const TOP_CANDIDATES: usize = 5;
/// Characters below which an element scores nothing.
pub(crate) const MIN_PARAGRAPH: u32 = 25;
/// Number of ancestors that receive a share of a score.
pub(crate) const ANCESTORS: usize = 5;
/// Share of a `#fragment` link's characters that counts as linked.
pub(crate) const FRAGMENT_LINK: f64 = 0.3;
/// Score of a close candidate, as a share of the best one's.
pub(crate) const CLOSE_CANDIDATE: f64 = 0.75;
/// Number of close candidates whose common ancestor is chosen instead.
pub(crate) const MIN_CLOSE_CANDIDATES: usize = 3;
/// Score that a sibling needs, as a share of the best one's, but at least `SIBLING_MIN`.
pub(crate) const SIBLING_SHARE: f64 = 0.2;
pub(crate) const SIBLING_MIN: f64 = 10.0;
/// Most characters of an element named `share` that is removed as a bar of buttons.
pub(crate) const SHARE_CHARS: u32 = 500;
/// Word similarity above which a heading repeats the title.
pub(crate) const TITLE_SIMILARITY: f64 = 0.75;
