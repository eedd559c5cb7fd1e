//! Cuts streams, and spans of plain files, at line feeds.

use std::io;
use std::mem;
use std::sync::Arc;

use memchr::{memchr, memchr_iter};

use crate::error::plain;
use crate::read::chunk::{Body, Chunk, Chunks, Packed, Source};
use crate::read::compression::{self, Members, Stored};
use crate::read::line_buffers::{LineBuffers, LineBytes};
use crate::read::span::Span;
use crate::record::{Reason, Rejection, StartAt};

/// Bytes that are read at once at least, and at most where lines are long: what is left of a line is copied, which long lines make dear, and
/// chunks of short lines hold many records, which take memory.
const READ: usize = 256 << 10;
const MOST: usize = 1 << 20;

/// Bytes that are read at once behind a span, for the end of its last line: two lines of its average length, but no fewer than the first figure
/// and no more than the second, unless the line turns out to be longer. What is read of the next span is read again.
const BEHIND: [usize; 2] = [4 << 10, 64 << 10];

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
    /// The byte before which lines begin, if others read those behind it.
    until: Option<u64>,
    finished: bool,
    /// Whether what follows cannot be read.
    lost: bool,
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
            until: None,
            finished: false,
            lost: false,
        }
    }

    /// The lines of a stream that begins with this place of a file.
    pub(crate) fn starting(self, at: StartAt) -> Self {
        Lines {
            offset: at.offset,
            line: at.line,
            ..self
        }
    }

    /// Only the lines that begin before this byte, which the file had when it was opened: all of them at once, unless something is wrong.
    pub(crate) fn until(self, until: u64, buffers: &Arc<LineBuffers>) -> Self {
        Lines {
            until: Some(until),
            finished: self.offset >= until,
            buffer: buffers.take(),
            buffers: Arc::clone(buffers),
            ..self
        }
    }

    /// Where the line begins that follows what was returned; [`Span::NOWHERE`] if nothing more can be read.
    pub(crate) fn end(&self) -> StartAt {
        match self.lost {
            true => Span::NOWHERE,
            false => StartAt {
                offset: self.offset,
                line: self.line,
            },
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
        let until = match self.until {
            Some(until) => {
                let left = until.saturating_sub(self.offset + self.end as u64);
                let two_lines = 2 * self.end / (1 + self.feeds.len());
                let behind = two_lines.clamp(BEHIND[0], BEHIND[1]).max(self.begun() / 8);
                self.end + if left > 0 { left as usize } else { behind }
            }
            None => {
                // As much as the line takes that was begun, so that a long one is copied few times.
                let line = self.end + READ.max(self.end);
                self.length = self.length.max(line.min(MOST));
                self.length.max(line)
            }
        };
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

    /// Bytes of the line that was begun.
    fn begun(&self) -> usize {
        self.end - self.feeds.last().map_or(self.start, |at| at + 1)
    }

    /// Where to cut: behind the last line that begins in a span; else behind the first line feed if lines go singly, or behind the last.
    fn cut(&mut self) -> Option<usize> {
        // What was read is searched while it is near the processor, and this once.
        let unsearched = &self.buffer[self.searched..self.end];
        let found = memchr_iter(b'\n', unsearched).map(|at| self.searched + at);
        self.feeds.extend(found);
        self.searched = self.end;
        let feed = match self.until {
            Some(until) => {
                let behind = |at: usize| self.offset + (at - self.start) as u64 + 1;
                let inner = self.feeds.partition_point(|at| behind(*at) < until);
                self.feeds.get(inner)
            }
            None if self.source.singly => self.feeds.first(),
            None => self.feeds.last(),
        };
        feed.map(|at| at + 1)
    }

    fn take(&mut self, cut: usize, open_end: bool) -> Chunk {
        let taken = self.start..cut;
        let lines = self.feeds.partition_point(|at| *at < cut);
        let feeds = self.feeds.drain(..lines).map(|at| at - taken.start).collect();
        let (offset, line) = (self.offset, self.line);
        self.offset += taken.len() as u64;
        self.line += lines as u64;
        self.finish_span();
        if self.finished {
            self.end = cut;
        }
        let rest = cut..self.end;
        let bytes = if taken.len() < rest.len() {
            self.start = cut;
            LineBytes::own(self.buffer[taken].to_vec(), feeds)
        } else {
            // The buffer goes with its lines, and what is left of it into the next one.
            let mut next = match self.finished {
                true => Vec::new(),
                false => self.buffers.take(),
            };
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

    /// Ends with the span.
    fn finish_span(&mut self) {
        self.finished |= self.until.is_some_and(|until| self.offset >= until);
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
        self.finish_span();
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
        (self.finished, self.lost) = (true, true);
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
    /// What is told if a span is not there as a whole.
    fn shorter(&mut self) -> Option<Chunk> {
        self.lost = self.until.is_some_and(|until| self.offset < until);
        let message = format!(
            "the file became shorter while it was read; what follows byte {} is lost",
            self.offset
        );
        let body = Body::Rejected(Rejection::new(Reason::Truncated, message));
        self.lost.then(|| self.chunk(self.offset, self.line, body))
    }

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
            // Of a span, lines before one that is too long or that cannot be read come first.
            let before = self.feeds.last().map(|at| at + 1);
            if self.begun() > self.most {
                if let Some(compressed) = self.compressed() {
                    return Some(compressed);
                }
                return Some(match before {
                    Some(cut) => self.take(cut, false),
                    None => self.skip_line().unwrap_or_else(|error| self.failed(&error)),
                });
            }
            match self.fill() {
                Ok(0) => {
                    let held = self.start < self.end;
                    // Where a span should go on, it is looked once more.
                    self.finished = self.until.is_none() || !held;
                    if held {
                        return self.compressed().or_else(|| Some(self.take(self.end, true)));
                    }
                    return self.shorter();
                }
                Ok(_) => {}
                Err(error) => {
                    return Some(match self.feeds.last() {
                        Some(at) => self.take(at + 1, false),
                        None => self.failed(&error),
                    });
                }
            }
        }
        None
    }
}
