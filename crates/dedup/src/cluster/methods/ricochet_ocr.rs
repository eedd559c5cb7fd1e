//! Ordered Concurrent Rippling.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::cluster::ricochet::{Pace, concurrent};
use crate::strategy::entry::Strategy;

/// Ricochet OCR, Ordered Concurrent Rippling (Wijaya, Bressan, DASFAA 2009): like CR, but every seed takes one edge per
/// round. Clusters may overlap. Has no parameters. The published description leaves details open; this is our
/// interpretation.
#[derive(Clone, Copy, Debug, Default)]
pub struct RicochetOcr;

impl RicochetOcr {
    /// The seeds, ascending, and the clusters.
    #[must_use]
    pub fn seeds(&self, copies: &[u32], edges: &[Edge]) -> (Vec<u32>, Clusters) {
        concurrent(&Graph::new(copies, edges), Pace::Single)
    }
}

impl Strategy for RicochetOcr {
    fn name(&self) -> &'static str {
        "ricochet-ocr"
    }

    fn summary(&self) -> &'static str {
        "as ricochet-cr, one edge per seed and round; overlapping"
    }
}

impl Clustering for RicochetOcr {
    fn overlaps(&self) -> bool {
        true
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        self.seeds(copies, edges).1
    }
}
