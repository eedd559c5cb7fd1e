//! Plain bytes that are not yet consumed, with the members they come from.

use std::collections::VecDeque;

use crate::damage::Place;

/// Maximum number of member starts remembered at a time. Beyond this, places refer to the last remembered member.
const MAX_MARKS: usize = 1 << 16;

/// Start of a member or of an uncompressed run.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Plain offset at which the member begins.
    plain: u64,
    /// Offset of the member in the file.
    member: u64,
    run: bool,
}

/// Unconsumed plain bytes. Offsets are relative to the start of the current record or of the bytes between records.
#[derive(Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    at: usize,
    /// Plain offset of the first byte.
    plain: u64,
    pub(crate) dropped: u64,
    marks: VecDeque<Mark>,
}

impl Buffer {
    pub(crate) fn data(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Returns the number of plain bytes before the current record.
    pub(crate) fn plain(&self) -> u64 {
        self.plain
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        // Draining moves the remaining bytes, so it waits until the dropped bytes outnumber those that are
        // moved.
        if self.at > self.bytes.len() / 2 {
            self.bytes.drain(..self.at);
            self.at = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Notes that a member begins after the last byte.
    pub(crate) fn mark(&mut self, member: u64, run: bool) {
        let plain = self.plain + self.dropped + self.len() as u64;
        let mark = Mark { plain, member, run };
        // A member without plain bytes is replaced by the next one.
        if self.marks.back().is_some_and(|last| last.plain == plain) {
            self.marks.pop_back();
        }
        if self.marks.len() < MAX_MARKS {
            self.marks.push_back(mark);
        }
    }

    /// Returns the place where the current record begins.
    pub(crate) fn place(&mut self) -> Place {
        // The place is in the last member that begins at or before the record.
        while self.marks.get(1).is_some_and(|next| next.plain <= self.plain) {
            self.marks.pop_front();
        }
        let Some(mark) = self.marks.front() else {
            return Place::default();
        };
        let behind = self.plain.saturating_sub(mark.plain);
        // In an uncompressed run the offset in the file grows with the plain bytes.
        Place {
            member: mark.member + if mark.run { behind } else { 0 },
            in_member: if mark.run { 0 } else { behind },
            plain: self.plain,
        }
    }

    /// Consumes `length` bytes and all dropped bytes.
    pub(crate) fn consume(&mut self, length: usize) {
        let length = length.min(self.len());
        self.at += length;
        self.plain += length as u64 + self.dropped;
        self.dropped = 0;
        // Marks of consumed bytes are dropped once there are many.
        if self.marks.len() > 64 {
            self.place();
        }
    }

    /// Drops a range of bytes of the current record. They still count, in `dropped`.
    pub(crate) fn drop_range(&mut self, from: usize, to: usize) {
        self.bytes.drain(self.at + from..self.at + to);
        self.dropped += (to - from) as u64;
    }

    /// Removes and returns all unconsumed bytes.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let rest = self.data().to_vec();
        self.bytes.clear();
        self.at = 0;
        rest
    }
}
