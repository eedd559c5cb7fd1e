//! Pages of an iterable to documents: threads work ahead, and results come in the order of the pages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, TryLockError};

use dehusk_pipeline::record::{Document, Reason, Rejection};
use dehusk_pipeline::{Background, Done, InOrder};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::error;
use crate::kernel::{Kernel, record};
use crate::page::OwnedPage;
use crate::work::LOOK;

/// Number of pages per thread that are read ahead of the document that is returned next.
const AHEAD: usize = 4;

/// Hands out the record of each page's document, or an exception in its place.
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Documents {
    kernel: Arc<Kernel>,
    state: Mutex<State>,
}

type Extracted = Result<Document, Rejection>;

struct State {
    /// The iterable; `None` once it has ended.
    pages: Option<Py<PyIterator>>,
    /// The error that ended the iterable, to be raised after the results before it.
    failed: Option<PyErr>,
    /// Pages that were read.
    read: u64,
    under_way: InOrder<Extracted>,
    /// Finished results, and errors for items that are not pages, in the order of the items. `None` holds
    /// the place of a result that is not finished.
    ready: VecDeque<Option<Ready>>,
}

enum Ready {
    Done(Box<Done<Extracted>>),
    NoPage(PyErr),
}

impl Documents {
    pub(crate) fn new(kernel: Arc<Kernel>, threads: usize, pages: &Bound<'_, PyAny>) -> PyResult<Self> {
        let state = State {
            pages: Some(pages.try_iter()?.unbind()),
            failed: None,
            read: 0,
            under_way: InOrder::ahead(&Background::new(threads), AHEAD * threads),
            ready: VecDeque::new(),
        };
        Ok(Documents {
            kernel,
            state: Mutex::new(state),
        })
    }
}

#[pymethods]
impl Documents {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// A dictionary, or an exception that is not raised; `None` at the end.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Never blocks: this thread holds the interpreter, which the other thread needs before it can give
        // up the lock.
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyValueError::new_err(
                    "another thread is asking for the next document already",
                ));
            }
        };
        state.fill(py, &self.kernel);
        loop {
            match state.ready.front() {
                None => return state.failed.take().map_or(Ok(None), Err),
                Some(Some(_)) => break,
                Some(None) => {}
            }
            let under_way = &mut state.under_way;
            // The interpreter is released while waiting, and Ctrl-C is looked for after each interval.
            match py.detach(|| under_way.next_within(LOOK)) {
                Some(done) => state.settle(done),
                None => py.check_signals()?,
            }
        }
        match state.ready.pop_front().flatten() {
            None => Ok(None),
            Some(Ready::NoPage(error)) => Ok(Some(error.into_value(py).into_bound(py).into_any())),
            Some(Ready::Done(done)) => shown(py, *done).map(Some),
        }
    }
}

/// Returns a document as its record, and a failure as an exception that is not raised.
fn shown(py: Python<'_>, done: Done<Extracted>) -> PyResult<Bound<'_, PyAny>> {
    let error = match done {
        Ok(Ok(document)) => return record(py, document),
        Ok(Err(rejected)) => error::rejection(py, &rejected),
        Err(message) => error::panic(py, &message),
    };
    Ok(error.into_value(py).into_bound(py).into_any())
}

impl State {
    /// Takes pages from the iterable until enough are under way.
    fn fill(&mut self, py: Python<'_>, kernel: &Arc<Kernel>) {
        // Items that are not pages take no place in `under_way`, so the number of results is bounded as
        // well.
        while !self.under_way.is_full() && self.ready.len() < 1024 {
            let Some(pages) = &self.pages else { return };
            let item = match pages.bind(py).clone().next() {
                Some(Ok(item)) => item,
                ended => {
                    // The error of the iterable is raised once the results before it have been handed out.
                    self.pages = None;
                    self.failed = ended.and_then(Result::err);
                    return;
                }
            };
            self.read += 1;
            match OwnedPage::of_item(&item) {
                Err(error) => self.ready.push_back(Some(Ready::NoPage(no_page(py, error)))),
                Ok(page) => {
                    let (page, kernel) = (page.with_number(self.read), Arc::clone(kernel));
                    // The place of this page's result. It is reserved before the work begins, so that
                    // places have the order of pages.
                    self.ready.push_back(None);
                    let under_way = &mut self.under_way;
                    // With one thread the work is done here, and its result is returned.
                    let done =
                        py.detach(|| under_way.push(move || kernel.extract_given(page.record(), None)));
                    if let Some(done) = done {
                        self.settle(done);
                        return;
                    }
                }
            }
        }
    }

    /// Puts a result in the first place that waits for one.
    fn settle(&mut self, done: Done<Extracted>) {
        // Results arrive in the order of pages, so the first empty place is that of this result.
        if let Some(place) = self.ready.iter_mut().find(|place| place.is_none()) {
            *place = Some(Ready::Done(Box::new(done)));
        }
    }
}

/// Returns the error for an item that is not a page. Errors that the program itself raised are passed on unchanged.
fn no_page(py: Python<'_>, wrong: PyErr) -> PyErr {
    if !wrong.is_instance_of::<PyTypeError>(py) && !wrong.is_instance_of::<PyValueError>(py) {
        return wrong;
    }
    let rejection = Rejection {
        id: None,
        url: None,
        reason: Reason::MissingContent,
        message: wrong.value(py).to_string(),
    };
    let error = error::rejection(py, &rejection);
    error.set_cause(py, Some(wrong));
    error
}
