//! Candidate methods: which pairs of documents are worth comparing.

use std::sync::Arc;

use crate::banding::Banding;
use crate::document::{Context, Document, ScoredPair};
use crate::error::BuildError;
use crate::rows::Rows;
use crate::signature::Method;
use crate::strategy::{Strategy, find};

mod broder;
mod brute_force;
mod exact_join;
mod exact_key;
mod hamming;
mod length_window;
mod lsh;

pub use broder::Broder;
pub use brute_force::BruteForce;
pub use exact_join::ExactJoin;
pub use exact_key::ExactKey;
pub use hamming::Hamming;
pub use length_window::LengthWindow;
pub use lsh::Lsh;

/// Every candidate method, in the order in which help texts list them.
pub static ALL: &[&dyn Candidates] = &[
    &ExactKey::DEFAULT,
    &Lsh::DEFAULT,
    &Broder::DEFAULT,
    &ExactJoin,
    &Hamming::DEFAULT,
    &LengthWindow::DEFAULT,
    &BruteForce,
];

/// A candidate method with its parameters.
pub trait Candidates: Strategy {
    /// A copy behind a shared pointer, as options hold it.
    fn shared(&self) -> Arc<dyn Candidates>;

    /// A copy with one parameter changed, by name.
    ///
    /// # Errors
    /// If there is no such parameter, or if the value is out of its range.
    fn set(&self, parameter: &str, value: &str) -> Result<Arc<dyn Candidates>, BuildError> {
        let _ = value;
        Err(BuildError::unknown_parameter(
            self.name(),
            parameter,
            self.parameters(),
        ))
    }

    /// Makes the method ready for a run over signatures of `signature`.
    ///
    /// # Errors
    /// If a parameter is out of its range, or if the signatures have another form than the method reads.
    fn index(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Index>, BuildError>;
}

/// A candidate method at work: it keeps one row of words per document, and finds pairs among the rows.
pub trait Index: Send + Sync {
    /// Adds what the method keeps of a document to the end of `out`.
    fn row(&self, document: &Document<'_>, signature: &[u64], out: &mut Vec<u64>);

    /// True if a row is the signature itself, so that it need not be kept twice.
    fn keeps_signature(&self) -> bool {
        false
    }

    /// What two rows say about the similarity of their documents, 0 to 1; none if nothing.
    fn estimate(&self, a: &[u64], b: &[u64]) -> Option<f64> {
        let _ = (a, b);
        None
    }

    /// The same of two documents with that many equal keys in their rows, where that alone decides.
    fn estimate_of(&self, equal: u32) -> Option<f64> {
        let _ = equal;
        None
    }

    /// How signatures are cut, if pairs are found by that.
    fn banding(&self) -> Option<Banding> {
        None
    }

    /// How a row is laid out, if documents are candidates exactly where they share a key in the same column.
    fn columns(&self) -> Option<KeyColumns> {
        None
    }

    /// Calls `check` with pairs of documents, in any order and from any threads, and adds the pairs that it returns to
    /// `found`. Which pairs are checked, and how often, does not depend on threads.
    fn join(&self, collection: &Collection<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>)
    -> JoinCounts;
}

/// Rows of 32-bit keys. Documents with an equal key in a column share a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyColumns {
    /// Number of columns, 1 or more.
    pub columns: u32,
    /// Largest bucket in which all pairs are compared.
    pub max_bucket: usize,
    /// Where the keys stand in a row.
    pub layout: Layout,
}

/// Where the keys of a document stand in its row. An empty row has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One key in each column: two to a word, the earlier one in the upper half.
    One,
    /// Any number of keys in a single column: one in the upper half of each word, ascending, each once.
    Any,
}

impl KeyColumns {
    /// The keys of a row in a column.
    pub fn keys<'r>(&self, row: &'r [u64], column: u32) -> impl Iterator<Item = u32> + use<'r> {
        let (one, any) = match self.layout {
            Layout::One => ((!row.is_empty()).then(|| Self::key(row, column)), &[][..]),
            Layout::Any => (None, row),
        };
        one.into_iter().chain(any.iter().map(|word| (word >> 32) as u32))
    }

    /// The key of a row in a column, where there is one in each.
    #[must_use]
    #[inline]
    pub fn key(row: &[u64], column: u32) -> u32 {
        let word = row.get(column as usize / 2).copied().unwrap_or(0);
        if column.is_multiple_of(2) {
            (word >> 32) as u32
        } else {
            word as u32
        }
    }
}

/// Compares two documents, given in any order; returns the pair if it is similar enough. If the number of equal keys in
/// their rows is known, it comes third.
pub type Check<'a> = dyn Fn(u32, u32, Option<u32>) -> Option<ScoredPair> + Sync + 'a;

/// The documents among which pairs are sought.
#[derive(Clone, Copy, Debug)]
pub struct Collection<'a> {
    /// The numbers of the documents that take part, ascending.
    pub documents: &'a [u32],
    /// What [`Index::row`] gave, by document number.
    pub rows: &'a Rows,
    /// Content hashes, by document number: distinct among the documents that take part. They order documents where a
    /// choice among them must not depend on the order of input.
    pub contents: &'a [u128],
}

/// What a join did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinCounts {
    /// Pairs that were compared.
    pub candidates: u64,
    /// Groups of documents with a common key that were too large to compare all pairs within.
    pub capped_buckets: u64,
    /// Shingles in so many documents that they were not counted.
    pub cut_shingles: u64,
}

impl JoinCounts {
    /// Adds the counts of another part of the join.
    pub(crate) fn add(&mut self, other: Self) {
        self.candidates += other.candidates;
        self.capped_buckets += other.capped_buckets;
        self.cut_shingles += other.cut_shingles;
    }
}

/// The method of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Candidates>, BuildError> {
    find(ALL, "candidates", name).map(Candidates::shared)
}

#[cfg(test)]
mod tests;
