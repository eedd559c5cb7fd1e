//! Pages of files, one after the other, read ahead by a thread.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, TryLockError};
use std::thread;

use dehusk_pipeline::record::{Content, PageRecord, Rejected};
use dehusk_pipeline::{Cancel, Error, Interrupt, Job, Settings, catch_panic};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::error::{self, About};
use crate::options::READ;
use crate::to_python::to_python;
use crate::work::LOOK;

/// Number of pages that are read ahead.
const AHEAD: usize = 64;

/// Hands out dictionaries: the fields of pages, and of records that could not be used.
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Pages {
    items: Mutex<Option<Receiver<Item>>>,
    cancel: Cancel,
}

enum Item {
    Page(Box<Page>),
    Rejected(Box<Rejected>),
    Failed(Box<Error>),
    Panic(String),
}

/// A page with memory of its own.
struct Page {
    html: Html,
    id: Option<String>,
    url: Option<String>,
    content_type: Option<String>,
    charset: Option<String>,
    date: Option<String>,
    popularity: Option<f64>,
    damage: Option<String>,
    place: Option<(String, u64, Option<u64>)>,
    extra: Vec<(String, String)>,
}

enum Html {
    Text(String),
    Bytes(Vec<u8>),
}

impl Page {
    /// Copies a record, which borrows from the reader's buffers.
    fn of(record: PageRecord<'_>) -> Page {
        let own = |text: Option<std::borrow::Cow<'_, str>>| text.map(std::borrow::Cow::into_owned);
        Page {
            html: match record.content {
                Content::Text(text) => Html::Text(text.into_owned()),
                Content::Bytes(bytes) => Html::Bytes(bytes.into_owned()),
                Content::File { .. } => Html::Bytes(Vec::new()), // was read before it came here
            },
            id: own(record.id),
            url: own(record.url),
            content_type: own(record.content_type),
            charset: own(record.charset),
            date: own(record.date),
            popularity: record.popularity,
            place: record
                .place
                .map(|place| (place.source.into_owned(), place.offset, place.plain_offset)),
            damage: match (own(record.damage), own(record.cut)) {
                (Some(damage), Some(cut)) => Some(format!("{damage}; {cut}")),
                (damage, cut) => damage.or(cut),
            },
            extra: {
                let fields = record.extra.0.into_iter();
                fields
                    .map(|(name, value)| (name.into_owned(), value.get().to_owned()))
                    .collect()
            },
        }
    }

    /// Returns the page as a dictionary.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        match &self.html {
            Html::Text(text) => fields.set_item("html", PyString::new(py, text))?,
            Html::Bytes(bytes) => fields.set_item("html", PyBytes::new(py, bytes))?,
        }
        fields.set_item("id", &self.id)?;
        fields.set_item("url", &self.url)?;
        fields.set_item("content_type", &self.content_type)?;
        fields.set_item("charset", &self.charset)?;
        fields.set_item("date", &self.date)?;
        fields.set_item("popularity", self.popularity)?;
        fields.set_item("damage", &self.damage)?;
        let place = self.place.as_ref();
        fields.set_item("source", place.map(|(source, ..)| source))?;
        fields.set_item("offset", place.map(|(_, offset, _)| offset))?;
        fields.set_item("plain_offset", place.and_then(|(.., plain)| *plain))?;
        let extra = PyDict::new(py);
        let json = py.import("json")?;
        for (name, value) in &self.extra {
            // Parsed here, on the thread that has the interpreter. The reading thread carries text only.
            extra.set_item(name, json.call_method1("loads", (value,))?)?;
        }
        fields.set_item("extra", extra)?;
        Ok(fields)
    }
}

/// Reads pages of files and folders in the formats of the command line.
#[pyfunction]
pub(crate) fn read_pages(
    py: Python<'_>,
    inputs: Vec<String>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Pages> {
    let settings = READ.read(options)?;
    let cancel = Cancel::new();
    // Missing inputs are reported here rather than with the first page.
    let opened = py.detach(|| {
        let kind = dehusk_pipeline::RecordKind::Pages;
        Job::new(&inputs, &settings, &cancel).open(kind).map(drop)
    });
    opened.map_err(|error| error::exception(py, &error, About::Work))?;
    // The bound makes the reading thread wait when the consumer is slow.
    let (to, items) = mpsc::sync_channel(AHEAD);
    let switch = cancel.clone();
    let work = move || {
        let failed = match catch_panic(|| read(&inputs, &settings, &switch, &to)) {
            Ok(Ok(())) => return,
            Ok(Err(error)) => Item::Failed(Box::new(error)),
            Err(panic) => Item::Panic(panic),
        };
        // An error means that the receiver is gone: its reader has stopped early.
        drop(to.send(failed));
    };
    thread::Builder::new().spawn(work)?;
    Ok(Pages {
        items: Mutex::new(Some(items)),
        cancel,
    })
}

/// Reads all pages and sends them. Ends early if the receiver is gone.
fn read(inputs: &[String], settings: &Settings, cancel: &Cancel, to: &SyncSender<Item>) -> Result<(), Error> {
    let job = Job::new(inputs, settings, cancel);
    let visit = &mut |found: Result<PageRecord<'_>, Rejected>| {
        let item = match found {
            Ok(record) => Item::Page(Box::new(Page::of(record))),
            Err(rejected) => Item::Rejected(Box::new(rejected)),
        };
        to.send(item).is_ok()
    };
    job.each_page(visit).map(drop)
}

#[pymethods]
impl Pages {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// A dictionary with `html` or with `reason`; `None` at the end.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Never blocks: this thread holds the interpreter, which a waiting thread needs before it can give
        // up the lock.
        let mut items = match self.items.try_lock() {
            Ok(items) => items,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyValueError::new_err(
                    "another thread is asking for the next page already",
                ));
            }
        };
        let item = loop {
            let Some(listening) = items.as_mut() else {
                return Ok(None);
            };
            let listen = || {
                let listening: &mut Receiver<Item> = listening;
                listening.recv_timeout(LOOK)
            };
            match py.detach(listen) {
                Ok(item) => break item,
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                // The sender is gone, so all pages have been handed out. The loop then returns `None`, now
                // and later.
                Err(RecvTimeoutError::Disconnected) => *items = None,
            }
        };
        match item {
            Item::Page(page) => Ok(Some(page.fields(py)?.into_any())),
            Item::Rejected(rejected) => to_python(py, rejected.as_ref()).map(Some),
            Item::Failed(error) => Err(error::exception(py, &error, About::Work)),
            Item::Panic(message) => Err(error::panic(py, &message)),
        }
    }

    /// Ends the reading.
    fn close(&self) {
        self.cancel.request(Interrupt::Terminate);
        // Fails while another thread waits for a page. That thread then sees the end of the channel, since
        // the reading thread was canceled.
        if let Ok(mut items) = self.items.try_lock() {
            *items = None;
        }
    }
}
