//! Thresholds and factors of the method, as in Readability.js.

/// Minimum number of characters of a result that is accepted.
pub(crate) const CHAR_THRESHOLD: u32 = 500;
/// Number of top candidates among which the best one is chosen.
pub(crate) const TOP_CANDIDATES: usize = 5;
/// Minimum number of characters of an element that contributes to scores.
pub(crate) const MIN_PARAGRAPH: u32 = 25;
/// Number of ancestors that receive a share of a score.
pub(crate) const ANCESTORS: usize = 5;
/// Share of the characters of a `#fragment` link that counts as linked.
pub(crate) const FRAGMENT_LINK: f64 = 0.3;
/// Minimum score of a close candidate, as a share of the best score.
pub(crate) const CLOSE_CANDIDATE: f64 = 0.75;
/// Number of close candidates whose common ancestor is chosen instead.
pub(crate) const MIN_CLOSE_CANDIDATES: usize = 3;
/// Minimum score of a sibling, as a share of the best score, but at least `SIBLING_MIN`.
pub(crate) const SIBLING_SHARE: f64 = 0.2;
pub(crate) const SIBLING_MIN: f64 = 10.0;
/// Length in characters at or above which an element named `share` is not removed as a bar of buttons.
pub(crate) const SHARE_CHARS: u32 = 500;
/// Word similarity above which a heading repeats the title.
pub(crate) const TITLE_SIMILARITY: f64 = 0.75;
