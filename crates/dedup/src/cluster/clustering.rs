//! The trait of clusterings, and the edges that they read.

use rayon::prelude::*;

use crate::cluster::clusters::Clusters;
use crate::strategy::entry::Strategy;

/// A pair of similar vertices, with `u < v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The smaller vertex.
    pub u: u32,
    /// The larger vertex.
    pub v: u32,
    /// The similarity of the two vertices, above 0 and up to 1.
    pub similarity: f64,
}

/// Sorts edges in the order that clusterings expect: the most similar first, then by vertices.
pub fn sort_edges(edges: &mut [Edge]) {
    // An unstable sort suffices, because edges that compare equal have equal parts.
    edges.par_sort_unstable_by(|a, b| {
        b.similarity
            .total_cmp(&a.similarity)
            .then((a.u, a.v).cmp(&(b.u, b.v)))
    });
}

/// A clustering with its parameters.
pub trait Clustering: Strategy + CloneClustering {
    /// True if a vertex may be in several clusters.
    fn overlaps(&self) -> bool {
        false
    }

    /// True if the cluster of a vertex depends only on its connected component. Default: true.
    fn is_local(&self) -> bool {
        true
    }

    /// True if vertices must be numbered in the keeper's order, so that staying documents lead clusters. Default:
    /// false; vertices are then numbered in the order of content hashes.
    fn follows_keeper(&self) -> bool {
        false
    }

    /// Largest size of a cluster; identical documents count once.
    fn max_size(&self) -> u32 {
        u32::MAX
    }

    /// Groups the vertices `0..copies.len()`. Each vertex is in at least one cluster of the result. `edges` must be
    /// sorted by [`sort_edges`] and connect existing vertices.
    ///
    /// A vertex represents `copies[vertex]` identical documents, 1 or more. The result is the same as if
    /// each copy were a vertex with the same neighbors and with similarity 1 to the other copies: pairs of
    /// copies are the most similar pairs, and copies count as neighbors. But the result lists only the
    /// vertex itself.
    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters;
}

/// Copies a clustering behind a pointer. Implemented for every clustering that is `Clone`.
pub trait CloneClustering {
    /// A copy.
    fn boxed(&self) -> Box<dyn Clustering>;
}

impl<S: Clustering + Clone + 'static> CloneClustering for S {
    fn boxed(&self) -> Box<dyn Clustering> {
        Box::new(self.clone())
    }
}
