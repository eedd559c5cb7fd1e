//! The search for duplicates as a whole: documents in; pairs, clusters and decisions out.

use std::collections::HashSet;
use std::sync::Arc;

use crate::candidates::join::files::KeyFiles;
use crate::candidates::join::spill::Spill;
use crate::engine::batch::{Batch, BatchMaker};
use crate::engine::candidate_pairs::CandidatePairs;
use crate::engine::compiled::CompiledOptions;
use crate::engine::document_rows::{DocumentKind, DocumentRows};
use crate::engine::error::DedupError;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::key_source::KeySource;
use crate::engine::options::Options;
use crate::engine::outcome::Outcome;
use crate::engine::settle::Settled;
use crate::engine::stored_features::{FeatureFlow, FeaturePlace, FeatureWriter, StoredFeatures, encode};
use crate::engine::verified_pairs::{Rounds, VerifiedPairs};
use crate::keep::facts::FactSource;
use crate::numeric::rows::Rows;
use crate::strategy::build_error::BuildError;
use crate::text::tokens::Tokens;

/// Finds the duplicates among documents, which are numbered from 0 in the order in which they come.
///
/// The result does not depend on threads. Pairs do not depend on the order of documents either: where documents tie, the order of
/// their content hashes decides. Which document stays may, as keepers leave ties to the order of the input, and so may clusters that are
/// united because the documents that stay for them are a pair.
///
/// Of each document a deduper keeps a row that finds candidates, about 190 bytes with the defaults, and its features, which
/// verification compares and which grow with the document. With a [budget](Self::with_feature_budget) features are dropped
/// once they exceed it, and the documents of candidate pairs are read again, in batches of a chosen size. With
/// [`spill`](Self::spill), the rows that find candidates go to files, and 38 bytes of each document stay. The result is the same.
///
/// ```
/// use dehusk_dedup::{Deduper, Options, Settled};
///
/// let texts = ["a rose is a rose", "the sea is calm", "a rose is a rose indeed", "a rose is a rose"];
/// let options = Options::default().with_threshold(0.5).with_min_tokens(3);
/// let mut deduper = Deduper::new(options)?.with_feature_budget(0);
/// for text in texts {
///     deduper.add_joined(text)?;
/// }
///
/// let mut candidates = deduper.candidates(u64::MAX)?;
/// let outcome = loop {
///     while let Some(mut batch) = candidates.next_batch(1 << 20) {
///         let mut features = batch.features();
///         for (document, text) in (0..).zip(texts) {
///             if batch.needs(document) {
///                 let tokens = text.split(' ').collect();
///                 features.add(document, &tokens, &tokens);
///             }
///         }
///         batch.append(features)?;
///         candidates.verify(&batch)?;
///     }
///     match candidates.finish()?.settle(&(), u64::MAX)? {
///         Settled::More(further) => candidates = *further,
///         Settled::Done(outcome) => break outcome,
///     }
/// };
/// assert_eq!(outcome.clusters.group(0), [0, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Deduper {
    compiled: Arc<CompiledOptions>,
    rows: DocumentRows,
    /// Documents that were added one by one, and are not yet among the rows.
    pending: Batch,
    /// Bytes of features that are kept; beyond them, none is.
    feature_budget: u64,
    /// About as many words as the features of each document have, if they are not kept.
    sizes: Option<Vec<u32>>,
    /// Where they go then, if there is room.
    feature_files: Option<FeatureWriter>,
    /// Where they go, for those who make batches.
    flow: Arc<FeatureFlow>,
    /// Whether every copy of a document is signed.
    every_copy: bool,
    spilled: Option<Spilled>,
}

struct Spilled {
    files: KeyFiles,
    spill: Box<dyn Spill>,
}

/// Bytes of features that are written at once.
const AT_ONCE: usize = 1 << 20;

/// Documents that are added one by one before they are appended.
const PENDING: usize = 1024;

impl Deduper {
    /// Checks the settings and starts an empty collection.
    ///
    /// # Errors
    /// If a setting is out of its range, or if two do not fit together.
    pub fn new(options: Options) -> Result<Self, BuildError> {
        let compiled = Arc::new(CompiledOptions::new(options)?);
        let mut deduper = Self {
            rows: DocumentRows::default(),
            pending: Batch::new(Arc::clone(&compiled)),
            feature_budget: u64::MAX,
            sizes: None,
            feature_files: None,
            flow: Arc::default(),
            every_copy: false,
            spilled: None,
            compiled,
        };
        deduper.tell_place();
        deduper.pending = deduper.batch_maker().batch();
        Ok(deduper)
    }

    /// Bytes of features that are kept, default any number. Once there are more, none is kept, and the documents of candidate
    /// pairs have to be read again.
    #[must_use]
    pub fn with_feature_budget(mut self, bytes: u64) -> Self {
        self.feature_budget = bytes;
        self.drop_features();
        self
    }

    /// Files for up to so many bytes of features, to which they go instead once they exceed the [budget](Self::with_feature_budget), if
    /// they are shingles; to be set before documents are added. Documents whose features are there need not be read again. Where
    /// a file cannot be written, the others are.
    #[must_use]
    pub fn with_feature_files(mut self, spill: Box<dyn Spill>, bytes: u64) -> Self {
        if self.compiled.separable && self.is_empty() {
            self.feature_files = Some(FeatureWriter::new(spill, bytes));
            self.tell_place();
        }
        self
    }

    /// Has every copy of a document signed, although the first one stands for all: so that documents may be [left out](Self::leave_out)
    /// later. To be set before documents are added.
    #[must_use]
    pub fn signing_every_copy(mut self) -> Self {
        debug_assert!(self.is_empty(), "copies that were added before are not signed");
        self.every_copy = true;
        self.pending = self.batch_maker().batch();
        self
    }

    /// Takes documents out of the search before it begins: they are in no pair, no group of copies and no cluster, and are decided as if
    /// they were alone. Numbers of other documents stay as they are. Needs [`signing_every_copy`](Self::signing_every_copy), since another
    /// copy takes the place of one that is left out.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn leave_out(&mut self, documents: impl IntoIterator<Item = u32>) -> Result<(), DedupError> {
        debug_assert!(
            self.every_copy,
            "a copy that was not signed would be compared with nothing"
        );
        self.append_pending()?;
        for document in documents {
            if let Some(kind) = self.rows.kinds.get_mut(document as usize) {
                *kind = DocumentKind::LeftOut;
            }
        }
        Ok(())
    }

    /// Tells those who make batches where features go.
    fn tell_place(&self) {
        self.flow.set(match (&self.sizes, &self.feature_files) {
            (None, _) => FeaturePlace::Memory,
            (Some(_), Some(files)) if files.has_room() => FeaturePlace::Files,
            (Some(_), _) => FeaturePlace::Nowhere,
        });
    }

    /// Moves the rows that find candidates to files, if the candidate method can work from there, as `lsh`, `exact-key` and `containment` can;
    /// returns whether it can.
    ///
    /// # Errors
    /// If there are too many documents, or a file cannot be written.
    pub fn spill(&mut self, spill: Box<dyn Spill>) -> Result<bool, DedupError> {
        self.append_pending()?;
        let keeps_rows = self.compiled.options.estimates || self.compiled.shared;
        let Some(layout) = self.compiled.index.columns().filter(|_| !keeps_rows) else {
            return Ok(false);
        };
        let mut files = KeyFiles::new(layout, &*spill)?;
        files.append(&std::mem::take(&mut self.rows.index))?;
        self.spilled = Some(Spilled { files, spill });
        Ok(true)
    }

    /// The checked settings.
    #[must_use]
    pub fn compiled(&self) -> &Arc<CompiledOptions> {
        &self.compiled
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.compiled.options
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len() + self.pending.len()
    }

    /// True if there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that documents take so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let sizes = self
            .sizes
            .as_ref()
            .map_or(0, |sizes| sizes.capacity() * size_of::<u32>());
        let files = self.spilled.as_ref().map_or(0, |spilled| spilled.files.bytes());
        self.rows.bytes() + self.pending.rows.bytes() + sizes as u64 + files
    }

    /// Adds a document of these tokens, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add(tokens))
    }

    /// Adds a document of the tokens of a text that are separated by spaces, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add_joined(&mut self, text: &str) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add_joined(text))
    }

    /// Adds a document with the terms that lexical methods read instead of its tokens, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add_document(&mut self, tokens: &Tokens, terms: &Tokens) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add_document(tokens, terms))
    }

    /// Adds a document as [`add_document`](Self::add_document) does, with a hash of its text that exact duplicates have in common; see
    /// [`Batch::add_hashed`].
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add_hashed(&mut self, tokens: &Tokens, terms: &Tokens, exact: u64) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add_hashed(tokens, terms, exact))
    }

    fn add_with(&mut self, add: impl FnOnce(&mut Batch)) -> Result<u32, DedupError> {
        let number = self.next_number(1)?;
        add(&mut self.pending);
        if self.pending.len() >= PENDING {
            self.append_pending()?;
        }
        Ok(number)
    }

    /// Makes batches on other threads, to be handed to [`append`](Self::append). Once this deduper keeps no features, they do
    /// without.
    #[must_use]
    pub fn batch_maker(&self) -> BatchMaker {
        BatchMaker {
            compiled: Arc::clone(&self.compiled),
            flow: Arc::clone(&self.flow),
            every_copy: self.every_copy,
        }
    }

    /// Adds the documents of a batch, and returns the number of the first of them. The batch must be from this deduper's
    /// [`batch_maker`](Self::batch_maker).
    ///
    /// # Errors
    /// If there would be more than 2^32 - 1 documents, or a file cannot be written.
    pub fn append(&mut self, batch: Batch) -> Result<u32, DedupError> {
        self.append_pending()?;
        self.append_rows(batch)
    }

    fn append_pending(&mut self) -> Result<(), DedupError> {
        if !self.pending.is_empty() {
            let next = self.batch_maker().batch();
            let pending = std::mem::replace(&mut self.pending, next);
            self.append_rows(pending)?;
        }
        Ok(())
    }

    fn append_rows(&mut self, batch: Batch) -> Result<u32, DedupError> {
        let first = self.next_number(batch.len())?;
        let Batch {
            mut rows,
            sizes: batch_sizes,
            encoded,
            ..
        } = batch;
        if self.sizes.is_some() {
            let features = std::mem::take(&mut rows.features);
            match batch_sizes {
                Some(known) => self.store_encoded(known, encoded),
                None => self.store(&features),
            }
        }
        if let Some(spilled) = &mut self.spilled {
            spilled.files.append(&std::mem::take(&mut rows.index))?;
        }
        self.rows.append(rows);
        self.drop_features();
        Ok(first)
    }

    /// Writes features to files, as long as there is room.
    fn store(&mut self, features: &Rows) {
        let mut rows = (0..features.len()).peekable();
        while rows.peek().is_some() {
            let (mut sizes, mut encoded) = (Vec::new(), self.flow.buffer());
            while let Some(row) = rows.next_if(|_| encoded.len() < AT_ONCE) {
                let row = features.row(row);
                sizes.push(words(row));
                if self.feature_files.is_some() {
                    encode(row, &mut encoded);
                }
            }
            self.store_encoded(sizes, Some(encoded));
        }
    }

    /// Takes the sizes of features, and writes the features to files as long as there is room.
    fn store_encoded(&mut self, more: Vec<u32>, encoded: Option<Vec<u8>>) {
        if let Some(files) = self.feature_files.as_mut().filter(|files| files.has_room()) {
            match &encoded {
                Some(rows) => files.append(more.len(), rows),
                None => files.close(),
            }
            self.tell_place();
        }
        if let Some(encoded) = encoded {
            self.flow.give_back(encoded);
        }
        if let Some(sizes) = &mut self.sizes {
            sizes.extend(more);
        }
    }

    /// The number of the next document, if there is room for so many more.
    fn next_number(&self, more: usize) -> Result<u32, DedupError> {
        let after = self.len().checked_add(more);
        if after.is_none_or(|after| u32::try_from(after).is_err()) {
            return Err(DedupError::TooManyDocuments);
        }
        Ok(self.rows.len() as u32 + self.pending.len() as u32)
    }

    /// Stops keeping features if they exceed the budget. The rows that find candidates always stay.
    fn drop_features(&mut self) {
        let may_drop = self.sizes.is_none() && !self.compiled.shared && self.compiled.options.verify;
        if may_drop && (self.feature_budget == 0 || self.rows.features.bytes() > self.feature_budget) {
            self.sizes = Some(Vec::new());
            self.tell_place();
            let features = std::mem::take(&mut self.rows.features);
            self.store(&features);
        }
    }

    /// Finds the candidate pairs, in the threads of the current rayon pool. Where features are kept, they are verified at once.
    /// Where keys are in files, buffers and pairs take up to about `memory` bytes; else `memory` does not matter.
    ///
    /// # Errors
    /// If a file cannot be used, or if there are more pairs than fit into the memory.
    pub fn candidates(mut self, memory: u64) -> Result<CandidatePairs, DedupError> {
        self.append_pending()?;
        let Self {
            compiled,
            rows,
            sizes,
            feature_files,
            spilled,
            ..
        } = self;
        let stored = sizes.map(|sizes| match feature_files {
            Some(files) => files.finish(sizes),
            None => StoredFeatures::of_sizes(sizes),
        });
        let groups = ExactGroups::find(&rows.kinds, &rows.contents);
        // Similar pairs are sought among the first documents of each content.
        let documents: Vec<u32> = (0..)
            .zip(&rows.kinds)
            .filter(|&(document, &kind)| kind == DocumentKind::Full && groups.first(document) == document)
            .map(|(document, _)| document)
            .collect();
        let DocumentRows {
            kinds,
            contents,
            exacts,
            index,
            features,
            signatures,
        } = rows;
        let spilled = spilled.map(|Spilled { files, spill }| Ok((files.finish()?, spill)));
        let mut source = KeySource {
            compiled: Arc::clone(&compiled),
            rows: DocumentRows {
                index,
                features,
                signatures,
                ..DocumentRows::default()
            },
            stored: stored.map(Arc::new),
            spilled: spilled.transpose().map_err(DedupError::Spill)?,
        };
        let (pairs, counts) = source.join(&documents, &contents, None, memory)?;
        let mut verified = VerifiedPairs::new(compiled, kinds, (contents, exacts), groups, Vec::new());
        verified.counts.compared = documents.len() as u64;
        verified.counts.candidates = counts.candidates;
        verified.counts.capped_buckets = counts.capped_buckets;
        verified.counts.cut_shingles = counts.cut_shingles;
        let stored = source.stored.clone();
        let capped = counts.capped.members.clone();
        if capped.len() == 0 {
            // Keys are needed for further searches in large groups alone; features for all further rounds.
            source.forget_keys();
        }
        verified.rounds = Some(Rounds {
            source,
            searches: 0,
            fruitless: 0,
            near: 0,
            pairs_before: 0,
            asked: HashSet::new(),
            before: None,
            capped_last: capped.clone(),
            capped,
        });
        verified.capped = counts.capped;
        Ok(CandidatePairs::new(verified, pairs, stored))
    }

    /// Finds all pairs of duplicates, in the threads of the current rayon pool.
    ///
    /// # Errors
    /// If features were dropped, so that documents have to be read again, or a file cannot be used.
    pub fn verified_pairs(self) -> Result<VerifiedPairs, DedupError> {
        self.candidates(u64::MAX)?.finish()
    }

    /// Finds all pairs, groups them to clusters, and decides which documents stay.
    ///
    /// # Errors
    /// If features were dropped, so that documents have to be read again, or a file cannot be used.
    pub fn finish<S: FactSource + ?Sized>(self, facts: &S) -> Result<Outcome, DedupError> {
        let mut verified = self.verified_pairs()?;
        loop {
            match verified.settle(facts, u64::MAX)? {
                Settled::More(candidates) => verified = candidates.finish()?,
                Settled::Done(outcome) => return Ok(*outcome),
            }
        }
    }
}

fn words(row: &[u64]) -> u32 {
    u32::try_from(row.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod budget_tests;
#[cfg(test)]
mod capped_tests;
#[cfg(test)]
mod containment_tests;
#[cfg(test)]
mod tests;
