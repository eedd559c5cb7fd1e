//! Balanced Sequential Rippling.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::cluster::ricochet::Seeds;
use crate::strategy::entry::Strategy;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Ricochet BSR, Balanced Sequential Rippling (Wijaya, Bressan, DASFAA 2009). Differs from SR in the choice of seeds:
/// the next seed is the vertex with the largest ratio of its mean similarity to neighbors to its summed similarity to
/// earlier seeds. The search ends with the first vertex that takes no other vertex. Has no parameters. The order of
/// ties and the final reassignment are ours.
#[derive(Clone, Copy, Debug, Default)]
pub struct RicochetBsr;

impl RicochetBsr {
    /// The seeds, ascending, and the clusters.
    #[must_use]
    pub fn seeds(&self, copies: &[u32], edges: &[Edge]) -> (Vec<u32>, Clusters) {
        let graph = Graph::new(copies, edges);
        // The most similar vertex on average becomes the first seed.
        let order = graph.connected_by(&graph.averages());
        let mut seeds = Seeds::new(&graph, &order);
        let mut queue = Queue::new(&graph, &order);
        let mut demoted = Vec::new();
        while let Some(vertex) = queue.pop() {
            if !seeds.try_seed(vertex, &mut demoted) {
                break;
            }
            queue.seed_added(vertex);
            for &seed in &demoted {
                queue.seed_removed(seed);
            }
        }
        seeds.finish(&order)
    }
}

/// The vertices that may become seeds, best first.
struct Queue<'a> {
    graph: &'a Graph,
    averages: Vec<f64>,
    /// For each vertex, the sum of its similarities to seeds, and the number of its neighbors that are seeds.
    to_seeds: Vec<(f64, u32)>,
    waiting: BTreeSet<Rank>,
    is_waiting: Vec<bool>,
}

/// The sort key of a vertex: the next seed is smallest.
#[derive(Clone, Copy, Debug)]
struct Rank {
    ratio: f64,
    average: f64,
    vertex: u32,
}

impl Ord for Rank {
    // Compared in reverse, so that the largest ratio comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .ratio
            .total_cmp(&self.ratio)
            .then_with(|| other.average.total_cmp(&self.average))
            .then_with(|| self.vertex.cmp(&other.vertex))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank {}

impl<'a> Queue<'a> {
    /// The queue of the connected vertices `order`. The first of them is a seed already.
    fn new(graph: &'a Graph, order: &[u32]) -> Self {
        let vertices = graph.len() as usize;
        let mut queue = Self {
            graph,
            averages: graph.averages(),
            to_seeds: vec![(0.0, 0); vertices],
            waiting: BTreeSet::new(),
            is_waiting: vec![false; vertices],
        };
        // The first vertex is a seed from the start, so it does not wait.
        for &vertex in order.iter().skip(1) {
            queue.is_waiting[vertex as usize] = true;
            queue.waiting.insert(queue.rank(vertex));
        }
        if let Some(&first) = order.first() {
            queue.seed_added(first);
        }
        queue
    }

    fn rank(&self, vertex: u32) -> Rank {
        let average = self.averages[vertex as usize];
        let (sum, count) = self.to_seeds[vertex as usize];
        Rank {
            // Vertices without a neighboring seed come first. Tested by the count, because the sum may keep
            // a rounding error after seeds were removed.
            ratio: if count == 0 { f64::INFINITY } else { average / sum },
            average,
            vertex,
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let vertex = self.waiting.pop_first()?.vertex;
        self.is_waiting[vertex as usize] = false;
        Some(vertex)
    }

    fn seed_added(&mut self, seed: u32) {
        self.update(seed, |(sum, count), similarity| (sum + similarity, count + 1));
    }

    fn seed_removed(&mut self, seed: u32) {
        self.update(seed, |(sum, count), similarity| (sum - similarity, count - 1));
    }

    fn update(&mut self, seed: u32, change: impl Fn((f64, u32), f64) -> (f64, u32)) {
        let graph = self.graph;
        for neighbor in graph.neighbors(seed) {
            let vertex = neighbor.vertex;
            // The set finds an entry by its key, so the old key is computed before the change.
            let before = self.rank(vertex);
            self.to_seeds[vertex as usize] = change(self.to_seeds[vertex as usize], neighbor.similarity);
            if self.is_waiting[vertex as usize] {
                self.waiting.remove(&before);
                self.waiting.insert(self.rank(vertex));
            }
        }
    }
}

impl Strategy for RicochetBsr {
    fn name(&self) -> &'static str {
        "ricochet-bsr"
    }

    fn summary(&self) -> &'static str {
        "as ricochet-sr, but each seed is also far from the seeds before it"
    }
}

impl Clustering for RicochetBsr {
    /// False: the first vertex that takes no other vertex ends the search in all components.
    fn is_local(&self) -> bool {
        false
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        self.seeds(copies, edges).1
    }
}
