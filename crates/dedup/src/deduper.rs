//! The front door: documents in, duplicates out.

use std::sync::Arc;

use rayon::prelude::*;

use crate::batch::{Batch, Chain, Kind, Sketches};
use crate::candidate::Collection;
use crate::document::ScoredPair;
use crate::error::{BuildError, TooManyDocuments};
use crate::facts::Source;
use crate::fold::Identical;
use crate::options::Options;
use crate::outcome::{Counts, Joined, Outcome};
use crate::tokens::Tokens;

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
        let number = self.next(1)?;
        self.batch.add(tokens);
        Ok(number)
    }

    /// Adds a document of the tokens of a text that are separated by spaces, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already.
    pub fn add_joined(&mut self, text: &str) -> Result<u32, TooManyDocuments> {
        let number = self.next(1)?;
        self.batch.add_joined(text);
        Ok(number)
    }

    /// Adds a document, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already.
    pub fn add_tokens(&mut self, tokens: &Tokens) -> Result<u32, TooManyDocuments> {
        let number = self.next(1)?;
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
        let number = self.next(batch.len())?;
        self.batch.sketches.append(batch.sketches);
        Ok(number)
    }

    fn next(&self, more: usize) -> Result<u32, TooManyDocuments> {
        let after = self.len().checked_add(more).ok_or(TooManyDocuments)?;
        u32::try_from(after).map_err(|_| TooManyDocuments)?;
        u32::try_from(self.len()).map_err(|_| TooManyDocuments)
    }

    /// Finds all pairs of duplicates, in the threads of the current rayon pool.
    #[must_use]
    pub fn join(self) -> Joined {
        let Batch { chain, sketches, .. } = self.batch;
        let identical = Identical::find(&sketches);
        let documents: Vec<u32> = (0..)
            .zip(&sketches.kinds)
            .filter(|&(document, &kind)| kind == Kind::Full && identical.first(document) == document)
            .map(|(document, _)| document)
            .collect();

        let collection = Collection {
            documents: &documents,
            rows: chain.index_rows(&sketches),
            contents: &sketches.contents,
        };
        let mut pairs = Vec::new();
        let joined = chain
            .index
            .join(&collection, &|a, b| compare(&chain, &sketches, a, b), &mut pairs);
        pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs.dedup_by_key(|pair| (pair.a, pair.b));

        let count = |kind| sketches.kinds.iter().filter(|other| **other == kind).count() as u64;
        let counts = Counts {
            documents: sketches.len() as u64,
            empty: count(Kind::Empty),
            short: count(Kind::Short),
            identical: identical
                .groups()
                .iter()
                .map(|group| group.len() as u64 - 1)
                .sum(),
            compared: documents.len() as u64,
            candidates: joined.candidates,
            capped_buckets: joined.capped_buckets,
            cut_shingles: joined.cut_shingles,
            verified: pairs.len() as u64,
        };
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

    /// Finds all pairs, groups them to clusters, and decides which documents stay.
    #[must_use]
    pub fn finish<S: Source + ?Sized>(self, source: &S) -> Outcome {
        self.join().cluster(source)
    }
}

fn compare(chain: &Chain, sketches: &Sketches, a: u32, b: u32) -> Option<ScoredPair> {
    let (a, b) = (a.min(b), a.max(b));
    let (row_a, row_b) = (
        sketches.evidence.row(a as usize),
        sketches.evidence.row(b as usize),
    );
    let threshold = chain.options.threshold;
    if !chain.options.verify {
        let similarity = chain.signer.estimate(row_a, row_b);
        return (similarity >= threshold).then_some(ScoredPair {
            a,
            b,
            similarity,
            estimate: Some(similarity as f32),
        });
    }
    let similarity = chain.comparer.compare(row_a, row_b, threshold)?;
    let estimate = if chain.options.estimates {
        Some(chain.signer.estimate(
            sketches.signatures.row(a as usize),
            sketches.signatures.row(b as usize),
        ))
    } else {
        {
            let rows = chain.index_rows(sketches);
            chain.index.estimate(rows.row(a as usize), rows.row(b as usize))
        }
    };
    Some(ScoredPair {
        a,
        b,
        similarity,
        estimate: estimate.map(|estimate| estimate as f32),
    })
}

#[cfg(test)]
mod tests;
