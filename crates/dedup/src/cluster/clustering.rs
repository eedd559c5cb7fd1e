//! The trait of clusterings, and the edges they read.

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
    /// How similar they are, above 0 and up to 1.
    pub similarity: f64,
}

/// Sorts edges as clusterings expect them: the most similar first, then by vertices.
pub fn sort_edges(edges: &mut [Edge]) {
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

    /// Whether what becomes of vertices depends on those alone that edges connect them with, directly or by others. Default: yes.
    fn is_local(&self) -> bool {
        true
    }

    /// Whether the vertices are to be numbered in the order of the keeper, so that clusters are led by the documents that stay. Default: no,
    /// they are in the order of their content hashes.
    fn follows_keeper(&self) -> bool {
        false
    }

    /// Largest size of a cluster, counting identical documents once.
    fn max_size(&self) -> u32 {
        u32::MAX
    }

    /// Groups the vertices `0..copies.len()`, each of which is in some cluster of the result. `edges` come as
    /// [`sort_edges`] sorts them, and none has an end that is no vertex.
    ///
    /// A vertex stands for so many identical documents, 1 or more, which are as many vertices of equal neighbors with
    /// similarity 1 among them. They are not listed separately, but they count: the most similar pairs of all are theirs, and
    /// they are neighbors like others.
    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters;
}

/// Copies of a clustering behind a pointer, which everything that can be cloned has.
pub trait CloneClustering {
    /// A copy.
    fn boxed(&self) -> Box<dyn Clustering>;
}

impl<S: Clustering + Clone + 'static> CloneClustering for S {
    fn boxed(&self) -> Box<dyn Clustering> {
        Box::new(self.clone())
    }
}
