//! Results of a comparison: one structure that page, JSON and tables are made of.

use dehusk_pipeline::record::RejectedCounts;
use serde::{Deserialize, Serialize};

use super::cost::Cost;
use super::deletion::Deletion;
use crate::metrics::{ClusterScores, Interval, Prf};

/// Version of the form of `results.json`.
pub const FORMAT_VERSION: u32 = 1;

/// All results of a comparison.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// Program and version.
    pub tool: String,
    /// Version of this form.
    pub format_version: u32,
    /// Name of the set.
    pub title: String,
    /// Settings as (name, value), in the form in which they are typed.
    pub settings: Vec<(String, String)>,
    /// One entry for each text of the documents: one for documents; for pages their raw, extracted and cleaned text.
    pub views: Vec<View>,
}

/// Results on one text of the documents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct View {
    /// `text`, or of pages `raw`, `extracted`, `templates`.
    pub name: String,
    /// The set.
    pub set: SetFacts,
    /// The methods, the best F1 first; rows of equal F1 by name.
    pub rows: Vec<Row>,
    /// Clusterings of the same edges.
    pub clusterings: Vec<ClusteringRow>,
    /// Shared true pairs by similarity.
    pub similarity: Vec<Bin>,
    /// Signatures compared bit by bit: distances, groups, balance.
    pub bit_signatures: Vec<BitSignatures>,
    /// Comparisons saved where only documents of similar lengths are compared.
    pub windows: Vec<Window>,
    /// Banding: what was measured beside the formula.
    pub bandings: Vec<BandingFacts>,
    /// Hardest pairs that are no duplicates, yet found.
    pub false_positives: Vec<Example>,
    /// Hardest duplicates that were missed.
    pub false_negatives: Vec<Example>,
    /// Work that all methods share: reading, tokens, shingles, statistics, true pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<Cost>,
    /// Peak memory of the process over the whole view, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
}

/// What the set is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SetFacts {
    /// Documents read.
    pub documents: u64,
    /// Records that could not be used.
    pub rejected: u64,
    /// The same by reason.
    #[serde(skip)]
    pub rejected_by_reason: RejectedCounts,
    /// Documents without a token.
    pub empty: u64,
    /// Different texts.
    pub distinct: u64,
    /// Tokens in different texts.
    pub tokens: u64,
    /// Ids of the truth that no document has.
    pub unknown: u64,
    /// Degrees of truth: name, groups of two or more, documents in them, pairs.
    pub degrees: Vec<DegreeFacts>,
    /// True groups by size: of 1, 2, 3 to 4, 5 to 8 and so on, each twice as wide.
    pub sizes: Vec<u64>,
}

/// A degree of truth.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DegreeFacts {
    /// Name.
    pub name: String,
    /// Groups of two or more documents.
    pub groups: u64,
    /// Documents in them.
    pub documents: u64,
    /// Pairs.
    pub pairs: f64,
}

/// How a method decides that two documents are duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// By signatures alone: an equal key, an estimate at or above the threshold, or few different bits.
    #[default]
    Alone,
    /// Candidates by signatures, verified by their similarity.
    Verified,
}

impl Mode {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Verified => "verified",
        }
    }
}

/// One method.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// Name as the study has it.
    pub name: String,
    /// Method as users type it.
    pub method: String,
    /// How the method decides.
    pub mode: Mode,
    /// Over pairs of documents.
    pub pairs: Prf,
    /// Intervals of precision, recall and F1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<[Interval; 3]>,
    /// F1 minus that of the first row on the same replicates, and how likely chance gives as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<(Interval, f64)>,
    /// Over the groups that its pairs connect.
    pub closure: ClusterScores,
    /// Over pairs, by the other degrees of truth.
    pub degrees: Vec<(String, Prf)>,
    /// Pairs of different documents that were found.
    pub found: f64,
    /// Pairs that were compared, and their share of all pairs of different texts. None where keys alone decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<(u64, f64)>,
    /// Groups with a common key that were too large to compare all pairs in.
    pub capped: u64,
    /// Recall by similarity of the true pair, in steps of 0.05 from 0; none where there is no such pair.
    pub recall_by_similarity: Vec<Option<f64>>,
    /// Points of the precision-recall curve by threshold, or, for bits, by Hamming distance.
    pub curve: Vec<Point>,
    /// Bytes of signature per document.
    pub bytes: f64,
    /// Cost of signing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signing: Option<Cost>,
    /// Cost of finding pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searching: Option<Cost>,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// Threshold, or distance.
    pub at: f64,
    /// Score there.
    pub pairs: Prf,
}

/// One clustering at one threshold.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ClusteringRow {
    /// Name.
    pub name: String,
    /// Smallest similarity of an edge.
    pub threshold: f64,
    /// Edges between different texts.
    pub edges: u64,
    /// Scores; none if overlapping clusters hold too many pairs to be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<ClusterScores>,
    /// Clusters by size, as the sizes of the set.
    pub sizes: Vec<u64>,
    /// Documents of the largest cluster.
    pub largest: u64,
    /// What is lost if one document of each cluster stays.
    pub deletion: Deletion,
    /// Cost of the clustering alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// True pairs of a range of similarity.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Bin {
    /// Lower end; the upper one is 0.05 higher.
    pub from: f64,
    /// True pairs of documents.
    pub pairs: f64,
}

/// The 64-bit signatures of one method on the set.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BitSignatures {
    /// Method.
    pub method: String,
    /// Different texts that have one.
    pub documents: u64,
    /// Pairs of random different texts by distance, 0 to 64 bits.
    pub random: Vec<u64>,
    /// True pairs by distance.
    pub duplicates: Vec<u64>,
    /// Share of signatures in which each bit is set, from the lowest bit.
    pub balance: Vec<f64>,
    /// Groups by greedy degree at some distances.
    pub groups: Vec<BitGroups>,
}

/// Groups of documents within a Hamming distance of their main document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BitGroups {
    /// Largest number of different bits.
    pub distance: u32,
    /// Pairs within it and within the length window.
    pub pairs: u64,
    /// Number of groups, those of one document among them.
    pub groups: u64,
    /// Groups by size, as the sizes of the set.
    pub sizes: Vec<u64>,
    /// The largest groups: documents, and the id of the main one.
    pub largest: Vec<(u64, String)>,
}

/// Comparisons within a length window.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Window {
    /// Largest difference of lengths, as a share of the larger.
    pub tolerance: f64,
    /// Pairs within it.
    pub pairs: u64,
    /// All pairs.
    pub all: u64,
}

/// A banding on true pairs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BandingFacts {
    /// Bands.
    pub bands: u32,
    /// Values in a band.
    pub rows: u32,
    /// Whether this is what a method of the comparison uses at the threshold.
    pub chosen: bool,
    /// Pairs by similarity, in steps of 0.05: pairs of different texts, share that became candidates, what the formula says at
    /// their similarities.
    pub bins: Vec<(u64, f64, f64)>,
    /// Candidates among all pairs of different texts.
    pub candidates: u64,
    /// All pairs of different texts.
    pub all: u64,
}

/// Two documents side by side.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Example {
    /// Ids.
    pub ids: [String; 2],
    /// Jaccard of their shingles.
    pub similarity: f64,
    /// Their normalized texts, in runs: text, and whether both have it.
    pub texts: [Vec<(String, bool)>; 2],
    /// Names of rows that get it wrong.
    pub wrong: Vec<String>,
}
