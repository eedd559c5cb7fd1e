//! The complete search for duplicates: documents in; pairs, clusters and decisions out.

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
use crate::numeric::narrow;
use crate::numeric::rows::Rows;
use crate::strategy::build_error::BuildError;
use crate::text::tokens::Tokens;

/// Finds the duplicates among documents, which are numbered from 0 in the order of adding.
///
/// The result does not depend on the number of threads. Pairs do not depend on the order of documents either: content
/// hashes break ties. Two results may depend on the order: which document stays, because keepers prefer the earlier of
/// equal documents; and clusters that are united because their staying documents are a pair.
///
/// A deduper keeps two rows per document: a row by which candidates are found, about 190 bytes with the defaults; and
/// features, which verification compares and whose size grows with the document.
///
/// With a [budget](Self::with_feature_budget), features are dropped when they exceed it. The documents of candidate
/// pairs must then be read again, in batches of a chosen size. With [`spill`](Self::spill), the rows for candidates go
/// to files, and 38 bytes per document stay in memory. The result is the same in all cases.
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
    /// Documents that were added one by one and are not yet in `rows`.
    pending: Batch,
    /// Largest size of the features in memory, in bytes. If it is exceeded, no features are kept in memory.
    feature_budget: u64,
    /// If features are not kept in memory: an upper bound of the number of words of each document's features.
    sizes: Option<Vec<u32>>,
    /// Files for features that are not kept in memory.
    feature_files: Option<FeatureWriter>,
    /// The destination of features, shared with batch makers.
    flow: Arc<FeatureFlow>,
    /// True if every copy of a document is signed.
    every_copy: bool,
    /// The rows for candidates, if they are in files.
    spilled: Option<Spilled>,
}

/// The rows for candidates in files, and the maker of further files.
struct Spilled {
    files: KeyFiles,
    spill: Box<dyn Spill>,
}

/// Number of bytes of features that are written at a time.
const AT_ONCE: usize = 1 << 20;

/// Number of documents that are added one by one before they are moved to `rows`.
const PENDING: usize = 1024;

impl Deduper {
    /// Checks the settings and starts an empty collection.
    ///
    /// # Errors
    /// If a setting is out of its range, or if two settings exclude each other.
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
        // The first batch was made before the destination of features was set, so it is made again.
        deduper.tell_place();
        deduper.pending = deduper.batch_maker().batch();
        Ok(deduper)
    }

    /// Largest size of the features in memory, in bytes; default unlimited. If it is exceeded, no features are kept,
    /// and the documents of candidate pairs must be read again.
    #[must_use]
    pub fn with_feature_budget(mut self, bytes: u64) -> Self {
        self.feature_budget = bytes;
        self.drop_features();
        self
    }

    /// Sets files for up to `bytes` bytes of features. Features that are shingles go there when they exceed the
    /// [budget](Self::with_feature_budget). Documents whose features are in files need not be read again. If a file
    /// cannot be written, the documents in it and all later ones must be read again. Has no effect after documents were
    /// added.
    #[must_use]
    pub fn with_feature_files(mut self, spill: Box<dyn Spill>, bytes: u64) -> Self {
        // Only features that are shingles can be written to files as they come.
        if self.compiled.separable && self.is_empty() {
            self.feature_files = Some(FeatureWriter::new(spill, bytes));
            self.tell_place();
        }
        self
    }

    /// Has every copy of a document signed, so that documents can be [left out](Self::leave_out) later. By default only
    /// the first copy is signed and represents the others. Must be set before documents are added.
    #[must_use]
    pub fn signing_every_copy(mut self) -> Self {
        debug_assert!(self.is_empty(), "copies that were added before are not signed");
        self.every_copy = true;
        // The empty batch was made without the setting.
        self.pending = self.batch_maker().batch();
        self
    }

    /// Excludes documents from the search: they are in no pair, no group of copies and no cluster, and are decided as
    /// unique documents. The numbers of other documents do not change. Must be called before the search. Needs
    /// [`signing_every_copy`](Self::signing_every_copy), because another copy represents the content of an excluded
    /// document.
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

    /// Sets the destination of features for batch makers.
    fn tell_place(&self) {
        self.flow.set(match (&self.sizes, &self.feature_files) {
            (None, _) => FeaturePlace::Memory,
            (Some(_), Some(files)) if files.has_room() => FeaturePlace::Files,
            (Some(_), _) => FeaturePlace::Nowhere,
        });
    }

    /// Moves the rows for candidates to files. Returns false and changes nothing if the candidate method cannot read
    /// files; `lsh`, `exact-key` and `containment` can.
    ///
    /// # Errors
    /// If there are too many documents, or a file cannot be written.
    pub fn spill(&mut self, spill: Box<dyn Spill>) -> Result<bool, DedupError> {
        self.append_pending()?;
        // Rows must stay if estimates compare them or if they are the features.
        let keeps_rows = self.compiled.options.estimates || self.compiled.shared;
        let Some(layout) = self.compiled.index.columns().filter(|_| !keeps_rows) else {
            return Ok(false);
        };
        let mut files = KeyFiles::new(layout, &*spill)?;
        // Documents that were added before go to the files first, so that their order stays.
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

    /// True if there are no documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory of the documents so far, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let sizes = self
            .sizes
            .as_ref()
            .map_or(0, |sizes| sizes.capacity() * size_of::<u32>());
        let files = self.spilled.as_ref().map_or(0, |spilled| spilled.files.bytes());
        self.rows.bytes() + self.pending.rows.bytes() + sizes as u64 + files
    }

    /// Adds a document with these tokens, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add(tokens))
    }

    /// Adds a document with the tokens of a text, which spaces separate, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add_joined(&mut self, text: &str) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add_joined(text))
    }

    /// Adds a document with separate terms for lexical methods, and returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add_document(&mut self, tokens: &Tokens, terms: &Tokens) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add_document(tokens, terms))
    }

    /// Adds a document like [`add_document`](Self::add_document), with a hash of its text that is equal for exact
    /// duplicates; see [`Batch::add_hashed`]. Returns its number.
    ///
    /// # Errors
    /// If there are 2^32 - 1 documents already, or a file cannot be written.
    pub fn add_hashed(&mut self, tokens: &Tokens, terms: &Tokens, exact: u64) -> Result<u32, DedupError> {
        self.add_with(|pending| pending.add_hashed(tokens, terms, exact))
    }

    fn add_with(&mut self, add: impl FnOnce(&mut Batch)) -> Result<u32, DedupError> {
        let number = self.next_number(1)?;
        add(&mut self.pending);
        // Documents are moved in blocks, because each move grows several lists.
        if self.pending.len() >= PENDING {
            self.append_pending()?;
        }
        Ok(number)
    }

    /// A maker of batches for other threads. Its batches are passed to [`append`](Self::append). When this deduper
    /// keeps no features in memory, new batches have none either.
    #[must_use]
    pub fn batch_maker(&self) -> BatchMaker {
        BatchMaker {
            compiled: Arc::clone(&self.compiled),
            flow: Arc::clone(&self.flow),
            every_copy: self.every_copy,
        }
    }

    /// Adds the documents of a batch, and returns the number of the first one. The batch must be from this deduper's
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
        // A batch that was made before features were dropped still has them. A later batch brings sizes and
        // encoded rows.
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
        // The budget is checked after each batch, so it may be exceeded by one batch.
        self.drop_features();
        Ok(first)
    }

    /// Records the sizes of features, and writes the features to files while there is room.
    fn store(&mut self, features: &Rows) {
        let mut rows = (0..features.len()).peekable();
        while rows.peek().is_some() {
            // Rows are written in pieces, so that the copy of all features is never in memory at once.
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

    /// Records sizes of features, and writes the encoded features to files while there is room.
    fn store_encoded(&mut self, more: Vec<u32>, encoded: Option<Vec<u8>>) {
        if let Some(files) = self.feature_files.as_mut().filter(|files| files.has_room()) {
            match &encoded {
                Some(rows) => files.append(more.len(), rows),
                // A batch that was made without files leaves a gap, and files hold the rows of consecutive
                // documents only.
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

    /// The number of the next document. An error if there would be too many documents after `more` further ones.
    fn next_number(&self, more: usize) -> Result<u32, DedupError> {
        let after = self.len().checked_add(more);
        if after.is_none_or(|after| u32::try_from(after).is_err()) {
            return Err(DedupError::TooManyDocuments);
        }
        Ok(narrow::to_u32(self.rows.len()) + narrow::to_u32(self.pending.len()))
    }

    /// Drops the features from memory if they exceed the budget. The rows for candidates always stay.
    fn drop_features(&mut self) {
        // Features stay if they also serve as rows of the index, or if they are the signatures.
        let may_drop = self.sizes.is_none() && !self.compiled.shared && self.compiled.options.verify;
        if may_drop && (self.feature_budget == 0 || self.rows.features.bytes() > self.feature_budget) {
            self.sizes = Some(Vec::new());
            self.tell_place();
            let features = std::mem::take(&mut self.rows.features);
            self.store(&features);
        }
    }

    /// Finds the candidate pairs, in the threads of the current rayon pool. If features are in memory, the pairs are
    /// verified too. If rows are in files, buffers and pairs take up to about `memory` bytes; otherwise `memory` is not
    /// used.
    ///
    /// # Errors
    /// If a file cannot be used, or if the pairs do not fit into the memory.
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
        // Copies are grouped before the search, which compares each text once.
        let groups = ExactGroups::find(&rows.kinds, &rows.contents);
        // Similar pairs are searched among the first documents of each content.
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
        // The first search. If features are in memory, `pairs` are verified already.
        let (pairs, counts) = source.join(&documents, &contents, None, memory)?;
        let mut verified = VerifiedPairs::new(compiled, kinds, (contents, exacts), groups, Vec::new());
        verified.counts.compared = documents.len() as u64;
        verified.counts.candidates = counts.candidates;
        verified.counts.capped_buckets = counts.capped_buckets;
        verified.counts.cut_shingles = counts.cut_shingles;
        let stored = source.stored.clone();
        let capped = counts.capped.members.clone();
        if capped.len() == 0 {
            // Only further searches in capped groups need keys; all further rounds need features.
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
            open: counts.open,
        });
        verified.capped = counts.capped;
        Ok(CandidatePairs::new(verified, pairs, stored))
    }

    /// Finds all pairs of duplicates, in the threads of the current rayon pool.
    ///
    /// # Errors
    /// If features were dropped, so that documents would have to be read again, or if a file cannot be used.
    pub fn verified_pairs(self) -> Result<VerifiedPairs, DedupError> {
        self.candidates(u64::MAX)?.finish()
    }

    /// Finds all pairs, groups them into clusters, and decides which documents stay.
    ///
    /// # Errors
    /// If features were dropped, so that documents would have to be read again, or if a file cannot be used.
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

/// The number of words of a row.
fn words(row: &[u64]) -> u32 {
    debug_assert!(
        u32::try_from(row.len()).is_ok(),
        "a row has fewer than 2^32 words"
    );
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
