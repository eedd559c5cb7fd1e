//! Concurrent Rippling.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::cluster::ricochet::{Pace, concurrent};
use crate::strategy::entry::Strategy;

/// Ricochet CR, Concurrent Rippling (Wijaya, Bressan, DASFAA 2009): all vertices are seeds, which take their edges in
/// descending order of similarity, at equal pace. Seeds that reach each other merge. Clusters may overlap. Has no
/// parameters. The published description leaves details open; this is our interpretation.
#[derive(Clone, Copy, Debug, Default)]
pub struct RicochetCr;

impl RicochetCr {
    /// The seeds, ascending, and the clusters.
    #[must_use]
    pub fn seeds(&self, copies: &[u32], edges: &[Edge]) -> (Vec<u32>, Clusters) {
        concurrent(&Graph::new(copies, edges), Pace::Equal)
    }
}

impl Strategy for RicochetCr {
    fn name(&self) -> &'static str {
        "ricochet-cr"
    }

    fn summary(&self) -> &'static str {
        "all vertices are seeds at once and merge where they meet; overlapping"
    }
}

impl Clustering for RicochetCr {
    /// False: a round extends to the edge of the slowest seed in any component.
    fn is_local(&self) -> bool {
        false
    }

    fn overlaps(&self) -> bool {
        true
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        self.seeds(copies, edges).1
    }
}
