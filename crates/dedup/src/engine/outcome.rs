//! The results of a run: pairs, clusters, and decisions with their reasons.

use crate::candidates::input::CappedGroups;
use crate::candidates::pair::ScoredPair;
use crate::cluster::clusters::Clusters;
use crate::engine::document_rows::DocumentKind;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::options::Action;
use crate::numeric::bit_set::BitSet;

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
    /// The documents of capped groups, not all of whose pairs were compared.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub capped: CappedGroups,
    /// Documents that were left out.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) left_out: BitSet,
    /// Clusters of two or more documents, identical ones included. With some clusterings they overlap.
    pub clusters: Clusters,
    /// The decision about each document, by its number.
    pub decisions: Vec<Decision>,
    /// How many documents and pairs there were.
    pub counts: Counts,
}

/// The decision about a document.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The document's number.
    pub document: u32,
    /// Smallest number in its cluster; its own if it is in none.
    pub cluster: u32,
    /// The representative of its cluster; itself if it is in none.
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
    /// It is the representative of its cluster.
    Representative {
        /// Its advantage over the next one, such as "earliest date".
        because: &'static str,
    },
    /// It is in a cluster in which more than one document may stay.
    BesideRepresentative,
    /// It has the text of a document that stays.
    ExactDuplicate {
        /// That document.
        of: u32,
    },
    /// It is in the cluster of its representative.
    NearDuplicate {
        /// Their similarity, 1 if only their contents are equal; none if they are no pair themselves.
        similarity: Option<f64>,
    },
}

impl Outcome {
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
