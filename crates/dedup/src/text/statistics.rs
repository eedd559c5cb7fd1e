//! Document frequencies and other statistics of a collection.

use std::collections::HashMap;

use crate::numeric::hash::murmur3;
use crate::text::tokens::Tokens;

/// The frequencies of a term in a collection.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// [`murmur3`] of the term, seed 0.
    pub hash: u64,
    /// Document frequency: number of documents with the term.
    pub documents: u32,
    /// Collection frequency: number of its occurrences in all documents.
    pub occurrences: u64,
}

/// The statistics of a collection: number and mean length of its documents, and the frequencies of its terms.
///
/// They are counted in one pass by a [`StatisticsBuilder`], and can be stored and used for later documents. Signatures
/// that use statistics are comparable only if they used the same statistics.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    documents: u64,
    tokens: u64,
    /// Ascending by hash.
    terms: Vec<Term>,
    /// Place in `terms` of each hash.
    by_hash: HashMap<u64, u32>,
}

impl Statistics {
    /// Statistics from stored parts: number of documents with tokens, number of tokens, and the terms, each once and in
    /// any order.
    #[must_use]
    pub fn from_terms(documents: u64, tokens: u64, mut terms: Vec<Term>) -> Self {
        terms.sort_unstable_by_key(|term| term.hash);
        // Stored terms may repeat a hash, although they should not. The index needs one place for each.
        terms.dedup_by_key(|term| term.hash);
        let by_hash = terms
            .iter()
            .zip(0..)
            .map(|(term, place)| (term.hash, place))
            .collect();
        Self {
            documents,
            tokens,
            terms,
            by_hash,
        }
    }

    /// Number of documents with tokens.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Total number of tokens in all documents.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// All terms, by ascending hash.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Mean number of tokens in a document, at least 1.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        (self.tokens as f64 / self.documents.max(1) as f64).max(1.0)
    }

    /// The frequencies of a term. A term that the collection lacks counts as if it occurred once in one document.
    #[must_use]
    pub fn term(&self, term: &str) -> Term {
        let hash = murmur3(term.as_bytes(), 0);
        match self.by_hash.get(&hash) {
            Some(&place) => self.terms[place as usize],
            // A document outside the collection may have other terms, whose frequency of 0 would give an
            // infinite IDF.
            None => Term {
                hash,
                documents: 1,
                occurrences: 1,
            },
        }
    }

    /// Inverse document frequency `ln(N / df)` of a term, 0 or more.
    #[must_use]
    pub fn idf(&self, term: &str) -> f64 {
        self.idf_of(&self.term(term))
    }

    pub(crate) fn idf_of(&self, term: &Term) -> f64 {
        // Stored statistics can be inconsistent: a document frequency above the number of documents would give a
        // negative IDF.
        (self.documents.max(1) as f64 / f64::from(term.documents.max(1)))
            .ln()
            .max(0.0)
    }
}

/// Counts [`Statistics`].
///
/// ```
/// use dehusk_dedup::{Deduper, Family, Options, StatisticsBuilder, Tokens, sign};
/// use std::sync::Arc;
///
/// let texts = ["the river rose", "the sea is calm", "the river is calm"];
/// let mut builder = StatisticsBuilder::new();
/// for text in texts {
///     builder.add(&text.split(' ').collect::<Tokens>());
/// }
/// let statistics = builder.build();
/// assert!(statistics.idf("rose") > statistics.idf("river"));
/// // Signatures that choose the words of a document by weight need them.
/// let signature = <dyn sign::Method>::parse("tf-idf")?;
/// assert!(signature.needs_statistics());
/// Deduper::new(Options::default().with_signature(signature).with_statistics(Arc::new(statistics)))?;
/// # Ok::<(), dehusk_dedup::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StatisticsBuilder {
    documents: u64,
    tokens: u64,
    counts: HashMap<u64, (u32, u64)>,
    hashes: Vec<u64>,
}

impl StatisticsBuilder {
    /// A builder that has counted nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the terms of a document. A document without terms is not counted.
    pub fn add(&mut self, terms: &Tokens) {
        if terms.is_empty() {
            return;
        }
        self.documents += 1;
        self.tokens += terms.len() as u64;
        self.hashes.clear();
        self.hashes
            .extend(terms.iter().map(|term| murmur3(term.as_bytes(), 0)));
        // Sorted to bring occurrences of the same term together: each term then costs one look-up in the
        // map.
        self.hashes.sort_unstable();
        for run in self.hashes.chunk_by(|a, b| a == b) {
            let (documents, occurrences) = self.counts.entry(run[0]).or_default();
            *documents = documents.saturating_add(1);
            *occurrences += run.len() as u64;
        }
    }

    /// Adds the counts of another builder.
    pub fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        self.tokens += other.tokens;
        other
            .counts
            .into_iter()
            .for_each(|(hash, (documents, occurrences))| {
                let own = self.counts.entry(hash).or_default();
                own.0 = own.0.saturating_add(documents);
                own.1 += occurrences;
            });
    }

    /// Memory of the counts, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        // One more byte per entry for the control bytes of the hash table.
        (self.counts.capacity() * (size_of::<(u64, (u32, u64))>() + 1)) as u64
    }

    /// The statistics. They do not depend on the order of documents.
    #[must_use]
    pub fn build(self) -> Statistics {
        let term = |(hash, (documents, occurrences))| Term {
            hash,
            documents,
            occurrences,
        };
        Statistics::from_terms(
            self.documents,
            self.tokens,
            self.counts.into_iter().map(term).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(texts: &[&str]) -> StatisticsBuilder {
        let mut builder = StatisticsBuilder::new();
        for text in texts {
            builder.add(&text.split(' ').collect());
        }
        builder
    }

    #[test]
    fn counts_documents_and_occurrences() {
        let texts = ["a b a", "b c", "", "c c c", "a"];
        let statistics = count(&texts).build();
        assert_eq!((statistics.documents(), statistics.tokens()), (4, 9));
        assert_eq!(statistics.mean_length(), 2.25);
        let term = |term| (statistics.term(term).documents, statistics.term(term).occurrences);
        assert_eq!(
            [term("a"), term("b"), term("c"), term("z")],
            [(2, 3), (2, 2), (2, 4), (1, 1)]
        );
        assert_eq!(statistics.idf("a"), 2_f64.ln());

        let mut first = count(&texts[..2]);
        first.merge(count(&texts[2..]));
        let merged = first.build();
        assert_eq!(merged.terms(), statistics.terms());
        let stored = Statistics::from_terms(4, 9, statistics.terms().iter().rev().copied().collect());
        assert_eq!(stored.terms(), statistics.terms());
        assert_eq!(stored.term("c"), statistics.term("c"));
    }
}
