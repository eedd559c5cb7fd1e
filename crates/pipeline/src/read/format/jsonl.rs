//! JSON Lines: one JSON object a line.

use std::cell::Cell;
use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use memchr::{memchr, memchr_iter};

use crate::error::plain;
use crate::read::ahead::Ahead;
use crate::read::chunk::Packed;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, StartAt};
use crate::read::compression::{self, Members, Stored};
use crate::read::line_buffers::{LineBuffers, LineBytes};
use crate::record::json;
use crate::record::{DocumentRecord, PageRecord, Reason, Rejection, StringRoom};

/// JSON Lines: pages with `html`, `html_base64` or `path`, or documents with `text`. Empty lines do not count.
pub struct Jsonl;

/// Bytes that are read at once at least, and at most where lines are long: what is left of a line is copied, which long lines make dear, and
/// chunks of short lines hold many records, which take memory.
const READ: usize = 256 << 10;
const MOST: usize = 1 << 20;

impl Format for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn summary(&self) -> &'static str {
        "JSON Lines: pages with `html`, `html_base64` or `path`; documents with `text`"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
        first.trim_ascii_start().starts_with(b"{\"")
    }

    fn has_documents(&self) -> bool {
        true
    }

    fn is_lines(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let reader = source
            .stream()
            .unwrap_or_else(|error| Box::new(Broken(Some(error))));
        let reader = Ahead::new(reader, source.is_packed(), bounds.ahead);
        Box::new(Lines::new(Arc::clone(source), reader, bounds.line_bytes()))
    }

    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        let file = Ahead::new(Box::new(source.file_from(at.offset)?), false, false);
        let mut lines = Lines::new(Arc::clone(source), file, bounds.line_bytes());
        (lines.offset, lines.line) = (at.offset, at.line);
        Some(Box::new(lines))
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let base = chunk.source.path.as_deref().and_then(Path::parent);
        with_room(|room| {
            each_line(chunk, &mut |place, cut| {
                visit(
                    place,
                    tell_cut(json::page(place.raw, base, Some(room)), cut).into(),
                );
                room.clear();
            });
        });
    }

    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        with_room(|room| {
            each_line(chunk, &mut |place, cut| {
                visit(place, tell_cut(json::document(place.raw, Some(room)), cut).into());
                room.clear();
            });
        });
    }
}

/// Does some work with the room for strings that the thread keeps from chunk to chunk.
fn with_room(work: impl FnOnce(&mut StringRoom)) {
    thread_local!(static ROOM: Cell<StringRoom> = Cell::default());
    // A panic leaves the thread without.
    let mut room = ROOM.take();
    work(&mut room);
    ROOM.set(room);
}

/// JSON that ends too early is cut off only where the file ends; elsewhere it is just wrong.
fn tell_cut<T>(result: Result<T, Rejection>, cut: bool) -> Result<T, Rejection> {
    result.map_err(|rejection| match rejection.reason {
        Reason::Truncated if !cut => Rejection {
            reason: Reason::BadJson,
            ..rejection
        },
        _ => rejection,
    })
}

/// Calls `visit` with every line that is not empty, and with whether the file may end in the middle of it.
pub(crate) fn each_line<'c>(chunk: &'c Chunk, visit: &mut dyn FnMut(Place<'c>, bool)) {
    let Body::Lines { bytes, open_end } = &chunk.body else {
        return;
    };
    let mut start = 0;
    for (number, end) in bytes.ends().enumerate() {
        let offset = chunk.offset + start as u64;
        let mut raw = &bytes[start..end];
        if offset == 0 {
            raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
        }
        let raw = raw.trim_ascii();
        if !raw.is_empty() {
            let place = Place {
                line: Some(chunk.line + number as u64),
                raw,
                ..chunk.place(offset)
            };
            visit(place, *open_end && end == bytes.len());
        }
        start = end + 1;
    }
}

/// A file that could not be opened, in the place of its content.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Cuts a stream at line feeds. Returns what a read brought as soon as it completes a line, so that nobody who waits for
/// an answer waits for a full buffer.
pub(crate) struct Lines<R> {
    source: Arc<Source>,
    reader: R,
    buffers: Arc<LineBuffers>,
    /// Read and not returned: `buffer[start..end]`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes that a buffer holds at least when it is read into, by the longest line so far.
    length: usize,
    /// Places of the line feeds in `buffer[start..searched]`.
    feeds: Vec<usize>,
    searched: usize,
    /// Place of `start` in the stream.
    offset: u64,
    line: u64,
    members: Members,
    /// Compressed bytes that chunks stand for so far.
    taken: u64,
    most: usize,
    finished: bool,
}

impl<R: Stored> Lines<R> {
    pub(crate) fn new(source: Arc<Source>, reader: R, most: usize) -> Self {
        Lines {
            source,
            reader,
            buffers: Arc::default(),
            buffer: Vec::new(),
            start: 0,
            end: 0,
            length: 0,
            feeds: Vec::new(),
            searched: 0,
            offset: 0,
            line: 1,
            members: Members::default(),
            taken: 0,
            most,
            finished: false,
        }
    }

    /// Reads once, behind what is there; 0 at the end.
    fn fill(&mut self) -> io::Result<usize> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.searched -= self.start;
            self.end -= self.start;
            self.start = 0;
        }
        // As much as the line takes that was begun, so that a long one is copied few times.
        let line = self.end + READ.max(self.end);
        self.length = self.length.max(line.min(MOST));
        let until = self.length.max(line);
        if self.buffer.len() < until {
            self.buffer.resize(until, 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..until]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    let plain = self.offset + (self.end - self.start) as u64;
                    self.members.note(plain, self.reader.member());
                    self.end += read;
                    return Ok(read);
                }
            }
        }
    }

    /// Where to cut: behind the first line feed if lines go singly, else behind the last.
    fn cut(&mut self) -> Option<usize> {
        // What was read is searched while it is near the processor, and this once.
        let unsearched = &self.buffer[self.searched..self.end];
        let found = memchr_iter(b'\n', unsearched).map(|at| self.searched + at);
        self.feeds.extend(found);
        self.searched = self.end;
        let feed = match self.source.singly {
            true => self.feeds.first(),
            false => self.feeds.last(),
        };
        feed.map(|at| at + 1)
    }

    fn take(&mut self, cut: usize, open_end: bool) -> Chunk {
        let (taken, rest) = (self.start..cut, cut..self.end);
        let lines = self.feeds.partition_point(|at| *at < cut);
        let feeds = self.feeds.drain(..lines).map(|at| at - taken.start).collect();
        let (offset, line) = (self.offset, self.line);
        self.offset += taken.len() as u64;
        self.line += lines as u64;
        let bytes = if taken.len() < rest.len() {
            self.start = cut;
            LineBytes::own(self.buffer[taken].to_vec(), feeds)
        } else {
            // The buffer goes with its lines, and what is left of it into the next one.
            let mut next = self.buffers.take();
            if next.len() < rest.len() {
                next.resize(rest.len() + READ, 0);
            }
            next[..rest.len()].copy_from_slice(&self.buffer[rest.clone()]);
            (self.start, self.end, self.searched) = (0, rest.len(), self.searched - cut);
            self.feeds.iter_mut().for_each(|at| *at -= cut);
            LineBytes::part(mem::replace(&mut self.buffer, next), taken, feeds, &self.buffers)
        };
        self.chunk(offset, line, Body::Lines { bytes, open_end })
    }

    fn chunk(&mut self, offset: u64, line: u64, body: Body) -> Chunk {
        let packed = self.reader.taken().map(|taken| {
            self.members.forget_before(offset);
            let bytes = taken - self.taken;
            self.taken = taken;
            let members = self.members.clone();
            Packed { bytes, members }
        });
        Chunk {
            packed,
            ..Chunk::new(&self.source, offset, line, body)
        }
    }

    /// Drops the rest of a line that is too long, and says so.
    fn skip_line(&mut self) -> io::Result<Chunk> {
        let (offset, line) = (self.offset, self.line);
        let message = format!(
            "the line is longer than {} bytes, the room for one page",
            self.most
        );
        loop {
            self.offset += (self.searched - self.start) as u64;
            self.start = self.searched;
            if self.fill()? == 0 {
                break;
            }
            if let Some(at) = memchr(b'\n', &self.buffer[self.start..self.end]) {
                self.offset += at as u64 + 1;
                self.start += at + 1;
                self.searched = self.start;
                self.line += 1;
                break;
            }
            self.searched = self.end;
        }
        Ok(self.chunk(
            offset,
            line,
            Body::Rejected(Rejection::new(Reason::LineTooLong, message)),
        ))
    }

    /// The rejection of the whole stream, if it is compressed. Asked before anything of it is returned.
    fn compressed(&mut self) -> Option<Chunk> {
        if self.offset > 0 {
            return None;
        }
        let rejection = compression::rejection(&self.buffer[self.start..self.end])?;
        self.finished = true;
        Some(self.chunk(0, 1, Body::Rejected(rejection)))
    }

    fn failed(&mut self, error: &io::Error) -> Chunk {
        if error.kind() == io::ErrorKind::InvalidData {
            return self.damaged(error);
        }
        self.finished = true;
        let message = match self.offset {
            0 => plain(error),
            at => format!("{}; what follows byte {at} is lost", plain(error)),
        };
        let reason = if self.offset == 0 {
            Reason::Unreadable
        } else {
            Reason::Truncated
        };
        self.chunk(
            self.offset,
            self.line,
            Body::Rejected(Rejection::new(reason, message)),
        )
    }
}

impl<R: Stored> Lines<R> {
    /// The line is lost in which a compressed stream is damaged; what follows is read on.
    fn damaged(&mut self, error: &io::Error) -> Chunk {
        let (offset, line) = (self.offset, self.line);
        self.members.note(offset, self.reader.member());
        self.offset += (self.end - self.start) as u64;
        (self.start, self.searched) = (self.end, self.end);
        let rejection = Rejection::new(Reason::Compressed, error.to_string());
        self.chunk(offset, line, Body::Rejected(rejection))
    }
}

impl<R: Stored + Send> Chunks for Lines<R> {
    fn next(&mut self) -> Option<Chunk> {
        while !self.finished {
            if let Some(cut) = self.cut() {
                return self.compressed().or_else(|| Some(self.take(cut, false)));
            }
            if self.end - self.start > self.most {
                if let Some(compressed) = self.compressed() {
                    return Some(compressed);
                }
                return Some(self.skip_line().unwrap_or_else(|error| self.failed(&error)));
            }
            match self.fill() {
                Ok(0) => {
                    self.finished = true;
                    if self.start < self.end {
                        return self.compressed().or_else(|| Some(self.take(self.end, true)));
                    }
                }
                Ok(_) => {}
                Err(error) => return Some(self.failed(&error)),
            }
        }
        None
    }
}
