//! The keys and features of all documents, kept while pairs are searched.

use std::sync::Arc;

use rayon::prelude::*;

use crate::candidates::input::{Further, JoinCounts, JoinInput};
use crate::candidates::join::files::KeptKeys;
use crate::candidates::join::spill::Spill;
use crate::candidates::pair::ScoredPair;
use crate::engine::compiled::CompiledOptions;
use crate::engine::document_rows::DocumentRows;
use crate::engine::error::DedupError;
use crate::engine::stored_features::StoredFeatures;
use crate::numeric::bit_set::BitSet;
use crate::numeric::rows::Rows;

/// The keys of all documents, and their features if these are in memory.
pub(crate) struct KeySource {
    pub(crate) compiled: Arc<CompiledOptions>,
    /// The rows, without kinds and contents.
    pub(crate) rows: DocumentRows,
    /// The features, if they are not in memory.
    pub(crate) stored: Option<Arc<StoredFeatures>>,
    /// The keys, if they are in files.
    pub(crate) spilled: Option<(KeptKeys, Box<dyn Spill>)>,
}

impl KeySource {
    /// Drops the keys of all documents and keeps the features. [`join`](Self::join) finds no pairs afterwards.
    pub(crate) fn forget_keys(&mut self) {
        self.spilled = None;
        self.rows.index = Rows::new();
    }

    /// The candidate pairs among `documents`, sorted. If features are in memory, only similar pairs. With keys in
    /// files, buffers and pairs take up to about `memory` bytes.
    pub(crate) fn join(
        &mut self,
        documents: &[u32],
        contents: &[u128],
        further: Option<Further<'_>>,
        memory: u64,
    ) -> Result<(Vec<ScoredPair>, JoinCounts), DedupError> {
        // Keys in files need no rows in memory.
        let rows = match self.spilled {
            Some(_) => &Rows::new(),
            None => self.rows.index_rows(&self.compiled),
        };
        let input = JoinInput {
            documents,
            rows,
            contents,
            further,
        };
        let (pairs, mut counts) = match &mut self.spilled {
            Some((keys, spill)) => keys.join(&input, &*self.compiled.index, &**spill, memory)?,
            None => self.join_in_memory(&input),
        };
        if let Some(most) = counts.too_many {
            return Err(DedupError::TooManyPairs { most });
        }
        // Candidates that are not verified yet are returned as they are: their features are in files, or
        // must be read again, or they were compared during the join.
        if self.stored.is_some() || self.spilled.is_none() && !self.compiled.separable {
            return Ok((pairs, counts));
        }
        // Features are in memory but were not compared during the join: keys are in files, or shingles were
        // unsorted.
        let similar = self.similar(&pairs, self.compiled.options.threshold);
        let members = counts.capped.members.clone();
        counts.capped.add_unlike(&members, &pairs, &similar);
        Ok((similar, counts))
    }

    /// The candidate pairs by keys in memory, sorted. Only similar pairs, if features are in memory and sorted.
    fn join_in_memory(&self, input: &JoinInput<'_>) -> (Vec<ScoredPair>, JoinCounts) {
        let Self {
            compiled,
            rows,
            stored,
            ..
        } = self;
        let check = |a: u32, b: u32, equal: Option<u32>| {
            let (a, b) = (a.min(b), a.max(b));
            // Features in memory that are sorted sets: the pair is compared at once. Otherwise it gets its
            // estimate only.
            if stored.is_none() && !compiled.separable {
                return rows.compare(compiled, (a, b), equal, compiled.options.threshold);
            }
            let estimate = rows.estimate(compiled, (a, b), equal);
            Some(ScoredPair::new(a, b, 0.0, estimate))
        };
        let mut pairs = Vec::new();
        let counts = compiled.index.join(input, &check, &mut pairs);
        // Methods may check a pair several times and in any order.
        pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs.dedup_by_key(|pair| (pair.a, pair.b));
        (pairs, counts)
    }

    /// The candidate pairs whose similarity is at least `at_least`. Features must be in memory.
    pub(crate) fn similar(&mut self, pairs: &[ScoredPair], at_least: f64) -> Vec<ScoredPair> {
        let Self { compiled, rows, .. } = self;
        if compiled.separable {
            // Most documents are in no pair, so only the shingles of documents in pairs are sorted.
            let mut needed = BitSet::default();
            for pair in pairs {
                needed.insert(pair.a);
                needed.insert(pair.b);
            }
            rows.features.make_sets(&needed);
        }
        let check = |pair: &ScoredPair| {
            // The number of equal keys is not needed: `pair` has its estimate, and without verification the
            // similarity is the estimate.
            let found = rows.compare(compiled, (pair.a, pair.b), Some(0), at_least)?;
            let estimate = if compiled.options.verify {
                pair.estimate()
            } else {
                found.estimate()
            };
            Some(found.with_estimate(estimate))
        };
        pairs.par_iter().filter_map(check).collect()
    }
}
