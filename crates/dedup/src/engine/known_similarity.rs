//! The similarity of two documents, looked up in lists of pairs.

use crate::candidates::pair::ScoredPair;
use crate::engine::exact_groups::ExactGroups;

/// The similarity of two documents from `pairs`, or else from `measured`; 1 if their contents are equal. `None` if it
/// was never computed. Both lists are sorted.
pub(crate) fn similarity(
    pairs: &[ScoredPair],
    measured: &[ScoredPair],
    exact_groups: &ExactGroups,
    a: u32,
    b: u32,
) -> Option<f64> {
    // Pairs are stored between the first documents of contents.
    let (a, b) = (exact_groups.first(a), exact_groups.first(b));
    if a == b {
        return Some(1.0);
    }
    let find = |pairs: &[ScoredPair]| {
        let key = (a.min(b), a.max(b));
        let place = pairs.binary_search_by_key(&key, |pair| (pair.a, pair.b)).ok()?;
        Some(pairs[place].similarity)
    };
    find(pairs).or_else(|| find(measured))
}
