//! Candidate pairs that wait for verification.

use std::cmp::Reverse;
use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::pair::ScoredPair;
use crate::cluster::union_find::UnionFind;
use crate::engine::error::DedupError;
use crate::engine::options::Options;
use crate::engine::outcome::Counts;
use crate::engine::stored_features::StoredFeatures;
use crate::engine::verified_pairs::VerifiedPairs;
use crate::engine::verify_batch::VerifyBatch;

/// Candidate pairs, of which those wait for verification whose documents have to be read again.
pub struct CandidatePairs {
    /// The pairs that are verified.
    verified: VerifiedPairs,
    /// The pairs that wait, those of a group of connected documents side by side; the next one last.
    waiting: Vec<ScoredPair>,
    /// The features; empty if no pair has to wait.
    stored: Arc<StoredFeatures>,
    /// The documents of the last batch, and for each document its place among them.
    last: Vec<u32>,
    places: Vec<u32>,
    /// Bytes of features that batches were asked for.
    max_bytes: u64,
    /// The next batch, if it is made already.
    ready: Option<VerifyBatch>,
    /// Whether the similarity of the pairs that wait is asked for, however small it is.
    measured: bool,
}

/// The place of a document that is not in the last batch.
const ELSEWHERE: u32 = u32::MAX;

/// Pairs whose second documents are fetched before they are united: these lie anywhere.
const FETCHED: usize = 64;

/// Bytes that a document in a batch takes beside its features.
const OVERHEAD: u64 = 48;

impl CandidatePairs {
    /// Further pairs beside those that are verified. They wait if features are not in memory, else they are verified, too.
    pub(crate) fn new(
        mut verified: VerifiedPairs,
        mut more: Vec<ScoredPair>,
        stored: Option<Arc<StoredFeatures>>,
    ) -> Self {
        let (mut waiting, mut places) = (Vec::new(), Vec::new());
        if stored.is_none() {
            verified.pairs.append(&mut more);
        } else {
            waiting = more;
            if !verified.pairs.is_empty() {
                waiting.retain(|pair| verified.find(pair.a, pair.b).is_none());
            }
            let documents = verified.kinds.len();
            let mut sets = UnionFind::new(documents as u32);
            for pairs in waiting.chunks(FETCHED) {
                sets.fetch(pairs.iter().map(|pair| pair.b));
                for pair in pairs {
                    sets.unite(pair.a, pair.b);
                }
            }
            let labels = sets.labels();
            waiting.par_sort_unstable_by_key(|pair| Reverse((labels[pair.a as usize], pair.a, pair.b)));
            places = vec![ELSEWHERE; documents];
        }
        Self {
            verified,
            waiting,
            stored: stored.unwrap_or_default(),
            last: Vec::new(),
            places,
            max_bytes: 0,
            ready: None,
            measured: false,
        }
    }

    /// Pairs whose similarity is asked for, however small it is, and whose features are not in memory.
    pub(crate) fn to_measure(
        verified: VerifiedPairs,
        pairs: Vec<ScoredPair>,
        stored: Arc<StoredFeatures>,
    ) -> Self {
        let waiting = Self::new(verified, pairs, Some(stored));
        Self {
            measured: true,
            ..waiting
        }
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        self.verified.options()
    }

    /// Number of pairs that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len() + self.ready.as_ref().map_or(0, |batch| batch.pairs().len())
    }

    /// True if no pair waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that is taken beside the pairs that wait: by those that are verified, and by what
    /// [`VerifiedPairs::bytes`] counts.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.verified.pairs.len() * size_of::<ScoredPair>()) as u64 + self.verified.bytes()
    }

    /// Counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.verified.counts
    }

    /// The next pairs to verify: as many as `max_bytes` of features to be read for them allow, but at least one. None if no
    /// pair waits.
    pub fn next_batch(&mut self, max_bytes: u64) -> Option<VerifyBatch> {
        if let Some(ready) = self.ready.take() {
            if self.max_bytes == max_bytes {
                return Some(ready);
            }
            self.waiting.extend(ready.into_pairs());
        }
        self.max_bytes = max_bytes;
        self.make_batch()
    }

    fn make_batch(&mut self) -> Option<VerifyBatch> {
        let mut documents = std::mem::take(&mut self.last);
        for document in documents.drain(..) {
            self.places[document as usize] = ELSEWHERE;
        }
        let (mut bytes, mut count) = (0_u64, 0);
        for pair in self.waiting.iter().rev() {
            let mut more = 0;
            for document in [pair.a, pair.b] {
                if self.places[document as usize] == ELSEWHERE {
                    more += 8 * u64::from(self.stored.sizes[document as usize]) + OVERHEAD;
                }
            }
            if count > 0 && bytes + more > self.max_bytes {
                break;
            }
            for document in [pair.a, pair.b] {
                if std::mem::replace(&mut self.places[document as usize], 0) == ELSEWHERE {
                    documents.push(document);
                }
            }
            bytes += more;
            count += 1;
        }
        if count == 0 {
            return None;
        }
        documents.sort_unstable();
        for (place, &document) in (0..).zip(&documents) {
            self.places[document as usize] = place;
        }
        self.last.clone_from(&documents);
        let contents = documents
            .iter()
            .map(|&document| self.verified.contents[document as usize])
            .collect();
        let pairs = self.waiting.split_off(self.waiting.len() - count);
        let place = |document: u32| self.places[document as usize];
        let places = pairs.iter().map(|pair| [place(pair.a), place(pair.b)]).collect();
        let compiled = Arc::clone(&self.verified.compiled);
        let at_least = match self.measured {
            true => 0.0,
            false => compiled.options.threshold,
        };
        Some(VerifyBatch::new(
            compiled,
            documents,
            contents,
            (pairs, at_least),
            places,
        ))
    }

    /// Reads the features of a batch that are in [files](crate::Deduper::with_feature_files), in the threads of the current rayon pool;
    /// only documents whose features are not there are to be read again then.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read_stored(&self, batch: &mut VerifyBatch) -> Result<(), DedupError> {
        let stored = self.stored.read(batch.documents()).map_err(DedupError::Spill)?;
        batch.append_stored(stored);
        Ok(())
    }

    /// Verifies the pairs of a batch, in the threads of the current rayon pool. Meanwhile one of them makes the next batch.
    ///
    /// # Errors
    /// If a document that the batch needs was not read.
    pub fn verify(&mut self, batch: &VerifyBatch) -> Result<(), DedupError> {
        let ready = self.ready.take();
        let (similar, next) = rayon::join(|| batch.verified(), || ready.or_else(|| self.make_batch()));
        self.ready = next;
        let (similar, verified) = (similar?, &mut self.verified);
        if self.measured {
            verified.measured.extend(similar);
            return Ok(());
        }
        if let Some(rounds) = &verified.rounds {
            verified
                .capped
                .add_unlike(&rounds.capped_last, batch.pairs(), &similar);
        }
        self.verified.pairs.extend(similar);
        Ok(())
    }

    /// The pairs that were verified, sorted in the threads of the current rayon pool. Meanwhile the files of features are closed, unless they are needed
    /// for further pairs: where they are large, that takes as long.
    ///
    /// # Errors
    /// If pairs still wait.
    pub fn finish(self) -> Result<VerifiedPairs, DedupError> {
        let Self {
            mut verified,
            waiting,
            ready,
            stored,
            ..
        } = self;
        let ready = ready.as_ref().and_then(|batch| batch.pairs().last());
        if let Some(pair) = ready.or(waiting.last()) {
            return Err(DedupError::Unread { document: pair.a });
        }
        rayon::join(|| StoredFeatures::close(stored), || verified.sort());
        Ok(verified)
    }
}
