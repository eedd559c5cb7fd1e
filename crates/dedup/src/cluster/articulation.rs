//! Biconnected components.

use std::sync::Arc;

use super::{Clustering, Edge};
use crate::clusters::Clusters;
use crate::graph::Graph;
use crate::strategy::Strategy;

/// Articulation points (Hopcroft, Tarjan, "Efficient algorithms for graph manipulation", 1973): clusters are the
/// biconnected components, which no single document holds together. They overlap in the articulation points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Articulation;

impl Articulation {
    /// The articulation points, ascending, and the clusters.
    #[must_use]
    pub fn points(&self, vertices: u32, edges: &[Edge]) -> (Vec<u32>, Clusters) {
        let graph = Graph::new(vertices, edges);
        let mut search = Search::new(&graph);
        for root in 0..vertices {
            search.visit(root);
        }
        let points = (0..vertices)
            .filter(|&vertex| search.is_point[vertex as usize])
            .collect();
        let clusters =
            Clusters::from_groups(search.components.into_iter().chain(graph.singletons()).collect());
        (points, clusters)
    }
}

/// A depth-first search with an explicit stack: chains of documents may be of any length.
struct Search<'a> {
    graph: &'a Graph,
    /// When a vertex was entered, from 1; 0 if it was not yet.
    entered: Vec<u32>,
    /// The earliest entered vertex that its subtree has an edge to.
    low: Vec<u32>,
    clock: u32,
    path: Vec<Step>,
    /// Vertices that were entered and belong to no finished component yet, but for the one it hangs on.
    pending: Vec<u32>,
    is_point: Vec<bool>,
    components: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Step {
    vertex: u32,
    /// How many of its neighbors were looked at.
    seen: usize,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Self {
        let vertices = graph.len() as usize;
        Self {
            graph,
            entered: vec![0; vertices],
            low: vec![0; vertices],
            clock: 0,
            path: Vec::new(),
            pending: Vec::new(),
            is_point: vec![false; vertices],
            components: Vec::new(),
        }
    }

    fn enter(&mut self, vertex: u32) {
        self.clock += 1;
        self.entered[vertex as usize] = self.clock;
        self.low[vertex as usize] = self.clock;
        self.path.push(Step { vertex, seen: 0 });
        self.pending.push(vertex);
    }

    fn visit(&mut self, root: u32) {
        if self.entered[root as usize] > 0 {
            return;
        }
        self.enter(root);
        let mut children_of_root = 0;
        while let Some(step) = self.path.last_mut() {
            let vertex = step.vertex;
            if let Some(neighbor) = self.graph.neighbors(vertex).get(step.seen) {
                step.seen += 1;
                // The edge back to the parent changes nothing: `low` would become the parent's time, as without it the
                // component still ends there.
                if self.entered[neighbor.vertex as usize] == 0 {
                    self.enter(neighbor.vertex);
                } else {
                    let time = self.entered[neighbor.vertex as usize];
                    self.low[vertex as usize] = self.low[vertex as usize].min(time);
                }
                continue;
            }
            self.path.pop();
            let Some(parent) = self.path.last().map(|step| step.vertex) else {
                break;
            };
            self.low[parent as usize] = self.low[parent as usize].min(self.low[vertex as usize]);
            if self.low[vertex as usize] >= self.entered[parent as usize] {
                // Nothing below leads past the parent.
                let start = self
                    .pending
                    .iter()
                    .rposition(|&other| other == vertex)
                    .unwrap_or(0);
                let mut component = self.pending.split_off(start);
                component.push(parent);
                self.components.push(component);
                children_of_root += u32::from(parent == root);
                self.is_point[parent as usize] |= parent != root || children_of_root > 1;
            }
        }
        self.pending.clear();
    }
}

impl Strategy for Articulation {
    fn name(&self) -> &'static str {
        "articulation"
    }

    fn summary(&self) -> &'static str {
        "what no single document holds together; overlapping"
    }
}

impl Clustering for Articulation {
    fn shared(&self) -> Arc<dyn Clustering> {
        Arc::new(*self)
    }

    fn overlaps(&self) -> bool {
        true
    }

    fn cluster(&self, vertices: u32, edges: &[Edge]) -> Clusters {
        self.points(vertices, edges).1
    }
}
