//! All pairs of duplicates, and their clusters.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::input::CappedGroups;
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

/// All pairs of duplicates, before clustering.
pub struct VerifiedPairs {
    pub(crate) compiled: Arc<CompiledOptions>,
    pub(crate) kinds: Vec<DocumentKind>,
    pub(crate) contents: Vec<u128>,
    /// Hashes of the texts, which exact duplicates have in common.
    pub(crate) exacts: Vec<u64>,
    pub(crate) exact_groups: ExactGroups,
    pub(crate) pairs: Vec<ScoredPair>,
    /// Pairs below the threshold whose similarity is known, with transitive deletion: of documents that go and those that stay for them.
    pub(crate) measured: Vec<ScoredPair>,
    pub(crate) capped: CappedGroups,
    pub(crate) counts: Counts,
    /// What further rounds need; none if others found the pairs.
    pub(crate) rounds: Option<Rounds>,
}

/// What further rounds of the search need.
pub(crate) struct Rounds {
    pub(crate) source: KeySource,
    /// Further searches in large groups so far, and those at the end that found nothing.
    pub(crate) searches: u32,
    pub(crate) fruitless: u32,
    /// Rounds so far that compared documents with those that stay for their neighbors.
    pub(crate) near: u32,
    /// Pairs before the last search.
    pub(crate) pairs_before: usize,
    /// Documents that stay for a neighbor of another one that stays, and were compared with it in some round.
    pub(crate) asked: HashSet<(u32, u32)>,
    /// The documents that stayed before the last round.
    pub(crate) before: Option<Staying>,
    /// The documents in groups that were capped in the first search, and those in groups that were capped in the last round.
    pub(crate) capped: BitSet,
    pub(crate) capped_last: BitSet,
}

/// Bytes that a further search takes for each document that may take part: its facts in the keeper's order above all.
const PER_SOUGHT: u64 = 128;
/// Bytes of a pair of documents that was asked for in a round: two numbers and a byte of the table.
const PER_ASKED: u64 = 9;

/// No cluster.
const NONE: u32 = u32::MAX;

impl VerifiedPairs {
    /// Pairs that others found, for example by a join of [keys](crate::DocumentSigner::keys) on many machines, and compared
    /// with a [`Matcher`](crate::Matcher). `documents` are kind, content hash and hash of the text of each document, by its number;
    /// those of equal contents are exact duplicates if the hashes of their texts are equal, too. Pairs may come in any order and many times. Of documents of equal content the first one should be in pairs.
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

    /// Adds pairs that others found.
    pub(crate) fn add(&mut self, pairs: Vec<ScoredPair>) {
        let Self {
            kinds, exact_groups, ..
        } = self;
        let inside = |pair: &ScoredPair| (pair.a.max(pair.b) as usize) < kinds.len();
        let first = |pair: ScoredPair| pair.between(exact_groups.first(pair.a), exact_groups.first(pair.b));
        let pairs = pairs.into_iter().filter(inside).map(first);
        self.pairs.extend(pairs.filter(|pair| pair.a != pair.b));
        self.sort();
    }

    /// Counts documents. The pairs must be sorted by documents, or be [sorted](Self::sort) later.
    pub(crate) fn new(
        compiled: Arc<CompiledOptions>,
        kinds: Vec<DocumentKind>,
        (contents, exacts): (Vec<u128>, Vec<u64>),
        exact_groups: ExactGroups,
        pairs: Vec<ScoredPair>,
    ) -> Self {
        let count = |kind| kinds.iter().filter(|other| **other == kind).count() as u64;
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

    /// Sorts the pairs by documents, each once.
    pub(crate) fn sort(&mut self) {
        self.pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        self.pairs.dedup_by_key(|pair| (pair.a, pair.b));
        self.counts.verified = self.pairs.len() as u64;
        self.capped.sort();
    }

    /// The pairs, as in [`Outcome::pairs`].
    #[must_use]
    pub fn pairs(&self) -> &[ScoredPair] {
        &self.pairs
    }

    /// Bytes of memory that is taken beside the pairs, about, because groups of documents were too large to compare all of their
    /// pairs: by pairs of them that are not similar, and by a further search among their documents.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let further = self.rounds.as_ref().map_or(0, |rounds| {
            rounds.capped.len() * PER_SOUGHT + PER_ASKED * rounds.asked.capacity() as u64
        });
        8 * self.capped.unlike.len() as u64 + further
    }

    /// Counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.compiled.options
    }

    /// Decides which documents stay, and groups the pairs to clusters. Pairs that groups which were too large have left out are not
    /// sought; see `settle`.
    #[must_use]
    pub fn cluster<S: FactSource + ?Sized>(self, facts: &S) -> Outcome {
        let staying = self.staying(facts);
        self.decide(&staying, facts)
    }

    /// The documents that stay by all pairs so far.
    pub(crate) fn staying<S: FactSource + ?Sized>(&self, facts: &S) -> Staying {
        let decider = self.decider(facts);
        match self.compiled.options.deletion {
            Deletion::Covered => Staying::covered(&decider),
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

    /// Clusters of two or more documents. `staying` are the documents that stay, for a clustering that follows the keeper.
    fn clusters_of(&self, staying: impl FnOnce() -> Staying) -> Clusters {
        match self.compiled.options.clustering.follows_keeper() {
            true => staying().clusters(),
            false => self.clusters(),
        }
    }

    /// Clusters of two or more documents, as a clustering makes them that knows nothing of the keeper.
    #[must_use]
    pub fn clusters(&self) -> Clusters {
        // Vertices are the documents that are in pairs, ordered by content: a clustering that breaks ties by vertex then
        // gives the same groups whatever the order of input.
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
        let copies: Vec<u32> = documents
            .par_iter()
            .map(|&document| self.exact_groups.copies(document).map_or(1, <[u32]>::len) as u32)
            .collect();
        let clusters = self.compiled.options.clustering.cluster(&copies, &edges);

        // The documents of the content of a vertex follow it.
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
        let alone = |group: &&[u32]| {
            let vertex = vertices[group[0] as usize];
            vertex == NONE || !grouped[vertex as usize]
        };
        for group in self.exact_groups.groups().iter().filter(alone) {
            groups.add(group.iter().copied());
        }
        groups.into_clusters()
    }

    /// The pair of two texts, the first documents of their contents, if it was verified.
    pub(crate) fn find(&self, a: u32, b: u32) -> Option<&ScoredPair> {
        let key = (a.min(b), a.max(b));
        let place = self.pairs.binary_search_by_key(&key, |pair| (pair.a, pair.b));
        place.ok().map(|place| &self.pairs[place])
    }
}

/// Documents whose text is that of an earlier one of equal content.
fn exact_copies(groups: &ExactGroups, exacts: &[u64]) -> u64 {
    let copies = |group: &[u32]| {
        let mut texts: Vec<u64> = group.iter().map(|&document| exacts[document as usize]).collect();
        texts.sort_unstable();
        texts.dedup();
        (group.len() - texts.len()) as u64
    };
    groups.groups().iter().map(copies).sum()
}
