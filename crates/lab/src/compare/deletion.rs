//! The losses if one document of each cluster is kept and the others are deleted.

use dehusk_pipeline::dedup::Clusters;
use dehusk_pipeline::dedup::cluster::Edge;
use serde::{Deserialize, Serialize};

/// Counts if the first text of each cluster is kept, with all its copies, and the other texts are deleted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Deletion {
    /// Texts that are kept; copies count once.
    pub kept: u64,
    /// Documents that are deleted as near-duplicates.
    pub deleted: u64,
    /// Deleted documents without an edge to a kept text: no kept document represents them.
    pub uncovered: u64,
    /// Edges between two kept texts: remaining duplicates.
    pub kept_pairs: u64,
    /// Number of deleted documents by their largest similarity to a kept text, in steps of 0.05 from 0. The
    /// first step has the documents without an edge to a kept text.
    pub by_similarity: Vec<u64>,
}

/// Number of steps of similarity from 0 to 1.
const STEPS: usize = 20;

impl Deletion {
    /// Deletes all but the first vertex of each cluster. A vertex in several clusters belongs to the first of them.
    /// `copies` holds the number of documents of each vertex.
    pub(super) fn of(clusters: &Clusters, copies: &[u32], edges: &[Edge]) -> Self {
        let mut first_of: Vec<Option<u32>> = vec![None; copies.len()];
        for group in clusters.iter() {
            for &vertex in group {
                // A later cluster does not replace the first one.
                first_of[vertex as usize].get_or_insert(group[0]);
            }
        }
        // A vertex without a cluster is kept.
        let stays = |vertex: u32| first_of[vertex as usize].is_none_or(|first| first == vertex);
        let mut nearest = vec![0.0_f64; copies.len()];
        let mut deletion = Self {
            by_similarity: vec![0; STEPS],
            ..Self::default()
        };
        for edge in edges {
            match (stays(edge.u), stays(edge.v)) {
                (true, true) => deletion.kept_pairs += 1,
                // An edge between two deleted texts covers neither.
                (false, false) => {}
                (one, _) => {
                    let goes = if one { edge.v } else { edge.u };
                    let nearest = &mut nearest[goes as usize];
                    *nearest = nearest.max(edge.similarity);
                }
            }
        }
        for (vertex, (&copies, &nearest)) in (0..).zip(copies.iter().zip(&nearest)) {
            if stays(vertex) {
                deletion.kept += 1;
                continue;
            }
            let documents = u64::from(copies);
            deletion.deleted += documents;
            deletion.uncovered += if nearest > 0.0 { 0 } else { documents };
            // The small summand assigns a similarity of 0.85 to the step that begins there, despite rounding.
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the fraction is dropped: a step begins at a whole number"
            )]
            // The summand assigns a similarity of 0.85 to the step that begins there, despite rounding.
            let step = ((nearest * STEPS as f64 + 1e-9) as usize).min(STEPS - 1);
            deletion.by_similarity[step] += documents;
        }
        deletion
    }

    /// Share of uncovered documents among deleted ones, 0 to 1; 0 if no document is deleted.
    #[must_use]
    pub fn uncovered_share(&self) -> f64 {
        self.uncovered as f64 / self.deleted.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_pipeline::dedup::cluster;

    #[test]
    fn a_chain_loses_what_it_chains_and_a_cover_nothing() {
        let edge = |u, similarity| Edge {
            u,
            v: u + 1,
            similarity,
        };
        let mut edges = vec![edge(0, 0.9), edge(1, 0.85), edge(2, 0.8)];
        cluster::sort_edges(&mut edges);
        let copies = [1, 2, 3, 1];
        let deletion = |name: &str| {
            let clustering = cluster::ALL.iter().find(|method| method.name() == name).unwrap();
            Deletion::of(&clustering.cluster(&copies, &edges), &copies, &edges)
        };
        let chained = deletion("components");
        assert_eq!((chained.kept, chained.deleted, chained.uncovered), (1, 6, 4));
        assert_eq!((chained.by_similarity[0], chained.by_similarity[18]), (4, 2));
        let covered = deletion("cover");
        assert_eq!((covered.kept, covered.deleted, covered.uncovered), (2, 3, 0));
        assert_eq!(covered.kept_pairs, 0);
        assert_eq!((covered.by_similarity[16], covered.by_similarity[18]), (1, 2));
    }
}
