//! What candidates are found by, kept for as long as pairs are sought.

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
use crate::numeric::rows::Rows;

/// The keys of all documents, and their features if these are kept.
pub(crate) struct KeySource {
    pub(crate) compiled: Arc<CompiledOptions>,
    /// Without kinds and contents.
    pub(crate) rows: DocumentRows,
    /// The features, if they are not in memory.
    pub(crate) stored: Option<Arc<StoredFeatures>>,
    /// The keys, if they are in files.
    pub(crate) spilled: Option<(KeptKeys, Box<dyn Spill>)>,
}

impl KeySource {
    /// The candidate pairs among `documents`, sorted; where features are kept, only those that are similar. Buffers and pairs from
    /// files take up to about `memory` bytes.
    pub(crate) fn join(
        &mut self,
        documents: &[u32],
        contents: &[u128],
        further: Option<Further<'_>>,
        memory: u64,
    ) -> Result<(Vec<ScoredPair>, JoinCounts), DedupError> {
        if self.spilled.is_some() {
            return self.join_files(documents, contents, further, memory);
        }
        let Self {
            compiled,
            rows,
            stored,
            ..
        } = self;
        let check = |a: u32, b: u32, equal: Option<u32>| {
            let (a, b) = (a.min(b), a.max(b));
            if stored.is_none() {
                return rows.compare(compiled, (a, b), equal);
            }
            let estimate = rows.estimate(compiled, (a, b), equal);
            Some(ScoredPair::new(a, b, 0.0, estimate))
        };
        let input = JoinInput {
            documents,
            rows: rows.index_rows(compiled),
            contents,
            further,
        };
        let mut pairs = Vec::new();
        let counts = compiled.index.join(&input, &check, &mut pairs);
        pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs.dedup_by_key(|pair| (pair.a, pair.b));
        Ok((pairs, counts))
    }

    fn join_files(
        &mut self,
        documents: &[u32],
        contents: &[u128],
        further: Option<Further<'_>>,
        memory: u64,
    ) -> Result<(Vec<ScoredPair>, JoinCounts), DedupError> {
        let Self {
            compiled,
            rows,
            stored,
            spilled: Some((keys, spill)),
        } = self
        else {
            return Ok(Default::default());
        };
        let input = JoinInput {
            documents,
            rows: &Rows::new(),
            contents,
            further,
        };
        let (mut pairs, mut counts) = keys.join(&input, &*compiled.index, &**spill, memory)?;
        if stored.is_none() {
            let check = |pair: &ScoredPair| {
                let found = rows.compare(compiled, (pair.a, pair.b), Some(0))?;
                let estimate = if compiled.options.verify {
                    pair.estimate
                } else {
                    found.estimate
                };
                Some(ScoredPair { estimate, ..found })
            };
            let candidates = pairs;
            pairs = candidates.par_iter().filter_map(check).collect();
            let members = counts.capped.members.clone();
            counts.capped.add_unlike(&members, &candidates, &pairs);
        }
        Ok((pairs, counts))
    }
}
