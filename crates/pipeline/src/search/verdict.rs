//! The second half of a run: which documents are duplicates, and which stay.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use dehusk_dedup::{Action, Banding, Decision, DocumentKind, Outcome, Reason, ScoredPair, VerifiedPairs};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use crate::Job;
use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::kernel::document_table::DocumentTable;
use crate::record::{ClusterRow, PairRow, round};
use crate::search::index::{KnownDocuments, Match};
use crate::write::file::{Finished, OutFile, Rows};
use crate::write::folder::OutFolder;
use crate::write::report::run::data::{ClusterRow as ClusterShown, LARGEST_CLUSTERS, MemberRow, SizeBin};
use crate::write::summary::{Counts, Duplicates, LargeCluster, SCurve};

/// Documents from which on a cluster is told of, and how many clusters are at most.
const LARGE: u32 = 100;
const MOST_LARGE: usize = 20;

/// What was found out about all documents.
pub(crate) struct Verdicts<'k> {
    known: &'k DocumentTable,
    outcome: Outcome,
    /// By the number of a cluster, its document of smallest id, which names it.
    names: Vec<u32>,
    /// By the number of a cluster, its size; 0 for numbers of no cluster.
    sizes: Vec<u32>,
    measure: &'static str,
    banding: Option<Banding>,
    /// Documents that an index has duplicates of, if there is an index.
    in_index: Option<KnownDocuments>,
}

/// What becomes of one document, in the words of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    pub(crate) kept: bool,
    pub(crate) reason: &'static str,
}

/// Groups pairs of duplicates, and decides which documents stay.
///
/// Documents `in_index` are duplicates of documents elsewhere: they go, and are in no pair and no cluster.
pub(crate) fn decide<'k>(
    mut pairs: VerifiedPairs,
    known: &'k DocumentTable,
    in_index: Option<KnownDocuments>,
    pool: &ThreadPool,
) -> Verdicts<'k> {
    if let Some(in_index) = &in_index {
        pairs.retain(|pair| !in_index.contains_key(&pair.a) && !in_index.contains_key(&pair.b));
    }
    let (measure, banding) = (pairs.options().similarity().name(), pairs.banding());
    let outcome = pool.install(|| pairs.cluster(known));
    let documents = outcome.decisions.len();
    let mut names: Vec<u32> = (0..).take(documents).collect();
    let mut sizes = vec![0; documents];
    for decision in &outcome.decisions {
        let (document, cluster) = (decision.document, decision.cluster as usize);
        if in_index
            .as_ref()
            .is_some_and(|in_index| in_index.contains_key(&document))
        {
            continue;
        }
        sizes[cluster] += 1;
        let name = names[cluster];
        if name != document && known.id(document) < known.id(name) {
            names[cluster] = document;
        }
    }
    Verdicts {
        known,
        outcome,
        names,
        sizes,
        measure,
        banding,
        in_index,
    }
}

impl Verdicts<'_> {
    pub(crate) fn of(&self, document: u32) -> Verdict {
        if self.matches(document).is_some() {
            return Verdict {
                kept: false,
                reason: "known-duplicate",
            };
        }
        let decision = &self.outcome.decisions[document as usize];
        let copy = |reason| match decision.action {
            Action::Keep => Verdict { kept: true, reason },
            Action::Demote => Verdict {
                kept: true,
                reason: "demoted",
            },
            Action::Delete => Verdict { kept: false, reason },
        };
        let stays = |reason| Verdict { kept: true, reason };
        match decision.reason {
            Reason::Empty => Verdict {
                kept: false,
                reason: "empty",
            },
            Reason::Unique if self.outcome.kinds[document as usize] == DocumentKind::Short => stays("short"),
            Reason::Unique => stays("unique"),
            Reason::Representative { .. } => stays("representative"),
            Reason::BesideRepresentative => stays("beside-representative"),
            Reason::ExactDuplicate { .. } => copy("exact-duplicate"),
            Reason::NearDuplicate { .. } => copy("near-duplicate"),
        }
    }

    /// The documents of the index that a document is like, if there are any.
    fn matches(&self, document: u32) -> Option<&[Match]> {
        let in_index = self.in_index.as_ref()?;
        in_index.get(&document).map(Vec::as_slice)
    }

    /// Counts what stays and what goes.
    pub(crate) fn settle(&self, counts: &mut Counts) -> Duplicates {
        for reason in ["empty", "exact-duplicate", "near-duplicate"] {
            counts.dropped.entry(reason).or_insert(0);
        }
        if self.in_index.is_some() {
            counts.dropped.entry("known-duplicate").or_insert(0);
        }
        let mut demoted = 0;
        for document in (0..).take(self.outcome.decisions.len()) {
            let verdict = self.of(document);
            demoted += u64::from(verdict.reason == "demoted");
            if verdict.kept {
                counts.kept += 1;
            } else {
                *counts.dropped.entry(verdict.reason).or_insert(0) += 1;
            }
        }
        let found = &self.outcome.counts;
        Duplicates {
            short: found.short,
            candidates: found.candidates,
            capped_buckets: found.capped_buckets,
            cut_shingles: found.cut_shingles,
            banding: self.banding.map(SCurve::of),
            large_clusters: self.large_clusters(),
            pairs: 0,
            clusters: self.clusters().count() as u64,
            clustered: self.clusters().map(|(_, size)| u64::from(size)).sum(),
            demoted,
        }
    }

    /// Clusters to look at: a few weak pairs may have chained many documents that are not alike.
    fn large_clusters(&self) -> Vec<LargeCluster> {
        let mut large: Vec<(u32, u32)> = self.clusters().filter(|(_, size)| *size >= LARGE).collect();
        large.sort_by_key(|(cluster, size)| (Reverse(*size), self.known.id(self.names[*cluster as usize])));
        large.truncate(MOST_LARGE);
        // By cluster: texts that differ, pairs of them, and the smallest similarity to the representative.
        let mut figures: BTreeMap<u32, (u64, u64, Option<f64>)> = large
            .iter()
            .map(|(cluster, _)| (*cluster, (0, 0, None)))
            .collect();
        if figures.is_empty() {
            return Vec::new();
        }
        let cluster_of = |document: u32| self.outcome.decisions[document as usize].cluster;
        for document in (0..).take(self.outcome.decisions.len()) {
            if self.outcome.exact_groups.first(document) == document
                && let Some((texts, _, least)) = figures.get_mut(&cluster_of(document))
            {
                *texts += 1;
                if let Some(similarity) = self.similarity_to_representative(document) {
                    *least = Some(least.map_or(similarity, |least: f64| least.min(similarity)));
                }
            }
        }
        for pair in &self.outcome.pairs {
            let cluster = cluster_of(pair.a);
            if cluster == cluster_of(pair.b)
                && let Some((_, pairs, _)) = figures.get_mut(&cluster)
            {
                *pairs += 1;
            }
        }
        let row = |(cluster, size): (u32, u32)| {
            let (texts, pairs, least) = figures[&cluster];
            LargeCluster {
                cluster: self.known.id(self.names[cluster as usize]).to_owned(),
                size: size.into(),
                texts,
                density: round(pairs as f64 / (texts * (texts.max(2) - 1)) as f64 * 2.0).min(1.0),
                least_similarity: least.map(round),
            }
        };
        large.into_iter().map(row).collect()
    }

    /// Clusters of two documents and more: number and size.
    fn clusters(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..)
            .zip(&self.sizes)
            .filter(|(_, size)| **size > 1)
            .map(|(cluster, size)| (cluster, *size))
    }

    /// Writes the pairs, sorted by ids; with `tsv` also as lines of two ids and a similarity between tabs.
    fn write_pairs(
        &self,
        job: &Job<'_>,
        pool: &ThreadPool,
        out: &mut OutFile,
        mut tsv: Option<&mut OutFile>,
    ) -> Result<(), Error> {
        let (order, pairs) = pool.install(|| self.pairs_by_id());
        let wants_table = tsv.is_some();
        let rows = |pairs: &[ScoredPair]| {
            let (mut rows, mut table) = (Rows::default(), Rows::default());
            for pair in pairs {
                let (a, b) = (order[pair.a as usize], order[pair.b as usize]);
                let first = |document| self.outcome.exact_groups.first(document);
                let exact = pair.similarity >= 1.0 && first(a) == first(b);
                let row = PairRow {
                    a: self.known.id(a).into(),
                    b: self.known.id(b).into(),
                    similarity: pair.similarity,
                    estimate: pair.estimate.map(|estimate| round(estimate.into())),
                    method: if exact { "exact" } else { self.measure }.into(),
                };
                rows.json(&row)?;
                if wants_table {
                    let line = format_args!("{}\t{}\t{}", field(&row.a), field(&row.b), pair.similarity);
                    table.line(line)?;
                }
            }
            Ok((rows, table))
        };
        in_parts(job, &pairs, rows, |(rows, table)| {
            out.rows(&rows)?;
            tsv.as_mut().map_or(Ok(()), |tsv| tsv.rows(&table))
        })
    }

    /// The documents that are in pairs, by id, and the pairs as places among them, sorted.
    fn pairs_by_id(&self) -> (Vec<u32>, Vec<ScoredPair>) {
        let id = |document: u32| self.known.id(document);
        let mut pairs = self.outcome.all_pairs_by(|a, b| id(a).cmp(id(b)));
        pairs.retain(|pair| self.matches(pair.a).is_none());
        let mut rank = vec![0_u32; self.outcome.decisions.len()];
        for pair in &pairs {
            (rank[pair.a as usize], rank[pair.b as usize]) = (1, 1);
        }
        let mut order: Vec<u32> = (0..)
            .zip(&rank)
            .filter(|(_, used)| **used == 1)
            .map(|(document, _)| document)
            .collect();
        order.par_sort_unstable_by_key(|document| id(*document));
        for (place, document) in (0..).zip(&order) {
            rank[*document as usize] = place;
        }
        pairs.par_iter_mut().for_each(|pair| {
            let (first, second) = (rank[pair.a as usize], rank[pair.b as usize]);
            (pair.a, pair.b) = (first.min(second), first.max(second));
        });
        drop(rank);
        pairs.par_sort_unstable_by_key(|pair| u64::from(pair.a) << 32 | u64::from(pair.b));
        (order, pairs)
    }

    /// Writes a row for every document, in the order of input.
    fn write_clusters(&self, job: &Job<'_>, out: &mut OutFile) -> Result<(), Error> {
        let rows = |decisions: &[Decision]| {
            let mut rows = Rows::default();
            for decision in decisions {
                let Verdict { kept, reason } = self.of(decision.document);
                let id = self.known.id(decision.document);
                let (cluster, representative) = match self.matches(decision.document) {
                    Some(matches) => (id, matches.first().map_or(id, |first| &first.id)),
                    None => (
                        self.known.id(self.names[decision.cluster as usize]),
                        self.known.id(decision.representative),
                    ),
                };
                rows.json(&ClusterRow {
                    id: id.into(),
                    cluster: cluster.into(),
                    representative: representative.into(),
                    kept,
                    reason: reason.into(),
                })?;
            }
            Ok(rows)
        };
        in_parts(job, &self.outcome.decisions, rows, |rows| out.rows(&rows))
    }

    /// Writes which documents of the index documents are like.
    fn write_matches(&self, in_index: &KnownDocuments, mut out: OutFile) -> Result<Finished, Error> {
        #[derive(Serialize)]
        struct Row<'a> {
            a: &'a str,
            #[serde(rename = "b")]
            id: &'a str,
            similarity: f64,
            #[serde(skip_serializing_if = "Option::is_none")]
            estimate: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            shared_shingles: Option<u64>,
            method: &'a str,
        }
        let mut buffer = Vec::new();
        for (document, matches) in in_index {
            for found in matches {
                let row = Row {
                    a: self.known.id(*document),
                    id: &found.id,
                    similarity: found.similarity,
                    estimate: found.estimate,
                    shared_shingles: found.shared_shingles,
                    method: found.method,
                };
                out.row(&row, &mut buffer)?;
            }
        }
        out.finish()
    }

    /// Writes pairs and clusters, and counts.
    pub(crate) fn write(
        &self,
        job: &Job<'_>,
        pool: &ThreadPool,
        folder: &mut OutFolder,
        tsv: bool,
        counts: &mut Counts,
    ) -> Result<(Duplicates, Vec<Finished>), Error> {
        let mut files = Vec::new();
        let mut pairs = folder.file("pairs.jsonl")?;
        let mut table = if tsv {
            Some(folder.file("pairs.tsv")?)
        } else {
            None
        };
        self.write_pairs(job, pool, &mut pairs, table.as_mut())?;
        let pairs = pairs.finish()?;
        let mut found = self.settle(counts);
        found.pairs = pairs.rows;
        files.push(pairs);
        if let Some(table) = table {
            files.push(table.finish()?);
        }
        if let Some(in_index) = &self.in_index {
            files.push(self.write_matches(in_index, folder.file("matches.jsonl")?)?);
        }
        let mut clusters = folder.file("clusters.jsonl")?;
        self.write_clusters(job, &mut clusters)?;
        files.push(clusters.finish()?);
        Ok((found, files))
    }

    /// Clusters and documents by size of cluster. Documents without text are in none.
    pub(crate) fn size_bins(&self) -> Vec<SizeBin> {
        let mut bins: Vec<SizeBin> = Vec::new();
        for (cluster, size) in self.sizes.iter().enumerate().filter(|(_, size)| **size > 0) {
            if self.outcome.kinds[cluster] == DocumentKind::Empty {
                continue;
            }
            let bin = (u32::BITS - (size - 1).leading_zeros()) as usize; // 1, 2, 3-4, 5-8, ...
            while bins.len() <= bin {
                let to = 1_u64 << bins.len();
                bins.push(SizeBin {
                    from: to / 2 + 1,
                    to,
                    ..SizeBin::default()
                });
            }
            bins[bin].clusters += 1;
            bins[bin].documents += u64::from(*size);
        }
        bins
    }

    /// The largest clusters with their members, whose titles are still to be filled in by document number.
    pub(crate) fn largest(&self, most_members: usize) -> Vec<(ClusterShown, Vec<u32>)> {
        let mut largest: Vec<(u32, u32)> = self.clusters().collect();
        largest.sort_by_key(|(cluster, size)| (Reverse(*size), self.known.id(self.names[*cluster as usize])));
        largest.truncate(LARGEST_CLUSTERS);
        let mut members: BTreeMap<u32, Vec<u32>> = largest
            .iter()
            .map(|(cluster, _)| (*cluster, Vec::new()))
            .collect();
        for decision in &self.outcome.decisions {
            if let Some(members) = members.get_mut(&decision.cluster) {
                members.push(decision.document);
            }
        }
        let show = |(cluster, size): (u32, u32)| {
            let mut members: Vec<(u32, Option<f64>)> = members
                .remove(&cluster)
                .unwrap_or_default()
                .into_iter()
                .map(|document| (document, self.similarity_to_representative(document)))
                .collect();
            members.sort_by(|(a, similarity_a), (b, similarity_b)| {
                let is_other =
                    |document: u32| self.outcome.decisions[document as usize].representative != document;
                is_other(*a)
                    .cmp(&is_other(*b))
                    .then(
                        similarity_b
                            .unwrap_or(-1.0)
                            .total_cmp(&similarity_a.unwrap_or(-1.0)),
                    )
                    .then_with(|| self.known.id(*a).cmp(self.known.id(*b)))
            });
            members.truncate(most_members);
            let rows = members.iter().map(|(document, similarity)| {
                let Verdict { kept, reason } = self.of(*document);
                MemberRow {
                    id: self.known.id(*document).to_owned(),
                    url: Some(self.known.url(*document))
                        .filter(|url| !url.is_empty())
                        .map(str::to_owned),
                    title: None,
                    similarity: similarity.map(round),
                    kept,
                    reason: reason.to_owned(),
                }
            });
            let shown = ClusterShown {
                id: self.known.id(self.names[cluster as usize]).to_owned(),
                size: size.into(),
                members: rows.collect(),
            };
            (shown, members.into_iter().map(|(document, _)| document).collect())
        };
        largest.into_iter().map(show).collect()
    }

    fn similarity_to_representative(&self, document: u32) -> Option<f64> {
        let groups = &self.outcome.exact_groups;
        let representative = self.outcome.decisions[document as usize].representative;
        let (a, b) = (groups.first(document), groups.first(representative));
        if a == b {
            return Some(1.0);
        }
        let pair = (a.min(b), a.max(b));
        let place = self
            .outcome
            .pairs
            .binary_search_by_key(&pair, |pair| (pair.a, pair.b))
            .ok()?;
        Some(self.outcome.pairs[place].similarity)
    }
}

/// Items of a part of what [`in_parts`] works on.
const PART: usize = 2048;

/// Makes rows of many items on the worker threads, and writes them in order.
fn in_parts<T: Sync, R: Send>(
    job: &Job<'_>,
    items: &[T],
    rows: impl Fn(&[T]) -> Result<R, Error> + Sync,
    mut write: impl FnMut(R) -> Result<(), Error>,
) -> Result<(), Error> {
    let plan = Plan {
        threads: job.settings.threads(),
        ordered: true,
        cancel: job.cancel,
    };
    let mut parts = items.chunks(PART);
    process(
        &plan,
        || parts.next(),
        || (),
        |(), part| rows(part),
        |rows| write(rows?),
    )
}

/// An id as a field of a table: tabs, line ends and backslashes as `\t`, `\n`, `\r`, `\\`.
pub(crate) fn field(id: &str) -> std::borrow::Cow<'_, str> {
    if id.contains(['\t', '\n', '\r', '\\']) {
        id.replace('\\', "\\\\")
            .replace('\t', "\\t")
            .replace('\n', "\\n")
            .replace('\r', "\\r")
            .into()
    } else {
        id.into()
    }
}

#[cfg(test)]
mod tests;
