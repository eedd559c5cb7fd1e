//! Disjoint sets.

use std::hint::black_box;

/// Disjoint sets of vertices that can be united. A set is identified by its smallest member. No operation recurses.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<u32>,
    /// Number of members of each set, stored at its smallest member.
    sizes: Vec<u32>,
}

impl UnionFind {
    /// `vertices` sets of one member each.
    #[must_use]
    pub fn new(vertices: u32) -> Self {
        Self {
            parent: (0..vertices).collect(),
            sizes: vec![1; vertices as usize],
        }
    }

    /// The smallest member of the set of `vertex`.
    pub fn find(&mut self, mut vertex: u32) -> u32 {
        while self.parent[vertex as usize] != vertex {
            // Path halving: the vertex is linked to its grandparent.
            let grandparent = self.parent[self.parent[vertex as usize] as usize];
            self.parent[vertex as usize] = grandparent;
            vertex = grandparent;
        }
        vertex
    }

    /// Prefetches the entries of vertices. The processor waits for many of them at the same time here, instead of for
    /// each one in [`find`](Self::find).
    pub(crate) fn fetch(&self, vertices: impl Iterator<Item = u32>) {
        let parents = vertices.map(|vertex| self.parent[vertex as usize]);
        // Without the black box the compiler would drop the loads, whose values are not used.
        black_box(parents.fold(0, |all, parent| all | parent));
    }

    /// Unites two sets. Returns false if they were the same set already.
    pub fn unite(&mut self, a: u32, b: u32) -> bool {
        self.unite_within(a, b, u32::MAX)
    }

    /// Unites two sets unless the result would have more than `most` members. Returns false if nothing was united.
    pub(crate) fn unite_within(&mut self, a: u32, b: u32, most: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        // Saturating, so that a sum beyond 32 bits is still above any limit.
        let size = self.sizes[a as usize].saturating_add(self.sizes[b as usize]);
        if a == b || size > most {
            return false;
        }
        // The smaller root becomes the parent. With path halving this costs O(log n) amortized for any order of edges.
        self.parent[a.max(b) as usize] = a.min(b);
        self.sizes[a.min(b) as usize] = size;
        true
    }

    /// For every vertex, the smallest member of its set.
    #[must_use]
    pub fn labels(mut self) -> Vec<u32> {
        // A parent is never larger than its child, so in an ascending pass each parent is resolved already.
        for vertex in 0..self.parent.len() {
            self.parent[vertex] = self.parent[self.parent[vertex] as usize];
        }
        self.parent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named_by_their_smallest_member() {
        let mut sets = UnionFind::new(6);
        assert!(sets.unite(5, 3));
        assert!(sets.unite(3, 1));
        assert!(!sets.unite(5, 1));
        assert_eq!(sets.find(5), 1);
        assert_eq!(sets.labels(), [0, 1, 2, 1, 4, 1]);
    }

    #[test]
    fn sets_may_be_bounded() {
        let mut sets = UnionFind::new(6);
        assert!(sets.unite_within(0, 1, 3));
        assert!(sets.unite_within(2, 1, 3));
        assert!(!sets.unite_within(3, 2, 3), "a set of four");
        assert!(sets.unite_within(3, 4, 3));
        assert!(!sets.unite_within(0, 4, 3), "a set of five");
        assert_eq!(sets.labels(), [0, 0, 0, 3, 3, 5]);
    }

    #[test]
    fn long_chains_are_no_problem() {
        let n = 200_000;
        for order in [true, false] {
            let mut sets = UnionFind::new(n);
            for i in 1..n {
                let i = if order { i } else { n - i };
                sets.unite(i, i - 1);
            }
            assert!(sets.labels().iter().all(|&label| label == 0));
        }
    }
}
