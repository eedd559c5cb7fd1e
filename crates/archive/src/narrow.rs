//! Conversions to smaller numbers whose bound an invariant guarantees. Debug builds check it.

/// Number of bytes that lie in memory as `usize`.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "callers pass numbers of bytes of a slice, which the assertion checks"
)]
pub(crate) fn to_usize(bytes: u64) -> usize {
    debug_assert!(
        usize::try_from(bytes).is_ok(),
        "{bytes} bytes do not fit into memory"
    );
    bytes as usize
}
