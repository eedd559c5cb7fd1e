//! What a run found: pairs, clusters, and a decision about every document.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::pair::ScoredPair;
use crate::cluster::clustering::{Edge, sort_edges};
use crate::cluster::clusters::Clusters;
use crate::engine::batch::{Chain, Kind};
use crate::engine::exact_groups::Identical;
use crate::engine::expand::spell_out;
use crate::engine::options::{Action, Options};
use crate::keep::facts::{Facts, Source, host};
use crate::keep::keeper::Member;
use crate::sign::banding::Banding;

/// How many documents and pairs there were at each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents in all.
    pub documents: u64,
    /// Documents without tokens.
    pub empty: u64,
    /// Documents with few tokens, compared with identical ones only.
    pub short: u64,
    /// Documents that are identical to an earlier one, which stood for them.
    pub identical: u64,
    /// Documents among which similar pairs were sought: neither empty nor short nor identical to an earlier one.
    pub compared: u64,
    /// Pairs of documents that were compared.
    pub candidates: u64,
    /// Groups of documents with a common key that were too large to compare all pairs within.
    pub capped_buckets: u64,
    /// Shingles in so many documents that they were not counted.
    pub cut_shingles: u64,
    /// Pairs at or above the threshold.
    pub verified: u64,
}

/// All pairs of duplicates, before clustering.
pub struct Joined {
    pub(crate) chain: Arc<Chain>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) contents: Vec<u128>,
    pub(crate) identical: Identical,
    pub(crate) pairs: Vec<ScoredPair>,
    pub(crate) counts: Counts,
}

/// No cluster.
const NONE: u32 = u32::MAX;

impl Joined {
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
        &self.chain.options
    }

    /// Drops the pairs that `keep` does not want, before they are grouped.
    pub fn retain(&mut self, keep: impl FnMut(&ScoredPair) -> bool) {
        self.pairs.retain(keep);
    }

    /// How signatures were cut, if candidates come from banding.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        self.chain.index.banding()
    }

    /// Groups the pairs to clusters, and decides which documents stay.
    #[must_use]
    pub fn cluster<S: Source + ?Sized>(self, source: &S) -> Outcome {
        let clusters = self.clusters();
        let decisions = self.decide(&clusters, source);
        Outcome {
            max_expansion: self.chain.options.max_expansion,
            kinds: self.kinds,
            identical: self.identical,
            pairs: self.pairs,
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
            .map(|&document| self.identical.copies(document).map_or(1, <[u32]>::len) as u32)
            .collect();
        let clusters = self.chain.options.clustering.cluster(&copies, &edges);

        // The documents that are identical to a vertex follow it.
        let mut groups = Vec::new();
        let mut grouped = vec![false; documents.len()];
        for vertices in clusters.iter().filter(|vertices| vertices.len() > 1) {
            let mut group = Vec::new();
            for &vertex in vertices {
                grouped[vertex as usize] = true;
                let document = documents[vertex as usize];
                match self.identical.copies(document) {
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
        groups.extend(self.identical.groups().iter().filter(alone).map(<[u32]>::to_vec));
        Clusters::from_groups(groups)
    }

    fn decide<S: Source + ?Sized>(&self, clusters: &Clusters, source: &S) -> Vec<Decision> {
        let mut decisions: Vec<Decision> = (0..)
            .zip(&self.kinds)
            .map(|(document, kind)| {
                let reason = if *kind == Kind::Empty {
                    Reason::Empty
                } else {
                    Reason::Unique
                };
                Decision {
                    document,
                    cluster: document,
                    representative: document,
                    action: Action::Keep,
                    reason,
                }
            })
            .collect();
        let mut decided = vec![false; self.kinds.len()];
        for group in clusters.iter() {
            // Where clusters overlap, a document belongs to the first one.
            let members: Vec<u32> = group
                .iter()
                .copied()
                .filter(|&document| !decided[document as usize])
                .collect();
            for &document in &members {
                decided[document as usize] = true;
            }
            self.decide_group(&members, source, &mut decisions);
        }
        decisions
    }

    fn decide_group<S: Source + ?Sized>(&self, group: &[u32], source: &S, decisions: &mut [Decision]) {
        let options = &self.chain.options;
        let known = |document| {
            let facts = source.facts(document);
            let date = facts
                .date
                .filter(|&date| options.latest_date.is_none_or(|latest| date <= latest));
            Facts { date, ..facts }
        };
        let mut members: Vec<Member<'_>> = group
            .iter()
            .map(|&document| Member {
                document,
                facts: known(document),
            })
            .collect();
        let because = options.keeper.order(&mut members);
        let Some(main) = members.first().map(|member| member.document) else {
            return;
        };
        let cluster = group.iter().copied().min().unwrap_or(main);

        // What stays, by content: the first member that has it.
        let mut staying: BTreeMap<u128, u32> = BTreeMap::new();
        let mut kept = 0;
        let mut kept_of_host: BTreeMap<&str, u32> = BTreeMap::new();
        for member in &members {
            let document = member.document;
            let content = self.contents[document as usize];
            let of_host = kept_of_host.entry(host(member.facts.url)).or_default();
            let room = kept < options.max_keep && options.max_per_host.is_none_or(|most| *of_host < most);
            let (action, reason) = if let Some(&to) = staying.get(&content) {
                (options.identical, Reason::Identical { to })
            } else if document == main {
                let reason = if members.len() > 1 {
                    Reason::Main { because }
                } else {
                    Reason::Unique
                };
                (Action::Keep, reason)
            } else if room {
                (Action::Keep, Reason::Beside)
            } else {
                (
                    options.near,
                    Reason::Near {
                        similarity: self.similarity(main, document),
                    },
                )
            };
            if matches!(reason, Reason::Unique | Reason::Main { .. } | Reason::Beside) {
                kept += 1;
                *of_host += 1;
            }
            if action != Action::Delete {
                staying.entry(content).or_insert(document);
            }
            decisions[document as usize] = Decision {
                document,
                cluster,
                representative: main,
                action,
                reason,
            };
        }
    }

    /// The verified similarity of two documents; none if their pair was not found.
    fn similarity(&self, a: u32, b: u32) -> Option<f64> {
        let (a, b) = (self.identical.first(a), self.identical.first(b));
        let place = self
            .pairs
            .binary_search_by_key(&(a.min(b), a.max(b)), |pair| (pair.a, pair.b))
            .ok()?;
        Some(self.pairs[place].similarity)
    }
}

/// What a run found.
#[non_exhaustive]
pub struct Outcome {
    /// How each document took part, by its number.
    pub kinds: Vec<Kind>,
    /// Documents of equal content.
    pub identical: Identical,
    /// Pairs at or above the threshold, sorted by documents. Of identical documents only the first is in pairs; see
    /// [`all_pairs`](Self::all_pairs).
    pub pairs: Vec<ScoredPair>,
    /// Clusters of two or more documents, identical ones included. With some clusterings they overlap.
    pub clusters: Clusters,
    /// What becomes of each document, by its number.
    pub decisions: Vec<Decision>,
    /// How many documents and pairs there were.
    pub counts: Counts,
    max_expansion: u32,
}

impl Outcome {
    /// All pairs of documents at or above the threshold, sorted, with those of identical documents spelled out:
    /// similarity 1 among them, and the similarity of their contents to others. Where two groups of identical documents
    /// together have more than [`max_expansion`](crate::Options::with_max_expansion) members, or one group has, only
    /// pairs with the first of a group are listed.
    pub fn all_pairs(&self) -> impl Iterator<Item = ScoredPair> {
        let mut pairs = self.all_pairs_by(|a, b| a.cmp(&b));
        pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs.into_iter()
    }

    /// The same in no order, where `order` says which document of a group is the first: an order that does not depend on that of
    /// input gives the same pairs for any order of input.
    #[must_use]
    pub fn all_pairs_by(&self, order: impl Fn(u32, u32) -> Ordering) -> Vec<ScoredPair> {
        spell_out(&self.pairs, &self.identical, self.max_expansion as usize, order)
    }
}

/// What becomes of a document, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The document's number.
    pub document: u32,
    /// Smallest number in its cluster; its own if it is in none.
    pub cluster: u32,
    /// The main document of its cluster; itself if it is in none.
    pub representative: u32,
    /// What becomes of it.
    pub action: Action,
    /// Why.
    pub reason: Reason,
}

/// Why a document stays, is demoted or goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// It has no tokens, so nothing is known of duplicates.
    Empty,
    /// It is in no cluster.
    Unique,
    /// It is the main document of its cluster.
    Main {
        /// What it has before the next one, such as "earliest date".
        because: &'static str,
    },
    /// It is in a cluster in which more than one document may stay.
    Beside,
    /// It has the content of a document that stays.
    Identical {
        /// That document.
        to: u32,
    },
    /// It is in the cluster of its representative.
    Near {
        /// Their similarity, if they are a pair themselves.
        similarity: Option<f64>,
    },
}

impl Reason {
    /// The reason in one word, for counting: `empty`, `unique`, `main`, `beside`, `identical` or `near`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Unique => "unique",
            Self::Main { .. } => "main",
            Self::Beside => "beside",
            Self::Identical { .. } => "identical",
            Self::Near { .. } => "near",
        }
    }
}
