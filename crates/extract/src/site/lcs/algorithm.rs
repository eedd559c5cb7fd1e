//! The common interface of all algorithms.

/// An algorithm that finds a longest common subsequence.
pub trait Lcs: Sync {
    /// Returns the name as users type it.
    fn name(&self) -> &'static str;

    /// Returns the use of the algorithm, in one line.
    fn summary(&self) -> &'static str;

    /// Returns a longest common subsequence: pairs of positions with equal elements, ascending in both vectors.
    fn pairs(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)>;

    /// Returns the length of a longest common subsequence.
    fn length(&self, a: &[u32], b: &[u32]) -> usize {
        self.pairs(a, b).len()
    }
}
