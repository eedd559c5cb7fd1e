//! The search for duplicates, with bounded memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use dehusk_dedup::{
    Batch, BatchMaker, CandidatePairs, CompiledOptions, DedupError, Deduper, Outcome, Settled, SpillError,
    VerifyBatch,
};
use rayon::ThreadPool;

use crate::error::Error;
use crate::exec::progress::Total;
use crate::job::Job;
use crate::kernel::apart::Apart;
use crate::kernel::document_table::DocumentTable;
use crate::kernel::known_documents::KnownDocuments;
use crate::kernel::sign::{Signer, SignerMaker};
use crate::read::inputs::Inputs;
use crate::read::pass::bytes_of;
use crate::read::records::count_records;
use crate::read::reread::{DocumentLines, Pick, Reread, changed};
use crate::search::memory::{self, too_little};
use crate::search::spill_files::{SpillFiles, spill_error};
use crate::settings::SameUrl;
use crate::settings::table::Settings;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// Bytes of features that are kept in memory for verification if there is no memory ceiling.
const FEATURE_BUDGET: u64 = 16 * MIB;
/// Bytes of features that are kept in temporary files beyond that. Features of further documents are
/// computed again from the inputs.
const FEATURE_FILES: u64 = 2048 * MIB;
/// Bytes of features that are recomputed in one batch.
const BATCH: u64 = 128 * MIB;

/// Bytes that clustering and writing need for each document, besides its entries in tables.
const PER_DOCUMENT: u64 = 84;
/// Bytes that clustering and writing need for each pair.
const PER_PAIR: u64 = 80;
/// Bytes that verification needs for each document.
const VERIFIED_DOCUMENT: u64 = 20;
/// Bytes that verification needs for each pair.
const VERIFIED_PAIR: u64 = 56;
/// Minimum bytes kept for each document to find candidates and ids.
const MIN_KEPT: u64 = 32;
/// Interval of progress reports on the number of compared pairs.
const TOLD_EVERY: Duration = Duration::from_millis(200);
/// Minimum memory for buffers in bytes.
const LEAST: u64 = 6 * MIB;

/// The search for duplicates among the documents of a run, within a memory ceiling.
pub(crate) struct Search {
    deduper: Deduper,
    ceiling: Option<u64>,
    spills: bool,
    /// Folder of temporary files.
    folder: PathBuf,
    /// Bytes that the program takes in addition to data kept of documents.
    base: u64,
    /// Number of records of the inputs, if they were counted.
    records: Option<u64>,
}

impl Search {
    /// A search that writes temporary files to `folder`, unless the settings name another folder. `writers` is the memory in bytes that
    /// writing takes.
    pub(crate) fn new(
        settings: &Settings,
        options: dehusk_dedup::Options,
        folder: &Path,
        writers: u64,
    ) -> Result<Self, Error> {
        let ceiling = settings.memory_ceiling();
        let budget = ceiling.map_or(FEATURE_BUDGET, |ceiling| ceiling / 8);
        let deduper = Deduper::new(options).map_err(|error| Error::settings(&error))?;
        let base = memory::base(settings, writers);
        if let Some(ceiling) = ceiling.filter(|ceiling| *ceiling < base + LEAST) {
            let what = match writers.div_ceil(MIB) {
                0 => "to begin with".to_owned(),
                mib => format!("to begin with, {mib} MiB of them to write files of this form"),
            };
            return Err(too_little(ceiling, base + LEAST, &what));
        }
        let folder = settings.temp_dir.clone().unwrap_or_else(|| folder.to_owned());
        let mut deduper = deduper.with_feature_budget(budget);
        let folds = settings.same_url.unwrap_or_default().0 != SameUrl::Keep;
        // These settings exclude documents later, see `leave_out`. Then another copy must represent the
        // content of an excluded document.
        if folds || settings.against.is_some() || settings.passages.is_some() {
            deduper = deduper.signing_every_copy();
        }
        // With a ceiling, keys go to files, and features beyond the budget are computed again.
        if ceiling.is_none() {
            let files = SpillFiles::new(folder.clone());
            deduper = deduper.with_feature_files(Box::new(files), FEATURE_FILES);
        }
        Ok(Self {
            deduper,
            ceiling,
            spills: false,
            folder,
            base,
            records: None,
        })
    }

    /// Sets the number of records to come, so that an error can name the memory for all of them.
    pub(crate) fn with_records(mut self, records: Option<u64>) -> Self {
        self.records = records;
        self
    }

    /// A maker of signers for worker threads.
    pub(crate) fn signers(&self, settings: &Settings) -> Result<SignerMaker, Error> {
        SignerMaker::new(settings, Arc::clone(self.deduper.compiled()))
    }

    /// A maker of batches for worker threads.
    pub(crate) fn batch_maker(&self) -> BatchMaker {
        self.deduper.batch_maker()
    }

    /// Adds the documents of a batch. Returns the number of the first of them. `other` is the memory in bytes that the caller keeps for
    /// documents.
    pub(crate) fn append(&mut self, batch: Batch, other: u64) -> Result<u32, Error> {
        let first = self.deduper.append(batch).map_err(|e| self.error(e))?;
        let Some(ceiling) = self.ceiling else {
            return Ok(first);
        };
        // Keys move to files once the documents take a sixteenth of the ceiling.
        if !self.spills && self.deduper.bytes() > ceiling / 16 {
            let files = SpillFiles::new(self.folder.clone());
            let spilled = self.deduper.spill(Box::new(files));
            spilled.map_err(|e| self.error(e))?;
            self.spills = true;
        }
        let needed = self.needed(other);
        if needed > ceiling {
            return Err(self.exceeded(ceiling, needed));
        }
        Ok(first)
    }

    /// Error for documents that need more than the ceiling. The need of all records is extrapolated from
    /// the documents so far.
    fn exceeded(&self, ceiling: u64, needed: u64) -> Error {
        let (documents, fixed) = (self.deduper.len() as u64, self.base + LEAST);
        match self.records.filter(|records| *records > documents) {
            Some(records) => {
                let kept = u128::from(needed - fixed) * u128::from(records) / u128::from(documents.max(1));
                let all = fixed.saturating_add(u64::try_from(kept).unwrap_or(u64::MAX));
                too_little(ceiling, all, &format!("for {records} documents"))
            }
            None => too_little(ceiling, needed, &self.documents()),
        }
    }

    /// An error of the search, with the folder of its temporary files.
    fn error(&self, error: DedupError) -> Error {
        error_in(&self.folder, error)
    }

    /// Bytes needed for the documents so far, including buffers.
    fn needed(&self, other: u64) -> u64 {
        self.base + self.deduper.bytes() + other + self.deduper.len() as u64 * PER_DOCUMENT + LEAST
    }

    /// The documents so far, in the words of a message.
    fn documents(&self) -> String {
        format!("for {} documents", self.deduper.len())
    }

    /// Removes documents that take no part in the search, and of the others those that a document of the
    /// index represents. Returns `in_index` without documents that take no part.
    pub(crate) fn leave_out(
        &mut self,
        apart: &Apart,
        in_index: Option<KnownDocuments>,
    ) -> Result<Option<KnownDocuments>, Error> {
        let gone = apart.documents();
        if !gone.is_empty() {
            let left_out = self.deduper.leave_out(gone);
            left_out.map_err(|error| self.error(error))?;
        }
        let Some(mut known) = in_index else {
            return Ok(None);
        };
        // A document that takes no part has its own reason in the result and is not counted as one of the
        // index.
        known.retain(|document| apart.reason(document).is_none());
        let left_out = self.deduper.leave_out(known.gone());
        left_out.map_err(|error| self.error(error))?;
        Ok(Some(known))
    }

    /// The settings of the search.
    pub(crate) fn compiled(&self) -> Arc<CompiledOptions> {
        Arc::clone(self.deduper.compiled())
    }

    /// Finds all pairs of duplicates, and decides by the facts in the table which documents stay.
    ///
    /// Documents whose features are not stored are read again. `other` is the memory in bytes that the caller keeps for documents.
    pub(crate) fn join(
        self,
        job: &Job<'_>,
        pool: &ThreadPool,
        table: &DocumentTable,
        other: u64,
        reread: &Reread<'_>,
    ) -> Result<Outcome, Error> {
        let signers = self.signers(job.settings)?;
        // `later` is the need of clustering and writing, `fixed` that of verification, which needs fewer
        // bytes for each document.
        let later = self.needed(other) - LEAST;
        let fixed = later - self.deduper.len() as u64 * (PER_DOCUMENT - VERIFIED_DOCUMENT);
        let (ceiling, documents, folder) = (self.ceiling, self.documents(), self.folder);
        let free = ceiling.map_or(u64::MAX, |ceiling| ceiling - fixed);
        let mut deduper = self.deduper;
        if ceiling.is_some() && !self.spills {
            // A few documents may have very many pairs. Only the join of keys in files keeps them within the ceiling.
            let files = SpillFiles::new(folder.clone());
            let spilled = deduper.spill(Box::new(files));
            spilled.map_err(|error| error_in(&folder, error))?;
        }
        let failed = |error: DedupError| match error {
            DedupError::Spill(SpillError::Memory(more)) => too_little(
                ceiling.unwrap_or_default(),
                fixed.saturating_add(more),
                &documents,
            ),
            error => error_in(&folder, error),
        };
        let compiled = Arc::clone(deduper.compiled());
        let find = || pool.install(|| deduper.candidates(free));
        let mut candidates = counting_pairs(job, &compiled, find).map_err(failed)?;
        // Each round verifies candidates. `settle` then returns further candidates, or the outcome.
        loop {
            job.cancel.check()?;
            let pairs = candidates.len() as u64;
            let held = pairs * VERIFIED_PAIR + candidates.bytes();
            if let Some(ceiling) = ceiling.filter(|ceiling| fixed + held + LEAST > *ceiling) {
                let what = format!("{documents} and {pairs} candidate pairs");
                return Err(too_little(ceiling, fixed + held + LEAST, &what));
            }
            // Features that are read exist twice for a moment, so that a batch gets half of the free memory.
            let batch = free.saturating_sub(held) / 2;
            verify(
                job,
                &mut candidates,
                pool,
                batch.min(BATCH),
                (&folder, reread),
                &signers,
            )?;
            let verified = pool
                .install(|| candidates.finish())
                .map_err(|error| changed().with_help(error.to_string()))?;
            let (pairs, held) = (verified.pairs().len() as u64, verified.bytes());
            let needed = later + pairs * PER_PAIR + held;
            if let Some(ceiling) = ceiling.filter(|ceiling| needed > *ceiling) {
                let what = format!("{documents} and {pairs} pairs");
                return Err(too_little(ceiling, needed, &what));
            }
            let left = free.saturating_sub(pairs * PER_PAIR + held);
            let settled = pool.install(|| verified.settle(table, left)).map_err(failed)?;
            match settled {
                Settled::More(more) => candidates = *more,
                Settled::Done(outcome) => return Ok(*outcome),
            }
        }
    }
}

/// Runs `work`. While it runs, the number of compared pairs is added to the progress display.
fn counting_pairs<T>(job: &Job<'_>, compiled: &CompiledOptions, work: impl FnOnce() -> T) -> T {
    if !job.progress.is_watched() {
        return work();
    }
    let progress = job.progress;
    let (working, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let tell = move || {
            let mut told = compiled.compared();
            loop {
                // Disconnected means that `work` has ended. The last count is still reported.
                let more = ended.recv_timeout(TOLD_EVERY) == Err(RecvTimeoutError::Timeout);
                let now = compiled.compared();
                progress.advance(now - told, 0);
                told = now;
                if !more {
                    return;
                }
            }
        };
        // If the thread cannot be started, progress is not reported.
        let _ = thread::Builder::new().spawn_scoped(scope, tell);
        let made = work();
        drop(working);
        made
    })
}

/// Error of a search whose temporary files are in `folder`.
fn error_in(folder: &Path, error: DedupError) -> Error {
    match error {
        DedupError::Spill(error) => spill_error(folder, error),
        error => Error::failed(error.to_string()),
    }
}

/// Verifies candidate pairs, in batches of `bytes` bytes of features. Documents without stored features are read again.
fn verify(
    job: &Job<'_>,
    candidates: &mut CandidatePairs,
    pool: &ThreadPool,
    bytes: u64,
    (folder, reread): (&Path, &Reread<'_>),
    signers: &SignerMaker,
) -> Result<(), Error> {
    let mut waiting = candidates.len() as u64;
    if waiting == 0 {
        return Ok(());
    }
    job.progress.stage("verifying pairs", Some(Total::Pairs(waiting)));
    // A new pool: its threads reuse the memory that the first pass freed.
    let readers = threads(job.settings)?;
    while let Some(mut batch) = candidates.next_batch(bytes) {
        readers
            .install(|| candidates.read_stored(&mut batch))
            .map_err(|error| error_in(folder, error))?;
        read_again(job, reread, signers, &mut batch)?;
        pool.install(|| candidates.verify(&batch))
            .map_err(|error| changed().with_help(error.to_string()))?;
        job.cancel.check()?;
        let left = candidates.len() as u64;
        job.progress.advance(waiting.saturating_sub(left), 0);
        waiting = left;
    }
    Ok(())
}

/// Reads the documents that a batch of candidate pairs needs, and computes their features.
fn read_again(
    job: &Job<'_>,
    reread: &Reread<'_>,
    signers: &SignerMaker,
    batch: &mut VerifyBatch,
) -> Result<(), Error> {
    let wanted = batch.documents().to_vec();
    if wanted.is_empty() {
        return Ok(());
    }
    let mut wanted = wanted.iter().copied().peekable();
    // `wanted` ascends, and documents are offered in ascending order, so that reading ends after the last
    // wanted one.
    let pick = |document| match wanted.peek() {
        None => Pick::End,
        Some(next) if *next == document => {
            wanted.next();
            Pick::Take
        }
        Some(_) => Pick::Leave,
    };
    let mut plan = job.plan();
    // Features carry the number of their document, so chunks may arrive in any order.
    plan.ordered = false;
    let blank = batch.features();
    let read = |signer: &mut Signer, lines: DocumentLines| {
        let mut features = blank.another();
        lines.each_record(&mut |document, record| {
            signer.add_features(document, &record.text, &mut features);
            Ok(())
        })?;
        Ok(features)
    };
    reread.each(
        &plan,
        pick,
        || signers.signer(),
        read,
        |features| batch.append(features).map_err(|_| changed()),
    )
}

/// Refuses a memory ceiling that is too low for the number of records, before any work is done. Returns the number of records.
///
/// Records are not counted (`None`) without a ceiling, or if the inputs cannot be read twice. `writers` is the memory in bytes that writing
/// takes.
pub(crate) fn check_memory(job: &Job<'_>, inputs: &Inputs, writers: u64) -> Result<Option<u64>, Error> {
    let settings = job.settings;
    let Some(ceiling) = settings.memory_ceiling().filter(|_| inputs.rereadable()) else {
        return Ok(None);
    };
    let total = match job.progress.is_watched() {
        true => inputs.total(),
        false => None,
    };
    job.progress.stage("counting records", total);
    let mut reader = inputs.reader(settings.bounds(), false);
    let mut records = 0;
    // Records are counted before they are parsed, so this is an upper bound of the number of documents.
    while let Some(chunk) = reader.next_chunk() {
        job.cancel.check()?;
        let found = count_records(&chunk);
        records += found;
        job.progress.advance(found, bytes_of(&chunk));
    }
    let needed = least_for(memory::base(settings, writers), records);
    if needed > ceiling {
        return Err(too_little(ceiling, needed, &format!("for {records} documents")));
    }
    Ok(Some(records))
}

/// Minimum bytes for a search among this number of documents.
fn least_for(base: u64, documents: u64) -> u64 {
    base.saturating_add(LEAST)
        .saturating_add(documents.saturating_mul(PER_DOCUMENT + MIN_KEPT))
}

/// Validates the settings of a search for duplicates, apart from checks that need statistics of the collection.
pub(crate) fn check(settings: &Settings) -> Result<(), Error> {
    match CompiledOptions::new(settings.duplicates()?) {
        Err(error) if !error.needs_statistics() => Err(Error::settings(&error)),
        _ => Ok(()),
    }
}

/// The thread pool that compares documents.
pub(crate) fn threads(settings: &Settings) -> Result<ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads())
        .build()
        .map_err(|e| Error::failed(format!("cannot start threads: {e}")).with_option("threads"))
}
