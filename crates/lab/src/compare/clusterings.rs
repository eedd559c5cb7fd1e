//! Scores of every clustering on the same edges.

use dehusk_pipeline::dedup::cluster::{self, Edge};
use dehusk_pipeline::dedup::{Clusters, ScoredPair};

use super::cost::measured;
use super::deletion::Deletion;
use super::methods::Comparison;
use super::prepared_corpus::PreparedCorpus;
use super::results::ClusteringRow;
use crate::metrics::{overlapping, partition};

/// Largest number of pairs of overlapping clusters that are counted.
const MAX_PAIRS: u64 = 20_000_000;

impl Comparison<'_> {
    /// Runs every clustering on the edges at or above each threshold. Returns a row for each threshold and
    /// clustering.
    pub(super) fn clusterings(&self, pairs: &[ScoredPair]) -> Vec<ClusteringRow> {
        let copies = self.collection.copies();
        let mut rows = Vec::new();
        for threshold in self.options.all_thresholds() {
            // The tolerance keeps pairs whose similarity equals the threshold despite rounding.
            let mut edges: Vec<Edge> = pairs
                .iter()
                .filter(|pair| pair.similarity >= threshold - 1e-9)
                .map(|pair| Edge {
                    u: pair.a,
                    v: pair.b,
                    similarity: pair.similarity,
                })
                .collect();
            cluster::sort_edges(&mut edges);
            for clustering in cluster::ALL {
                let (clusters, cost) = measured(|| clustering.cluster(&copies, &edges));
                let deletion = Deletion::of(&clusters, &copies, &edges);
                let clusters = of_documents(self.collection, &clusters);
                // The first degree of truth decides which documents belong together.
                let truth = &self.golds[0].degree.groups;
                // A document may be in several overlapping clusters, so labels do not suffice for them.
                let scores = if clustering.overlaps() {
                    overlapping(&clusters, truth, MAX_PAIRS)
                } else {
                    // Every document is in a cluster: `of_documents` adds those without text.
                    let mut labels = vec![0; self.collection.len()];
                    for (label, members) in (0..).zip(clusters.iter()) {
                        members.iter().for_each(|&member| labels[member as usize] = label);
                    }
                    Some(partition(&labels, truth))
                };
                let lengths: Vec<u64> = clusters.iter().map(|group| group.len() as u64).collect();
                rows.push(ClusteringRow {
                    name: clustering.name().to_owned(),
                    threshold,
                    edges: edges.len() as u64,
                    scores,
                    largest: lengths.iter().copied().max().unwrap_or(0),
                    sizes: sizes(lengths.into_iter()),
                    deletion,
                    cost: self.options.costs.then_some(cost),
                });
            }
        }
        rows
    }
}

/// The clusters of documents for clusters of distinct texts: each text stands for all its copies. An empty
/// document is a cluster of its own.
fn of_documents(collection: &PreparedCorpus, clusters: &Clusters) -> Clusters {
    let members = |&distinct: &u32| collection.members[distinct as usize].iter().copied();
    let mut groups: Vec<Vec<u32>> = clusters
        .iter()
        .map(|group| group.iter().flat_map(members).collect())
        .collect();
    let empty = (0_u32..)
        .zip(&collection.distinct_of)
        .filter(|(_, distinct)| distinct.is_none());
    groups.extend(empty.map(|(document, _)| vec![document]));
    Clusters::from_groups(groups)
}

/// Counts groups by size: 1, 2, 3 to 4, 5 to 8 documents and so on. Groups of size 0 are left out.
pub(super) fn sizes(lengths: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut counts = Vec::new();
    for length in lengths.filter(|length| *length > 0) {
        let class = (length - 1).checked_ilog2().map_or(0, |power| power as usize + 1);
        if counts.len() <= class {
            counts.resize(class + 1, 0);
        }
        counts[class] += 1;
    }
    counts
}
