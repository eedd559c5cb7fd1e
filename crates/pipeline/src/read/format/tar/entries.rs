//! Reads the entries of a tar archive and recovers from damage.
//!
//! The size in a header is trusted if a header, a block of zeros or the end follows the content. A damaged
//! header loses its entry, and the next header is searched.

use std::io;
use std::path::Path;

use dehusk_html::narrow;
use tar::EntryType;

use super::header::{Ahead, BLOCK, Described, find_header, is_ahead, is_extended, is_header};
use super::kinds::skipped;
use crate::error::plain;
use crate::read::chunk::Format;
use crate::read::compression::{self, Members, Stored};
use crate::read::entry::{Entry, EntryContent};
use crate::read::format::html::Html;
use crate::read::kinds;
use crate::record::{Reason, Rejection};

/// Number of bytes read at once.
const READ: usize = 64 << 10;

/// Largest size in bytes of a metadata header (long name, pax), and of the extension headers of a sparse
/// file.
const AHEAD: usize = 1 << 20;

/// End of the content of an entry.
enum End {
    /// After this many bytes, padding included.
    Here(usize),
    /// At the next header, after this many bytes, which is earlier than its size says.
    Early(usize),
    /// After the bytes held in memory.
    Far,
    /// Unknown: reading stopped before the end.
    Cut,
}

/// Returns the content of an entry: a page if its name or its first bytes say so.
fn content_of(bytes: Vec<u8>, name: &str) -> EntryContent {
    let is_page = Html.takes(Path::new(name)) || kinds::is_page(&compression::first_bytes(&bytes));
    match is_page {
        true => EntryContent::Page {
            bytes,
            name: name.to_owned(),
        },
        false => EntryContent::Skipped("other-content"),
    }
}

/// The reason why reading stopped before the end.
struct Stop {
    why: String,
    /// `true` if reading continues after a gap.
    gap: bool,
}

/// Reads the entries of an archive.
pub(super) struct Entries<R> {
    from: R,
    /// Bytes that were read. The bytes before `start` are consumed.
    data: Vec<u8>,
    start: usize,
    /// Offset of `start` in the archive.
    offset: u64,
    members: Members,
    stop: Option<Stop>,
    ended: bool,
    /// `true` if blocks of zeros or reported damage precede the current offset, so that the end may follow.
    closed: bool,
    /// `true` if a header must be searched, because bytes before the current offset are missing.
    lost: bool,
    /// Bytes of a page that are used.
    most: usize,
}

impl<R: Stored> Entries<R> {
    pub(super) fn new(from: R, most: usize) -> Self {
        Entries {
            from,
            data: Vec::new(),
            start: 0,
            offset: 0,
            members: Members::default(),
            stop: None,
            ended: false,
            closed: false,
            lost: false,
            most,
        }
    }

    /// Returns the offset in the archive of the next entry.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of compressed bytes consumed; `None` if the archive is not compressed.
    pub(super) fn taken(&self) -> Option<u64> {
        self.from.taken()
    }

    /// Returns the next entry, or `None` after the last one.
    pub(super) fn next(&mut self) -> Option<Entry> {
        let mut ahead = Ahead::default();
        loop {
            if self.lost {
                self.search();
            }
            let whole = self.fill(BLOCK);
            // Other compression formats show in the first bytes, even of a file that is shorter than a
            // block.
            if self.offset == 0
                && let Some(compressed) = compression::rejection(self.rest())
            {
                (self.ended, self.closed) = (true, true);
                return Some(self.all(EntryContent::Rejected(compressed)));
            }
            if !whole {
                return self.end();
            }
            let block = &self.rest()[..BLOCK];
            // Blocks of zeros end an archive. Another archive may follow, so reading goes on.
            if block.iter().all(|byte| *byte == 0) {
                self.closed = true;
                self.consume(BLOCK);
                continue;
            }
            if !is_header(block) {
                return Some(self.no_header());
            }
            // Metadata applies to the next entry only.
            let entry = Described::new(block, std::mem::take(&mut ahead));
            self.closed = false;
            if !is_ahead(entry.kind) {
                return Some(self.entry(entry));
            }
            // The size is not verified, so metadata is held only up to a limit.
            let size = usize::try_from(entry.size).unwrap_or(usize::MAX).min(AHEAD);
            if !self.fill(BLOCK + size) {
                return Some(self.cut(&entry.name));
            }
            let content = &self.rest()[BLOCK..BLOCK + size];
            ahead.read(entry.kind, content);
            if !self.skip(padded(entry.size).saturating_add(BLOCK as u64)) {
                return Some(self.cut(&entry.name));
            }
        }
    }

    /// Returns the entry whose header begins at the current offset, and moves past it.
    fn entry(&mut self, entry: Described) -> Entry {
        let place = self.place();
        let head = self.head(entry.kind);
        let skipped = skipped(&entry);
        let end = self.content_end(head, entry.size, skipped.is_none());
        let content = match end {
            End::Cut => return self.cut(&entry.name),
            // The size is wrong: another header begins within the content.
            End::Early(at) if skipped.is_none() => {
                self.consume(head + at);
                let message = format!(
                    "its header says {} bytes, but the next entry begins after {at}",
                    entry.size
                );
                EntryContent::Rejected(Rejection {
                    id: Some(entry.name),
                    ..Rejection::new(Reason::BadArchive, message)
                })
            }
            End::Early(at) => {
                self.consume(head + at);
                EntryContent::Skipped(skipped.unwrap_or_default())
            }
            End::Here(_) | End::Far => {
                let size = usize::try_from(entry.size).unwrap_or(usize::MAX);
                // One byte more than is used shows that the page is cut.
                let kept = size.min(self.most.saturating_add(1));
                let page = || self.rest().get(head..head + kept).unwrap_or_default().to_vec();
                let content = match skipped {
                    Some(why) => EntryContent::Skipped(why),
                    None => content_of(page(), &entry.name),
                };
                let length = match end {
                    End::Here(length) => length as u64,
                    _ => padded(entry.size),
                };
                if !self.skip(length.saturating_add(head as u64)) {
                    return self.cut(&entry.name);
                }
                content
            }
        };
        Entry { content, ..place }
    }

    /// Returns the number of header bytes of an entry. A sparse file has extension headers.
    fn head(&mut self, kind: EntryType) -> usize {
        let mut head = BLOCK;
        let mut extended = kind == EntryType::GNUSparse && is_extended(self.rest(), true);
        while extended && head < AHEAD && self.fill(head + BLOCK) {
            extended = is_extended(&self.rest()[head..], false);
            head += BLOCK;
        }
        head
    }

    /// Finds the end of the content that begins after `head` bytes and should have `size` bytes. For too
    /// long pages only the beginning is read.
    fn content_end(&mut self, head: usize, size: u64, page: bool) -> End {
        let most = self.most.saturating_add(BLOCK);
        // Content that fits into memory is held whole, so that the bytes after it can be checked.
        let whole = usize::try_from(padded(size))
            .ok()
            .filter(|length| *length <= most);
        let held = match whole {
            Some(length) => length,
            None if page => most,
            // Long content that is not a page is skipped unread, and its size is not checked.
            None => return End::Far,
        };
        let before_end = self.fill((head + held).saturating_add(BLOCK));
        let rest = self.rest();
        let behind = rest.get(head + held..);
        // The size is right if the archive ends here, or a header or a block of zeros follows.
        let follows = match behind {
            Some([]) => self.stop.is_none(),
            Some(behind) => is_header(behind) || behind.iter().take(BLOCK).all(|byte| *byte == 0),
            None => false,
        };
        if whole.is_some() && follows {
            return End::Here(held);
        }
        let content = rest.get(head..rest.len().min(head + held)).unwrap_or_default();
        let looked = rest
            .get(head..rest.len().min(head + held + BLOCK))
            .unwrap_or_default();
        // Otherwise a header within the content shows that the size is too large.
        if let Some(at) = find_header(looked, Some(0)).filter(|at| *at < content.len()) {
            return End::Early(at);
        }
        match whole {
            None if before_end => End::Far,
            // The content is complete. The bytes after it are judged by the next call.
            Some(length) if content.len() as u64 >= size => End::Here(length.min(content.len())),
            _ => End::Cut,
        }
    }

    /// Rejects an entry in which the input ends or has a gap.
    fn cut(&mut self, name: &str) -> Entry {
        let rejection = Rejection {
            id: Some(name.to_owned()),
            ..self.stopped("the input ends within the entry")
        };
        self.all(EntryContent::Rejected(rejection))
    }

    /// Returns the rejection for the place where reading stopped.
    fn stopped(&mut self, end: &str) -> Rejection {
        self.closed = true;
        match self.stop.take() {
            Some(Stop { why, gap }) => {
                self.lost = gap;
                let reason = if gap {
                    Reason::BadArchive
                } else {
                    Reason::Truncated
                };
                Rejection::new(reason, why)
            }
            None => Rejection::new(Reason::Truncated, end),
        }
    }

    /// Handles the end of the archive or a gap.
    fn end(&mut self) -> Option<Entry> {
        if self.closed && self.stop.is_none() && self.rest().iter().all(|byte| *byte == 0) {
            return None;
        }
        let rejection = self.stopped("the archive has no end mark: entries may be missing");
        Some(self.all(EntryContent::Rejected(rejection)))
    }

    /// Rejects the bytes up to the next header.
    fn no_header(&mut self) -> Entry {
        let place = self.place();
        self.search();
        let bytes = self.offset - place.plain;
        let message = format!("no header of an entry, or a damaged one; {bytes} bytes are lost");
        let content = EntryContent::Rejected(Rejection::new(Reason::BadArchive, message));
        Entry { content, ..place }
    }

    /// Moves to the next header, or to the end.
    fn search(&mut self) {
        // Headers without magic are found only at borders of blocks, which are unknown after a gap.
        let mut aligned = (!self.lost).then_some(0);
        self.lost = false;
        loop {
            let more = self.fill(READ + BLOCK);
            let rest = self.rest();
            if let Some(at) = find_header(rest, aligned) {
                return self.consume(at);
            }
            // The last 511 bytes may be the beginning of a header.
            let done = if more {
                rest.len() - (BLOCK - 1)
            } else {
                rest.len()
            };
            // Border of the next block, relative to the bytes that remain.
            aligned = aligned.map(|first| (first + BLOCK - done % BLOCK) % BLOCK);
            self.consume(done);
            if more {
                continue;
            }
            match self.stop.take() {
                // Bytes are missing, so blocks may begin anywhere after the gap.
                Some(Stop { gap: true, .. }) => aligned = None,
                stop => {
                    self.stop = stop;
                    self.closed = true;
                    return;
                }
            }
        }
    }

    /// Returns an entry at the current offset, without content.
    fn place(&self) -> Entry {
        Entry {
            plain: self.offset,
            member: self.members.at(self.offset),
            content: EntryContent::Skipped(""),
        }
    }

    /// Returns an entry that covers all bytes up to where reading stopped.
    fn all(&mut self, content: EntryContent) -> Entry {
        let place = self.place();
        self.consume(self.rest().len());
        Entry { content, ..place }
    }

    fn rest(&self) -> &[u8] {
        &self.data[self.start..]
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
        self.members.forget_before(self.offset);
        // The number of moved bytes is at most that of consumed ones, so the total cost is linear.
        if self.start >= READ && self.start >= self.data.len() / 2 {
            self.data.drain(..self.start);
            self.start = 0;
        }
    }

    /// Skips bytes. Returns `false` if the input ends before.
    fn skip(&mut self, mut bytes: u64) -> bool {
        loop {
            let some = (self.rest().len() as u64).min(bytes);
            self.consume(narrow::to_usize(some));
            bytes -= some;
            if bytes == 0 {
                return true;
            }
            // Padding may be missing after the last entry.
            if !self.fill(1) {
                return bytes < BLOCK as u64 && self.stop.is_none();
            }
        }
    }

    /// Reads until `wanted` bytes are held. Returns `false` if the input ends or stops before.
    fn fill(&mut self, wanted: usize) -> bool {
        while self.rest().len() < wanted {
            if self.ended || self.stop.is_some() {
                return false;
            }
            let end = self.data.len();
            self.data.resize(end + READ, 0);
            let read = self.from.read(&mut self.data[end..]);
            self.data.truncate(end + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.ended = true,
                Ok(_) => {
                    let offset = self.offset + (end - self.start) as u64;
                    self.members.note(offset, self.from.member());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // After damage (`InvalidData`) the stream goes on with the next intact member.
                    let gap = error.kind() == io::ErrorKind::InvalidData;
                    let offset = self.offset + (end - self.start) as u64;
                    self.members.note(offset, self.from.member());
                    self.ended = !gap;
                    self.stop = Some(Stop {
                        why: if gap { error.to_string() } else { plain(&error) },
                        gap,
                    });
                }
            }
        }
        true
    }
}

/// Returns the number of bytes that content of this size takes, padding included.
fn padded(size: u64) -> u64 {
    size.checked_next_multiple_of(BLOCK as u64).unwrap_or(u64::MAX)
}
