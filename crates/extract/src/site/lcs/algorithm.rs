//! What all algorithms have in common.

/// An algorithm that finds a longest common subsequence.
pub trait Lcs: Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What it is good for, in one line.
    fn summary(&self) -> &'static str;

    /// Pairs of positions with equal elements, both rising, as many as there can be.
    fn pairs(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)>;

    /// Their number.
    fn length(&self, a: &[u32], b: &[u32]) -> usize {
        self.pairs(a, b).len()
    }
}
