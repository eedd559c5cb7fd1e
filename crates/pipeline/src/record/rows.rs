//! Rows of output tables: verified pairs, decisions on documents, matches in an index, signatures.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A verified pair of near-duplicates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairRow<'a> {
    /// Smaller id.
    #[serde(borrow)]
    pub a: Cow<'a, str>,
    /// Larger id.
    #[serde(borrow)]
    pub b: Cow<'a, str>,
    /// Similarity, 0 to 1.
    pub similarity: f64,
    /// What the signatures, or the keys that candidates are found by, said of it, if they say anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// `exact` for equal texts, else the similarity measured, such as `jaccard`.
    #[serde(borrow)]
    pub method: Cow<'a, str>,
}

/// The decision on one document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClusterRow<'a> {
    /// The document.
    #[serde(borrow)]
    pub id: Cow<'a, str>,
    /// Smallest id of its cluster; its own if it is alone.
    #[serde(borrow)]
    pub cluster: Cow<'a, str>,
    /// Member of the cluster that stands for it.
    #[serde(borrow)]
    pub representative: Cow<'a, str>,
    /// Whether the document is in `kept.jsonl`.
    pub kept: bool,
    /// Why it was kept or dropped.
    #[serde(borrow)]
    pub reason: Cow<'a, str>,
}

/// A document of an index that is similar to a new one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Match {
    /// Its id.
    pub id: String,
    /// Similarity, 0 to 1.
    pub similarity: f64,
    /// Similarity as the number of equal keys estimates it, where keys allow an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Shingles that both have, if shingles are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_shingles: Option<u64>,
    /// `exact` for equal texts, else the similarity measured, such as `jaccard`.
    pub method: &'static str,
}

/// A [`Match`] with the new document.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchRow<'a> {
    /// The new document.
    pub a: &'a str,
    /// The document of the index.
    pub b: &'a str,
    /// Similarity, 0 to 1.
    pub similarity: f64,
    /// Similarity as the number of equal keys estimates it, where keys allow an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Shingles that both have, if shingles are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_shingles: Option<u64>,
    /// `exact` for equal texts, else the similarity measured, such as `jaccard`.
    pub method: &'a str,
}

/// The signature of a document, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SignatureRow<'a> {
    /// The document.
    pub id: &'a str,
    /// Words of 64 bits, each as 16 hexadecimal digits, joined by spaces.
    pub signature: &'a str,
}
