//! The greedy leader algorithm.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::strategy::entry::Strategy;

/// Leader: vertices are processed in order. A vertex in no cluster starts one and leads it; all its neighbors in no
/// cluster join. Every member is similar to its leader.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leader;

impl Strategy for Leader {
    fn name(&self) -> &'static str {
        "leader"
    }

    fn summary(&self) -> &'static str {
        "in order, each free document leads a cluster of its free neighbors"
    }
}

impl Clustering for Leader {
    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        let graph = Graph::new(copies, edges);
        let vertices = graph.len();
        let mut leaders: Vec<Option<u32>> = vec![None; vertices as usize];
        // Vertices are in the order of preference, so an earlier leader keeps its neighbors.
        for vertex in 0..vertices {
            if leaders[vertex as usize].is_some() {
                continue;
            }
            leaders[vertex as usize] = Some(vertex);
            for neighbor in graph.neighbors(vertex) {
                leaders[neighbor.vertex as usize].get_or_insert(vertex);
            }
        }
        // Every vertex has a leader by now, at least itself.
        let labels: Vec<u32> = (0..)
            .zip(leaders)
            .map(|(vertex, leader)| leader.unwrap_or(vertex))
            .collect();
        Clusters::from_labels(&labels)
    }
}
