//! Plain bytes of members to records.
//!
//! The length of a record is trusted where newlines, a head or the end follow. Only otherwise the next head is looked for, since pages
//! quote archives. Members may begin inside records: what is pending at the end of a member goes on in the next one, unless that begins
//! with a head.

use super::buffer::Buffer;
use super::digest::Named;
use super::head::Head;
use super::record::{Event, Integrity, Record};
use super::search::{EndSearch, MAX_TAIL, Tail, begins_with_tail, next_head, tail, without_tail};
use crate::damage::{Damage, Place, Reason};
use crate::fields::end_of_head;
use crate::limits::Limits;
use crate::members::probe::{self, Found, RECORD};

/// Who is told of records.
pub(super) type Visit<'a> = dyn FnMut(Event<'_>) + 'a;

/// A length that no record has: it is not waited for if no digest speaks for it. 16 GiB.
const ABSURD: u64 = 16 << 30;

/// What follows the bytes that have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Edge {
    /// More bytes, of this member or of a run.
    Inside,
    /// The end of a member. `checked`: its checksum is right.
    End { checked: bool },
    /// Nothing that continues them: the next member begins with a head, or the input ends.
    Over,
    /// As before, since the member is broken.
    Broken(Reason),
}

impl Edge {
    fn is_over(self) -> bool {
        matches!(self, Edge::Over | Edge::Broken(_))
    }
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Between records; bytes are being skipped if `lost` says from where, and told if `told` does not say that they have been.
    Between { lost: Option<Place>, told: bool },
    /// In a head, of which so many bytes have been searched for the end.
    Head { searched: usize },
    /// In the block that begins at `start` and has the length `need`, or ends where the search says.
    Block {
        start: usize,
        need: Option<u64>,
        search: EndSearch,
        weighed: bool,
    },
}

const BETWEEN: State = State::Between {
    lost: None,
    told: false,
};

pub(super) struct Framer {
    pub(super) buffer: Buffer,
    limits: Limits,
    state: State,
    /// Length of what was pending when the current member began, while it is not known whether it goes on.
    joint: Option<u64>,
    /// Whether members begin inside records, as the last ones did.
    pub(super) in_blocks: bool,
    /// Whether all members that have ended inside the current record had a checksum.
    checked: bool,
    running: bool,
    refused: bool,
    /// Whether the reason for which a member is broken has been told with a record.
    told: bool,
    head: Head,
    digest: Option<Named>,
    damage: Vec<Damage>,
}

impl Framer {
    pub(super) fn new(limits: Limits) -> Self {
        Framer {
            buffer: Buffer::default(),
            limits,
            state: BETWEEN,
            joint: None,
            in_blocks: false,
            checked: true,
            running: false,
            refused: false,
            told: false,
            head: Head::default(),
            digest: None,
            damage: Vec::new(),
        }
    }

    /// Whether nothing is pending.
    pub(super) fn is_idle(&self) -> bool {
        self.buffer.is_empty() && matches!(self.state, State::Between { lost: None, .. })
    }

    /// A member begins.
    pub(super) fn begin(&mut self, at: u64, run: bool) {
        self.buffer.mark(at, run);
        if !self.is_idle() && self.joint.is_none() {
            self.joint = Some(self.buffer.len() as u64 + self.buffer.dropped);
        }
    }

    /// Bytes of a run; what is given back is no record.
    pub(super) fn run(
        &mut self,
        at: u64,
        bytes: &[u8],
        whole: bool,
        visit: &mut Visit<'_>,
    ) -> Option<Vec<u8>> {
        if !self.running {
            self.running = true;
            self.begin(at, true);
        }
        self.buffer.extend(bytes);
        self.work(if whole { Edge::Over } else { Edge::Inside }, visit);
        if !std::mem::take(&mut self.refused) {
            return None;
        }
        self.running = false;
        Some(self.buffer.take())
    }

    /// The member is broken that began at that offset.
    pub(super) fn broken(&mut self, member: u64, reason: Reason, visit: &mut Visit<'_>) {
        self.told = false;
        self.work(Edge::Broken(reason), visit);
        if !self.told {
            let place = Place {
                member,
                in_member: 0,
                plain: self.buffer.plain(),
            };
            self.tell(reason, place, 0, visit);
        }
    }

    /// Does what can be done with the bytes that have arrived.
    pub(super) fn work(&mut self, edge: Edge, visit: &mut Visit<'_>) {
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
            State::Head { searched } => self.head(end, edge, searched, visit),
            State::Block {
                start,
                need: Some(need),
                search,
                weighed,
            } => self.block(end, edge, start, need, search, weighed, visit),
            State::Block {
                start,
                need: None,
                search,
                ..
            } => self.endless(end, edge, start, search, visit),
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
        let data = &self.buffer.data()[..end];
        let newlines = data
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        if lost.is_none() && newlines > 0 {
            self.buffer.consume(newlines);
            return true;
        }
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
                    self.state = State::Head { searched: 0 };
                    return true;
                }
                None if !edge.is_over() => return false,
                _ => {}
            }
        }
        if self.running && lost.is_none() {
            self.refused = true;
            return false;
        }
        let (found, at) = next_head(data, usize::from(lost.is_none()), edge.is_over());
        let place = lost.unwrap_or_else(|| self.buffer.place());
        self.buffer.consume(at);
        match found {
            Found::Yes => self.found(place, told, visit),
            Found::No | Found::More => {
                self.state = State::Between {
                    lost: Some(place),
                    told,
                }
            }
        }
        found == Found::Yes || edge.is_over()
    }

    /// Ends the skipping of bytes.
    fn found(&mut self, place: Place, told: bool, visit: &mut Visit<'_>) {
        self.state = BETWEEN;
        if !told {
            let bytes = self.buffer.plain() - place.plain;
            self.tell(Reason::NoRecord, place, bytes, visit);
        }
    }

    fn tell(&mut self, reason: Reason, place: Place, bytes: u64, visit: &mut Visit<'_>) {
        let damage = Damage {
            reason,
            place,
            bytes,
            id: None,
            uri: None,
        };
        visit(Event::Damage(&damage));
    }

    /// Reads a head.
    fn head(&mut self, end: usize, edge: Edge, searched: usize, visit: &mut Visit<'_>) -> bool {
        let data = &self.buffer.data()[..end];
        let (length, complete) = match end_of_head(data, searched) {
            Some(length) => (length, true),
            None if data.len() > self.limits.head || !edge.is_over() => (data.len(), false),
            None => (data.len(), false),
        };
        if !complete && length <= self.limits.head && !edge.is_over() {
            self.state = State::Head {
                searched: length.saturating_sub(2),
            };
            return false;
        }
        let place = self.buffer.place();
        if length > self.limits.head {
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
        if !complete {
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
        let search = EndSearch::default();
        self.state = State::Block {
            start: length,
            need,
            search,
            weighed: false,
        };
        true
    }

    /// Why the member of a record is broken, which is told with it.
    fn broken_by(&mut self, edge: Edge) -> Option<Reason> {
        let Edge::Broken(reason) = edge else {
            return None;
        };
        self.told = true;
        Some(reason)
    }

    /// Leaves a record whose head cannot be read.
    fn skip_head(&mut self, reason: Reason, length: usize, visit: &mut Visit<'_>) {
        let place = self.buffer.place();
        let known = reason != Reason::HeadTooLarge;
        let damage = Damage {
            reason,
            place,
            bytes: length as u64,
            id: self.head.id().filter(|_| known).map(|id| id.into_owned()),
            uri: self
                .head
                .target_uri()
                .filter(|_| known)
                .map(|uri| uri.into_owned()),
        };
        visit(Event::Damage(&damage));
        self.buffer.consume(length);
        self.state = State::Between {
            lost: Some(place),
            told: true,
        };
    }

    fn label(&mut self, reason: Reason, place: Place, bytes: u64) {
        let id = self.head.id().map(|id| id.into_owned());
        let uri = self.head.target_uri().map(|uri| uri.into_owned());
        self.damage.push(Damage {
            reason,
            place,
            bytes,
            id,
            uri,
        });
    }

    /// Reads a block of a length that is told.
    #[expect(clippy::too_many_arguments, reason = "the fields of a state, taken apart")]
    fn block(
        &mut self,
        end: usize,
        edge: Edge,
        start: usize,
        need: u64,
        mut search: EndSearch,
        weighed: bool,
        visit: &mut Visit<'_>,
    ) -> bool {
        let most = self.limits.block;
        if need > most as u64 && end - start > most && !weighed {
            // From here on bytes are dropped. This is the last chance to see that the length is wrong.
            let block = &self.buffer.data()[start..start + most];
            let wrong = match &self.digest {
                Some(digest) => search
                    .end(block, most, Some(digest), true)
                    .is_some_and(|end| digest.is_of(&block[..without_tail(&block[..end])])),
                None => need > ABSURD,
            };
            let search = EndSearch::default();
            self.state = State::Block {
                start,
                need: (!wrong).then_some(need),
                search,
                weighed: true,
            };
            if wrong {
                let place = self.buffer.place();
                self.label(Reason::WrongLength, place, 0);
            }
            return true;
        }
        let have = (end - start) as u64 + self.buffer.dropped;
        let kept = usize::try_from(need).unwrap_or(usize::MAX).min(most);
        let surplus = have.min(need).saturating_sub(self.buffer.dropped + kept as u64);
        if surplus > 0 {
            self.buffer
                .drop_range(start + kept, start + kept + surplus as usize);
            // The caller counts from what was there before.
            return self.step(end - surplus as usize, edge, visit);
        }
        if have < need {
            return edge.is_over() && self.short(end, edge, start, need, visit);
        }
        let (block, rest) = self.buffer.data()[start..end].split_at(kept);
        let ends = edge != Edge::Inside;
        let dropped = self.buffer.dropped > 0;
        let right = |if_unknown: bool| match &self.digest {
            Some(digest) if !dropped => digest.is_of(block),
            _ => if_unknown,
        };
        match tail(
            rest,
            edge.is_over() || ends && rest.len() <= MAX_TAIL && without_newlines(rest).is_empty(),
        ) {
            Tail::More => false,
            Tail::Right(length) if length == rest.len() && !ends && !self.running => false,
            // Where newlines are too few, the length may be wrong by some bytes.
            Tail::Right(length) if begins_with_tail(rest) || right(true) => {
                let last = length == rest.len();
                self.deliver(start, kept, length, if last { edge } else { Edge::Inside }, visit);
                true
            }
            Tail::Right(_) | Tail::Wrong => {
                let right = right(false);
                if !right {
                    let place = self.buffer.place();
                    self.label(Reason::WrongLength, place, 0);
                }
                if right || dropped {
                    self.deliver(start, kept, 0, Edge::Inside, visit);
                } else {
                    self.state = State::Block {
                        start,
                        need: None,
                        search,
                        weighed,
                    };
                }
                true
            }
        }
    }

    /// A block that has fewer bytes than its length says: the length may have counted in what follows.
    fn short(&mut self, end: usize, edge: Edge, start: usize, need: u64, visit: &mut Visit<'_>) -> bool {
        let place = self.buffer.place();
        let block = &self.buffer.data()[start..end];
        let missing = need - block.len() as u64 - self.buffer.dropped;
        if self.buffer.dropped > 0 {
            self.label(Reason::CutRecord, place, missing);
            self.deliver(start, end - start, 0, edge, visit);
            return true;
        }
        let mut search = EndSearch::default();
        if let Some(length) = search.end(block, usize::MAX, self.digest.as_ref(), true) {
            let kept = without_tail(&block[..length]);
            self.label(Reason::WrongLength, place, 0);
            self.deliver(start, kept, length - kept, Edge::Inside, visit);
            return true;
        }
        let kept = without_tail(block);
        let tail = block.len() - kept;
        if tail > 0 && edge == Edge::Over {
            self.label(Reason::WrongLength, place, 0);
            self.deliver(start, kept, tail, edge, visit);
        } else {
            self.label(Reason::CutRecord, place, missing);
            self.deliver(start, kept + tail, 0, edge, visit);
        }
        true
    }

    /// Reads a block whose length is not known.
    fn endless(
        &mut self,
        end: usize,
        edge: Edge,
        start: usize,
        mut search: EndSearch,
        visit: &mut Visit<'_>,
    ) -> bool {
        let most = self.limits.block;
        let block = &self.buffer.data()[start..end];
        // Bytes that are dropped lie before what is searched; the search counts without them.
        let length = search.end(block, most, self.digest.as_ref(), edge.is_over());
        let Some(length) = length.or(edge.is_over().then_some(block.len())) else {
            let searched = search.searched.min(block.len());
            // The newlines before a head are told apart from the block when it is found.
            if let Some(surplus) = searched
                .checked_sub(most + MAX_TAIL)
                .filter(|surplus| *surplus > 0)
            {
                self.buffer.drop_range(start + most, start + most + surplus);
                search.searched = searched - surplus;
            }
            self.state = State::Block {
                start,
                need: None,
                search,
                weighed: true,
            };
            return false;
        };
        let kept = without_tail(&block[..length]);
        let last = length == block.len();
        self.deliver(
            start,
            kept,
            length - kept,
            if last { edge } else { Edge::Inside },
            visit,
        );
        true
    }

    /// Hands out a record, whose block has `length` bytes in the buffer, and goes on behind it.
    fn deliver(&mut self, start: usize, length: usize, tail: usize, edge: Edge, visit: &mut Visit<'_>) {
        let place = self.buffer.place();
        if let Some(reason) = self.broken_by(edge) {
            self.label(reason, place, 0);
        }
        let kept = length.min(self.limits.block);
        let dropped = self.buffer.dropped + (length - kept) as u64;
        if dropped > 0 {
            self.label(Reason::TooLarge, place, dropped);
        }
        let block = &self.buffer.data()[start..start + kept];
        let vouched = edge == Edge::End { checked: true } && self.checked;
        let integrity = match &self.digest {
            _ if vouched && !self.limits.all_digests => Integrity::Checksum,
            Some(digest) if dropped == 0 && digest.is_of(block) => Integrity::Digest,
            Some(_) if dropped == 0 => Integrity::Wrong,
            _ if vouched => Integrity::Checksum,
            _ => Integrity::Unknown,
        };
        if integrity == Integrity::Wrong {
            self.label(Reason::Digest, place, 0);
        }
        let record = Record {
            head: &self.head,
            block: &self.buffer.data()[start..start + kept],
            dropped,
            place,
            integrity,
            damage: &self.damage,
        };
        visit(Event::Record(record));
        self.damage.clear();
        self.buffer.consume(start + length + tail);
        self.state = BETWEEN;
        self.checked = true;
    }
}

fn without_newlines(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}
