//! The steps of a search for engines that join on many machines. `dehusk.spark` calls them in the processes
//! of its executors.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::RecordBatch;
use dehusk_pipeline::batch;
use dehusk_pipeline::dedup::{
    BOUNDS, Bound as SimilarityBound, CompiledOptions, Deletion, KeyGroups, Matcher,
};
use dehusk_pipeline::{Cancel, Error, Interrupt, Job, Portion, Settings, catch_panic, compile, kernel};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrow::{self, Table};
use crate::error::{self, About};
use crate::options::{LEARN, READ, SPARK, checked};
use crate::work::{LOOK, interruptible};

/// Bytes of every file of inputs, in the order in which they are read, each with the offsets at which an archive can be cut into parts of about
/// `most` bytes.
#[pyfunction]
pub(crate) fn file_parts(
    py: Python<'_>,
    inputs: Vec<String>,
    options: &Bound<'_, PyDict>,
    most: u64,
) -> PyResult<Vec<(u64, Vec<u64>)>> {
    let settings = READ.read(options)?;
    let files = interruptible(py, About::Work, |cancel| {
        Job::new(&inputs, &settings, cancel).file_parts(most)
    })?;
    Ok(files.into_iter().map(|file| (file.bytes, file.cuts)).collect())
}

/// Number of batches of pages that are read ahead.
const AHEAD: usize = 2;

/// Batches of the pages of files, read ahead by a thread.
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct PageBatches {
    batches: Mutex<Receiver<Read>>,
    cancel: Cancel,
}

enum Read {
    Batch(RecordBatch),
    Failed(Box<Error>),
    Panic(String),
}

/// Reads the pages of some files of inputs, by their numbers. With `part`, reads only a part of the first file: its number, and its first and last
/// offset.
#[pyfunction]
#[pyo3(signature = (inputs, options, first, end, part=None))]
pub(crate) fn page_batches(
    inputs: Vec<String>,
    options: &Bound<'_, PyDict>,
    first: u64,
    end: u64,
    part: Option<(u64, u64, u64)>,
) -> PyResult<PageBatches> {
    let portion = match part {
        None => Portion::Files(first..end),
        Some((number, begin, until)) => Portion::Part {
            file: first,
            number,
            bytes: begin..until,
        },
    };
    let settings = READ.read(options)?;
    let cancel = Cancel::new();
    let (to, batches) = mpsc::sync_channel(AHEAD);
    let switch = cancel.clone();
    let work = move || {
        let failed = match catch_panic(|| read(&inputs, &settings, &switch, &portion, &to)) {
            Ok(Ok(())) => return,
            Ok(Err(error)) => Read::Failed(Box::new(error)),
            Err(panic) => Read::Panic(panic),
        };
        // An error means that the receiver is gone: its reader has stopped early.
        drop(to.send(failed));
    };
    thread::Builder::new().spawn(work)?;
    Ok(PageBatches {
        batches: Mutex::new(batches),
        cancel,
    })
}

/// Reads the pages of a portion and sends them in batches. Ends early if the receiver is gone.
fn read(
    inputs: &[String],
    settings: &Settings,
    cancel: &Cancel,
    portion: &Portion,
    to: &SyncSender<Read>,
) -> Result<(), Error> {
    let job = Job::new(inputs, settings, cancel);
    batch::pages(&job, portion, &mut |batch| to.send(Read::Batch(batch)).is_ok())
}

#[pymethods]
impl PageBatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let read = loop {
            // The lock is taken without the interpreter. A thread that waits for it does not keep others
            // from working.
            let next = py.detach(|| {
                let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
                batches.recv_timeout(LOOK)
            });
            match next {
                Ok(read) => break read,
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        };
        match read {
            Read::Batch(batch) => Ok(Table::of(vec![batch])),
            Read::Failed(error) => Err(error::exception(py, &error, About::Work)),
            Read::Panic(message) => Err(error::panic(py, &message)),
        }
    }

    /// Ends the reading.
    fn close(&self) {
        self.cancel.request(Interrupt::Terminate);
    }
}

/// Runs `work` on the state of a step, without the interpreter. A panic fails the task, so the state that
/// it leaves behind is not used again.
fn with<S: Send, T: Send>(
    py: Python<'_>,
    state: &Mutex<S>,
    work: impl FnOnce(&mut S) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let done = py.detach(|| {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        catch_panic(|| work(&mut state))
    });
    checked(py, done.map_err(|message| error::panic(py, &message))?)
}

/// Takes the batches that a step yields.
type Visit<'v> = dyn FnMut(RecordBatch) -> Result<(), Error> + 'v;

/// Returns the batches that `work` yields as one table, or `None` without batches.
fn gathered<S>(
    work: impl FnOnce(&mut S, &mut Visit<'_>) -> Result<(), Error>,
    state: &mut S,
) -> Result<Option<Table>, Error> {
    let mut batches = Vec::new();
    work(state, &mut |batch| {
        batches.push(batch);
        Ok(())
    })?;
    Ok(Table::of(batches))
}

/// Pushes rows into a step, and returns the batches that it yields for them.
fn pushed<S: Send>(
    py: Python<'_>,
    state: &Mutex<S>,
    rows: &Bound<'_, PyAny>,
    push: impl Fn(&mut S, &RecordBatch, &mut Visit<'_>) -> Result<(), Error> + Sync,
) -> PyResult<Option<Table>> {
    let input = arrow::read(rows)?;
    with(py, state, |state| {
        gathered(
            |state, visit| {
                let mut batches = input.batches().iter();
                batches.try_for_each(|batch| push(state, batch, visit))
            },
            state,
        )
    })
}

/// Returns the results of all batches, each computed on its own, as one table; `None` without batches.
fn each_batch(
    py: Python<'_>,
    rows: &Bound<'_, PyAny>,
    make: impl Fn(&RecordBatch) -> Result<RecordBatch, Error> + Send,
) -> PyResult<Option<Table>> {
    let input = arrow::read(rows)?;
    let made = py.detach(|| catch_panic(|| input.batches().iter().map(make).collect::<Result<_, _>>()));
    let made = checked(py, made.map_err(|message| error::panic(py, &message))?)?;
    Ok(Table::of(made))
}

/// The search for duplicates by some options, step by step.
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Search {
    settings: Settings,
    compiled: Arc<CompiledOptions>,
    signers: kernel::SignerMaker,
    matcher: Matcher,
    groups: KeyGroups,
}

#[pymethods]
impl Search {
    #[new]
    fn new(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let settings = SPARK.read(options)?;
        let compiled = checked(py, py.detach(|| compile(&settings)))?;
        let matcher = Matcher::new(Arc::clone(&compiled));
        // Refused here, before any data is read: these methods need more than equal keys and pairs.
        if compiled.options().similarity().bound() == SimilarityBound::Containment {
            let message = format!(
                "`similarity`: `{}` looks for documents inside larger ones, which a join of equal keys on many machines does not find",
                compiled.options().similarity().name()
            );
            let help = "use another one, such as the default, `jaccard`, or `dehusk dedup` on one machine";
            return Err(error::option(py, "similarity", &message, Some(help)));
        }
        let Some(groups) = matcher.groups() else {
            let message = "candidates by this method are not found by equal keys and verified, which a join on many machines needs";
            let help = "use the default, `lsh`, or `exact-key`";
            return Err(error::option(py, "candidates", message, Some(help)));
        };
        if !compiled.options().keeper().compares_alone() {
            let message = format!(
                "`keep`: `{}` scores documents by all others at once, which a search on many machines does not see",
                compiled.options().keeper().name()
            );
            return Err(error::option(py, "keep", &message, Some("use another one")));
        }
        if !compiled.options().clustering().is_local() {
            let message = format!(
                "`cluster`: `{}` looks at documents that no pairs connect, which a search on many machines does not see together",
                compiled.options().clustering().name()
            );
            let help = "use another one, such as the default, `cover`";
            return Err(error::option(py, "cluster", &message, Some(help)));
        }
        if compiled.options().deletion() == Deletion::Transitive {
            let message = "`delete`: `transitive` measures pairs of documents that no search has compared, which a search on many machines does not do";
            return Err(error::option(py, "delete", message, Some("leave it out")));
        }
        Ok(Search {
            signers: checked(py, kernel::SignerMaker::new(&settings, Arc::clone(&compiled)))?,
            settings,
            compiled,
            matcher,
            groups,
        })
    }

    /// Maximum number of further searches in large groups after the first search.
    #[classattr]
    const MAX_SEARCHES: u32 = BOUNDS.searches;

    /// Number of consecutive further searches without new pairs after which no further one is made.
    #[classattr]
    const MAX_FRUITLESS: u32 = BOUNDS.fruitless;

    /// Maximum number of rounds that compare texts with the representatives of their neighbors.
    #[classattr]
    const MAX_NEAR: u32 = BOUNDS.near;

    /// Number of similar texts, and of texts in a cluster, up to which all pairs of a text are listed.
    #[classattr]
    const MANY: usize = BOUNDS.many;

    /// The measure of similarity, as rows of pairs name it.
    #[getter]
    fn measure(&self) -> &'static str {
        self.compiled.options().similarity().name()
    }

    /// Whether a cluster is a document that stays, with those that it stands for.
    #[getter]
    fn follows_keeper(&self) -> bool {
        self.compiled.options().clustering().follows_keeper()
    }

    /// Whether every pair of documents is listed.
    #[getter]
    fn every_pair(&self) -> bool {
        self.settings.all_pairs.unwrap_or(false)
    }

    /// The field of documents that the keeper reads, if it reads one.
    #[getter]
    fn field_of_keep(&self) -> Option<String> {
        self.settings.field_of_keep()
    }

    /// The hashes and words by which the documents of a table are joined.
    fn keyed(&self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        let input = arrow::read(documents)?;
        interruptible(py, About::Work, |cancel| {
            let signer = || self.signers.signer();
            let by = (self.groups, &*self.compiled);
            input.map(|batch| batch::keyed(batch, &self.settings, cancel, by, &signer))
        })
    }

    /// All pairs of the members of groups.
    #[staticmethod]
    fn grouping() -> Grouping {
        Grouping(Mutex::new(batch::Groups::default()))
    }

    /// Members up to which groups are complete in any collection, after `search` searches.
    fn always(&self, search: u32) -> usize {
        self.groups.always(search)
    }

    /// How many of a large group's members lead it and are next to one of its members, given the numbers of members of all groups above
    /// [`always`](Self::always), each with the number of such groups. Also the largest number of members of a complete group.
    fn shared(&self, sizes: Vec<(u64, u64)>, documents: u64, search: u32) -> (usize, usize, usize) {
        let share = self.groups.share(&sizes, documents, search);
        (share.leaders(), share.neighbors(), share.complete())
    }

    /// What orders members of such groups; `search` is the number of searches before.
    fn ranked(&self, py: Python<'_>, members: &Bound<'_, PyAny>, search: u32) -> PyResult<Option<Table>> {
        each_batch(py, members, |batch| batch::ranked(batch, self.groups, search))
    }

    /// Similar pairs of candidates.
    fn comparing(&self) -> Comparing {
        let comparer = batch::Comparer::new(self.signers.signer(), self.matcher.clone(), self.groups);
        Comparing(Mutex::new(comparer))
    }

    /// Decisions on documents that are decided together, `most` of them at most.
    fn deciding(&self, py: Python<'_>, most: usize) -> PyResult<Deciding> {
        let decider = batch::Decider::new(&self.settings, Arc::clone(&self.compiled), most);
        Ok(Deciding(Mutex::new(checked(py, decider)?)))
    }
}

/// Groups of documents with an equal word; see [`batch::Groups`].
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Grouping(Mutex<batch::Groups>);

#[pymethods]
impl Grouping {
    fn push(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
        pushed(py, &self.0, rows, batch::Groups::push)
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        with(py, &self.0, |groups| gathered(batch::Groups::finish, groups))
    }
}

/// Candidate pairs with their texts; see [`batch::Comparer`].
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Comparing(Mutex<batch::Comparer>);

#[pymethods]
impl Comparing {
    fn push(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
        let input = arrow::read(rows)?;
        with(py, &self.0, |comparer| {
            let found = input.batches().iter().map(|batch| comparer.push(batch));
            Ok(Table::of(found.collect::<Result<_, _>>()?))
        })
    }
}

/// Pairs in the keeper's order; see [`batch::Cover`].
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Covering(Mutex<batch::Cover>);

#[pymethods]
impl Covering {
    #[new]
    fn new() -> Self {
        Covering(Mutex::default())
    }

    fn push(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
        let input = arrow::read(rows)?;
        with(py, &self.0, |cover| {
            let gone = input.batches().iter().map(|batch| cover.push(batch));
            Ok(Table::of(gone.collect::<Result<_, _>>()?))
        })
    }
}

/// Documents that are decided together; see [`batch::Decider`].
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Deciding(Mutex<batch::Decider>);

#[pymethods]
impl Deciding {
    fn push(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
        pushed(py, &self.0, rows, batch::Decider::push)
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        with(py, &self.0, |decider| gathered(batch::Decider::finish, decider))
    }
}

/// Ids that several documents have; see [`batch::Ids`].
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Renaming(Mutex<batch::Ids>);

#[pymethods]
impl Renaming {
    #[new]
    fn new() -> Self {
        Renaming(Mutex::default())
    }

    fn push(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
        let input = arrow::read(rows)?;
        with(py, &self.0, |ids| {
            let renamed = input.batches().iter().map(|batch| ids.push(batch));
            Ok(Table::of(renamed.collect::<Result<_, _>>()?))
        })
    }
}

/// Pages of sites; see [`batch::Learner`].
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Learning(Mutex<batch::Learner>);

#[pymethods]
impl Learning {
    #[new]
    fn new(options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let settings = LEARN.read(options)?;
        Ok(Learning(Mutex::new(batch::Learner::new(settings.extraction()))))
    }

    fn push(&self, py: Python<'_>, pages: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
        let input = arrow::read(pages)?;
        with(py, &self.0, |learner| {
            let learnt = input.batches().iter().map(|batch| learner.push(batch));
            Ok(Table::of(learnt.collect::<Result<_, _>>()?))
        })
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        with(py, &self.0, |learner| Ok(Table::of(vec![learner.finish()?])))
    }
}

/// The host of each page of a table.
#[pyfunction]
pub(crate) fn hosts(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Option<Table>> {
    let options = LEARN.read(options)?.extraction();
    each_batch(py, pages, |batch| batch::hosts(batch, &options))
}
