//! The greedy algorithm by degree.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::strategy::entry::Strategy;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Greedy by degree: the vertex with the most neighbors leads a cluster of them. The cluster is removed from the graph,
/// and the procedure repeats with the rest. Every member is similar to its leader.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyDegree;

impl Strategy for GreedyDegree {
    fn name(&self) -> &'static str {
        "greedy-degree"
    }

    fn summary(&self) -> &'static str {
        "again and again the document with the most free neighbors leads a cluster of them"
    }
}

impl Clustering for GreedyDegree {
    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        let graph = Graph::new(copies, edges);
        let vertices = graph.len();
        // Counts documents, not vertices: copies are neighbors too.
        let mut degrees: Vec<u64> = (0..vertices).map(|vertex| graph.degree(vertex)).collect();
        // Sorted by descending degree, among equals by vertex: a leader is the first entry.
        let mut free: BTreeSet<(Reverse<u64>, u32)> = (0..vertices)
            .map(|vertex| (Reverse(degrees[vertex as usize]), vertex))
            .collect();
        let mut labels: Vec<u32> = (0..vertices).collect();
        let mut is_free = vec![true; vertices as usize];
        while let Some((_, leader)) = free.pop_first() {
            is_free[leader as usize] = false;
            let mut members = vec![leader];
            for neighbor in graph.neighbors(leader) {
                let vertex = neighbor.vertex;
                if std::mem::replace(&mut is_free[vertex as usize], false) {
                    // The entry is found by the degree it was inserted with, so `degrees` must not change
                    // before.
                    free.remove(&(Reverse(degrees[vertex as usize]), vertex));
                    labels[vertex as usize] = leader;
                    members.push(vertex);
                }
            }
            // The neighbors of removed vertices lose neighbors, which changes their places in the queue.
            for member in members {
                for neighbor in graph.neighbors(member) {
                    let vertex = neighbor.vertex;
                    if is_free[vertex as usize] {
                        free.remove(&(Reverse(degrees[vertex as usize]), vertex));
                        // The removed vertex counted once for each of its copies.
                        degrees[vertex as usize] -= u64::from(graph.copies(member));
                        free.insert((Reverse(degrees[vertex as usize]), vertex));
                    }
                }
            }
        }
        Clusters::from_labels(&labels)
    }
}
