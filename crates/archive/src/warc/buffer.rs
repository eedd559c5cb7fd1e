//! Plain bytes that are not yet a record, and the members they come from.

use std::collections::VecDeque;

use crate::damage::Place;

/// Members whose beginnings are remembered at a time. Of more, places are told from the last one that is.
const MAX_MARKS: usize = 1 << 16;

/// Where a member, or a run of bytes that are not compressed, begins.
#[derive(Clone, Copy, Debug)]
struct Mark {
    plain: u64,
    member: u64,
    run: bool,
}

/// The buffer. Offsets count from where the current record, or what is between records, begins.
#[derive(Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    at: usize,
    /// Plain offset of the first byte, and bytes dropped behind it.
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

    /// Plain bytes before the current record.
    pub(crate) fn plain(&self) -> u64 {
        self.plain
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        if self.at > self.bytes.len() / 2 {
            self.bytes.drain(..self.at);
            self.at = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// A member begins behind the last byte.
    pub(crate) fn mark(&mut self, member: u64, run: bool) {
        let plain = self.plain + self.dropped + self.len() as u64;
        let mark = Mark { plain, member, run };
        if self.marks.back().is_some_and(|last| last.plain == plain) {
            self.marks.pop_back();
        }
        if self.marks.len() < MAX_MARKS {
            self.marks.push_back(mark);
        }
    }

    /// Where the current record begins.
    pub(crate) fn place(&mut self) -> Place {
        while self.marks.get(1).is_some_and(|next| next.plain <= self.plain) {
            self.marks.pop_front();
        }
        let Some(mark) = self.marks.front() else {
            return Place::default();
        };
        let behind = self.plain.saturating_sub(mark.plain);
        Place {
            member: mark.member + if mark.run { behind } else { 0 },
            in_member: if mark.run { 0 } else { behind },
            plain: self.plain,
        }
    }

    /// Moves on behind bytes that are done, and those that were dropped among them.
    pub(crate) fn consume(&mut self, length: usize) {
        let length = length.min(self.len());
        self.at += length;
        self.plain += length as u64 + self.dropped;
        self.dropped = 0;
        // Marks of what is done go as soon as they are many.
        if self.marks.len() > 64 {
            self.place();
        }
    }

    /// Drops bytes of the current record.
    pub(crate) fn drop_range(&mut self, from: usize, to: usize) {
        self.bytes.drain(self.at + from..self.at + to);
        self.dropped += (to - from) as u64;
    }

    /// Takes back all bytes that are not done.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let rest = self.data().to_vec();
        self.bytes.clear();
        self.at = 0;
        rest
    }
}
