//! Cuts the plain bytes of members into WARC records.
//!
//! The length of a record is trusted if newlines, a record header or the end follow it. Otherwise the next
//! header is searched; this is the exception, because pages may quote archives. Members may begin inside
//! records: an unfinished record continues in the next member unless that member begins with a header.

use super::buffer::Buffer;
use super::digest::Named;
use super::framing::{Edge, Framing, Progress, Visit};
use super::head::Head;
use super::record::Event;
use super::search::{EndSearch, MAX_HEADER, next_head};
use crate::credit::Credit;
use crate::damage::{Damage, Place, Reason};
use crate::fields::end_of_head;
use crate::limits::Limits;
use crate::members::probe::{self, Found, RECORD};
use crate::narrow;

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// Between records. `lost` is the start of the bytes being skipped, if any. `reason` says why they are
    /// skipped; `None` if that was reported already.
    Between {
        lost: Option<Place>,
        reason: Option<Reason>,
    },
    /// In the header of a record.
    Head,
    Block(Block),
}

/// State of a block that is being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Start of the block in the buffer, after the header.
    pub(super) start: usize,
    /// Length in bytes; `None` if the block ends where `search` finds the end.
    pub(super) need: Option<u64>,
    pub(super) search: EndSearch,
    /// `true` if a length beyond [`Limits::block`] was already checked against the digest.
    pub(super) weighed: bool,
}

pub(super) const BETWEEN: State = State::Between {
    lost: None,
    reason: Some(Reason::NoRecord),
};

pub(crate) struct Framer {
    pub(super) buffer: Buffer,
    pub(super) limits: Limits,
    pub(super) state: State,
    /// `true` if the last members began inside records.
    pub(super) in_blocks: bool,
    /// `true` if all members that ended inside the current record had a correct checksum.
    pub(super) checked: bool,
    pub(super) progress: Progress,
    refused: bool,
    /// Budget for bytes that are read again after a length proved wrong.
    pub(super) credit: Credit,
    /// Number of bytes at the start of the buffer that are skipped but kept, because they may decide about
    /// the next header.
    skipped: usize,
    /// Plain offset before which no empty line begins among the unfinished bytes.
    no_empty_line: u64,
    pub(super) head: Head,
    pub(super) digest: Option<Named>,
    pub(super) damage: Vec<Damage>,
}

impl Framer {
    pub(crate) fn new(limits: Limits) -> Self {
        Framer {
            buffer: Buffer::default(),
            limits,
            state: BETWEEN,
            in_blocks: false,
            checked: true,
            progress: Progress::default(),
            refused: false,
            credit: Credit::new(0),
            skipped: 0,
            no_empty_line: 0,
            head: Head::default(),
            digest: None,
            damage: Vec::new(),
        }
    }

    /// Processes the first `end` bytes by one step. Returns `true` if there is more to do.
    fn step(&mut self, end: usize, edge: Edge, visit: &mut Visit<'_>) -> bool {
        match self.state {
            State::Between { lost, reason } => self.between(end, edge, lost, reason, visit),
            State::Head => self.head(end, edge, visit),
            State::Block(block) => self.block(end, edge, block, visit),
        }
    }

    /// Looks for the next record, which should begin at the first byte.
    fn between(
        &mut self,
        end: usize,
        edge: Edge,
        lost: Option<Place>,
        mut reason: Option<Reason>,
        visit: &mut Visit<'_>,
    ) -> bool {
        self.credit.settle(self.buffer.plain());
        let data = &self.buffer.data()[..end];
        // Newlines may precede a record.
        let newlines = data
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        if data.is_empty() {
            if let Some(place) = lost.filter(|_| edge.is_over()) {
                self.found(place, reason, visit);
            }
            return false;
        }
        // A header is recognized by its first bytes; whether it is complete is decided in the state `Head`.
        let prefix = data.len().min(RECORD.len());
        if lost.is_none() && data[..prefix] == RECORD[..prefix] {
            match data.get(RECORD.len()) {
                Some(digit) if digit.is_ascii_digit() => {
                    self.state = State::Head;
                    return true;
                }
                None if !edge.is_over() => return false,
                _ => {}
            }
        }
        if self.progress.running && lost.is_none() {
            // In an uncompressed run, bytes that are not a record may be a member. They are given back to
            // be read as members, unless the budget for reading again is spent.
            let here = self.buffer.plain();
            if self.credit.look(here, self.credit.high()) {
                self.refused = true;
                return false;
            }
        }
        if lost.is_none() && newlines > 0 {
            self.buffer.consume(newlines);
            return true;
        }
        if lost.is_none() && !self.progress.running {
            // A file that was compressed twice gets its own reason, since decompressing it once helps.
            match probe::packed_again(data) {
                Found::Yes => reason = Some(Reason::PackedTwice),
                Found::More if !edge.is_over() => return false,
                _ => {}
            }
        }
        // The first byte was examined above, so the search begins after it or where the last one stopped.
        let from = if lost.is_none() { 1 } else { self.skipped };
        let (found, at) = next_head(data, from, edge.is_over());
        let place = lost.unwrap_or_else(|| self.buffer.place());
        if found == Found::Yes {
            self.buffer.consume(at);
            self.found(place, reason, visit);
            return true;
        }
        // The bytes just before a header decide whether it is a real one, so `MAX_HEADER` of them are kept.
        let kept = if edge.is_over() { 0 } else { at.min(MAX_HEADER) };
        self.buffer.consume(at - kept);
        self.skipped = kept;
        self.state = State::Between {
            lost: Some(place),
            reason,
        };
        // At the end of the data another step reports the skipped bytes.
        edge.is_over()
    }

    /// Ends the skipping of bytes and reports them unless already reported.
    fn found(&mut self, place: Place, reason: Option<Reason>, visit: &mut Visit<'_>) {
        self.state = BETWEEN;
        self.skipped = 0;
        if let Some(reason) = reason {
            let bytes = self.buffer.plain() - place.plain;
            visit(Event::Damage(&Damage::new(reason, place, bytes)));
        }
    }

    /// Adds the ID and URI of the current record.
    fn name(&self, damage: &mut Damage) {
        damage.id = self.head.id().map(|id| id.into_owned());
        damage.uri = self.head.target_uri().map(|uri| uri.into_owned());
    }

    /// Reads the header of a record.
    fn head(&mut self, end: usize, edge: Edge, visit: &mut Visit<'_>) -> bool {
        let data = &self.buffer.data()[..end];
        // Many headers may precede the next empty line, so the search does not restart for each of them.
        let plain = self.buffer.plain();
        let searched = self.no_empty_line.saturating_sub(plain).min(data.len() as u64);
        let found = end_of_head(data, narrow::to_usize(searched));
        let length = found.unwrap_or(data.len());
        // The end may begin in the last three bytes, which are searched again.
        self.no_empty_line = plain + length.saturating_sub(3) as u64;
        if found.is_none() && length <= self.limits.head && !edge.is_over() {
            return false;
        }
        let place = self.buffer.place();
        // The header is too long to be read. The search for the next record goes on inside it.
        if length > self.limits.head {
            self.credit.look(plain, plain + self.limits.head as u64);
            self.skip_head(Reason::HeadTooLarge, RECORD.len(), visit);
            return true;
        }
        // The header of the next record inside this header: the rest of this record is missing.
        let data = &self.buffer.data()[..end];
        let (next, at) = next_head(&data[..length], RECORD.len(), true);
        if next == Found::Yes {
            self.head.parse(&data[..at]);
            self.skip_head(Reason::CutHead, at, visit);
            self.state = BETWEEN;
            return true;
        }
        let faults = self.head.parse(&data[..length]);
        if found.is_none() {
            let reason = self.broken_by(edge).unwrap_or(Reason::CutHead);
            self.skip_head(reason, length, visit);
            self.state = BETWEEN;
            return true;
        }
        // From here on the record is returned, and damage is reported with it.
        self.damage.clear();
        // Read once per record: the block may be checked several times.
        self.digest = self.head.digest();
        for (is, reason) in [
            (faults.bad, Reason::BadHead),
            (faults.long_line, Reason::LineTooLong),
        ] {
            if is {
                self.label(reason, place, 0);
            }
        }
        let need = self.head.content_length();
        if need.is_none() {
            self.label(Reason::NoLength, place, 0);
        }
        self.state = State::Block(Block {
            start: length,
            need,
            search: EndSearch::default(),
            weighed: false,
        });
        true
    }

    /// Returns why the member is broken, if it is, and notes that this was reported with the record.
    pub(super) fn broken_by(&mut self, edge: Edge) -> Option<Reason> {
        let Edge::Broken(reason) = edge else {
            return None;
        };
        self.progress.reported = true;
        Some(reason)
    }

    /// Reports and skips a record whose header cannot be read.
    fn skip_head(&mut self, reason: Reason, length: usize, visit: &mut Visit<'_>) {
        let place = self.buffer.place();
        let mut damage = Damage::new(reason, place, length as u64);
        if reason != Reason::HeadTooLarge {
            self.name(&mut damage);
        }
        visit(Event::Damage(&damage));
        self.buffer.consume(length);
        self.skipped = 0;
        // In an uncompressed run, members as well as records may follow.
        self.state = if self.progress.running {
            BETWEEN
        } else {
            State::Between {
                lost: Some(place),
                reason: None,
            }
        };
    }

    pub(super) fn label(&mut self, reason: Reason, place: Place, bytes: u64) {
        let mut damage = Damage::new(reason, place, bytes);
        self.name(&mut damage);
        self.damage.push(damage);
    }
}

impl Framing for Framer {
    fn buffer(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn work(&mut self, edge: Edge, visit: &mut Visit<'_>) {
        // A member without a correct checksum leaves its record unconfirmed.
        self.checked &= edge != Edge::End { checked: false };
        // A member began while a record was unfinished. Its first bytes decide whether it continues the
        // record.
        if let Some(joint) = self.progress.joint {
            let Some(joint) = usize::try_from(joint.saturating_sub(self.buffer.dropped)).ok() else {
                return;
            };
            let next = self.buffer.data().get(joint..).unwrap_or_default();
            match probe::head(next, edge.is_over()) {
                Found::More => return,
                Found::No => self.in_blocks |= !next.is_empty(),
                Found::Yes => {
                    // A record begins with the member, so the bytes before it end here.
                    // The bytes before the joint are processed as if the input ended there. The run is
                    // suspended so that they are not given back.
                    let behind = self.buffer.len() - joint;
                    let running = std::mem::take(&mut self.progress.running);
                    while self.step(self.buffer.len() - behind, Edge::Over, visit) {}
                    self.progress.running = running;
                    self.in_blocks = false;
                }
            }
            self.progress.joint = None;
        }
        while self.step(self.buffer.len(), edge, visit) {}
        // The member ends between two records. What was learned about the last record does not apply to the
        // next one.
        if self.is_idle() && edge != Edge::Inside {
            self.checked = true;
            self.in_blocks = false;
        }
    }

    fn refused(&mut self) -> Option<Vec<u8>> {
        if !std::mem::take(&mut self.refused) {
            return None;
        }
        // Bytes skipped before the next run do not count as plain bytes, so old offsets are invalid.
        self.no_empty_line = 0;
        Some(self.buffer.take())
    }

    fn in_blocks(&self) -> bool {
        self.in_blocks
    }

    fn is_idle(&self) -> bool {
        self.buffer.is_empty()
            && matches!(self.state, State::Between { lost: None, .. })
            // Bytes that were read beyond this offset are being read again, so a new reader would not
            // continue in the same way.
            && self.buffer.plain() >= self.credit.high()
    }

    fn plain_offset(&self) -> u64 {
        self.buffer.plain()
    }
}
