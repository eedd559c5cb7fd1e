//! The greedy independent set of the graph of pairs.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::independent_set::leaders;
use crate::numeric::narrow;
use crate::strategy::entry::Strategy;

/// Cover: vertices are processed in order. A vertex that is not a neighbor of a leader becomes a leader. Any other
/// vertex joins the most similar of the earlier leaders, among equals the first.
///
/// The leaders are a maximal independent set of the graph: no two of them are neighbors, and every other vertex is a
/// neighbor of a leader. A [`Deduper`](crate::Deduper) orders the vertices by its keeper, so that the leaders are the
/// documents that stay. Star (Aslam, Pelekhov, Rus, 2004) chooses leaders in the same way but by their number of
/// neighbors, and its clusters overlap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cover;

impl Strategy for Cover {
    fn name(&self) -> &'static str {
        "cover"
    }

    fn summary(&self) -> &'static str {
        "each document that stays, with the documents that it is the most similar kept one of"
    }
}

impl Clustering for Cover {
    fn follows_keeper(&self) -> bool {
        true
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        let vertices = narrow::to_u32(copies.len()); // vertices are numbered with 32 bits
        Clusters::from_labels(&leaders(vertices, &mut edges.to_vec()))
    }
}
