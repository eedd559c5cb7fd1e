//! The similarity graph, as lists of neighbors.

use crate::cluster::clustering::Edge;
use crate::numeric::narrow;

/// A neighbor of a vertex, and their similarity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbor {
    pub(crate) vertex: u32,
    pub(crate) similarity: f64,
}

/// The neighbors of every vertex, in flat memory.
pub(crate) struct Graph {
    starts: Vec<usize>,
    neighbors: Vec<Neighbor>,
    copies: Vec<u32>,
}

impl Graph {
    /// Builds the graph of the vertices `0..copies.len()`, where `copies` holds the number of identical documents of
    /// each vertex. Neighbors keep the order of edges: with sorted edges the most similar neighbor comes first, and
    /// among equals the smaller vertex.
    pub(crate) fn new(copies: &[u32], edges: &[Edge]) -> Self {
        // Entry `v + 1` counts the neighbors of `v` first, so that the sums below turn into the start of
        // each vertex.
        let mut starts = vec![0; copies.len() + 1];
        for edge in edges {
            starts[edge.u as usize + 1] += 1;
            starts[edge.v as usize + 1] += 1;
        }
        for vertex in 1..starts.len() {
            starts[vertex] += starts[vertex - 1];
        }
        // The place of the next neighbor of each vertex.
        let mut next = starts.clone();
        let mut neighbors = vec![
            Neighbor {
                vertex: 0,
                similarity: 0.0
            };
            2 * edges.len()
        ];
        for &Edge { u, v, similarity } in edges {
            // Each edge makes its two vertices neighbors of each other.
            for (from, to) in [(u, v), (v, u)] {
                let place = &mut next[from as usize];
                neighbors[*place] = Neighbor {
                    vertex: to,
                    similarity,
                };
                *place += 1;
            }
        }
        Self {
            starts,
            neighbors,
            copies: copies.to_vec(),
        }
    }

    /// Number of vertices.
    pub(crate) fn len(&self) -> u32 {
        narrow::to_u32(self.starts.len()) - 1
    }

    /// The neighbors of a vertex, the most similar first.
    pub(crate) fn neighbors(&self, vertex: u32) -> &[Neighbor] {
        &self.neighbors[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }

    /// Number of identical documents of a vertex.
    pub(crate) fn copies(&self, vertex: u32) -> u32 {
        self.copies[vertex as usize]
    }

    /// Number of documents that are neighbors of a document of the vertex, including the document's copies.
    pub(crate) fn degree(&self, vertex: u32) -> u64 {
        // The neighbors in this sense are documents, so a vertex counts once for each of its copies. The
        // other copies of the vertex itself are neighbors too.
        let neighbors = self.neighbors(vertex).iter();
        neighbors
            .map(|neighbor| u64::from(self.copies(neighbor.vertex)))
            .sum::<u64>()
            + u64::from(self.copies(vertex) - 1)
    }

    /// Mean similarity of a document of the vertex to its neighbors and copies; 0 if it has none.
    pub(crate) fn average(&self, vertex: u32) -> f64 {
        let neighbors = self.neighbors(vertex).iter();
        let sum: f64 = neighbors
            .map(|neighbor| neighbor.similarity * f64::from(self.copies(neighbor.vertex)))
            .sum();
        // Copies of the vertex are similar by 1 each.
        (sum + f64::from(self.copies(vertex) - 1)) / self.degree(vertex).max(1) as f64
    }

    /// [`average`](Self::average) of every vertex.
    pub(crate) fn averages(&self) -> Vec<f64> {
        (0..self.len()).map(|vertex| self.average(vertex)).collect()
    }

    /// The vertices with neighbors, by descending score and then by ascending number.
    pub(crate) fn connected_by(&self, scores: &[f64]) -> Vec<u32> {
        let mut vertices: Vec<u32> = (0..self.len())
            .filter(|&vertex| !self.neighbors(vertex).is_empty())
            .collect();
        // Stable, so vertices with equal scores stay in ascending order.
        vertices.sort_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]));
        vertices
    }

    /// The vertices without neighbors, each as its own group.
    pub(crate) fn singletons(&self) -> impl Iterator<Item = Vec<u32>> {
        (0..self.len())
            .filter(|&vertex| self.neighbors(vertex).is_empty())
            .map(|vertex| vec![vertex])
    }
}

/// [`Graph::average`] of every vertex, from the edges alone.
pub(crate) fn averages(copies: &[u32], edges: &[Edge]) -> Vec<f64> {
    // Begins with the copies of each vertex, which are neighbors with similarity 1.
    let own = copies.iter().map(|&copies| u64::from(copies - 1));
    let mut sums: Vec<(f64, u64)> = own.map(|copies| (copies as f64, copies)).collect();
    for &Edge { u, v, similarity } in edges {
        for (from, to) in [(u, v), (v, u)] {
            let (sum, degree) = &mut sums[from as usize];
            *sum += similarity * f64::from(copies[to as usize]);
            *degree += u64::from(copies[to as usize]);
        }
    }
    sums.into_iter()
        .map(|(sum, degree)| sum / degree.max(1) as f64)
        .collect()
}
