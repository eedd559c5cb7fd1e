//! Biconnected components.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;
use crate::cluster::union_find::UnionFind;
use crate::numeric::narrow;
use crate::strategy::entry::Strategy;

/// Articulation points (Hopcroft, Tarjan, "Efficient algorithms for graph manipulation", 1973). Clusters are the
/// biconnected components: removing one document never disconnects them. They overlap in the articulation points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Articulation;

impl Articulation {
    /// The articulation points, ascending, and the clusters. A document with copies is not an articulation point:
    /// without it, its copies still connect the same components.
    #[must_use]
    pub fn points(&self, copies: &[u32], edges: &[Edge]) -> (Vec<u32>, Clusters) {
        let graph = Graph::new(copies, edges);
        let vertices = graph.len();
        let mut search = Search::new(&graph);
        for root in 0..vertices {
            search.visit(root);
        }
        let points = (0..vertices)
            .filter(|&vertex| search.is_point[vertex as usize] && graph.copies(vertex) == 1)
            .collect();
        // A document with copies can be lost without disconnecting anything, so it joins the components on
        // both of its sides.
        let components = united_by_copies(&graph, search.components);
        let clusters = Clusters::from_groups(components.into_iter().chain(graph.singletons()).collect());
        (points, clusters)
    }
}

/// Unites components that share a document with copies.
fn united_by_copies(graph: &Graph, components: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut sets = UnionFind::new(narrow::to_u32(components.len())); // below 2^32, or memory would not suffice
    let mut first: Vec<Option<u32>> = vec![None; graph.len() as usize];
    for (number, component) in (0..).zip(&components) {
        for &vertex in component {
            if graph.copies(vertex) > 1 {
                // All later components with this vertex are united with the first one.
                sets.unite(*first[vertex as usize].get_or_insert(number), number);
            }
        }
    }
    let labels = sets.labels();
    let mut united: Vec<Vec<u32>> = vec![Vec::new(); components.len()];
    for (component, label) in components.into_iter().zip(labels) {
        // The shared document is listed once per component. Repetitions are removed when the groups are
        // collected.
        united[label as usize].extend(component);
    }
    united.retain(|component| !component.is_empty());
    united
}

/// A depth-first search with an explicit stack, because chains of documents may be long.
struct Search<'a> {
    graph: &'a Graph,
    /// The time at which each vertex was entered, from 1; 0 before.
    entered: Vec<u32>,
    /// The earliest entry time of a vertex that the subtree of each vertex has an edge to.
    low: Vec<u32>,
    clock: u32,
    path: Vec<Step>,
    /// Entered vertices whose components are not complete.
    pending: Vec<u32>,
    is_point: Vec<bool>,
    components: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Step {
    vertex: u32,
    /// Number of neighbors that were visited.
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
        // Visited from an earlier vertex of the same connected component.
        if self.entered[root as usize] > 0 {
            return;
        }
        self.enter(root);
        let mut children_of_root = 0;
        while let Some(step) = self.path.last_mut() {
            let vertex = step.vertex;
            if let Some(neighbor) = self.graph.neighbors(vertex).get(step.seen) {
                step.seen += 1;
                // The edge back to the parent needs no exception: it sets `low` to the parent's entry time, with which
                // the component below still ends at the parent.
                if self.entered[neighbor.vertex as usize] == 0 {
                    self.enter(neighbor.vertex);
                } else {
                    let time = self.entered[neighbor.vertex as usize];
                    self.low[vertex as usize] = self.low[vertex as usize].min(time);
                }
                continue;
            }
            // All neighbors of the vertex are visited, so its subtree is complete.
            self.path.pop();
            let Some(parent) = self.path.last().map(|step| step.vertex) else {
                break;
            };
            // What the subtree reaches, the subtree of the parent reaches too.
            self.low[parent as usize] = self.low[parent as usize].min(self.low[vertex as usize]);
            if self.low[vertex as usize] >= self.entered[parent as usize] {
                // The subtree has no edge to a vertex above the parent: a component ends here.
                // The component is the vertex and all pending vertices entered after it. The parent belongs
                // to it as well, and stays pending for the component above.
                let start = self
                    .pending
                    .iter()
                    .rposition(|&other| other == vertex)
                    .unwrap_or(0);
                let mut component = self.pending.split_off(start);
                component.push(parent);
                self.components.push(component);
                // The root has no vertex above it, so it is an articulation point only if several
                // components meet in it.
                children_of_root += u32::from(parent == root);
                self.is_point[parent as usize] |= parent != root || children_of_root > 1;
            }
        }
        // Only the root is left.
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
    fn overlaps(&self) -> bool {
        true
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        self.points(copies, edges).1
    }
}
