//! Candidate pairs, with the features of their documents that are read again.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::pair::ScoredPair;
use crate::engine::compiled::CompiledOptions;
use crate::engine::document_signer::DocumentSigner;
use crate::engine::error::DedupError;
use crate::numeric::narrow;
use crate::numeric::rows::Rows;
use crate::text::tokens::Tokens;

/// Number of pairs whose features are prefetched before the first pair is compared. Features lie anywhere in memory,
/// and waiting for each in turn would take as long as comparing them.
const FETCHED: usize = 8;

/// Some candidate pairs, and the features of their documents that were read so far.
pub struct VerifyBatch {
    compiled: Arc<CompiledOptions>,
    /// The documents of the pairs, ascending. `documents` holds those that must still be read.
    all: Vec<u32>,
    documents: Vec<u32>,
    contents: Vec<u128>,
    pairs: Vec<ScoredPair>,
    /// Smallest similarity of pairs that are kept.
    at_least: f64,
    /// For each pair, the places of its documents in `all`.
    places: Vec<[u32; 2]>,
    features: Rows,
    /// For each document in `all`, the number of its row in `features`, or `None` if it was not read.
    rows: Vec<Option<u32>>,
}

impl VerifyBatch {
    pub(crate) fn new(
        compiled: Arc<CompiledOptions>,
        documents: Vec<u32>,
        contents: Vec<u128>,
        (pairs, at_least): (Vec<ScoredPair>, f64),
        places: Vec<[u32; 2]>,
    ) -> Self {
        Self {
            compiled,
            rows: vec![None; documents.len()],
            all: documents.clone(),
            documents,
            contents,
            pairs,
            at_least,
            places,
            features: Rows::new(),
        }
    }

    /// The numbers of the documents that must be read, ascending.
    #[must_use]
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// True if document number `document` must be read.
    #[must_use]
    pub fn needs(&self, document: u32) -> bool {
        self.documents.binary_search(&document).is_ok()
    }

    /// An empty list of features, for one thread to fill.
    #[must_use]
    pub fn features(&self) -> FeatureBatch {
        FeatureBatch::new(Arc::clone(&self.compiled))
    }

    /// Adds features that were read from files: lists of rows, each with the places of its documents in `all`.
    pub(crate) fn append_stored(&mut self, stored: Vec<(Range<usize>, Rows)>) {
        for (places, rows) in stored {
            let before = narrow::to_u32(self.features.len());
            for (number, row) in (before..).zip(&mut self.rows[places]) {
                *row = Some(number);
            }
            self.features.append(rows);
        }
        // The caller needs to read only the remaining documents.
        let found = self.all.iter().zip(&self.rows);
        let missing = found.filter(|(_, row)| row.is_none());
        self.documents = missing.map(|(document, _)| *document).collect();
    }

    /// Adds features that a thread computed. Documents that are not needed are ignored.
    ///
    /// # Errors
    /// If a document's content differs from the content that was added.
    pub fn append(&mut self, features: FeatureBatch) -> Result<(), DedupError> {
        let before = narrow::to_u32(self.features.len());
        for (number, (document, content)) in (before..).zip(features.documents) {
            if let Ok(place) = self.all.binary_search(&document) {
                // A document that changed since it was added would be compared with the wrong content.
                if self.contents[place] != content {
                    return Err(DedupError::Changed { document });
                }
                self.rows[place] = Some(number);
            }
        }
        self.features.append(features.rows);
        Ok(())
    }

    /// The pairs of a batch that was not verified.
    pub(crate) fn into_pairs(self) -> Vec<ScoredPair> {
        self.pairs
    }

    /// The candidate pairs.
    pub(crate) fn pairs(&self) -> &[ScoredPair] {
        &self.pairs
    }

    /// The similar pairs, in the order of the candidate pairs.
    pub(crate) fn verified(&self) -> Result<Vec<ScoredPair>, DedupError> {
        if let Some(place) = self.rows.iter().position(Option::is_none) {
            return Err(DedupError::Unread {
                document: self.all[place],
            });
        }
        // Chunks of pairs, so that each thread prefetches the rows that it compares next.
        let places = self.places.par_chunks(FETCHED);
        let pairs = self.pairs.par_chunks(FETCHED).zip(places);
        Ok(pairs
            .flat_map_iter(|(pairs, places)| self.similar(pairs, places))
            .collect())
    }

    /// The similar pairs among `pairs`. `places` holds the places of their documents.
    fn similar<'p>(
        &'p self,
        pairs: &'p [ScoredPair],
        places: &[[u32; 2]],
    ) -> impl Iterator<Item = ScoredPair> + use<'p> {
        // First pass: touches all rows of the chunk, so that their cache misses overlap. Second pass:
        // compares.
        let mut rows: [[&[u64]; 2]; FETCHED] = Default::default();
        for (rows, places) in rows.iter_mut().zip(places) {
            *rows = places.map(|place| self.row(place));
            black_box(rows.map(|row| row.first().copied())); // prefetches the rows
        }
        pairs.iter().zip(rows).filter_map(|(pair, [a, b])| {
            let (similarity, contained) = self.compiled.similarity(a, b, self.at_least)?;
            let mut verified = pair.with_contained(contained);
            verified.similarity = similarity;
            Some(verified)
        })
    }

    /// The features of the document at `place` in `all`; empty if it was not read.
    fn row(&self, place: u32) -> &[u64] {
        self.rows[place as usize].map_or(&[], |row| self.features.row(row as usize))
    }
}

/// Features of documents that were read again, computed by one thread.
pub struct FeatureBatch {
    signer: DocumentSigner,
    /// The number and the content hash of each document.
    documents: Vec<(u32, u128)>,
    rows: Rows,
}

impl FeatureBatch {
    fn new(compiled: Arc<CompiledOptions>) -> Self {
        Self {
            signer: DocumentSigner::new(compiled),
            documents: Vec::new(),
            rows: Rows::new(),
        }
    }

    /// Another empty list with the same settings, for another thread.
    #[must_use]
    pub fn another(&self) -> Self {
        Self::new(Arc::clone(&self.signer.compiled))
    }

    /// Adds a document. Lexical methods read `terms` instead of `tokens`; both may be the same.
    pub fn add(&mut self, document: u32, tokens: &Tokens, terms: &Tokens) {
        let (content, features) = self.signer.features(tokens, terms);
        self.rows.push(features);
        self.documents.push((document, content));
    }
}
