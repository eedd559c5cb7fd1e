//! The results of a run: pairs, clusters, and decisions with their reasons.

use crate::candidates::input::CappedGroups;
use crate::candidates::pair::ScoredPair;
use crate::cluster::clusters::Clusters;
use crate::engine::document_rows::DocumentKind;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::known_similarity::similarity;
use crate::engine::options::Action;

/// The numbers of documents and pairs at each step.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All documents.
    pub documents: u64,
    /// Documents without tokens.
    pub empty: u64,
    /// Documents with few words, compared only with documents of equal content.
    pub short: u64,
    /// Documents with the content of an earlier document, which represents them in the search for pairs.
    pub identical: u64,
    /// The part of `identical` that are exact duplicates of an earlier document.
    pub exact: u64,
    /// Documents in the search for similar pairs: neither empty nor short nor with the content of an earlier document.
    pub compared: u64,
    /// Pairs of documents that were compared.
    pub candidates: u64,
    /// Groups of documents with a common key that were too large for comparing all pairs.
    pub capped_buckets: u64,
    /// Shingles that were skipped because too many documents have them.
    pub cut_shingles: u64,
    /// Pairs at or above the threshold.
    pub verified: u64,
    /// True if the last further search in large groups still found pairs. Some documents that stay may then be similar.
    pub unsettled: bool,
}

/// The results of a run.
///
/// ```
/// use dehusk_dedup::{Deduper, Options, Reason};
///
/// let mut deduper = Deduper::new(Options::default().with_threshold(0.5).with_min_tokens(3))?;
/// for text in ["one two three four five", "one two three four six", "one two three four five"] {
///     deduper.add_joined(text)?;
/// }
/// let outcome = deduper.finish(&())?;
/// // Of equal documents only the first is in pairs; all are in clusters.
/// assert_eq!(outcome.clusters.group(0), [0, 2]);
/// assert_eq!(outcome.decisions[2].reason, Reason::ExactDuplicate { of: 0 });
/// assert_eq!(outcome.similarity(0, 2), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Outcome {
    /// The kind of each document, by document number.
    pub kinds: Vec<DocumentKind>,
    /// Groups of documents with equal content.
    pub exact_groups: ExactGroups,
    /// The hash of each document's text, by document number.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) exacts: Vec<u64>,
    /// Pairs at or above the threshold, sorted by documents. Among documents with equal content only the first is in
    /// pairs; see [`all_pairs`](Self::all_pairs).
    pub pairs: Vec<ScoredPair>,
    /// Pairs below the threshold whose similarity was measured, sorted by documents. With transitive deletion these are
    /// pairs of a removed document and its representative.
    pub measured: Vec<ScoredPair>,
    /// The documents of capped groups, whose pairs were not all compared.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub capped: CappedGroups,
    /// Clusters of two or more documents, identical documents included. Some clusterings make overlapping clusters.
    /// More than one document of a cluster may stay.
    pub clusters: Clusters,
    /// The decision about each document, by document number.
    pub decisions: Vec<Decision>,
    /// The numbers of documents and pairs at each step.
    pub counts: Counts,
}

impl Outcome {
    /// The similarity of two documents, 0 to 1; 1 if their contents are equal. `None` if their pair was neither
    /// verified nor measured.
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
    /// Smallest document number in its cluster; its own number if it is in no cluster.
    pub cluster: u32,
    /// The document that represents this one: itself if it represents others or only itself. If more than one document
    /// of a group may stay, a document can stay beside its representative.
    pub representative: u32,
    /// The action.
    pub action: Action,
    /// The reason for the action.
    pub reason: Reason,
}

/// The reason why a document stays, is demoted or is removed.
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// The document has no tokens, so it cannot be compared.
    Empty,
    /// The document is in no cluster.
    Unique,
    /// The document stays and represents others.
    Representative {
        /// Its advantage over the next document in the keeper's order, such as "earliest date".
        because: &'static str,
    },
    /// The document stays in a cluster with others and represents none of them: it is in no pair with the
    /// other staying documents, or more than one document may stay.
    BesideRepresentative,
    /// The document has the text of a document that stays.
    ExactDuplicate {
        /// The number of that document.
        of: u32,
    },
    /// The document is represented by another one.
    NearDuplicate {
        /// Their similarity, 0 to 1; 1 even if only their contents are equal. At least the threshold unless deletion is
        /// [transitive](crate::Deletion::Transitive). `None` only with transitive deletion, if the pairs were found
        /// elsewhere and this pair was not measured.
        similarity: Option<f64>,
    },
}

impl Outcome {
    /// The hash of a document's text that was given with it; see [`Batch::add_hashed`](crate::Batch::add_hashed). 0 if
    /// there is no such document or if the outcome was read from a file, which does not store these hashes.
    #[must_use]
    pub fn text_hash(&self, document: u32) -> u64 {
        self.exacts.get(document as usize).copied().unwrap_or(0)
    }

    /// True if two documents are exact duplicates: their contents are equal, and the hashes of their texts too.
    #[must_use]
    pub fn is_exact(&self, a: u32, b: u32) -> bool {
        let text = |document: u32| self.exacts.get(document as usize);
        self.exact_groups.first(a) == self.exact_groups.first(b) && text(a).is_some() && text(a) == text(b)
    }
}

impl Reason {
    /// The name of the reason in counts: `empty`, `unique`, `representative`, `beside-representative`,
    /// `exact-duplicate` or `near-duplicate`.
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
