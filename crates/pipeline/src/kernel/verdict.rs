//! Pairs to verdicts: which documents are duplicates of which, and which of them stay.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use dehusk_dedup::{Action, Banding, CompiledOptions, DocumentKind, Outcome, PairLists, Reason};
use rayon::prelude::*;

use crate::kernel::document_table::DocumentTable;
use crate::kernel::same_url::Folded;
use crate::record::{Match, json};

/// By the number of a document, the documents of an index that it is similar to; those that are similar to none are left out.
pub(crate) type KnownDocuments = BTreeMap<u32, Vec<Match>>;

/// The decisions on all documents, with the pairs and clusters they rest on.
pub(crate) struct Verdicts<'k> {
    pub(crate) table: &'k DocumentTable,
    pub(crate) outcome: Outcome,
    /// By the number of a cluster, its document of smallest id, which names it.
    pub(crate) names: Vec<u32>,
    /// By the number of a cluster, its size; 0 for numbers of no cluster.
    pub(crate) sizes: Vec<u32>,
    pub(crate) measure: &'static str,
    pub(crate) threshold: f64,
    pub(crate) banding: Option<Banding>,
    /// Documents that an index has duplicates of, if there is an index.
    pub(crate) in_index: Option<KnownDocuments>,
    /// Documents for which another one of their address took part, if such documents were folded.
    pub(crate) folded: Option<Folded>,
}

/// The decision on one document, in the words of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    pub(crate) kept: bool,
    pub(crate) reason: &'static str,
}

impl Verdict {
    /// Whether a document stays, or goes, for that reason.
    pub(crate) fn is(self, kept: bool, reason: &str) -> bool {
        self.kept == kept && self.reason == reason
    }
}

/// The reason of documents for which another one of their address took part.
pub(crate) const SAME_URL: &str = "same-url";

/// Decisions whose names are fetched before the first of them are compared.
const FETCHED: usize = 512;

/// Names the clusters of an outcome, in the threads of the current rayon pool.
///
/// Documents `in_index` are duplicates of documents elsewhere, and for those that were `folded` another one of their address took part:
/// they go, and are in no pair and no cluster.
pub(crate) fn decide<'k>(
    outcome: Outcome,
    by: &CompiledOptions,
    table: &'k DocumentTable,
    (in_index, folded): (Option<KnownDocuments>, Option<Folded>),
) -> Verdicts<'k> {
    let is_apart = |document: u32| {
        let known = in_index
            .as_ref()
            .is_some_and(|known| known.contains_key(&document));
        known
            || folded
                .as_ref()
                .is_some_and(|folded| folded.stays_for(document).is_some())
    };
    let documents = outcome.decisions.len();
    let names: Vec<AtomicU32> = (0..).take(documents).map(AtomicU32::new).collect();
    let sizes: Vec<AtomicU32> = (0..documents).map(|_| AtomicU32::new(0)).collect();
    let name_of = |cluster: u32| names[cluster as usize].load(Relaxed);
    outcome.decisions.par_chunks(FETCHED).for_each(|decisions| {
        let in_clusters = decisions.iter().filter(|d| d.cluster != d.document);
        table.fetch(in_clusters.flat_map(|d| [d.document, name_of(d.cluster)]));
        for decision in decisions {
            let (document, cluster) = (decision.document, decision.cluster as usize);
            if is_apart(document) {
                continue;
            }
            sizes[cluster].fetch_add(1, Relaxed);
            if document != decision.cluster {
                // Ids differ, so that the smallest remains in whatever order threads come.
                let smaller = |name| (table.id(document) < table.id(name)).then_some(document);
                let _ = names[cluster].fetch_update(Relaxed, Relaxed, smaller);
            }
        }
    });
    let plain = |numbers: Vec<AtomicU32>| numbers.into_iter().map(AtomicU32::into_inner).collect();
    let (names, sizes) = (plain(names), plain(sizes));
    Verdicts {
        table,
        outcome,
        names,
        sizes,
        measure: by.options().similarity().name(),
        threshold: by.options().threshold(),
        banding: by.banding(),
        in_index,
        folded,
    }
}

impl Verdicts<'_> {
    /// Bytes of memory that they take, without the table of documents.
    pub(crate) fn bytes(&self) -> u64 {
        let found = &self.outcome;
        let lists = size_of_val(&found.pairs[..])
            + size_of_val(&found.decisions[..])
            + size_of_val(&found.kinds[..])
            + size_of_val(&self.names[..])
            + size_of_val(&self.sizes[..]);
        lists as u64
    }

    pub(crate) fn of(&self, document: u32) -> Verdict {
        if self.stays_for(document).is_some() {
            return Verdict {
                kept: false,
                reason: SAME_URL,
            };
        }
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

    /// The document of the same address that took part for a document, if one did.
    pub(crate) fn stays_for(&self, document: u32) -> Option<u32> {
        self.folded.as_ref()?.stays_for(document)
    }

    /// The documents of the index that a document is like, if there are any.
    pub(crate) fn matches(&self, document: u32) -> Option<&[Match]> {
        let in_index = self.in_index.as_ref()?;
        in_index.get(&document).map(Vec::as_slice)
    }

    /// Clusters of two documents and more: number and size.
    pub(crate) fn clusters(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..)
            .zip(&self.sizes)
            .filter(|(_, size)| **size > 1)
            .map(|(cluster, size)| (cluster, *size))
    }

    /// The similarity of a document to its representative; 1 if it is its own.
    pub(crate) fn similarity_to_representative(&self, document: u32) -> Option<f64> {
        let representative = self.outcome.decisions[document as usize].representative;
        self.outcome.similarity(document, representative)
    }

    /// Documents of the cluster of a document, itself included.
    pub(crate) fn cluster_size(&self, document: u32) -> u64 {
        let cluster = self.outcome.decisions[document as usize].cluster;
        // Documents that an index has duplicates of are in no cluster.
        u64::from(self.sizes[cluster as usize]).max(1)
    }

    /// Documents with the normalized text of a document, itself included.
    pub(crate) fn copies(&self, document: u32) -> u64 {
        let copies = self.outcome.exact_groups.copies(document);
        copies.map_or(1, |copies| copies.len() as u64)
    }

    /// The line of a document that stays, with how many it stands beside.
    pub(crate) fn kept_line(&self, document: u32, line: &[u8]) -> Vec<u8> {
        let counts = [
            ("cluster_size", self.cluster_size(document)),
            ("copies", self.copies(document)),
        ];
        json::with_counts(line, &counts)
    }

    /// The pairs by ids: `every` one, or those that stand for all.
    pub(crate) fn pair_lists(&self, every: bool) -> PairLists<'_> {
        let id = |document: u32| self.table.id(document);
        let prefix = self.table.common_prefix();
        let key = |document: u32| self.table.id_key(document, prefix);
        self.outcome.pair_lists(key, |a, b| id(a).cmp(id(b)), every)
    }
}
