//! Shared by the Ricochet algorithms (Wijaya, Bressan, "Ricochet: a family of unconstrained algorithms for graph
//! clustering", DASFAA 2009).
//!
//! The published description leaves details open. Where it does, this implementation has its own rules: every tie goes
//! to the smaller vertex, and the sequential algorithms finally reassign vertices that were left with a seed they are
//! not similar to.

use std::collections::BTreeSet;

use crate::cluster::clusters::Clusters;
use crate::cluster::graph::Graph;

/// The state of the sequential algorithms: every connected vertex belongs to a seed.
pub(crate) struct Seeds<'a> {
    graph: &'a Graph,
    is_seed: Vec<bool>,
    /// The seed of every vertex; a seed is its own seed.
    seed_of: Vec<u32>,
    /// The similarity of every vertex to its seed; 0 for seeds and for vertices that are not neighbors of their seed.
    similarity: Vec<f64>,
    /// For every seed, the number of documents in its cluster, itself included.
    sizes: Vec<u64>,
}

impl<'a> Seeds<'a> {
    /// The initial state. `order` holds the connected vertices; its first vertex is the seed of all of them.
    pub(crate) fn new(graph: &'a Graph, order: &[u32]) -> Self {
        let vertices = graph.len() as usize;
        let mut seeds = Self {
            graph,
            is_seed: vec![false; vertices],
            seed_of: (0..graph.len()).collect(),
            similarity: vec![0.0; vertices],
            sizes: vec![0; vertices],
        };
        if let Some(&first) = order.first() {
            seeds.is_seed[first as usize] = true;
            // All connected vertices begin in one cluster, similar to its seed or not; `finish` corrects
            // what remains.
            seeds.sizes[first as usize] = order.iter().map(|&vertex| u64::from(graph.copies(vertex))).sum();
            for &vertex in order {
                seeds.seed_of[vertex as usize] = first;
            }
            for neighbor in graph.neighbors(first) {
                seeds.similarity[neighbor.vertex as usize] = neighbor.similarity;
            }
        }
        seeds
    }

    /// Tries to make `vertex` a seed: it takes the vertices that are more similar to it than to their seeds. Returns
    /// false and changes nothing if there are no such vertices. Otherwise `demoted` receives the seeds that lost all
    /// other members and joined another seed.
    pub(crate) fn try_seed(&mut self, vertex: u32, demoted: &mut Vec<u32>) -> bool {
        demoted.clear();
        let graph = self.graph;
        // Seeds are never taken, and equal similarity does not move a vertex.
        let drawn = |seeds: &Self, neighbor: u32, similarity: f64| {
            !seeds.is_seed[neighbor as usize] && similarity > seeds.similarity[neighbor as usize]
        };
        // A vertex takes its own copies, unless they are in a cluster with similarity 1 already.
        let copies = graph.copies(vertex) > 1 && self.similarity[vertex as usize] < 1.0;
        if !copies
            && !graph
                .neighbors(vertex)
                .iter()
                .any(|neighbor| drawn(self, neighbor.vertex, neighbor.similarity))
        {
            return false;
        }
        // Only two kinds of seeds can be left alone and join another: those that lose a vertex, and neighbors of the
        // new seed.
        let mut maybe_alone = BTreeSet::from([self.seed_of[vertex as usize]]);
        // The vertex leaves its old seed and becomes its own, with similarity 0, as all seeds have.
        self.assign(vertex, vertex, 0.0);
        self.is_seed[vertex as usize] = true;
        for neighbor in graph.neighbors(vertex) {
            if self.is_seed[neighbor.vertex as usize] {
                maybe_alone.insert(neighbor.vertex);
            } else if drawn(self, neighbor.vertex, neighbor.similarity) {
                maybe_alone.insert(self.seed_of[neighbor.vertex as usize]);
                self.assign(neighbor.vertex, vertex, neighbor.similarity);
            }
        }
        for seed in maybe_alone {
            // Skips seeds that still have other members, or copies of their own.
            if !self.is_seed[seed as usize] || self.sizes[seed as usize] != 1 {
                continue;
            }
            // Neighbors descend by similarity, so the first seed among them is the most similar one.
            if let Some(best) = graph
                .neighbors(seed)
                .iter()
                .find(|other| self.is_seed[other.vertex as usize])
            {
                self.is_seed[seed as usize] = false;
                self.assign(seed, best.vertex, best.similarity);
                demoted.push(seed);
            }
        }
        true
    }

    fn assign(&mut self, vertex: u32, seed: u32, similarity: f64) {
        let copies = u64::from(self.graph.copies(vertex));
        self.sizes[self.seed_of[vertex as usize] as usize] -= copies;
        self.sizes[seed as usize] += copies;
        self.seed_of[vertex as usize] = seed;
        self.similarity[vertex as usize] = similarity;
    }

    /// Reassigns the vertices that are not similar to their seeds, in the given order: to the most similar neighbor
    /// that is a seed, else to the cluster of the most similar well-placed neighbor. If there is neither, the vertex
    /// becomes a seed. Returns the seeds and the clusters.
    pub(crate) fn finish(mut self, order: &[u32]) -> (Vec<u32>, Clusters) {
        for &vertex in order {
            if self.well_placed(vertex) {
                continue;
            }
            let graph = self.graph;
            let neighbors = graph.neighbors(vertex);
            // The first match is the most similar one.
            if let Some(seed) = neighbors
                .iter()
                .find(|neighbor| self.is_seed[neighbor.vertex as usize])
            {
                self.assign(vertex, seed.vertex, seed.similarity);
            } else if let Some(placed) = neighbors
                .iter()
                .find(|neighbor| self.well_placed(neighbor.vertex))
            {
                // No neighbor is a seed, so the similarity to the seed remains 0.
                self.assign(vertex, self.seed_of[placed.vertex as usize], 0.0);
            } else {
                self.assign(vertex, vertex, 0.0);
                self.is_seed[vertex as usize] = true;
            }
        }
        let seeds = (0..self.graph.len())
            .filter(|&vertex| self.is_seed[vertex as usize])
            .collect();
        (seeds, Clusters::from_labels(&self.seed_of))
    }

    /// True if a vertex is a seed or a neighbor of its seed.
    fn well_placed(&self, vertex: u32) -> bool {
        self.is_seed[vertex as usize] || self.similarity[vertex as usize] > 0.0
    }
}

/// The number of edges that the seeds of the concurrent algorithms take in a round.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Pace {
    /// All edges that are at least as similar as the least similar next edge of any seed.
    Equal,
    /// One edge per seed.
    Single,
}

/// The concurrent algorithms: at first every vertex is a seed. Each seed takes its edges in descending order of
/// similarity. If a seed reaches another seed, the one with the larger average similarity absorbs the other. If it
/// reaches a vertex that is not a seed, it adds the vertex, so clusters may overlap.
///
/// Ends when every connected vertex is in an edge that was taken, or after a round that demotes no seed. Returns the
/// seeds and the clusters.
pub(crate) fn concurrent(graph: &Graph, pace: Pace) -> (Vec<u32>, Clusters) {
    let averages = graph.averages();
    let connected: Vec<u32> = (0..graph.len())
        .filter(|&vertex| !graph.neighbors(vertex).is_empty())
        .collect();
    let mut members: Vec<BTreeSet<u32>> = (0..graph.len()).map(|vertex| BTreeSet::from([vertex])).collect();
    let mut is_seed = vec![true; graph.len() as usize];
    let mut covered = vec![false; graph.len() as usize];
    let mut uncovered = connected.len();
    let mut next = vec![0; graph.len() as usize];
    let mut active = connected.clone();
    while uncovered > 0 {
        // Vertices whose edges are used up, and seeds that were absorbed, leave the list.
        active.retain(|&vertex| {
            is_seed[vertex as usize] && next[vertex as usize] < graph.neighbors(vertex).len()
        });
        let next_edge = |vertex: u32| graph.neighbors(vertex)[next[vertex as usize]].similarity;
        let Some(low) = active
            .iter()
            .map(|&vertex| next_edge(vertex))
            .min_by(f64::total_cmp)
        else {
            break;
        };
        let mut round: Vec<(f64, u32, u32)> = Vec::new();
        for &seed in &active {
            let rest = &graph.neighbors(seed)[next[seed as usize]..];
            let taken = match pace {
                Pace::Equal => rest
                    .iter()
                    .take_while(|neighbor| neighbor.similarity >= low)
                    .count(),
                Pace::Single => 1,
            };
            next[seed as usize] += taken;
            round.extend(
                rest[..taken]
                    .iter()
                    .map(|neighbor| (neighbor.similarity, seed, neighbor.vertex)),
            );
        }
        // The edges of all seeds in one order, so the result does not depend on the order of seeds.
        round.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut changed = false;
        for (_, seed, target) in round {
            // The seed may have been absorbed earlier in this round, or have the target already.
            if !is_seed[seed as usize] || members[seed as usize].contains(&target) {
                continue;
            }
            if is_seed[target as usize] {
                let (a, b) = (averages[seed as usize], averages[target as usize]);
                // Larger averages win; among equals the smaller vertex.
                let seed_wins = b.total_cmp(&a).then(seed.cmp(&target)).is_lt();
                let (winner, loser) = if seed_wins { (seed, target) } else { (target, seed) };
                // The smaller set is merged into the larger one, so that a vertex is moved O(log n) times.
                let mut small = std::mem::take(&mut members[loser as usize]);
                let large = &mut members[winner as usize];
                if small.len() > large.len() {
                    std::mem::swap(&mut small, large);
                }
                large.extend(small);
                is_seed[loser as usize] = false;
                changed = true;
            } else {
                members[seed as usize].insert(target);
            }
            for vertex in [seed, target] {
                // Each vertex is counted off once, when its first edge is taken.
                uncovered -= usize::from(!std::mem::replace(&mut covered[vertex as usize], true));
            }
        }
        if !changed {
            break;
        }
    }
    let seeds: Vec<u32> = connected
        .into_iter()
        .filter(|&vertex| is_seed[vertex as usize])
        .collect();
    let groups = seeds
        .iter()
        .map(|&seed| std::mem::take(&mut members[seed as usize]).into_iter().collect());
    let clusters = Clusters::from_groups(groups.chain(graph.singletons()).collect());
    (seeds, clusters)
}
