//! All pairs of duplicates, and their clusters.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::input::CappedGroups;
use crate::candidates::join::open_groups::OpenGroups;
use crate::candidates::pair::ScoredPair;
use crate::cluster::clustering::{Edge, sort_edges};
use crate::cluster::clusters::{Clusters, Groups};
use crate::engine::compiled::CompiledOptions;
use crate::engine::decider::Decider;
use crate::engine::document_rows::DocumentKind;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::key_source::KeySource;
use crate::engine::options::{Deletion, Options};
use crate::engine::outcome::{Counts, Outcome};
use crate::engine::staying::Staying;
use crate::keep::facts::FactSource;
use crate::numeric::bit_set::BitSet;
use crate::numeric::narrow;

/// All pairs of duplicates, before clustering.
pub struct VerifiedPairs {
    pub(crate) compiled: Arc<CompiledOptions>,
    pub(crate) kinds: Vec<DocumentKind>,
    pub(crate) contents: Vec<u128>,
    /// Hashes of the texts, which are equal for exact duplicates.
    pub(crate) exacts: Vec<u64>,
    pub(crate) exact_groups: ExactGroups,
    pub(crate) pairs: Vec<ScoredPair>,
    /// Pairs below the threshold whose similarity was measured. With transitive deletion these are pairs of a removed
    /// document and its representative.
    pub(crate) measured: Vec<ScoredPair>,
    pub(crate) capped: CappedGroups,
    pub(crate) counts: Counts,
    /// The state for further rounds. `None` if the pairs were found elsewhere.
    pub(crate) rounds: Option<Rounds>,
}

/// The state between rounds of the search.
pub(crate) struct Rounds {
    pub(crate) source: KeySource,
    /// Number of further searches in large groups so far.
    pub(crate) searches: u32,
    /// Number of the last consecutive searches that found nothing.
    pub(crate) fruitless: u32,
    /// Number of rounds so far that compared documents with the representatives of their neighbors.
    pub(crate) near: u32,
    /// Number of pairs before the last search.
    pub(crate) pairs_before: usize,
    /// Pairs of texts that were compared in rounds so far because a neighbor's representative suggested them.
    pub(crate) asked: HashSet<(u32, u32)>,
    /// The staying documents before the last round.
    pub(crate) before: Option<Staying>,
    /// The documents of groups that were capped in the first search.
    pub(crate) capped: BitSet,
    /// The documents of groups that were capped in the last search.
    pub(crate) capped_last: BitSet,
    /// The groups that were capped in the first search. Further searches read all of them each time, even
    /// if all staying documents of a group were compared, because documents may come back.
    pub(crate) open: OpenGroups,
}

/// Approximate number of bytes that a further search takes per document, mainly for the facts in the keeper's order.
const PER_SOUGHT: u64 = 128;
/// Number of bytes of a pair in `asked`: two document numbers and a byte of the hash table.
const PER_ASKED: u64 = 9;
/// Number of bytes of an open group: its word in a hash table that is half full.
const PER_OPEN: u64 = 18;

/// Marks a document in no pair.
const NONE: u32 = u32::MAX;

impl VerifiedPairs {
    /// Pairs that were found elsewhere, for example by a join of [keys](crate::DocumentSigner::keys) on many machines,
    /// and compared with a [`Matcher`](crate::Matcher).
    ///
    /// `documents` holds the kind, the content hash and the text hash of each document, in the order of document
    /// numbers. Documents of equal content are exact duplicates if their text hashes are equal too. Pairs may be
    /// unsorted and repeated. Among documents of equal content the first one should be in pairs.
    #[must_use]
    pub fn from_pairs(
        compiled: Arc<CompiledOptions>,
        documents: impl IntoIterator<Item = (DocumentKind, u128, u64)>,
        pairs: Vec<ScoredPair>,
    ) -> Self {
        let (mut kinds, mut contents, mut exacts) = (Vec::new(), Vec::new(), Vec::new());
        for (kind, content, exact) in documents {
            kinds.push(kind);
            contents.push(content);
            exacts.push(exact);
        }
        let groups = ExactGroups::find(&kinds, &contents);
        let mut verified = Self::new(compiled, kinds, (contents, exacts), groups, Vec::new());
        verified.add(pairs);
        verified.counts.candidates = verified.counts.verified;
        let full = (0..).zip(&verified.kinds).filter(|(document, kind)| {
            **kind == DocumentKind::Full && verified.exact_groups.first(*document) == *document
        });
        verified.counts.compared = full.count() as u64;
        verified
    }

    /// Adds pairs that were found elsewhere.
    pub(crate) fn add(&mut self, pairs: Vec<ScoredPair>) {
        let Self {
            kinds, exact_groups, ..
        } = self;
        let inside = |pair: &ScoredPair| (pair.a.max(pair.b) as usize) < kinds.len();
        // Pairs refer to the first document of each content, so that copies have no pairs of their own.
        let first = |pair: ScoredPair| pair.between(exact_groups.first(pair.a), exact_groups.first(pair.b));
        let pairs = pairs.into_iter().filter(inside).map(first);
        self.pairs.extend(pairs.filter(|pair| pair.a != pair.b));
        self.sort();
    }

    /// Counts the documents. Pairs must be sorted by documents, or be [sorted](Self::sort) later.
    pub(crate) fn new(
        compiled: Arc<CompiledOptions>,
        kinds: Vec<DocumentKind>,
        (contents, exacts): (Vec<u128>, Vec<u64>),
        exact_groups: ExactGroups,
        pairs: Vec<ScoredPair>,
    ) -> Self {
        let count = |kind| kinds.iter().filter(|other| **other == kind).count() as u64;
        // The first document of each content is not a copy.
        let copies = exact_groups.groups().iter().map(|group| group.len() as u64 - 1);
        let counts = Counts {
            documents: kinds.len() as u64,
            empty: count(DocumentKind::Empty),
            short: count(DocumentKind::Short),
            identical: copies.sum(),
            exact: exact_copies(&exact_groups, &exacts),
            verified: pairs.len() as u64,
            ..Counts::default()
        };
        Self {
            compiled,
            kinds,
            contents,
            exacts,
            exact_groups,
            pairs,
            measured: Vec::new(),
            capped: CappedGroups::default(),
            counts,
            rounds: None,
        }
    }

    /// Sorts the pairs by documents and removes repetitions.
    pub(crate) fn sort(&mut self) {
        self.pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        self.pairs.dedup_by_key(|pair| (pair.a, pair.b));
        self.counts.verified = self.pairs.len() as u64;
        self.capped.sort();
    }

    /// The pairs; see [`Outcome::pairs`].
    #[must_use]
    pub fn pairs(&self) -> &[ScoredPair] {
        &self.pairs
    }

    /// Approximate memory in use apart from the pairs, in bytes. Memory is used only if groups were capped:
    /// for the dissimilar pairs of their documents, and for a further search among these documents.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let further = self.rounds.as_ref().map_or(0, |rounds| {
            rounds.capped.len() * PER_SOUGHT
                + PER_ASKED * rounds.asked.capacity() as u64
                + PER_OPEN * rounds.open.len() as u64
        });
        8 * self.capped.unlike.len() as u64 + further
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.compiled.options
    }

    /// Decides which documents stay, and groups the pairs into clusters. Makes no further searches for pairs that
    /// capped groups left out; see `settle`.
    #[must_use]
    pub fn cluster<S: FactSource + ?Sized>(self, facts: &S) -> Outcome {
        let staying = self.staying(facts);
        self.decide(&staying, facts)
    }

    /// The documents that stay, given all pairs so far.
    pub(crate) fn staying<S: FactSource + ?Sized>(&self, facts: &S) -> Staying {
        let decider = self.decider(facts);
        match self.compiled.options.deletion {
            Deletion::Covered => Staying::covered(&decider),
            // A clustering that follows the keeper takes the covered set as its clusters.
            Deletion::Transitive => {
                Staying::transitive(&decider, &self.clusters_of(|| Staying::covered(&decider)))
            }
        }
    }

    pub(crate) fn decider<'a, S: FactSource + ?Sized>(&'a self, facts: &'a S) -> Decider<'a, S> {
        Decider {
            options: &self.compiled.options,
            kinds: &self.kinds,
            contents: &self.contents,
            exacts: &self.exacts,
            facts,
            pairs: &self.pairs,
            measured: &self.measured,
            exact_groups: &self.exact_groups,
        }
    }

    pub(crate) fn decide<S: FactSource + ?Sized>(mut self, staying: &Staying, facts: &S) -> Outcome {
        // `measured` is searched by pairs below.
        self.measured.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        self.capped.sort();
        let clusters = self.clusters_of(|| staying.clone());
        let decisions = self.decider(facts).decide(staying, &clusters);
        Outcome {
            kinds: self.kinds,
            exact_groups: self.exact_groups,
            exacts: self.exacts,
            pairs: self.pairs,
            measured: self.measured,
            capped: self.capped,
            counts: self.counts,
            clusters,
            decisions,
        }
    }

    /// Clusters of two or more documents. `staying` returns the staying documents, for a clustering that follows the
    /// keeper.
    fn clusters_of(&self, staying: impl FnOnce() -> Staying) -> Clusters {
        match self.compiled.options.clustering.follows_keeper() {
            true => staying().clusters(),
            false => self.clusters(),
        }
    }

    /// Clusters of two or more documents, by a clustering that does not use the keeper.
    #[must_use]
    pub fn clusters(&self) -> Clusters {
        // Vertices are the documents in pairs, ordered by content hash. So a clustering that breaks ties by vertex
        // gives the same groups for any order of input.
        let mut vertices = vec![NONE; self.contents.len()];
        for pair in &self.pairs {
            (vertices[pair.a as usize], vertices[pair.b as usize]) = (0, 0);
        }
        let mut documents: Vec<u32> = (0..)
            .zip(&vertices)
            .filter(|(_, vertex)| **vertex != NONE)
            .map(|(document, _)| document)
            .collect();
        documents.par_sort_unstable_by_key(|&document| self.contents[document as usize]);
        for (vertex, &document) in (0..).zip(&documents) {
            vertices[document as usize] = vertex;
        }
        let mut edges: Vec<Edge> = self
            .pairs
            .par_iter()
            .map(|pair| {
                let (u, v) = (vertices[pair.a as usize], vertices[pair.b as usize]);
                Edge {
                    u: u.min(v),
                    v: u.max(v),
                    similarity: pair.similarity,
                }
            })
            .collect();
        sort_edges(&mut edges);
        // A vertex stands for all documents of its content, so clusterings get their number.
        let copies: Vec<u32> = documents
            .par_iter()
            .map(|&document| narrow::to_u32(self.exact_groups.copies(document).map_or(1, <[u32]>::len)))
            .collect();
        let clusters = self.compiled.options.clustering.cluster(&copies, &edges);

        // All documents with the content of a vertex join the vertex's group.
        let mut groups = Groups::default();
        let mut grouped = vec![false; documents.len()];
        for vertices in clusters.iter().filter(|vertices| vertices.len() > 1) {
            groups.add(vertices.iter().flat_map(|&vertex| {
                grouped[vertex as usize] = true;
                let document = &documents[vertex as usize];
                let copies = self.exact_groups.copies(*document);
                copies.unwrap_or(std::slice::from_ref(document)).iter().copied()
            }));
        }
        // Copies whose content is in no cluster of two or more vertices form a group of their own.
        let alone = |group: &&[u32]| {
            let vertex = vertices[group[0] as usize];
            vertex == NONE || !grouped[vertex as usize]
        };
        for group in self.exact_groups.groups().iter().filter(alone) {
            groups.add(group.iter().copied());
        }
        groups.into_clusters()
    }

    /// The verified pair of two texts, given by the first documents of their contents, if there is one.
    pub(crate) fn find(&self, a: u32, b: u32) -> Option<&ScoredPair> {
        let key = (a.min(b), a.max(b));
        let place = self.pairs.binary_search_by_key(&key, |pair| (pair.a, pair.b));
        place.ok().map(|place| &self.pairs[place])
    }
}

/// Number of documents whose text is that of an earlier document of equal content.
fn exact_copies(groups: &ExactGroups, exacts: &[u64]) -> u64 {
    let copies = |group: &[u32]| {
        let mut texts: Vec<u64> = group.iter().map(|&document| exacts[document as usize]).collect();
        texts.sort_unstable();
        texts.dedup();
        (group.len() - texts.len()) as u64
    };
    groups.groups().iter().map(copies).sum()
}
