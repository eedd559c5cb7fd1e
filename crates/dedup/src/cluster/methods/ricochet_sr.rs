//! Sequential Rippling.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::cluster::ricochet::Seeds;
use crate::strategy::entry::Strategy;

/// Ricochet SR, Sequential Rippling (Wijaya, Bressan, DASFAA 2009): vertices become seeds in descending order of their
/// mean similarity to neighbors. Each takes the vertices that are more similar to it than to their seeds. Has no
/// parameters. The order of ties and the final reassignment are ours.
#[derive(Clone, Copy, Debug, Default)]
pub struct RicochetSr;

impl RicochetSr {
    /// The seeds, ascending, and the clusters.
    #[must_use]
    pub fn seeds(&self, copies: &[u32], edges: &[Edge]) -> (Vec<u32>, Clusters) {
        let graph = Graph::new(copies, edges);
        let order = graph.connected_by(&graph.averages());
        let mut seeds = Seeds::new(&graph, &order);
        let mut demoted = Vec::new();
        // The first vertex is a seed already. Unlike in BSR, a vertex that takes no other does not end the
        // search.
        for &vertex in order.iter().skip(1) {
            seeds.try_seed(vertex, &mut demoted);
        }
        seeds.finish(&order)
    }
}

impl Strategy for RicochetSr {
    fn name(&self) -> &'static str {
        "ricochet-sr"
    }

    fn summary(&self) -> &'static str {
        "seeds one after the other, by mean similarity; each draws what is nearer to it"
    }
}

impl Clustering for RicochetSr {
    /// False: all vertices of all components belong to the first seed at the start.
    fn is_local(&self) -> bool {
        false
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        self.seeds(copies, edges).1
    }
}
