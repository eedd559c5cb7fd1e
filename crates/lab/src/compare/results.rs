//! Results of a comparison, from which the page, the JSON file and the tables are made.

use dehusk_pipeline::record::RejectedCounts;
use serde::{Deserialize, Serialize};

use super::cost::Cost;
use super::deletion::Deletion;
use crate::metrics::{ClusterScores, Interval, Prf};

/// Version of the format of `results.json`.
pub const FORMAT_VERSION: u32 = 2;

/// All results of a comparison.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// Program and version.
    pub tool: String,
    /// Version of this format.
    pub format_version: u32,
    /// Name of the set.
    pub title: String,
    /// Settings as (name, value), in the form that users type.
    pub settings: Vec<(String, String)>,
    /// A view for each text of the documents: a single one for documents; raw, extracted and cleaned text
    /// for pages.
    pub views: Vec<View>,
}

/// Results on one of the texts of the documents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct View {
    /// `text` for documents; `raw`, `extracted` or `templates` for pages.
    pub name: String,
    /// Figures of the set.
    pub set: SetFacts,
    /// A row for each method and mode, by descending F1, then by name.
    pub rows: Vec<Row>,
    /// A row for each clustering and threshold, on the same edges.
    pub clusterings: Vec<ClusteringRow>,
    /// Number of true pairs by similarity.
    pub similarity: Vec<Bin>,
    /// 64-bit signatures: distances, groups, balance of bits.
    pub bit_signatures: Vec<BitSignatures>,
    /// Number of comparisons within length windows.
    pub windows: Vec<Window>,
    /// Bandings: measured candidates and the prediction of the formula.
    pub bandings: Vec<BandingFacts>,
    /// The most similar pairs that are not true pairs.
    pub false_positives: Vec<Example>,
    /// The most similar true pairs that were missed.
    pub false_negatives: Vec<Example>,
    /// Cost of the work that all methods share: reading, tokens, shingles, statistics, true pairs and the exact join.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<Cost>,
    /// Peak memory of the process so far, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
}

/// Figures of the set.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SetFacts {
    /// Number of documents.
    pub documents: u64,
    /// Number of rejected records.
    pub rejected: u64,
    /// Number of rejected records by reason.
    #[serde(skip)]
    pub rejected_by_reason: RejectedCounts,
    /// Number of documents without tokens.
    pub empty: u64,
    /// Number of distinct texts.
    pub distinct: u64,
    /// Total number of tokens in distinct texts.
    pub tokens: u64,
    /// Number of ids of the truth that no document has.
    pub unknown: u64,
    /// Figures of the degrees of truth.
    pub degrees: Vec<DegreeFacts>,
    /// Figures of the languages that the truth names, by code.
    pub languages: Vec<LanguageFacts>,
    /// Number of true groups by size: 1, 2, 3 to 4, 5 to 8 and so on.
    pub sizes: Vec<u64>,
}

/// Figures of a degree of truth.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DegreeFacts {
    /// Name.
    pub name: String,
    /// Number of groups of two or more documents.
    pub groups: u64,
    /// Number of documents in these groups.
    pub documents: u64,
    /// Number of true pairs.
    pub pairs: f64,
}

/// Figures of a language.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LanguageFacts {
    /// Code.
    pub name: String,
    /// Number of documents in groups of this language.
    pub documents: u64,
    /// Number of true pairs of these documents.
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

/// The results of one method in one mode.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The method's name in the study, with changed parameters.
    pub name: String,
    /// The method as users type it.
    pub method: String,
    /// How the method decides.
    pub mode: Mode,
    /// Scores over pairs of documents.
    pub pairs: Prf,
    /// 95 % intervals of precision, recall and F1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<[Interval; 3]>,
    /// Interval of the difference of F1 to the first row on the same replicates, and its p-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<(Interval, f64)>,
    /// Scores of the groups that the found pairs connect.
    pub closure: ClusterScores,
    /// Scores over pairs by the other degrees of truth.
    pub degrees: Vec<(String, Prf)>,
    /// Scores over the pairs of each language, in the order of [`SetFacts::languages`]. A wrong pair of
    /// documents in two languages counts half in each.
    pub languages: Vec<Prf>,
    /// Number of pairs of documents that were found.
    pub found: f64,
    /// Number of compared pairs, and their share of all pairs of distinct texts. `None` if keys alone decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<(u64, f64)>,
    /// Number of groups with a common key that were too large for comparing all pairs.
    pub capped: u64,
    /// Recall by similarity of the true pair, in steps of 0.05 from 0. `None` for steps without true pairs.
    pub recall_by_similarity: Vec<Option<f64>>,
    /// The precision-recall curve, by threshold, or by Hamming distance for 64-bit signatures.
    pub curve: Vec<Point>,
    /// Mean size of a signature, in bytes.
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
    /// Threshold or Hamming distance.
    pub at: f64,
    /// Scores at this threshold or distance.
    pub pairs: Prf,
}

/// The results of one clustering at one threshold.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ClusteringRow {
    /// Name.
    pub name: String,
    /// Smallest similarity of an edge.
    pub threshold: f64,
    /// Number of edges between distinct texts.
    pub edges: u64,
    /// Scores. `None` if overlapping clusters have too many pairs to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<ClusterScores>,
    /// Number of clusters by size, in the classes of [`SetFacts::sizes`].
    pub sizes: Vec<u64>,
    /// Number of documents in the largest cluster.
    pub largest: u64,
    /// The losses if one document of each cluster is kept.
    pub deletion: Deletion,
    /// Cost of the clustering alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// The true pairs in a range of similarity.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Bin {
    /// Lower end of the range, which is 0.05 wide.
    pub from: f64,
    /// Number of true pairs of documents.
    pub pairs: f64,
}

/// The 64-bit signatures of one method.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BitSignatures {
    /// Name of the method.
    pub method: String,
    /// Number of distinct texts with a signature.
    pub documents: u64,
    /// Number of random pairs of distinct texts by Hamming distance, 0 to 64 bits.
    pub random: Vec<u64>,
    /// Number of true pairs of distinct texts by Hamming distance, 0 to 64 bits.
    pub duplicates: Vec<u64>,
    /// Share of signatures in which each bit is set, lowest bit first.
    pub balance: Vec<f64>,
    /// Groups by the clustering `GreedyDegree`, at several distances.
    pub groups: Vec<BitGroups>,
}

/// Groups of documents within a Hamming distance of their main document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BitGroups {
    /// Largest number of different bits.
    pub distance: u32,
    /// Number of pairs within the distance and the length window.
    pub pairs: u64,
    /// Number of groups, including groups of one document.
    pub groups: u64,
    /// Number of groups by size, in the classes of [`SetFacts::sizes`].
    pub sizes: Vec<u64>,
    /// The largest groups: number of documents, and id of the main document.
    pub largest: Vec<(u64, String)>,
}

/// The number of comparisons within a length window.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Window {
    /// Largest difference of lengths, as a share of the larger length.
    pub tolerance: f64,
    /// Number of pairs within the window.
    pub pairs: u64,
    /// Number of all pairs.
    pub all: u64,
}

/// The candidates of a banding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BandingFacts {
    /// Number of bands.
    pub bands: u32,
    /// Number of values in a band.
    pub rows: u32,
    /// True for the banding that the comparison uses at the threshold.
    pub chosen: bool,
    /// By similarity, in steps of 0.05: the number of pairs of distinct texts, the share that became candidates, and
    /// the mean prediction of the formula for their similarities.
    pub bins: Vec<(u64, f64, f64)>,
    /// Number of candidates among all pairs of distinct texts.
    pub candidates: u64,
    /// Number of all pairs of distinct texts.
    pub all: u64,
}

/// A pair of documents side by side.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Example {
    /// The ids of the documents.
    pub ids: [String; 2],
    /// Jaccard similarity of their shingles.
    pub similarity: f64,
    /// Their normalized texts in runs of words, each with true if both texts have the run.
    pub texts: [Vec<(String, bool)>; 2],
    /// Names of the rows that are wrong about this pair.
    pub wrong: Vec<String>,
}
