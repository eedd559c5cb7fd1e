//! The side of the page process.

use std::io::{self, BufReader, Read, Write};
use std::{mem, thread};

use serde::Serialize;

use super::content::ContentReceiver;
use super::fingerprint::Fingerprint;
use super::frame;
use super::lifeline;
use super::memory::MemoryLimit;
use super::request::{Answer, Ask, Told, size};
use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::record::{PageRecord, Reason, Rejection};

/// Size in bytes at or above which gathered answers are written.
const ANSWERS: usize = 256 << 10;

/// Maximum capacity in bytes of page and answer buffers that are kept.
const KEPT: usize = 8 << 20;

/// Lines of pages.
pub(crate) struct PageLines<'l> {
    /// Description of the lines by their sender.
    pub(crate) known: &'l [u8],
    /// The lines, possibly followed by other bytes.
    pub(crate) buffer: &'l mut Vec<u8>,
    /// Number of bytes of the lines in `buffer`.
    pub(crate) bytes: usize,
}

/// Processes all pages of some lines.
///
/// The first function is called with each page before it is processed. The second is called with the end of
/// lines that were read in a file, and with the result of each record. Returns `false` if the description
/// of the lines cannot be read.
pub(crate) type EachPage<'f, M> =
    dyn Fn(PageLines<'_>, &dyn Fn(&PageRecord<'_>), &mut dyn FnMut(Told<M>)) -> bool + 'f;

/// Processes pages until the input ends, for the parent.
///
/// A message on standard input holds either a page or lines of pages. A page is answered on standard output with the result
/// of `work`. Lines are processed by `lines`, with an answer for each record. The first message that is sent holds the
/// fingerprint.
///
/// The process ends soon after its parent, even while it processes a page.
///
/// # Errors
/// If messages cannot be read or written, for example because the parent has ended.
pub(crate) fn serve<M: Serialize>(
    fingerprint: Fingerprint,
    work: impl Fn(&PageRecord<'_>) -> Result<M, Rejection>,
    lines: &EachPage<'_, M>,
) -> Result<(), Error> {
    // Started before memory is limited, because the thread needs some.
    lifeline::end_with_parent()
        .map_err(|e| Error::failed(format!("a page process cannot watch its parent: {e}")))?;
    let limit = MemoryLimit::new();
    let begin_page = |bytes| limit.begin_page(bytes);
    let input = BufReader::new(io::stdin().lock());
    answers()
        .and_then(|output| answer(input, output, fingerprint, begin_page, work, lines))
        .map_err(|e| Error::failed(format!("a page process lost its parent: {e}")))
}

/// Returns standard output without the line buffer of the standard library.
#[cfg(unix)]
fn answers() -> io::Result<impl Write> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from)
}

#[cfg(not(unix))]
fn answers() -> io::Result<impl Write> {
    Ok(io::stdout().lock())
}

/// Answers requests. `begin_page` is called with the size in bytes of the next page.
fn answer<M: Serialize>(
    mut input: impl Read,
    mut output: impl Write,
    fingerprint: Fingerprint,
    begin_page: impl Fn(usize),
    work: impl Fn(&PageRecord<'_>) -> Result<M, Rejection>,
    lines: &EachPage<'_, M>,
) -> io::Result<()> {
    // The parent compares the fingerprint before it sends a page.
    frame::write(&mut output, &fingerprint.0.to_le_bytes())?;
    let contents = ContentReceiver::agree(&mut input, &mut output)?;
    let (mut message, mut buffer) = (Vec::new(), Vec::new());
    let mut answers = Answers {
        output,
        waiting: Vec::new(),
    };
    // A request consists of two messages: the description and the content.
    while frame::read(&mut input, &mut message)?
        && let Some(bytes) = contents.receive(&mut input, &mut buffer)?
    {
        begin_page(message.len() + bytes);
        match postcard::from_bytes(&message).map_err(io::Error::other)? {
            Ask::Page(request) => {
                debug_assert!(bytes <= buffer.len(), "the content was received into the buffer");
                let page = request.page(buffer.get(..bytes).unwrap_or_default());
                // A panic costs the page. The process goes on.
                let made = catch_panic(|| work(&page))
                    .unwrap_or_else(|panic| Err(Rejection::new(Reason::Panic, panic)));
                answers.add(&made)?;
            }
            Ask::Lines(known) => {
                // Each page of the lines gets a limit of its own.
                let begin = |page: &PageRecord<'_>| begin_page(size(page));
                let mut written = Ok(());
                let mut tell = |told: Told<M>| {
                    // Other threads of the parent wait for the end of these lines.
                    let at_once = matches!(told, Told::Read(_));
                    if written.is_ok() {
                        written = answers.add(&Answer::of(told));
                    }
                    if written.is_ok() && at_once {
                        written = answers.write();
                        // The reader is often woken on this processor while another processor is idle; yielding lets it run at once.
                        thread::yield_now();
                    }
                };
                let buffer = &mut buffer;
                let read = lines(PageLines { known, buffer, bytes }, &begin, &mut tell);
                written?;
                if !read {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                answers.add(&Answer::<M>::End)?;
            }
        }
        answers.write()?;
        // The memory of a very long page is not kept.
        if buffer.capacity() > KEPT {
            buffer = Vec::new();
        }
    }
    Ok(())
}

/// Answers to be written. Several are written at once, since each write wakes the reader.
struct Answers<W> {
    output: W,
    waiting: Vec<u8>,
}

impl<W: Write> Answers<W> {
    /// Adds an answer, and writes all answers if there are enough.
    fn add(&mut self, answer: &impl Serialize) -> io::Result<()> {
        let waiting = mem::take(&mut self.waiting);
        self.waiting = frame::append(answer, waiting).map_err(io::Error::other)?;
        match self.waiting.len() < ANSWERS {
            true => Ok(()),
            false => self.write(),
        }
    }

    /// Writes the gathered answers.
    fn write(&mut self) -> io::Result<()> {
        self.output.write_all(&self.waiting)?;
        self.output.flush()?;
        self.waiting.clear();
        if self.waiting.capacity() > KEPT {
            self.waiting = Vec::new();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::page_process::request::Request;
    use crate::record::mend::LineNotes;
    use crate::record::{Content, Rejected, StartAt};

    #[test]
    fn pages_are_answered_in_order_and_a_panic_is_an_answer() {
        let mut input = Vec::new();
        frame::write(&mut input, b"/no/memory").unwrap();
        for text in ["one", "boom", "three"] {
            let page = PageRecord::new(Content::Text(text.into()));
            let ask = Ask::Page(Request::of(&page));
            frame::write(&mut input, &postcard::to_stdvec(&ask).unwrap()).unwrap();
            frame::write(&mut input, Request::content(&page)).unwrap();
        }
        let work = |page: &PageRecord<'_>| match &page.content {
            Content::Text(text) if text == "boom" => panic!("no boom please"),
            Content::Text(text) => Ok(text.len()),
            _ => Err(Rejection::new(Reason::MissingContent, "not a text")),
        };
        let mut output = Vec::new();
        let pages = Cell::new(0);
        let begin_page = |bytes| pages.set(pages.get() + usize::from(bytes > 3));
        let nowhere = |_: PageLines<'_>, _: &dyn Fn(&PageRecord<'_>), _: &mut dyn FnMut(_)| false;
        answer(&*input, &mut output, Fingerprint(7), begin_page, work, &nowhere).unwrap();
        assert_eq!(pages.get(), 3);

        let (mut from, mut message) = (output.as_slice(), Vec::new());
        assert!(frame::read(&mut from, &mut message).unwrap());
        assert_eq!(message, 7_u64.to_le_bytes());
        assert!(frame::read(&mut from, &mut message).unwrap());
        assert_eq!(message, [0]);
        let mut got = Vec::new();
        while frame::read(&mut from, &mut message).unwrap() {
            let made: Result<usize, Rejection> = postcard::from_bytes(&message).unwrap();
            got.push(made.map_err(|rejection| (rejection.reason, rejection.message)));
        }
        assert_eq!(
            got,
            [Ok(3), Err((Reason::Panic, "no boom please".to_owned())), Ok(5)]
        );
    }

    #[test]
    fn each_record_of_lines_is_answered_and_pages_after_them() {
        let mut input = Vec::new();
        frame::write(&mut input, b"/no/memory").unwrap();
        let lines = b"one\n\xff\nthree";
        let page = PageRecord::new(Content::Text("a page".into()));
        for (ask, content) in [
            (Ask::Lines(b"known"), &lines[..]),
            (Ask::Page(Request::of(&page)), Request::content(&page)),
        ] {
            frame::write(&mut input, &postcard::to_stdvec(&ask).unwrap()).unwrap();
            frame::write(&mut input, content).unwrap();
        }
        let notes = LineNotes {
            columns: 5,
            ..LineNotes::default()
        };
        let each =
            |lines: PageLines<'_>, begin: &dyn Fn(&PageRecord<'_>), tell: &mut dyn FnMut(Told<usize>)| {
                assert_eq!(lines.known, b"known");
                tell(Told::Read(StartAt::FIRST));
                for line in lines.buffer[..lines.bytes].split(|byte| *byte == b'\n') {
                    tell(Told::Record(match str::from_utf8(line) {
                        Ok(text) => {
                            begin(&PageRecord::new(Content::Text(text.into())));
                            Ok(text.len())
                        }
                        Err(_) => Err(rejected()),
                    }));
                }
                tell(Told::Noted(notes));
                true
            };
        let (sizes, mut output) = (std::cell::RefCell::new(Vec::new()), Vec::new());
        let begin_page = |bytes| sizes.borrow_mut().push(bytes);
        let work = |page: &PageRecord<'_>| Ok(Request::content(page).len());
        answer(&*input, &mut output, Fingerprint(7), begin_page, work, &each).unwrap();
        assert_eq!(sizes.borrow()[1..3], [3, 5]);

        let (mut from, mut message) = (output.as_slice(), Vec::new());
        let mut read = || frame::read(&mut from, &mut message).map(|there| there.then(|| message.clone()));
        assert!(read().unwrap().is_some() && read().unwrap().is_some());
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        loop {
            match postcard::from_bytes::<Answer<usize>>(&read().unwrap().unwrap()).unwrap() {
                Answer::Read(end) => ends.push((end, rows.len())),
                Answer::Made(made) => rows.push(Ok(made)),
                Answer::Rejected(rejected) => rows.push(Err(serde_json::from_str(&rejected).unwrap())),
                Answer::Noted(told) => assert_eq!(told, notes),
                Answer::End => break,
            }
        }
        assert_eq!(rows, [Ok(3), Err(rejected()), Ok(5)]);
        assert_eq!(ends, [(StartAt::FIRST, 0)]);
        let page: Result<usize, Rejection> = postcard::from_bytes(&read().unwrap().unwrap()).unwrap();
        assert_eq!(page.map_err(|rejection| rejection.message), Ok(6));
        assert_eq!(read().unwrap(), None);
    }

    fn rejected() -> Rejected {
        Rejected {
            input: "x.jsonl".to_owned(),
            offset: 4,
            plain_offset: None,
            record: None,
            id: "2".to_owned(),
            url: None,
            reason: Reason::BadJson,
            message: "no text".to_owned(),
        }
    }
}
