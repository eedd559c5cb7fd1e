//! Writes verdicts: pairs, clusters, matches in an index, and the figures of the summary and the report.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use dehusk_dedup::{Action, Contained, Decision, DocumentKind, ListedPair, PairTotals};
use rayon::ThreadPool;

use crate::error::Error;
use crate::exec::ordered_pool::process;
use crate::job::Job;
use crate::kernel::apart::CONTAINED_IN;
use crate::kernel::known_documents::KnownDocuments;
use crate::kernel::verdict::{KNOWN, Verdict, Verdicts};
use crate::record::document::round;
use crate::record::header::{CLUSTERS, MATCHES, PAIRS};
use crate::record::{ClusterRow, MatchRow, PairRow, Row, RowKind};
use crate::write::file::Finished;
use crate::write::format::{EncodedRows, RowEncoder, RowFormat, Tsv};
use crate::write::report::run::data::{ClusterRow as ClusterShown, LARGEST_CLUSTERS, MemberRow, SizeBin};
use crate::write::row_folder::RowFolder;
use crate::write::sink::RowSink;
use crate::write::summary::{Counts, DeletedSimilarity, Duplicates, LargeCluster, SCurve, Summary};

/// Minimum number of documents of a cluster that the summary lists.
const LARGE: u32 = 100;
/// Maximum number of clusters that the summary lists.
const MAX_LARGE: usize = 20;

/// Figures of a large cluster.
#[derive(Default)]
struct ClusterFigures {
    /// Number of distinct texts.
    texts: u64,
    /// Texts in buckets that were too large to compare all pairs.
    capped_texts: u64,
    /// Pairs of similar texts.
    similar: u64,
    /// Compared pairs of two `capped_texts`.
    compared_of_capped: u64,
    /// The smallest similarity to the representative, if any text was compared with it.
    least_similarity: Option<f64>,
}

impl ClusterFigures {
    /// Share of the pairs of texts that are similar.
    ///
    /// Pairs without a common key count as dissimilar without a comparison. Pairs that were skipped in
    /// large buckets are unknown and left out.
    fn density(&self) -> f64 {
        let pairs = |texts: u64| texts * texts.saturating_sub(1) / 2;
        // Of all pairs, those of two capped texts are replaced by the compared ones among them.
        let known = pairs(self.texts) - pairs(self.capped_texts) + self.compared_of_capped;
        (self.similar as f64 / known.max(1) as f64).min(1.0)
    }
}

impl Verdicts<'_> {
    /// Recounts the kept documents in `counts`, in which all documents are kept, and the dropped ones by
    /// reason.
    pub(crate) fn settle(&self, counts: &mut Counts) -> Duplicates {
        // Every reason that the run may have is listed, even with a count of 0.
        for reason in ["empty", "exact-duplicate", "near-duplicate"] {
            counts.dropped.entry(reason).or_insert(0);
        }
        if self.in_index.is_some() {
            counts.dropped.entry(KNOWN).or_insert(0);
        }
        if matches!(self.contained, Some((Action::Delete, _))) {
            counts.dropped.entry(CONTAINED_IN).or_insert(0);
        }
        for reason in self.apart.reasons() {
            counts.dropped.entry(reason).or_insert(0);
        }
        // A short list is searched faster than a map: there are few reasons and many documents.
        let mut verdicts: Vec<(Verdict, u64)> = Vec::new();
        for document in (0..).take(self.outcome.decisions.len()) {
            let verdict = self.of(document);
            match verdicts.iter_mut().find(|(known, _)| *known == verdict) {
                Some((_, documents)) => *documents += 1,
                None => verdicts.push((verdict, 1)),
            }
        }
        let mut demoted = 0;
        counts.kept = 0;
        for (Verdict { kept, reason }, documents) in verdicts {
            match kept {
                true => counts.kept += documents,
                false => *counts.dropped.entry(reason).or_insert(0) += documents,
            }
            if reason == "demoted" {
                demoted += documents;
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
            linked_pairs: 0,
            all_pairs: 0,
            clusters: self.clusters().count() as u64,
            clustered: self.clusters().map(|(_, size)| u64::from(size)).sum(),
            demoted,
            unsettled: found.unsettled,
            deleted: self.deleted(),
        }
    }

    /// Similarities of removed near-duplicates to the documents that are kept for them.
    fn deleted(&self) -> DeletedSimilarity {
        let threshold = self.threshold;
        let mut deleted = DeletedSimilarity::default();
        let near = |decision: &&Decision| self.of(decision.document).is(false, "near-duplicate");
        for decision in self.outcome.decisions.iter().filter(near) {
            // A pair that was found through other documents has no similarity. It counts as below the
            // threshold.
            let similarity = self.similarity_to_representative(decision.document);
            deleted.add(similarity.unwrap_or(0.0), threshold);
        }
        deleted
    }

    /// Large clusters, which a person should check: a few weak pairs may have joined dissimilar documents.
    fn large_clusters(&self) -> Vec<LargeCluster> {
        let mut large: Vec<(u32, u32)> = self.clusters().filter(|(_, size)| *size >= LARGE).collect();
        large.sort_by_key(|(cluster, size)| (Reverse(*size), self.table.id(self.names[*cluster as usize])));
        large.truncate(MAX_LARGE);
        let mut figures: BTreeMap<u32, ClusterFigures> = large
            .iter()
            .map(|(cluster, _)| (*cluster, ClusterFigures::default()))
            .collect();
        if figures.is_empty() {
            return Vec::new();
        }
        let capped = &self.outcome.capped;
        let cluster_of = |document: u32| self.outcome.decisions[document as usize].cluster;
        // Only the first of exact duplicates counts: a cluster of copies is not a chain.
        for document in (0..).take(self.outcome.decisions.len()) {
            if self.outcome.exact_groups.first(document) == document
                && let Some(figures) = figures.get_mut(&cluster_of(document))
            {
                figures.texts += 1;
                figures.capped_texts += u64::from(capped.contains(document));
                if let Some(similarity) = self.similarity_to_representative(document) {
                    let least = figures.least_similarity.unwrap_or(similarity);
                    figures.least_similarity = Some(least.min(similarity));
                }
            }
        }
        let mut count = |a: u32, b: u32, similar: bool| {
            let cluster = cluster_of(a);
            if cluster == cluster_of(b)
                && let Some(figures) = figures.get_mut(&cluster)
            {
                figures.similar += u64::from(similar);
                figures.compared_of_capped += u64::from(capped.contain(a, b));
            }
        };
        // Similar pairs of two capped texts are compared pairs, too, and so are the dissimilar ones below.
        for pair in &self.outcome.pairs {
            count(pair.a, pair.b, true);
        }
        for &(a, b) in capped.unlike() {
            count(a, b, false);
        }
        let row = |(cluster, size): (u32, u32)| {
            let figures = &figures[&cluster];
            LargeCluster {
                cluster: self.table.id(self.names[cluster as usize]).to_owned(),
                size: size.into(),
                texts: figures.texts,
                density: round(figures.density()),
                least_similarity: figures.least_similarity.map(round),
            }
        };
        large.into_iter().map(row).collect()
    }

    /// Row of a pair.
    pub(crate) fn pair_row(&self, pair: &ListedPair) -> PairRow<'_> {
        PairRow {
            a: self.table.id(pair.first).into(),
            b: self.table.id(pair.second).into(),
            similarity: pair.similarity,
            estimate: pair.estimate.map(|estimate| round(estimate.into())),
            method: if pair.exact { "exact" } else { self.measure }.into(),
            contained: match pair.contained {
                Contained::First => Some(self.table.id(pair.first).into()),
                Contained::Second => Some(self.table.id(pair.second).into()),
                Contained::Neither | Contained::Both => None,
            },
            link: Some(pair.stands_for).filter(|pairs| *pairs > 1),
        }
    }

    /// Row of a decision.
    pub(crate) fn cluster_row(&self, decision: &Decision) -> ClusterRow<'_> {
        let Verdict { kept, reason } = self.of(decision.document);
        let id = self.table.id(decision.document);
        // Another document is kept in place of this one: one of the same address, or one that contains it.
        let stays = self.stays_for(decision.document);
        let stays = stays.or_else(|| self.contained_in(decision.document));
        let (cluster, representative, similarity) = match (stays, self.gone_for(decision.document)) {
            // These two were not compared as a whole, so there is no similarity.
            (Some(stays), _) => (id, self.table.id(stays), None),
            (None, Some(known)) => (id, known.id.as_str(), Some(known.similarity)),
            (None, None) => (
                self.table.id(self.names[decision.cluster as usize]),
                self.table.id(decision.representative),
                match decision.representative == decision.document {
                    true => None,
                    false => self.similarity_to_representative(decision.document),
                },
            ),
        };
        ClusterRow {
            id: id.into(),
            cluster: cluster.into(),
            representative: representative.into(),
            similarity,
            cluster_size: match self.gone_for(decision.document) {
                Some(_) => 1,
                None => self.cluster_size(decision.document),
            },
            kept,
            reason: reason.into(),
        }
    }

    /// Writes the pairs, sorted by ids, to one file for each format.
    ///
    /// Unless the settings ask for all pairs, the list is about as long as the number of documents. A pair
    /// may then represent others.
    fn write_pairs(
        &self,
        job: &Job<'_>,
        pool: &ThreadPool,
        formats: &[&'static dyn RowFormat],
        files: &mut [RowSink<'_>],
    ) -> Result<PairTotals, Error> {
        let every = job.settings.all_pairs.unwrap_or(false);
        let lists = pool.install(|| self.pair_lists(every));
        let rows = |places: Range<usize>| {
            let mut encoders: Vec<_> = formats.iter().map(|format| RowEncoder::new(*format)).collect();
            let pairs: Vec<ListedPair> = places.flat_map(|place| lists.list(place)).collect();
            // The ids of second documents are scattered in memory, so they are prefetched together.
            self.table.fetch(pairs.iter().map(|pair| pair.second));
            for pair in &pairs {
                let row = self.pair_row(pair);
                for encoder in &mut encoders {
                    encoder.add(Row::Pair(&row));
                }
            }
            let batches: Vec<EncodedRows> = encoders.iter_mut().map(RowEncoder::take).collect();
            batches
        };
        // A short list is done by fewer threads than the plan has: the first parts are counted to find out.
        let mut parts = lists.parts(PART as u64);
        let first: Vec<_> = parts.by_ref().take(job.plan().threads).collect();
        let plan = job.plan_of(first.len());
        let mut parts = first.into_iter().chain(parts);
        process(
            &plan,
            || parts.next(),
            || (),
            |(), places| rows(places),
            |rows| {
                let mut files = files.iter_mut().zip(&rows);
                files.try_for_each(|(file, rows)| file.rows(rows))
            },
        )?;
        Ok(lists.totals())
    }

    /// Writes a row for every document, in input order.
    fn write_clusters(&self, job: &Job<'_>, out: &mut RowSink<'_>) -> Result<(), Error> {
        let format = out.format();
        let rows = |decisions: &[Decision]| {
            let mut encoder = RowEncoder::new(format);
            self.table.fetch(decisions.iter().flat_map(|decision| {
                let name = self.names[decision.cluster as usize];
                [name, decision.representative]
            }));
            for decision in decisions {
                encoder.add(Row::Decision(&self.cluster_row(decision)));
            }
            encoder.take()
        };
        in_parts(job, &self.outcome.decisions, rows, |rows| out.rows(&rows))
    }

    /// Writes the matches of new documents in the index.
    fn write_matches(&self, in_index: &KnownDocuments, mut out: RowSink<'_>) -> Result<Vec<Finished>, Error> {
        for (document, matches) in in_index.iter() {
            for found in matches {
                let row = MatchRow {
                    a: self.table.id(document),
                    b: &found.id,
                    similarity: found.similarity,
                    estimate: found.estimate,
                    shared_shingles: found.shared_shingles,
                    method: found.method,
                    contained: found.contained.as_deref(),
                };
                out.row(Row::Match(&row))?;
            }
        }
        out.finish_files()
    }

    /// Recounts the kept and the dropped documents in the summary, also by input and by file.
    pub(crate) fn summarize(&self, summary: &mut Summary) -> Duplicates {
        let found = self.settle(&mut summary.counts);
        summary.settle_files(|document| match self.of(document) {
            Verdict { kept: true, .. } => Ok(()),
            Verdict { reason, .. } => Err(reason),
        });
        found
    }

    /// Writes pairs and clusters, and sets the numbers of pairs in `found`. With `tsv`, the pairs are also written as a TSV table.
    pub(crate) fn write(
        &self,
        job: &Job<'_>,
        pool: &ThreadPool,
        folder: &RowFolder,
        tsv: bool,
        found: &mut Duplicates,
    ) -> Result<Vec<Finished>, Error> {
        let mut pairs = vec![folder.rows(PAIRS, RowKind::Pair)?];
        if tsv {
            pairs.push(folder.rows_in(&Tsv, PAIRS, RowKind::Pair)?);
        }
        let formats: Vec<_> = pairs.iter().map(RowSink::format).collect();
        let totals = self.write_pairs(job, pool, &formats, &mut pairs)?;
        let mut files = Vec::new();
        for sink in pairs {
            files.extend(sink.finish_files()?);
        }
        (found.pairs, found.linked_pairs, found.all_pairs) = (totals.listed, totals.linked, totals.all);
        if let Some(in_index) = &self.in_index {
            files.extend(self.write_matches(in_index, folder.rows(MATCHES, RowKind::Match)?)?);
        }
        let mut clusters = folder.rows(CLUSTERS, RowKind::Decision)?;
        self.write_clusters(job, &mut clusters)?;
        files.extend(clusters.finish_files()?);
        Ok(files)
    }

    /// Clusters and their documents by size. Documents without text belong to no cluster.
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

    /// The largest clusters, each with the numbers of its listed members. Titles are left empty; the caller
    /// fills them in.
    pub(crate) fn largest(&self, most_members: usize) -> Vec<(ClusterShown, Vec<u32>)> {
        let mut largest: Vec<(u32, u32)> = self.clusters().collect();
        largest.sort_by_key(|(cluster, size)| (Reverse(*size), self.table.id(self.names[*cluster as usize])));
        largest.truncate(LARGEST_CLUSTERS);
        // One pass over all decisions finds the members of all clusters that are shown.
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
            // The representative first, then by descending similarity, documents that were not compared
            // with it last.
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
                    .then_with(|| self.table.id(*a).cmp(self.table.id(*b)))
            });
            members.truncate(most_members);
            let rows = members.iter().map(|(document, similarity)| {
                let Verdict { kept, reason } = self.of(*document);
                MemberRow {
                    id: self.table.id(*document).to_owned(),
                    url: Some(self.table.url(*document))
                        .filter(|url| !url.is_empty())
                        .map(str::to_owned),
                    title: None,
                    similarity: similarity.map(round),
                    kept,
                    reason: reason.to_owned(),
                }
            });
            let shown = ClusterShown {
                id: self.table.id(self.names[cluster as usize]).to_owned(),
                size: size.into(),
                members: rows.collect(),
            };
            (shown, members.into_iter().map(|(document, _)| document).collect())
        };
        largest.into_iter().map(show).collect()
    }
}

/// Number of items that [`in_parts`] hands to a thread at a time.
const PART: usize = 2048;

/// Makes rows of many items on worker threads, and writes them in the order of the items.
fn in_parts<T: Sync, R: Send>(
    job: &Job<'_>,
    items: &[T],
    rows: impl Fn(&[T]) -> R + Sync,
    write: impl FnMut(R) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut parts = items.chunks(PART);
    let plan = job.plan_of(parts.len());
    process(&plan, || parts.next(), || (), |(), part| rows(part), write)
}

#[cfg(test)]
mod tests;
