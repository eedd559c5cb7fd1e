//! The star algorithm.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{choice, flag};

/// The score by which [`Star`] chooses centers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Centrality {
    /// Number of neighbors.
    Degree,
    /// Mean similarity to the neighbors.
    Average,
}

/// Star (Aslam, Pelekhov, Rus, "The star clustering algorithm for static and dynamic information organization", 2004):
/// the vertex with the most neighbors becomes a center with all of them, then the next vertex that is not covered yet,
/// and so on. Centers are never neighbors, but other members may be in several stars. Two members of a star need not be
/// similar; a higher threshold reduces this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Star {
    by: Centrality,
    overlap: bool,
}

impl Star {
    /// The defaults: by degree, overlapping.
    pub const DEFAULT: Self = Self {
        by: Centrality::Degree,
        overlap: true,
    };

    /// The score by which centers are chosen, default [`Centrality::Degree`].
    #[must_use]
    pub const fn with_centrality(mut self, by: Centrality) -> Self {
        self.by = by;
        self
    }

    /// Whether a vertex is in the stars of all neighboring centers (default yes), or only in that of the most similar
    /// center.
    #[must_use]
    pub const fn with_overlap(mut self, overlap: bool) -> Self {
        self.overlap = overlap;
        self
    }

    /// The centers in the order of choice, vertices without neighbors included, and the clusters.
    #[must_use]
    pub fn stars(&self, copies: &[u32], edges: &[Edge]) -> (Vec<u32>, Clusters) {
        let graph = Graph::new(copies, edges);
        let vertices = graph.len();
        let score = |vertex| match self.by {
            Centrality::Degree => graph.degree(vertex) as f64,
            Centrality::Average => graph.average(vertex),
        };
        let scores: Vec<f64> = (0..vertices).map(score).collect();
        let mut order: Vec<u32> = (0..vertices).collect();
        // Stable, so among equal scores the smaller vertex comes first.
        order.sort_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]));

        let mut covered = vec![false; vertices as usize];
        let mut centers = Vec::new();
        // A vertex next to a center is covered and cannot become one, so centers are never neighbors.
        for vertex in order {
            if !covered[vertex as usize] {
                centers.push(vertex);
                covered[vertex as usize] = true;
                for neighbor in graph.neighbors(vertex) {
                    covered[neighbor.vertex as usize] = true;
                }
            }
        }
        let mut is_center = vec![false; vertices as usize];
        for &center in &centers {
            is_center[center as usize] = true;
        }
        // Neighbors descend by similarity, so the first center among them is the most similar, among equals the
        // smallest.
        let nearest = |vertex: u32| {
            graph
                .neighbors(vertex)
                .iter()
                .find(|neighbor| is_center[neighbor.vertex as usize])
        };
        let groups = centers.iter().map(|&center| {
            let members = graph.neighbors(center).iter().map(|neighbor| neighbor.vertex);
            // Without overlap a vertex goes to its nearest center only. A center is never a neighbor of
            // another one.
            let own = members
                .filter(|&member| self.overlap || nearest(member).is_some_and(|best| best.vertex == center));
            [center].into_iter().chain(own).collect()
        });
        let clusters = Clusters::from_groups(groups.collect());
        (centers, clusters)
    }
}

impl Strategy for Star {
    fn name(&self) -> &'static str {
        "star"
    }

    fn summary(&self) -> &'static str {
        "the vertices with the most neighbors, each with all of its neighbors; overlapping"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new("by", "degree", "how centers are chosen: degree or average"),
                Parameter::new(
                    "overlap",
                    "true",
                    "a vertex may be in several stars, true or false",
                ),
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        let centralities = [("degree", Centrality::Degree), ("average", Centrality::Average)];
        match parameter {
            "by" => *self = self.with_centrality(choice("by", value, &centralities)?),
            "overlap" => *self = self.with_overlap(flag("overlap", value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Clustering for Star {
    fn overlaps(&self) -> bool {
        self.overlap
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        self.stars(copies, edges).1
    }
}
