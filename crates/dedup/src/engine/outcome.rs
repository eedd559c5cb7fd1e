//! The results of a run: pairs, clusters, and decisions with their reasons.

use crate::candidates::input::CappedGroups;
use crate::candidates::pair::ScoredPair;
use crate::cluster::clusters::Clusters;
use crate::engine::document_rows::DocumentKind;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::known_similarity::similarity;
use crate::engine::options::Action;

/// How many documents and pairs there were at each step.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents in all.
    pub documents: u64,
    /// Documents without tokens.
    pub empty: u64,
    /// Documents with few words, compared with those of equal content only.
    pub short: u64,
    /// Documents of the content of an earlier one, which stood for them where pairs were sought.
    pub identical: u64,
    /// Those of them that are exact duplicates of an earlier one.
    pub exact: u64,
    /// Documents among which similar pairs were sought: neither empty nor short nor of the content of an earlier one.
    pub compared: u64,
    /// Pairs of documents that were compared.
    pub candidates: u64,
    /// Groups of documents with a common key that were too large to compare all pairs within.
    pub capped_buckets: u64,
    /// Shingles in so many documents that they were not counted.
    pub cut_shingles: u64,
    /// Pairs at or above the threshold.
    pub verified: u64,
    /// Whether the last of the further searches in large groups still found pairs, so that some of the documents that stay may be
    /// similar.
    pub unsettled: bool,
}

/// The results of a run.
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Outcome {
    /// How each document took part, by its number.
    pub kinds: Vec<DocumentKind>,
    /// Documents of equal content.
    pub exact_groups: ExactGroups,
    /// Hashes of the texts, by document.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) exacts: Vec<u64>,
    /// Pairs at or above the threshold, sorted by documents. Of documents of equal content only the first is in pairs; see
    /// [`all_pairs`](Self::all_pairs).
    pub pairs: Vec<ScoredPair>,
    /// Pairs below the threshold whose similarity was measured, sorted by documents: with transitive deletion those of documents that go
    /// and the ones that stay for them.
    pub measured: Vec<ScoredPair>,
    /// The documents of capped groups, not all of whose pairs were compared.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub capped: CappedGroups,
    /// Clusters of two or more documents, identical ones included. With some clusterings they overlap. More than one document of a
    /// cluster may stay.
    pub clusters: Clusters,
    /// The decision about each document, by its number.
    pub decisions: Vec<Decision>,
    /// How many documents and pairs there were.
    pub counts: Counts,
}

impl Outcome {
    /// The similarity of two documents, 0 to 1: 1 if their contents are equal; none if their pair was neither verified nor measured.
    #[must_use]
    pub fn similarity(&self, a: u32, b: u32) -> Option<f64> {
        similarity(&self.pairs, &self.measured, &self.exact_groups, a, b)
    }
}

/// The decision about a document.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The document's number.
    pub document: u32,
    /// Smallest number in its cluster; its own if it is in none.
    pub cluster: u32,
    /// The document that stays for it; itself if it stays and stands for others, or for itself alone.
    pub representative: u32,
    /// The action.
    pub action: Action,
    /// Why.
    pub reason: Reason,
}

/// Why a document stays, is demoted or goes.
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// It has no tokens, so nothing is known of duplicates.
    Empty,
    /// It is in no cluster.
    Unique,
    /// It stays, and stands for others.
    Representative {
        /// Its advantage over the next one, such as "earliest date".
        because: &'static str,
    },
    /// It stays in a cluster with others, and stands for none: it is in no pair with those that stay, or more than one may stay.
    BesideRepresentative,
    /// It has the text of a document that stays.
    ExactDuplicate {
        /// That document.
        of: u32,
    },
    /// Its representative stands for it.
    NearDuplicate {
        /// Their similarity, 0 to 1, 1 also if only their contents are equal. At least the threshold unless deletion is
        /// [transitive](crate::Deletion::Transitive); none only then, of pairs that others found and did not measure.
        similarity: Option<f64>,
    },
}

impl Outcome {
    /// The hash of the text of a document, as it was given with it; see [`Batch::add_hashed`](crate::Batch::add_hashed). 0 if the outcome was read from a
    /// file, which does not have these.
    #[must_use]
    pub fn text_hash(&self, document: u32) -> u64 {
        self.exacts.get(document as usize).copied().unwrap_or(0)
    }

    /// Whether two documents are exact duplicates: of equal content, with equal hashes of their texts.
    #[must_use]
    pub fn is_exact(&self, a: u32, b: u32) -> bool {
        let text = |document: u32| self.exacts.get(document as usize);
        self.exact_groups.first(a) == self.exact_groups.first(b) && text(a).is_some() && text(a) == text(b)
    }
}

impl Reason {
    /// The name of the reason, for counting: `empty`, `unique`, `representative`, `beside-representative`, `exact-duplicate` or
    /// `near-duplicate`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Unique => "unique",
            Self::Representative { .. } => "representative",
            Self::BesideRepresentative => "beside-representative",
            Self::ExactDuplicate { .. } => "exact-duplicate",
            Self::NearDuplicate { .. } => "near-duplicate",
        }
    }
}
