//! Greedy maximal independent sets.

use crate::cluster::clustering::Edge;

/// The leader of each vertex. The vertices `0..vertices` are numbered in the order of preference, the preferred vertex
/// first.
///
/// A vertex leads itself if no earlier neighbor is a leader. Any other vertex is led by the most similar of its earlier
/// neighbors that are leaders; among equals by the first. So the leaders are a maximal independent set, and each vertex
/// is a leader or a neighbor of its leader. `edges` must have `u < v`; they may be in any order and are sorted here.
pub(crate) fn leaders(vertices: u32, edges: &mut [Edge]) -> Vec<u32> {
    // Sorted by the later vertex, so that the edges to all its earlier neighbors are adjacent. The edge to
    // the most similar neighbor comes first.
    edges.sort_unstable_by(|a, b| {
        a.v.cmp(&b.v)
            .then(b.similarity.total_cmp(&a.similarity))
            .then(a.u.cmp(&b.u))
    });
    let mut leaders: Vec<u32> = (0..vertices).collect();
    for edges in edges.chunk_by(|a, b| a.v == b.v) {
        debug_assert!(
            edges.iter().all(|edge| edge.u < edge.v),
            "an edge leads to a later vertex"
        );
        // All vertices before `v` are decided: chunks come in the order of `v`.
        let leads = edges.iter().find(|edge| leaders[edge.u as usize] == edge.u);
        if let Some(edge) = leads {
            leaders[edge.v as usize] = edge.u;
        }
    }
    leaders
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edge(u: u32, v: u32, similarity: f64) -> Edge {
        Edge { u, v, similarity }
    }

    #[test]
    fn a_chain_keeps_every_second_vertex() {
        let mut edges: Vec<Edge> = (0..5).map(|u| edge(u, u + 1, 0.9)).collect();
        assert_eq!(leaders(6, &mut edges), [0, 0, 2, 2, 4, 4]);
    }

    #[test]
    fn the_most_similar_leader_leads_and_of_equals_the_first() {
        let mut edges = [edge(0, 2, 0.8), edge(1, 2, 0.9), edge(0, 3, 0.8), edge(1, 3, 0.8)];
        assert_eq!(leaders(4, &mut edges), [0, 1, 1, 0]);
    }

    proptest! {
        #[test]
        fn leaders_cover_all_and_are_no_neighbors(
            pairs in prop::collection::vec((0_u32..40, 0_u32..40, 1_u32..20), 0..200)
        ) {
            let mut edges: Vec<Edge> = pairs
                .into_iter()
                .filter(|(a, b, _)| a != b)
                .map(|(a, b, tenths)| edge(a.min(b), a.max(b), f64::from(tenths) / 20.0))
                .collect();
            let led = leaders(40, &mut edges);
            for edge in &edges {
                prop_assert!(led[edge.u as usize] != edge.u || led[edge.v as usize] != edge.v);
            }
            for (vertex, &leader) in (0..).zip(&led) {
                prop_assert_eq!(led[leader as usize], leader);
                prop_assert!(leader == vertex || edges.iter().any(|edge| (edge.u, edge.v) == (leader, vertex)));
            }
        }
    }
}
