//! Candidate pairs that are to be verified.

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
use crate::numeric::narrow;

/// Candidate pairs. Those whose documents must be read again wait for verification.
pub struct CandidatePairs {
    /// The pairs that are verified already.
    verified: VerifiedPairs,
    /// The waiting pairs. Pairs of a group of connected documents are adjacent. The next pair is the last one.
    waiting: Vec<ScoredPair>,
    /// Features in files, and the sizes of features; empty if no pair waits.
    stored: Arc<StoredFeatures>,
    /// The documents of the last batch.
    last: Vec<u32>,
    /// The place of each document among them, or `ELSEWHERE`.
    places: Vec<u32>,
    /// Limit of feature bytes of the last batch.
    max_bytes: u64,
    /// The next batch, if it was prepared in advance.
    ready: Option<VerifyBatch>,
    /// True if waiting pairs are to be measured: their similarity is kept even if it is below the threshold.
    measured: bool,
}

/// The place of a document that is not in the last batch.
const ELSEWHERE: u32 = u32::MAX;

/// Number of pairs that are united after one prefetch of the entries of their second documents, which are scattered
/// over memory.
const FETCHED: usize = 64;

/// Number of bytes that a document in a batch takes in addition to its features.
const OVERHEAD: u64 = 48;

impl CandidatePairs {
    /// Adds pairs to the verified ones. With `stored` features the added pairs wait; without, they are verified
    /// already.
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
                // Pairs that were verified in an earlier round are not verified again.
                waiting.retain(|pair| verified.find(pair.a, pair.b).is_none());
            }
            // Pairs of connected documents are put next to each other, so that a batch needs few documents.
            let documents = verified.kinds.len();
            let mut sets = UnionFind::new(narrow::to_u32(documents));
            for pairs in waiting.chunks(FETCHED) {
                sets.fetch(pairs.iter().map(|pair| pair.b));
                for pair in pairs {
                    sets.unite(pair.a, pair.b);
                }
            }
            let labels = sets.labels();
            // Descending, because batches are taken from the end.
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

    /// Pairs to be measured: their similarity is kept even if it is below the threshold, and their features are in
    /// `stored`.
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

    /// Number of waiting pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len() + self.ready.as_ref().map_or(0, |batch| batch.pairs().len())
    }

    /// True if no pair waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory in use apart from the waiting pairs, in bytes: verified pairs, and the memory that
    /// [`VerifiedPairs::bytes`] counts.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.verified.pairs.len() * size_of::<ScoredPair>()) as u64 + self.verified.bytes()
    }

    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.verified.counts
    }

    /// The next pairs to verify. Their documents have up to `max_bytes` bytes of features, or more if a
    /// single pair needs more. `None` if no pair waits.
    pub fn next_batch(&mut self, max_bytes: u64) -> Option<VerifyBatch> {
        if let Some(ready) = self.ready.take() {
            if self.max_bytes == max_bytes {
                return Some(ready);
            }
            // A batch that was prepared for another limit is put back. Its pairs are the last ones, so the
            // order stays.
            self.waiting.extend(ready.into_pairs());
        }
        self.max_bytes = max_bytes;
        self.make_batch()
    }

    fn make_batch(&mut self) -> Option<VerifyBatch> {
        let mut documents = std::mem::take(&mut self.last);
        // Only the places of the last batch are cleared, not those of all documents.
        for document in documents.drain(..) {
            self.places[document as usize] = ELSEWHERE;
        }
        let (mut bytes, mut count) = (0_u64, 0);
        // Pairs are taken from the end, so that the batch is split off without moving the others.
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
            // Marks documents with any place; the real places follow once all documents are known.
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
        // Features are read in the order of documents.
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

    /// Reads the features of a batch that are in [files](crate::Deduper::with_feature_files), in the threads of the
    /// current rayon pool. Afterwards the batch asks only for documents whose features are not in files.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read_stored(&self, batch: &mut VerifyBatch) -> Result<(), DedupError> {
        let stored = self.stored.read(batch.documents()).map_err(DedupError::Spill)?;
        batch.append_stored(stored);
        Ok(())
    }

    /// Verifies the pairs of a batch, in the threads of the current rayon pool. One of the threads prepares the next
    /// batch.
    ///
    /// # Errors
    /// If a document that the batch needs was not added to it.
    pub fn verify(&mut self, batch: &VerifyBatch) -> Result<(), DedupError> {
        let ready = self.ready.take();
        // A batch that was prepared earlier and not taken stays the next one.
        let (similar, next) = rayon::join(|| batch.verified(), || ready.or_else(|| self.make_batch()));
        self.ready = next;
        let (similar, verified) = (similar?, &mut self.verified);
        if self.measured {
            verified.measured.extend(similar);
            return Ok(());
        }
        // Dissimilar pairs of capped groups are remembered, since other pairs of these groups may never
        // have been compared.
        if let Some(rounds) = &verified.rounds {
            verified
                .capped
                .add_unlike(&rounds.capped_last, batch.pairs(), &similar);
        }
        self.verified.pairs.extend(similar);
        Ok(())
    }

    /// Sorts the verified pairs in the threads of the current rayon pool. The files of features are closed at the same
    /// time, unless further rounds need them: closing large files takes as long as sorting.
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
