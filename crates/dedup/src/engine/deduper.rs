//! The front door: documents in, duplicates out.

use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::input::{Collection, JoinCounts};
use crate::candidates::pair::ScoredPair;
use crate::engine::batch::{Batch, Chain, Kind, Sketches};
use crate::engine::error::TooManyDocuments;
use crate::engine::exact_groups::Identical;
use crate::engine::options::Options;
use crate::engine::outcome::{Counts, Joined, Outcome};
use crate::keep::facts::Source;
use crate::strategy::build_error::BuildError;
use crate::text::tokens::Tokens;

/// Finds the duplicates among documents, which are numbered from 0 in the order in which they come.
///
/// The result does not depend on threads, and as far as pairs and clusters go not on the order of documents either:
/// where documents tie, the order of their content hashes decides.
pub struct Deduper {
    batch: Batch,
}

impl Deduper {
    /// Checks the settings and starts an empty collection.
    ///
    /// # Errors
    /// If a setting is out of its range, or if two do not fit together.
    pub fn new(options: Options) -> Result<Self, BuildError> {
        Ok(Self {
            batch: Batch::new(Arc::new(Chain::new(options)?)),
        })
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.batch.chain.options
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.batch.len()
    }

    /// True if there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    /// Adds a document of these tokens, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already.
    pub fn add<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) -> Result<u32, TooManyDocuments> {
        let number = self.batch.next(1)?;
        self.batch.add(tokens);
        Ok(number)
    }

    /// Adds a document of the tokens of a text that are separated by spaces, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already.
    pub fn add_joined(&mut self, text: &str) -> Result<u32, TooManyDocuments> {
        let number = self.batch.next(1)?;
        self.batch.add_joined(text);
        Ok(number)
    }

    /// Adds a document, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already.
    pub fn add_tokens(&mut self, tokens: &Tokens) -> Result<u32, TooManyDocuments> {
        let number = self.batch.next(1)?;
        self.batch.add_tokens(tokens);
        Ok(number)
    }

    /// An empty batch of the same settings, to be filled by another thread.
    #[must_use]
    pub fn batch(&self) -> Batch {
        Batch::new(Arc::clone(&self.batch.chain))
    }

    /// Adds the documents of a batch, and returns the number of the first of them. The batch must be from this deduper or
    /// from one with equal settings.
    ///
    /// # Errors
    /// If there would be more than 2^32 - 1 documents.
    pub fn append(&mut self, batch: Batch) -> Result<u32, TooManyDocuments> {
        self.batch.append(batch)
    }

    /// Finds all pairs of duplicates, in the threads of the current rayon pool.
    #[must_use]
    pub fn join(self) -> Joined {
        let Batch { chain, sketches, .. } = self.batch;
        join(chain, sketches, compare)
    }

    /// Finds all pairs, groups them to clusters, and decides which documents stay.
    #[must_use]
    pub fn finish<S: Source + ?Sized>(self, source: &S) -> Outcome {
        self.join().cluster(source)
    }
}

/// Finds the pairs that `check` accepts among the candidates.
pub(crate) fn join(
    chain: Arc<Chain>,
    sketches: Sketches,
    check: impl Fn(&Chain, &Sketches, (u32, u32), Option<u32>) -> Option<ScoredPair> + Sync,
) -> Joined {
    let identical = Identical::find(&sketches);
    let documents = participants(&sketches, &identical);
    let collection = Collection {
        documents: &documents,
        rows: chain.index_rows(&sketches),
        contents: &sketches.contents,
    };
    let mut pairs = Vec::new();
    let check = |a: u32, b: u32, equal: Option<u32>| check(&chain, &sketches, (a.min(b), a.max(b)), equal);
    let joined = chain.index.join(&collection, &check, &mut pairs);
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    pairs.dedup_by_key(|pair| (pair.a, pair.b));
    let counts = counts(&sketches, &identical, documents.len(), joined, pairs.len());
    let Sketches { kinds, contents, .. } = sketches;
    Joined {
        chain,
        kinds,
        contents,
        identical,
        pairs,
        counts,
    }
}

/// The documents among which similar pairs are sought.
pub(crate) fn participants(sketches: &Sketches, identical: &Identical) -> Vec<u32> {
    (0..)
        .zip(&sketches.kinds)
        .filter(|&(document, &kind)| kind == Kind::Full && identical.first(document) == document)
        .map(|(document, _)| document)
        .collect()
}

/// Counts at the end of a join.
pub(crate) fn counts(
    sketches: &Sketches,
    identical: &Identical,
    compared: usize,
    joined: JoinCounts,
    verified: usize,
) -> Counts {
    let count = |kind| sketches.kinds.iter().filter(|other| **other == kind).count() as u64;
    Counts {
        documents: sketches.len() as u64,
        empty: count(Kind::Empty),
        short: count(Kind::Short),
        identical: identical
            .groups()
            .iter()
            .map(|group| group.len() as u64 - 1)
            .sum(),
        compared: compared as u64,
        candidates: joined.candidates,
        capped_buckets: joined.capped_buckets,
        cut_shingles: joined.cut_shingles,
        verified: verified as u64,
    }
}

/// The pair of two documents, the smaller number first, if they are similar enough. The number of equal keys in their rows
/// comes last, if it is known.
pub(crate) fn compare(
    chain: &Chain,
    sketches: &Sketches,
    (a, b): (u32, u32),
    equal: Option<u32>,
) -> Option<ScoredPair> {
    let (row_a, row_b) = (
        sketches.evidence.row(a as usize),
        sketches.evidence.row(b as usize),
    );
    let threshold = chain.options.threshold;
    if !chain.options.verify {
        let similarity = chain.signer.estimate(row_a, row_b);
        let estimate = Some(similarity as f32);
        return (similarity >= threshold).then_some(ScoredPair {
            a,
            b,
            similarity,
            estimate,
        });
    }
    let similarity = chain.comparer.compare(row_a, row_b, threshold)?;
    Some(ScoredPair {
        a,
        b,
        similarity,
        estimate: chain.estimate(sketches, a, b, equal),
    })
}

#[cfg(test)]
mod tests;
