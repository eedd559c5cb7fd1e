//! Cuts streams, and spans of plain files, into lines.

use std::io;
use std::mem;
use std::sync::Arc;

use dehusk_html::narrow;
use memchr::{memchr, memchr_iter};

use crate::error::plain;
use crate::read::chunk::{Body, Chunk, Chunks, Packed, Source};
use crate::read::compression::{self, Members, Stored};
use crate::read::line_buffers::{LineBuffers, LineBytes};
use crate::read::span::Span;
use crate::record::{Reason, Rejection, StartAt};

/// Minimum number of bytes read at once. Longer lines get larger reads, because the unfinished line is copied after
/// each read.
const READ: usize = 256 << 10;
/// Maximum number of bytes read at once, unless a line is longer. Large chunks of short lines hold many records and take
/// much memory.
const MOST: usize = 1 << 20;

/// Minimum and maximum number of bytes read at once after a span to complete its last line. The amount is twice the
/// average line length within these bounds, or more if the line turns out to be longer. Bytes read from the
/// next span are read again.
const BEHIND: [usize; 2] = [4 << 10, 64 << 10];

/// Cuts a stream into chunks of whole lines. A chunk is returned as soon as a read completes a line, so an
/// interactive sender gets its answer without filling the buffer.
pub(crate) struct Lines<R> {
    source: Arc<Source>,
    reader: R,
    buffers: Arc<LineBuffers>,
    /// Read but not yet returned: `buffer[start..end]`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Minimum number of bytes of the buffer when it is read into; grows with the longest line so far.
    length: usize,
    /// Positions of the line feeds in `buffer[start..searched]`.
    feeds: Vec<usize>,
    searched: usize,
    /// Offset of `start` in the decompressed stream.
    offset: u64,
    line: u64,
    members: Members,
    /// Number of compressed bytes covered by the chunks so far.
    taken: u64,
    most: usize,
    /// Offset before which the lines of a span begin. `None` for a whole stream.
    until: Option<u64>,
    finished: bool,
    /// `true` if the rest of the input cannot be read.
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

    /// Sets the place in the file at which the stream begins.
    pub(crate) fn starting(self, at: StartAt) -> Self {
        Lines {
            offset: at.offset,
            line: at.line,
            ..self
        }
    }

    /// Restricts reading to the lines that begin before this offset. They are returned as one chunk, unless there is an error.
    pub(crate) fn until(self, until: u64, buffers: &Arc<LineBuffers>) -> Self {
        Lines {
            until: Some(until),
            finished: self.offset >= until,
            buffer: buffers.take(),
            buffers: Arc::clone(buffers),
            ..self
        }
    }

    /// Returns the start of the line after the returned ones; [`Span::NOWHERE`] if the rest cannot be read.
    pub(crate) fn end(&self) -> StartAt {
        match self.lost {
            true => Span::NOWHERE,
            false => StartAt {
                offset: self.offset,
                line: self.line,
            },
        }
    }

    /// Reads once and appends to the buffer. Returns the number of bytes read; 0 at the end.
    fn fill(&mut self) -> io::Result<usize> {
        // Move the bytes that are not returned yet to the front of the buffer.
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.searched -= self.start;
            self.end -= self.start;
            self.start = 0;
        }
        let until = match self.until {
            // A span is read to its end at once. Behind the end, reads are small, because the next span
            // reads those bytes again.
            Some(until) => {
                let left = until.saturating_sub(self.offset + self.end as u64);
                // Twice the average length of a line, and at least an eighth of an unfinished long line, so
                // that it takes few reads.
                let two_lines = 2 * self.end / (1 + self.feeds.len());
                let behind = two_lines.clamp(BEHIND[0], BEHIND[1]).max(self.begun() / 8);
                self.end + if left > 0 { narrow::to_usize(left) } else { behind }
            }
            None => {
                // The buffer doubles for a long line, so that the line is copied only a few times.
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
                    // All bytes of one read belong to one compressed member.
                    let plain = self.offset + (self.end - self.start) as u64;
                    self.members.note(plain, self.reader.member());
                    self.end += read;
                    return Ok(read);
                }
            }
        }
    }

    /// Returns the length of the unfinished line.
    fn begun(&self) -> usize {
        self.end - self.feeds.last().map_or(self.start, |at| at + 1)
    }

    /// Returns where to cut: after the last line that begins in a span; without a span after the first line
    /// feed if lines are returned singly, else after the last one.
    fn cut(&mut self) -> Option<usize> {
        // Line feeds are searched right after reading, while the bytes are in the cache, and only once.
        let unsearched = &self.buffer[self.searched..self.end];
        let found = memchr_iter(b'\n', unsearched).map(|at| self.searched + at);
        self.feeds.extend(found);
        self.searched = self.end;
        let feed = match self.until {
            Some(until) => {
                // The line feed number `inner` is the first one whose next line does not begin in the span.
                let behind = |at: usize| self.offset + (at - self.start) as u64 + 1;
                let inner = self.feeds.partition_point(|at| behind(*at) < until);
                self.feeds.get(inner)
            }
            None if self.source.singly => self.feeds.first(),
            None => self.feeds.last(),
        };
        feed.map(|at| at + 1)
    }

    /// Returns the lines before `cut`, a position in the buffer, as a chunk. `open_end` marks a last line
    /// without line feed.
    fn take(&mut self, cut: usize, open_end: bool) -> Chunk {
        let taken = self.start..cut;
        let lines = self.feeds.partition_point(|at| *at < cut);
        let feeds = self.feeds.drain(..lines).map(|at| at - taken.start).collect();
        let (offset, line) = (self.offset, self.line);
        self.offset += taken.len() as u64;
        self.line += lines as u64;
        self.finish_span();
        // Bytes after a finished span belong to the next one, which reads them again.
        if self.finished {
            self.end = cut;
        }
        let rest = cut..self.end;
        // Copy the smaller part: the lines, or the rest that stays.
        let bytes = if taken.len() < rest.len() {
            self.start = cut;
            LineBytes::own(self.buffer[taken].to_vec(), feeds)
        } else {
            // The chunk takes over the buffer, and the rest of its bytes move to the next buffer.
            // A finished reader reads no further bytes.
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

    /// Sets `finished` if the span is complete.
    fn finish_span(&mut self) {
        self.finished |= self.until.is_some_and(|until| self.offset >= until);
    }

    /// Creates a chunk. In a compressed stream, it counts the compressed bytes consumed since the chunk
    /// before it.
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

    /// Skips a line that is too long, and returns its rejection.
    fn skip_line(&mut self) -> io::Result<Chunk> {
        let (offset, line) = (self.offset, self.line);
        let message = format!(
            "the line is longer than {} bytes, the room for one page",
            self.most
        );
        loop {
            // The searched bytes hold no line feed and are dropped.
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

    /// Returns the rejection of the whole stream if it has an unsupported compression. Checked before anything is returned.
    fn compressed(&mut self) -> Option<Chunk> {
        if self.offset > 0 {
            return None;
        }
        let rejection = compression::rejection(&self.buffer[self.start..self.end])?;
        self.finished = true;
        Some(self.chunk(0, 1, Body::Rejected(rejection)))
    }

    /// Returns the rejection of everything after a read error, or of one line if the data is damaged.
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
    /// Returns the rejection of a span that the file no longer holds completely.
    fn shorter(&mut self) -> Option<Chunk> {
        self.lost = self.until.is_some_and(|until| self.offset < until);
        let message = format!(
            "the file became shorter while it was read; what follows byte {} is lost",
            self.offset
        );
        let body = Body::Rejected(Rejection::new(Reason::Truncated, message));
        self.lost.then(|| self.chunk(self.offset, self.line, body))
    }

    /// Rejects the line in which a compressed stream is damaged. Reading continues after it.
    fn damaged(&mut self, error: &io::Error) -> Chunk {
        let (offset, line) = (self.offset, self.line);
        self.members.note(offset, self.reader.member());
        // Drop the unfinished line, whose rest is lost.
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
            // In a span, lines before one that is too long or unreadable are returned first.
            let before = self.feeds.last().map(|at| at + 1);
            // No complete line is left, and the unfinished one is too long.
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
                    // A span is not finished yet: the next call checks whether the file became shorter.
                    self.finished = self.until.is_none() || !held;
                    if held {
                        return self.compressed().or_else(|| Some(self.take(self.end, true)));
                    }
                    return self.shorter();
                }
                Ok(_) => {}
                Err(error) => {
                    // Only a span has complete lines here. They are returned first; the next read repeats
                    // the error.
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
