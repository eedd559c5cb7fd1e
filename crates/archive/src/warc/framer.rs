//! Plain bytes of members to records.
//!
//! The length of a record is trusted where newlines, a head or the end follow. Only otherwise the next head is looked for, since pages
//! quote archives. Members may begin inside records: what is pending at the end of a member goes on in the next one, unless that begins
//! with a head.

use super::buffer::Buffer;
use super::digest::Named;
use super::framing::{Edge, Framing, Visit};
use super::head::Head;
use super::record::Event;
use super::search::{EndSearch, MAX_HEADER, next_head};
use crate::credit::Credit;
use crate::damage::{Damage, Place, Reason};
use crate::fields::end_of_head;
use crate::limits::Limits;
use crate::members::probe::{self, Found, RECORD};

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// Between records; bytes are being skipped if `lost` says from where, and told if `told` does not say that they have been.
    Between {
        lost: Option<Place>,
        told: bool,
    },
    /// In a head.
    Head,
    Block(Block),
}

/// A block that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Where it begins, behind the head.
    pub(super) start: usize,
    /// Its length; `None` if it ends where the search says.
    pub(super) need: Option<u64>,
    pub(super) search: EndSearch,
    /// Whether a length beyond what is kept has been held against the digest.
    pub(super) weighed: bool,
}

pub(super) const BETWEEN: State = State::Between {
    lost: None,
    told: false,
};

pub(crate) struct Framer {
    pub(super) buffer: Buffer,
    pub(super) limits: Limits,
    pub(super) state: State,
    /// Length of what was pending when the current member began, while it is not known whether it goes on.
    joint: Option<u64>,
    /// Whether members begin inside records, as the last ones did.
    pub(super) in_blocks: bool,
    /// Whether all members that have ended inside the current record had a checksum.
    pub(super) checked: bool,
    pub(super) running: bool,
    refused: bool,
    /// For bytes that have been looked at before it showed that a length is wrong.
    pub(super) credit: Credit,
    /// Bytes of the buffer that have been skipped, and are kept to be looked at.
    skipped: usize,
    /// No empty line begins before this offset among plain bytes, as far as they are not done.
    no_empty_line: u64,
    /// Whether the reason for which a member is broken has been told with a record.
    told: bool,
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
            joint: None,
            in_blocks: false,
            checked: true,
            running: false,
            refused: false,
            credit: Credit::new(0),
            skipped: 0,
            no_empty_line: 0,
            told: false,
            head: Head::default(),
            digest: None,
            damage: Vec::new(),
        }
    }

    /// A member or a run begins.
    fn begin_at(&mut self, at: u64, run: bool) {
        self.buffer.mark(at, run);
        if !self.is_idle() && self.joint.is_none() {
            self.joint = Some(self.buffer.len() as u64 + self.buffer.dropped);
        }
    }

    /// Does what can be done with the bytes that have arrived.
    fn work(&mut self, edge: Edge, visit: &mut Visit<'_>) {
        self.checked &= edge != Edge::End { checked: false };
        if let Some(joint) = self.joint {
            let Some(joint) = usize::try_from(joint.saturating_sub(self.buffer.dropped)).ok() else {
                return;
            };
            let next = self.buffer.data().get(joint..).unwrap_or_default();
            match probe::head(next, edge.is_over()) {
                Found::More => return,
                Found::No => self.in_blocks |= !next.is_empty(),
                Found::Yes => {
                    let behind = self.buffer.len() - joint;
                    let running = std::mem::take(&mut self.running);
                    while self.step(self.buffer.len() - behind, Edge::Over, visit) {}
                    self.running = running;
                    self.in_blocks = false;
                }
            }
            self.joint = None;
        }
        while self.step(self.buffer.len(), edge, visit) {}
        if self.is_idle() && edge != Edge::Inside {
            self.checked = true;
            self.in_blocks = false;
        }
    }

    /// A step over the first `end` bytes; whether there is more to do.
    fn step(&mut self, end: usize, edge: Edge, visit: &mut Visit<'_>) -> bool {
        match self.state {
            State::Between { lost, told } => self.between(end, edge, lost, told, visit),
            State::Head => self.head(end, edge, visit),
            State::Block(block) => self.block(end, edge, block, visit),
        }
    }

    /// Looks for the next record, which should begin right here.
    fn between(
        &mut self,
        end: usize,
        edge: Edge,
        lost: Option<Place>,
        told: bool,
        visit: &mut Visit<'_>,
    ) -> bool {
        self.credit.settle(self.buffer.plain());
        let data = &self.buffer.data()[..end];
        let newlines = data
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        if data.is_empty() {
            if let Some(place) = lost.filter(|_| edge.is_over()) {
                self.found(place, told, visit);
            }
            return false;
        }
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
        if self.running && lost.is_none() {
            // What is no record may be a member. What was looked at before goes back, to be looked at again.
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
        let from = if lost.is_none() { 1 } else { self.skipped };
        let (found, at) = next_head(data, from, edge.is_over());
        let place = lost.unwrap_or_else(|| self.buffer.place());
        if found == Found::Yes {
            self.buffer.consume(at);
            self.found(place, told, visit);
            return true;
        }
        // When a head is found, what stands before it is looked at.
        let kept = if edge.is_over() { 0 } else { at.min(MAX_HEADER) };
        self.buffer.consume(at - kept);
        self.skipped = kept;
        self.state = State::Between {
            lost: Some(place),
            told,
        };
        edge.is_over()
    }

    /// Ends the skipping of bytes.
    fn found(&mut self, place: Place, told: bool, visit: &mut Visit<'_>) {
        self.state = BETWEEN;
        self.skipped = 0;
        if !told {
            let bytes = self.buffer.plain() - place.plain;
            visit(Event::Damage(&Damage::new(Reason::NoRecord, place, bytes)));
        }
    }

    /// Adds the names that the head of the record has for it.
    fn name(&self, damage: &mut Damage) {
        damage.id = self.head.id().map(|id| id.into_owned());
        damage.uri = self.head.target_uri().map(|uri| uri.into_owned());
    }

    /// Reads a head.
    fn head(&mut self, end: usize, edge: Edge, visit: &mut Visit<'_>) -> bool {
        let data = &self.buffer.data()[..end];
        // Heads may be many before the next empty line, where each of them ends.
        let plain = self.buffer.plain();
        let searched = self.no_empty_line.saturating_sub(plain) as usize;
        let found = end_of_head(data, searched.min(data.len()));
        let length = found.unwrap_or(data.len());
        self.no_empty_line = plain + length.saturating_sub(3) as u64;
        if found.is_none() && length <= self.limits.head && !edge.is_over() {
            return false;
        }
        let place = self.buffer.place();
        if length > self.limits.head {
            self.credit.look(plain, plain + self.limits.head as u64);
            self.skip_head(Reason::HeadTooLarge, RECORD.len(), visit);
            return true;
        }
        // The head of the next record in the midst of this one: the rest of this record is missing.
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
        self.damage.clear();
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

    /// Why the member of a record is broken, which is told with it.
    pub(super) fn broken_by(&mut self, edge: Edge) -> Option<Reason> {
        let Edge::Broken(reason) = edge else {
            return None;
        };
        self.told = true;
        Some(reason)
    }

    /// Leaves a record whose head cannot be read.
    fn skip_head(&mut self, reason: Reason, length: usize, visit: &mut Visit<'_>) {
        let place = self.buffer.place();
        let mut damage = Damage::new(reason, place, length as u64);
        if reason != Reason::HeadTooLarge {
            self.name(&mut damage);
        }
        visit(Event::Damage(&damage));
        self.buffer.consume(length);
        self.skipped = 0;
        // In a run, members may follow as well as records.
        self.state = if self.running {
            BETWEEN
        } else {
            State::Between {
                lost: Some(place),
                told: true,
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
    fn begin(&mut self, at: u64) {
        self.begin_at(at, false);
    }

    fn plain(&mut self, bytes: &[u8], visit: &mut Visit<'_>) {
        self.buffer.extend(bytes);
        self.work(Edge::Inside, visit);
    }

    fn edge(&mut self, edge: Edge, visit: &mut Visit<'_>) {
        self.work(edge, visit);
    }

    fn broken(&mut self, member: u64, reason: Reason, visit: &mut Visit<'_>) {
        self.told = false;
        self.work(Edge::Broken(reason), visit);
        if !self.told {
            let place = Place {
                member,
                in_member: 0,
                plain: self.buffer.plain(),
            };
            visit(Event::Damage(&Damage::new(reason, place, 0)));
        }
    }

    fn run(&mut self, at: u64, bytes: &[u8], whole: bool, visit: &mut Visit<'_>) -> Option<Vec<u8>> {
        if !self.running {
            self.running = true;
            self.begin_at(at, true);
        }
        self.buffer.extend(bytes);
        self.work(if whole { Edge::Over } else { Edge::Inside }, visit);
        if !std::mem::take(&mut self.refused) {
            return None;
        }
        self.running = false;
        // What is skipped before the next run has no place among plain bytes.
        self.no_empty_line = 0;
        Some(self.buffer.take())
    }

    fn in_blocks(&self) -> bool {
        self.in_blocks
    }

    fn is_idle(&self) -> bool {
        self.buffer.is_empty()
            && matches!(self.state, State::Between { lost: None, .. })
            && self.buffer.plain() >= self.credit.high()
    }

    fn plain_offset(&self) -> u64 {
        self.buffer.plain()
    }
}
