//! Scores of clusters against true groups.

use std::collections::BTreeMap;

use dehusk_pipeline::dedup::Clusters;
use dehusk_pipeline::narrow;
use serde::{Deserialize, Serialize};

use super::pairs::{Prf, choose_two, url_level};

/// Measures of Hassanzadeh, Chiang, Lee and Miller, "Framework for Evaluating Clustering Algorithms in
/// Duplicate Detection" (PVLDB 2009). Every true group is compared with the found cluster that shares most
/// members with it. Of several such clusters, the one with the group's first document in input order is
/// chosen, as in the reference program for these measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hassanzadeh {
    /// `Pr`: share of the members of the best cluster that belong to the group; mean over groups, weighted by size.
    pub precision: f64,
    /// `Re`: share of the members of the group that are in its best cluster; mean over groups, weighted by size.
    pub recall: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
    /// `CPr`: share of the pairs in a cluster that belong together; mean over clusters of two or more, or 1 without
    /// such clusters.
    pub cpr: f64,
    /// `PCPr`: CPr times the ratio of the smaller to the larger of the numbers of clusters and groups.
    pub pcpr: f64,
}

/// All scores of a clustering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterScores {
    /// Over pairs of documents in a common cluster.
    pub pairs: Prf,
    /// Over documents in groups of two or more; see [`url_level`](super::url_level).
    pub urls: Prf,
    /// B-cubed (Bagga, Baldwin 1998); `None` for overlapping clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_cubed: Option<Prf>,
    /// Adjusted Rand index (Hubert, Arabie 1985); `None` for overlapping clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ari: Option<f64>,
    /// Measures of Hassanzadeh et al.
    pub hassanzadeh: Hassanzadeh,
    /// Number of clusters, including clusters of one document.
    pub clusters: u64,
    /// Number of true groups, including groups of one document.
    pub groups: u64,
}

/// Renumbers labels in the order of first occurrence. Returns the new labels and the number of occurrences of each.
fn renumbered(labels: &[u32]) -> (Vec<u32>, Vec<u64>) {
    let mut numbers = BTreeMap::new();
    let mut sizes = Vec::new();
    let labels = labels
        .iter()
        .map(|label| {
            let next = narrow::to_u32(numbers.len());
            let number = *numbers.entry(*label).or_insert(next);
            if number == next && sizes.len() == next as usize {
                sizes.push(0);
            }
            sizes[number as usize] += 1;
            number
        })
        .collect();
    (labels, sizes)
}

/// The number of documents that each cluster shares with each group, where it is not 0.
struct Cells {
    /// (cluster, group, number of documents), sorted by group, then by their first document.
    cells: Vec<(u32, u32, u64)>,
}

impl Cells {
    /// Counts memberships (cluster, group), which must be in input order.
    fn new(memberships: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut order: Vec<(u32, u32, u32)> = (0..)
            .zip(memberships)
            .map(|(place, (cluster, group))| (group, cluster, place))
            .collect();
        // Sorted by group, cluster and place: a run is a cell, and its first entry has the first document.
        order.sort_unstable();
        let mut cells: Vec<(u32, u32, u32, u64)> = order
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .map(|run| (run[0].0, run[0].2, run[0].1, run.len() as u64))
            .collect();
        cells.sort_unstable();
        Self {
            cells: cells
                .into_iter()
                .map(|(group, _, cluster, count)| (cluster, group, count))
                .collect(),
        }
    }

    /// The measures for clusters and groups of these sizes.
    fn hassanzadeh(&self, documents: u64, clusters: &[u64], groups: &[u64]) -> Hassanzadeh {
        let (mut precision, mut recall) = (0.0, 0.0);
        for run in self.cells.chunk_by(|a, b| a.1 == b.1) {
            let mut best = run[0];
            for &cell in run {
                // Only a larger cell replaces the best one, so the first document decides ties.
                if cell.2 > best.2 {
                    best = cell;
                }
            }
            let (cluster, group, shared) = best;
            precision += groups[group as usize] as f64 * shared as f64 / clusters[cluster as usize] as f64;
            recall += shared as f64;
        }
        let all = (documents as f64).max(1.0);
        let Prf {
            precision,
            recall,
            f1,
        } = Prf::of(precision / all, recall / all);
        // Pairs of each cluster that belong together.
        let mut same = vec![0.0; clusters.len()];
        for &(cluster, _, shared) in &self.cells {
            same[cluster as usize] += choose_two(shared);
        }
        let large = clusters.iter().zip(&same).filter(|(size, _)| **size > 1);
        let shares: Vec<f64> = large.map(|(&size, same)| same / choose_two(size)).collect();
        let cpr = if shares.is_empty() {
            1.0
        } else {
            shares.iter().sum::<f64>() / shares.len() as f64
        };
        let (k, found) = (groups.len() as f64, clusters.len() as f64);
        Hassanzadeh {
            precision,
            recall,
            f1,
            cpr,
            pcpr: cpr * k.min(found) / k.max(found).max(1.0),
        }
    }
}

/// Scores a partition, given as the cluster and the true group of each document.
///
/// ```
/// use dehusk_lab::metrics::partition;
///
/// // Clusters and true groups of five documents, as labels.
/// let scores = partition(&[0, 0, 1, 1, 2], &[7, 7, 7, 8, 8]);
/// assert!(scores.b_cubed.unwrap().f1 < 1.0);
/// assert_eq!(partition(&[0, 0, 1], &[5, 5, 6]).b_cubed.unwrap().f1, 1.0);
/// ```
#[must_use]
pub fn partition(found: &[u32], truth: &[u32]) -> ClusterScores {
    let ((found, clusters), (truth, groups)) = (renumbered(found), renumbered(truth));
    let documents = found.len() as u64;
    let cells = Cells::new(found.iter().copied().zip(truth.iter().copied()));
    let right: f64 = cells.cells.iter().map(|cell| choose_two(cell.2)).sum();
    let sum = |sizes: &[u64]| sizes.iter().map(|&size| choose_two(size)).sum::<f64>();
    let (found_pairs, true_pairs) = (sum(&clusters), sum(&groups));
    // The number of common pairs that is expected by chance, for the adjusted Rand index.
    let expected = if documents > 1 {
        found_pairs * true_pairs / choose_two(documents)
    } else {
        0.0
    };
    let mean = f64::midpoint(found_pairs, true_pairs);
    // Each document of a cell has the same precision and recall, hence the square.
    let b_cubed = |sizes: &[u64], which: fn(&(u32, u32, u64)) -> u32| {
        let squares = cells
            .cells
            .iter()
            .map(|cell| (cell.2 * cell.2) as f64 / sizes[which(cell) as usize] as f64);
        squares.sum::<f64>() / (documents as f64).max(1.0)
    };
    ClusterScores {
        pairs: Prf::new(right, found_pairs, true_pairs),
        urls: url_level(&found, &truth),
        b_cubed: Some(Prf::of(
            b_cubed(&clusters, |cell| cell.0),
            b_cubed(&groups, |cell| cell.1),
        )),
        ari: Some(if mean > expected {
            (right - expected) / (mean - expected)
        } else {
            1.0
        }),
        hassanzadeh: cells.hassanzadeh(documents, &clusters, &groups),
        clusters: clusters.len() as u64,
        groups: groups.len() as u64,
    }
}

/// Scores clusters that may overlap. Each document must be in at least one of them. A pair that is in
/// several clusters counts once. `None` if the clusters have more than `most` pairs in total.
#[must_use]
pub fn overlapping(found: &Clusters, truth: &[u32], most: u64) -> Option<ClusterScores> {
    let (truth, groups) = renumbered(truth);
    let sizes: Vec<u64> = found.iter().map(|group| group.len() as u64).collect();
    if sizes.iter().map(|&size| choose_two(size)).sum::<f64>() > most as f64 {
        return None;
    }
    let mut pairs = Vec::new();
    let mut memberships = Vec::new();
    let mut in_group = vec![false; truth.len()];
    for (cluster, members) in (0..).zip(found.iter()) {
        for (place, &a) in members.iter().enumerate() {
            memberships.push((a, cluster));
            in_group[a as usize] |= members.len() > 1;
            pairs.extend(members[place + 1..].iter().map(|&b| (a, b)));
        }
    }
    // A pair is packed into 64 bits, the smaller document first, since members ascend.
    pairs.sort_unstable();
    pairs.dedup();
    let same = |&&(a, b): &&(u32, u32)| truth[a as usize] == truth[b as usize];
    let right = pairs.iter().filter(same).count() as f64;
    let true_pairs = groups.iter().map(|&size| choose_two(size)).sum();
    memberships.sort_unstable();
    let cells = Cells::new(
        memberships
            .into_iter()
            .map(|(document, cluster)| (cluster, truth[document as usize])),
    );
    // A common label for all documents in clusters of two or more, and a label of its own for each other
    // document.
    let alone = narrow::to_u32(truth.len());
    let labels: Vec<u32> = (0..)
        .zip(&in_group)
        .map(|(document, &grouped)| if grouped { alone } else { document })
        .collect();
    let mut urls = url_level(&labels, &truth);
    if in_group.iter().filter(|grouped| **grouped).count() == 1 {
        urls = Prf::default();
    }
    Some(ClusterScores {
        pairs: Prf::new(right, pairs.len() as f64, true_pairs),
        urls,
        b_cubed: None,
        ari: None,
        hassanzadeh: cells.hassanzadeh(truth.len() as u64, &sizes, &groups),
        clusters: sizes.len() as u64,
        groups: groups.len() as u64,
    })
}
