//! Sets of terms.

use crate::numeric::hash::murmur3;
use crate::text::statistics::Statistics;

/// A set of terms, kept as their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lexicon {
    /// [`murmur3`] of each term, ascending and without repetitions.
    hashes: Vec<u64>,
}

impl Lexicon {
    /// The set of these terms.
    #[must_use]
    pub fn from_terms<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        Self::from_hashes(
            terms
                .into_iter()
                .map(|term| murmur3(term.as_bytes(), 0))
                .collect(),
        )
    }

    /// The terms of a collection whose IDF, divided by the largest possible one, `ln N`, is from `least` to `most`. The
    /// quotient is 0 for a term in all documents and 1 for a term in a single one.
    #[must_use]
    pub fn from_statistics(statistics: &Statistics, least: f64, most: f64) -> Self {
        // A collection of one document would have the largest IDF 0, by which shares cannot be divided.
        let largest = (statistics.documents().max(2) as f64).ln();
        let in_range = statistics.terms().iter().filter(|term| {
            let share = statistics.idf_of(term) / largest;
            least <= share && share <= most
        });
        Self::from_hashes(in_range.map(|term| term.hash).collect())
    }

    fn from_hashes(mut hashes: Vec<u64>) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        Self { hashes }
    }

    /// True if the term is in the set.
    #[must_use]
    pub fn contains(&self, term: &str) -> bool {
        self.hashes.binary_search(&murmur3(term.as_bytes(), 0)).is_ok()
    }

    /// Number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// True if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }
}
