//! Concurrent Rippling.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::cluster::ricochet::{Pace, concurrent};
use crate::strategy::entry::Strategy;

/// Ricochet CR, Concurrent Rippling (Wijaya, Bressan, DASFAA 2009): all vertices are seeds that take their edges from the
/// most similar down at equal speed; seeds that meet merge. Clusters may overlap. Has no parameters. Our reading of a
/// description that leaves the details open.
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
    /// No. A round goes as far as its slowest seed.
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
