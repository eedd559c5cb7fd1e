//! All pairs of duplicates, and their clusters.

use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::input::CappedGroups;
use crate::candidates::pair::ScoredPair;
use crate::cluster::clustering::{Edge, sort_edges};
use crate::cluster::clusters::Clusters;
use crate::cluster::union_find::UnionFind;
use crate::engine::compiled::CompiledOptions;
use crate::engine::decide::Decider;
use crate::engine::document_rows::DocumentKind;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::options::Options;
use crate::engine::outcome::{Counts, Outcome};
use crate::keep::facts::FactSource;
use crate::sign::banding::Banding;

/// All pairs of duplicates, before clustering.
pub struct VerifiedPairs {
    pub(crate) compiled: Arc<CompiledOptions>,
    pub(crate) kinds: Vec<DocumentKind>,
    pub(crate) contents: Vec<u128>,
    pub(crate) exact_groups: ExactGroups,
    pub(crate) pairs: Vec<ScoredPair>,
    pub(crate) capped: CappedGroups,
    pub(crate) counts: Counts,
}

/// No cluster.
const NONE: u32 = u32::MAX;

impl VerifiedPairs {
    /// Pairs that others found, for example by a join of [keys](crate::DocumentSigner::keys) on many machines, and compared
    /// with a [`Matcher`](crate::Matcher). `documents` are kind and content hash of each document, by its number; pairs may
    /// come in any order and many times. Of documents of equal content the first one should be in pairs.
    #[must_use]
    pub fn from_pairs(
        compiled: Arc<CompiledOptions>,
        documents: impl IntoIterator<Item = (DocumentKind, u128)>,
        pairs: Vec<ScoredPair>,
    ) -> Self {
        let (kinds, contents): (Vec<_>, Vec<_>) = documents.into_iter().unzip();
        let groups = ExactGroups::find(&kinds, &contents);
        let inside = |pair: &ScoredPair| (pair.a.max(pair.b) as usize) < kinds.len();
        let first = |pair: ScoredPair| pair.between(groups.first(pair.a), groups.first(pair.b));
        let pairs = pairs.into_iter().filter(inside).map(first);
        let pairs: Vec<ScoredPair> = pairs.filter(|pair| pair.a != pair.b).collect();
        let mut verified = Self::new(compiled, kinds, contents, groups, pairs);
        verified.sort();
        verified.counts.candidates = verified.counts.verified;
        let full = (0..).zip(&verified.kinds).filter(|(document, kind)| {
            **kind == DocumentKind::Full && verified.exact_groups.first(*document) == *document
        });
        verified.counts.compared = full.count() as u64;
        verified
    }

    /// Counts documents. The pairs must be sorted by documents, or be [sorted](Self::sort) later.
    pub(crate) fn new(
        compiled: Arc<CompiledOptions>,
        kinds: Vec<DocumentKind>,
        contents: Vec<u128>,
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
            verified: pairs.len() as u64,
            ..Counts::default()
        };
        Self {
            compiled,
            kinds,
            contents,
            exact_groups,
            pairs,
            capped: CappedGroups::default(),
            counts,
        }
    }

    /// Sorts the pairs by documents, each once.
    pub(crate) fn sort(&mut self) {
        self.pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        self.pairs.dedup_by_key(|pair| (pair.a, pair.b));
        self.counts.verified = self.pairs.len() as u64;
    }

    /// The pairs, as in [`Outcome::pairs`].
    #[must_use]
    pub fn pairs(&self) -> &[ScoredPair] {
        &self.pairs
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

    /// Drops the pairs that `keep` does not want, before they are grouped.
    pub fn retain(&mut self, keep: impl FnMut(&ScoredPair) -> bool) {
        self.pairs.retain(keep);
    }

    /// How signatures were cut, if candidates come from banding.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        self.compiled.index.banding()
    }

    /// Groups the pairs to clusters, and decides which documents stay.
    #[must_use]
    pub fn cluster<S: FactSource + ?Sized>(self, facts: &S) -> Outcome {
        let clusters = self.unite_capped(self.clusters());
        let decider = Decider {
            options: &self.compiled.options,
            kinds: &self.kinds,
            contents: &self.contents,
            facts,
            similarity: &|a, b| self.similarity(a, b),
        };
        let decisions = decider.decide(&clusters);
        Outcome {
            max_expansion: self.compiled.options.max_expansion,
            kinds: self.kinds,
            exact_groups: self.exact_groups,
            pairs: self.pairs,
            capped: self.capped,
            counts: self.counts,
            clusters,
            decisions,
        }
    }

    /// Clusters of two or more documents.
    fn clusters(&self) -> Clusters {
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
            .iter()
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
            .iter()
            .map(|&document| self.exact_groups.copies(document).map_or(1, <[u32]>::len) as u32)
            .collect();
        let clusters = self.compiled.options.clustering.cluster(&copies, &edges);

        // The documents that are identical to a vertex follow it.
        let mut groups = Vec::new();
        let mut grouped = vec![false; documents.len()];
        for vertices in clusters.iter().filter(|vertices| vertices.len() > 1) {
            let mut group = Vec::new();
            for &vertex in vertices {
                grouped[vertex as usize] = true;
                let document = documents[vertex as usize];
                match self.exact_groups.copies(document) {
                    Some(copies) => group.extend_from_slice(copies),
                    None => group.push(document),
                }
            }
            groups.push(group);
        }
        let alone = |group: &&[u32]| {
            let vertex = vertices[group[0] as usize];
            vertex == NONE || !grouped[vertex as usize]
        };
        groups.extend(
            self.exact_groups
                .groups()
                .iter()
                .filter(alone)
                .map(<[u32]>::to_vec),
        );
        Clusters::from_groups(groups)
    }

    /// Unites clusters that a pair of two documents in capped groups connects.
    ///
    /// Each document of a capped group is compared with few others, so the pairs by which a clustering would have joined
    /// the two clusters may never have been compared: the center that both documents are similar to, above all. The pair
    /// that was found takes their place. Sizes stay within what the clustering allows.
    fn unite_capped(&self, clusters: Clusters) -> Clusters {
        let in_capped = |pair: &&ScoredPair| self.capped.contain(pair.a, pair.b);
        let mut links: Vec<ScoredPair> = self.pairs.iter().filter(in_capped).copied().collect();
        if links.is_empty() {
            return clusters;
        }
        let most = u64::from(self.compiled.options.clustering.max_size());
        if most < u64::from(u32::MAX) {
            // The most similar pairs first, in an order that does not depend on that of documents.
            let contents = |pair: &ScoredPair| {
                let (a, b) = (self.contents[pair.a as usize], self.contents[pair.b as usize]);
                (a.min(b), a.max(b))
            };
            links.par_sort_unstable_by(|x, y| {
                y.similarity
                    .total_cmp(&x.similarity)
                    .then_with(|| contents(x).cmp(&contents(y)))
            });
        }
        // Where clusters overlap, a document belongs to the first one. One that is in none is a cluster of its own.
        let mut group_of = vec![NONE; self.contents.len()];
        for (number, group) in (0..).zip(clusters.iter()) {
            for &document in group {
                let of = &mut group_of[document as usize];
                *of = number.min(*of);
            }
        }
        let mut groups: Vec<Vec<u32>> = clusters.iter().map(<[u32]>::to_vec).collect();
        for document in links.iter().flat_map(|pair| [pair.a, pair.b]) {
            if group_of[document as usize] == NONE {
                group_of[document as usize] = groups.len() as u32; // not more than documents
                groups.push(vec![document]);
            }
        }
        let distinct = |&&document: &&u32| self.exact_groups.first(document) == document;
        let texts = |group: &Vec<u32>| group.iter().filter(distinct).count() as u64;
        let mut sizes: Vec<u64> = groups.iter().map(texts).collect();
        let mut sets = UnionFind::new(groups.len() as u32);
        for pair in &links {
            let [a, b] = [pair.a, pair.b].map(|document| sets.find(group_of[document as usize]) as usize);
            if a != b && sizes[a] + sizes[b] <= most {
                sets.unite(a as u32, b as u32);
                sizes[a.min(b)] += sizes[a.max(b)];
            }
        }
        let labels = sets.labels();
        for number in (0..groups.len()).rev() {
            let label = labels[number] as usize;
            if label != number {
                let group = std::mem::take(&mut groups[number]);
                groups[label].extend(group);
            }
        }
        groups.retain(|group| group.len() > 1);
        Clusters::from_groups(groups)
    }

    /// The verified similarity of two documents; none if their pair was not found.
    fn similarity(&self, a: u32, b: u32) -> Option<f64> {
        let (a, b) = (self.exact_groups.first(a), self.exact_groups.first(b));
        let place = self
            .pairs
            .binary_search_by_key(&(a.min(b), a.max(b)), |pair| (pair.a, pair.b))
            .ok()?;
        Some(self.pairs[place].similarity)
    }
}
