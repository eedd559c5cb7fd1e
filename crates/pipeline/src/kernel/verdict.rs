//! Verdicts from pairs: which documents are duplicates, and which of them are kept.

use std::collections::HashMap;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use dehusk_dedup::{Action, Banding, CompiledOptions, DocumentKind, Outcome, PairLists, Reason};
use rayon::prelude::*;

use crate::kernel::apart::{Apart, CONTAINED_IN, DEMOTED};
use crate::kernel::document_table::DocumentTable;
use crate::kernel::known_documents::KnownDocuments;
use crate::record::weight::{CLUSTER_SIZE, COPIES, Weight};
use crate::record::{Match, json};

/// Decisions on all documents, with the pairs and clusters on which they are based.
pub(crate) struct Verdicts<'k> {
    pub(crate) table: &'k DocumentTable,
    pub(crate) outcome: Outcome,
    /// For each cluster number, the document with the smallest id, which names the cluster.
    pub(crate) names: Vec<u32>,
    /// For each cluster number, the size of the cluster; 0 if there is no such cluster.
    pub(crate) sizes: Vec<u32>,
    /// Numbers of documents with equal text.
    pub(crate) copies: Copies,
    pub(crate) measure: &'static str,
    pub(crate) threshold: f64,
    pub(crate) banding: Option<Banding>,
    /// Documents with duplicates in an index; `None` without an index.
    pub(crate) in_index: Option<KnownDocuments>,
    /// Documents that took no part in the search.
    pub(crate) apart: Apart,
    /// Action for documents that are contained in a kept one, and these documents, each with that one,
    /// ascending. `None` if the setting keeps them.
    pub(crate) contained: Option<(Action, Vec<(u32, u32)>)>,
}

/// Numbers of documents with equal text, by the first document with the same tokens and the hash of the text.
///
/// Groups of documents with the same tokens whose texts are all equal are left out.
pub(crate) struct Copies(HashMap<(u32, u64), u64>);

impl Copies {
    /// Counts the equal texts in each group of documents with the same tokens.
    fn of_outcome(outcome: &Outcome) -> Self {
        let mut copies = HashMap::new();
        for group in outcome.exact_groups.groups().iter() {
            let all_equal = group.iter().all(|&document| outcome.is_exact(group[0], document));
            for &document in group.iter().filter(|_| !all_equal) {
                *copies.entry((group[0], outcome.text_hash(document))).or_insert(0) += 1;
            }
        }
        // The entry of the first document's text is kept even with count 1: it marks that the texts of the group differ.
        copies.retain(|(first, text), copies| *copies > 1 || *text == outcome.text_hash(*first));
        copies.shrink_to_fit();
        Copies(copies)
    }

    /// Returns the number of documents with the text of this one, including itself.
    fn of(&self, outcome: &Outcome, document: u32) -> u64 {
        let Some(group) = outcome.exact_groups.copies(document) else {
            return 1;
        };
        let text = (group[0], outcome.text_hash(document));
        match self.0.get(&text) {
            Some(copies) => *copies,
            // The first text of a group with different texts has an entry, so all texts of this group are
            // equal.
            None if outcome.is_exact(group[0], document) => group.len() as u64,
            // The only document of the group with its text.
            None => 1,
        }
    }

    fn bytes(&self) -> u64 {
        let entry = size_of::<((u32, u64), u64)>() + 1;
        (self.0.capacity() * entry) as u64
    }
}

/// The decision on one document, in the terms of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    pub(crate) kept: bool,
    pub(crate) reason: &'static str,
}

impl Verdict {
    /// Returns `true` if the document is kept or not as given, and for this reason.
    pub(crate) fn is(self, kept: bool, reason: &str) -> bool {
        self.kept == kept && self.reason == reason
    }
}

/// Reason of documents with a duplicate in an index.
pub(crate) const KNOWN: &str = "known-duplicate";

/// Number of decisions whose names are prefetched together.
const FETCHED: usize = 512;

/// Names the clusters of an outcome, on the threads of the current rayon pool.
///
/// Documents that are deleted for a document of an index, or took no part in the search, are in no pair and
/// no cluster.
pub(crate) fn decide<'k>(
    outcome: Outcome,
    by: &CompiledOptions,
    table: &'k DocumentTable,
    (in_index, apart): (Option<KnownDocuments>, Apart),
) -> Verdicts<'k> {
    let is_apart = |document: u32| {
        let known = in_index.as_ref().and_then(|known| known.action(document));
        known == Some(Action::Delete) || apart.reason(document).is_some()
    };
    let documents = outcome.decisions.len();
    // A cluster has the number of one of its documents, which names it until a smaller ID is found.
    let names: Vec<AtomicU32> = (0..).take(documents).map(AtomicU32::new).collect();
    let sizes: Vec<AtomicU32> = (0..documents).map(|_| AtomicU32::new(0)).collect();
    let name_of = |cluster: u32| names[cluster as usize].load(Relaxed);
    outcome.decisions.par_chunks(FETCHED).for_each(|decisions| {
        // Only documents whose IDs are compared below are prefetched.
        let in_clusters = decisions.iter().filter(|d| d.cluster != d.document);
        table.fetch(in_clusters.flat_map(|d| [d.document, name_of(d.cluster)]));
        for decision in decisions {
            let (document, cluster) = (decision.document, decision.cluster as usize);
            if is_apart(document) {
                continue;
            }
            sizes[cluster].fetch_add(1, Relaxed);
            if document != decision.cluster {
                // Ids are unique, so that the smallest wins regardless of the order of threads.
                let smaller = |name| (table.id(document) < table.id(name)).then_some(document);
                let _ = names[cluster].fetch_update(Relaxed, Relaxed, smaller);
            }
        }
    });
    let plain = |numbers: Vec<AtomicU32>| numbers.into_iter().map(AtomicU32::into_inner).collect();
    let (names, sizes) = (plain(names), plain(sizes));
    let copies = Copies::of_outcome(&outcome);
    Verdicts {
        table,
        outcome,
        names,
        sizes,
        copies,
        measure: by.options().similarity().name(),
        threshold: by.options().threshold(),
        banding: by.banding(),
        in_index,
        apart,
        contained: None,
    }
}

impl Verdicts<'_> {
    /// Bytes of memory of the verdicts, without the table of documents.
    pub(crate) fn bytes(&self) -> u64 {
        let found = &self.outcome;
        let lists = size_of_val(&found.pairs[..])
            + size_of_val(&found.decisions[..])
            + size_of_val(&found.kinds[..])
            + size_of_val(&self.names[..])
            + size_of_val(&self.sizes[..]);
        lists as u64 + self.copies.bytes()
    }

    /// Returns the verdict on a document. What removed it before the search comes first, then containment,
    /// then the index, then the other new documents.
    pub(crate) fn of(&self, document: u32) -> Verdict {
        if let Some(reason) = self.apart.reason(document) {
            return Verdict { kept: false, reason };
        }
        let contained = self
            .contained
            .as_ref()
            .filter(|_| self.contained_in(document).is_some());
        if let Some((action, _)) = contained {
            let (kept, reason) = match action {
                Action::Delete => (false, CONTAINED_IN),
                _ => (true, DEMOTED),
            };
            return Verdict { kept, reason };
        }
        let known = self.in_index.as_ref().and_then(|known| known.action(document));
        match known {
            None => self.of_new(document),
            Some(Action::Delete) => Verdict {
                kept: false,
                reason: KNOWN,
            },
            // A document that the index lets stay may still be removed for another new document.
            Some(stays) => match self.of_new(document) {
                Verdict { kept: false, reason } => Verdict { kept: false, reason },
                _ if stays == Action::Demote => Verdict {
                    kept: true,
                    reason: DEMOTED,
                },
                _ => Verdict {
                    kept: true,
                    reason: KNOWN,
                },
            },
        }
    }

    /// Returns the verdict on a document with regard to the other new documents.
    fn of_new(&self, document: u32) -> Verdict {
        let decision = &self.outcome.decisions[document as usize];
        // The action of the settings applies to duplicates only.
        let copy = |reason| match decision.action {
            Action::Keep => Verdict { kept: true, reason },
            Action::Demote => Verdict {
                kept: true,
                reason: DEMOTED,
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

    /// Returns the document that takes part instead of this one because of an equal URL, or `None`.
    pub(crate) fn stays_for(&self, document: u32) -> Option<u32> {
        self.apart.stays_for(document)
    }

    /// Returns the kept document that contains this one. `None` without one, or if the setting keeps
    /// contained documents.
    pub(crate) fn contained_in(&self, document: u32) -> Option<u32> {
        let (_, contained) = self.contained.as_ref()?;
        let place = contained.binary_search_by_key(&document, |(document, _)| *document);
        Some(contained[place.ok()?].1)
    }

    /// Returns the document of the index for which this document is deleted, or `None`.
    pub(crate) fn gone_for(&self, document: u32) -> Option<&Match> {
        let in_index = self.in_index.as_ref()?;
        let goes = in_index.action(document) == Some(Action::Delete);
        in_index.first(document).filter(|_| goes)
    }

    /// Returns the clusters of at least two documents: number and size.
    pub(crate) fn clusters(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..)
            .zip(&self.sizes)
            .filter(|(_, size)| **size > 1)
            .map(|(cluster, size)| (cluster, *size))
    }

    /// Returns the similarity of a document to its representative; 1 if it is its own. `None` if the two
    /// were not compared.
    pub(crate) fn similarity_to_representative(&self, document: u32) -> Option<f64> {
        let representative = self.outcome.decisions[document as usize].representative;
        self.outcome.similarity(document, representative)
    }

    /// Returns the number of documents in the cluster of a document, including itself.
    pub(crate) fn cluster_size(&self, document: u32) -> u64 {
        let cluster = self.outcome.decisions[document as usize].cluster;
        // Documents that are deleted for a document of an index are in no cluster.
        u64::from(self.sizes[cluster as usize]).max(1)
    }

    /// Returns the number of documents that a kept document represents, including itself.
    pub(crate) fn weight(&self, document: u32) -> Weight {
        Weight {
            cluster_size: self.cluster_size(document),
            copies: self.copies.of(&self.outcome, document),
        }
    }

    /// Returns the line of a kept document, with the number of documents that it represents.
    pub(crate) fn kept_line(&self, document: u32, line: &[u8]) -> Vec<u8> {
        let Weight { cluster_size, copies } = self.weight(document);
        let counts = [(CLUSTER_SIZE, cluster_size), (COPIES, copies)];
        json::with_counts(line, &counts)
    }

    /// Returns the pairs sorted by IDs: with `every`, all pairs; else a shorter list that represents all of
    /// them.
    pub(crate) fn pair_lists(&self, every: bool) -> PairLists<'_> {
        let id = |document: u32| self.table.id(document);
        let prefix = self.table.common_prefix();
        let key = |document: u32| self.table.id_key(document, prefix);
        self.outcome.pair_lists(key, |a, b| id(a).cmp(id(b)), every)
    }
}
