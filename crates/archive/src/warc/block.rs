//! Blocks of records: where they end, and whether their bytes match the checksums.

use super::framer::{BETWEEN, Block, Framer, State};
use super::framing::{Edge, Visit};
use super::record::{Event, Integrity, Record};
use super::search::{EndSearch, MAX_HEADER, MAX_TAIL, Tail, begins_with_tail, tail, without_tail};
use crate::damage::Reason;
use crate::narrow;

/// Implausible block length, 16 GiB. A longer block whose digest is not known counts as wrong.
const ABSURD: u64 = 16 << 30;

impl Framer {
    /// Continues a block. Returns `true` if there is more to do.
    pub(super) fn block(&mut self, end: usize, edge: Edge, block: Block, visit: &mut Visit<'_>) -> bool {
        match block.need {
            Some(need) => self.bounded(end, edge, block, need, visit),
            None => self.endless(end, edge, block, visit),
        }
    }

    /// Reads a block of known length.
    fn bounded(&mut self, end: usize, edge: Edge, block: Block, need: u64, visit: &mut Visit<'_>) -> bool {
        let (start, most) = (block.start, self.limits.block);
        // Before any byte is dropped the length is checked, once.
        if need > most as u64 && end - start > most && !block.weighed {
            self.weigh(block, need);
            return true;
        }
        // `have` counts all bytes of the block that have arrived. Of these, `kept` stay in the buffer and
        // `surplus` are dropped now.
        let have = (end - start) as u64 + self.buffer.dropped;
        let kept = usize::try_from(need).unwrap_or(usize::MAX).min(most);
        let surplus = have.min(need).saturating_sub(self.buffer.dropped + kept as u64);
        let surplus = narrow::to_usize(surplus);
        if surplus > 0 {
            self.buffer.drop_range(start + kept, start + kept + surplus);
        }
        let end = end - surplus;
        // Too few bytes: either more will arrive, or the block is cut.
        if have < need {
            return edge.is_over() && self.short(end, edge, start, need, visit);
        }
        let rest = &self.buffer.data()[start + kept..end];
        let ends = edge != Edge::Inside;
        // If only newlines are left at the end of a member, the block may end there.
        let whole = edge.is_over() || ends && rest.len() <= MAX_TAIL && rest.trim_ascii().is_empty();
        match tail(rest, whole) {
            Tail::More => return false,
            // The end of the member is awaited, so that its checksum can confirm the record. A run has no
            // checksum.
            Tail::Right(length) if length == rest.len() && !ends && !self.progress.running => return false,
            found => {
                // The usual two newlines confirm the length without a digest.
                let usual = begins_with_tail(rest);
                let length = if let Tail::Right(length) = found {
                    Some(length)
                } else {
                    None
                };
                // The edge concerns this record only if no bytes follow it.
                let edge = if length == Some(rest.len()) {
                    edge
                } else {
                    Edge::Inside
                };
                match length {
                    Some(length) if usual => self.deliver(start, kept, length, edge, visit),
                    _ => self.doubt(edge, block, kept, length, visit),
                }
            }
        }
        true
    }

    /// Checks the length of a long block before its bytes are dropped, after which a wrong length can no
    /// longer be corrected.
    fn weigh(&mut self, mut block: Block, need: u64) {
        let most = self.limits.block;
        let bytes = &self.buffer.data()[block.start..block.start + most];
        // A digest that is right for a shorter block proves that the length is wrong. Without a digest only
        // absurd lengths are refused.
        let wrong = match &self.digest {
            Some(digest) => EndSearch::default()
                .end(bytes, most, Some(digest), true)
                .is_some_and(|end| digest.is_of(&bytes[..without_tail(&bytes[..end])])),
            None => need > ABSURD,
        };
        if wrong {
            let place = self.buffer.place();
            self.label(Reason::WrongLength, place, 0);
            block.need = None;
        }
        block.weighed = true;
        self.state = State::Block(block);
    }

    /// Handles a block whose length is in doubt, because the bytes after its first `kept` bytes are not the
    /// usual two newlines.
    ///
    /// `tail` is the number of newline bytes found there, or `None` if a block cannot end there. The
    /// digest, if it can be checked, decides whether the length is right.
    fn doubt(&mut self, edge: Edge, block: Block, kept: usize, tail: Option<usize>, visit: &mut Visit<'_>) {
        let from = self.buffer.plain() + block.start as u64;
        // Hashing reads the block again, so the budget must cover it.
        let paid = self.credit.look(from, from + kept as u64 + self.buffer.dropped);
        let dropped = self.buffer.dropped > 0;
        let bytes = &self.buffer.data()[block.start..block.start + kept];
        // A digest can decide only if all bytes of the block are there.
        let right = match &self.digest {
            Some(digest) if paid && !dropped => digest.is_of(bytes),
            _ => tail.is_some(),
        };
        if !right {
            let place = self.buffer.place();
            self.label(Reason::WrongLength, place, 0);
        }
        // Dropped bytes cannot be searched, so the record is returned even if its length is wrong.
        if right || dropped {
            self.deliver(block.start, kept, tail.unwrap_or(0), edge, visit);
        } else {
            self.state = State::Block(Block { need: None, ..block });
        }
    }

    /// Handles a block with fewer bytes than its length. The length may include the records that follow.
    fn short(&mut self, end: usize, edge: Edge, start: usize, need: u64, visit: &mut Visit<'_>) -> bool {
        let place = self.buffer.place();
        let plain = self.buffer.plain();
        self.credit
            .look(plain + start as u64, plain + end as u64 + self.buffer.dropped);
        let block = &self.buffer.data()[start..end];
        let missing = need - block.len() as u64 - self.buffer.dropped;
        // Without the dropped bytes no earlier end can be found.
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
        // The block ends in two newlines at the end of the input: it is complete, and its length is too
        // large.
        if tail > 0 && edge == Edge::Over {
            self.label(Reason::WrongLength, place, 0);
            self.deliver(start, kept, tail, edge, visit);
        } else {
            self.label(Reason::CutRecord, place, missing);
            self.deliver(start, kept + tail, 0, edge, visit);
        }
        true
    }

    /// Reads a block of unknown length.
    fn endless(&mut self, end: usize, edge: Edge, mut block: Block, visit: &mut Visit<'_>) -> bool {
        let (start, most) = (block.start, self.limits.block);
        let bytes = &self.buffer.data()[start..end];
        // Dropped bytes lie before the searched ones, and the search position does not count them.
        let length = block
            .search
            .end(bytes, most, self.digest.as_ref(), edge.is_over());
        let Some(length) = length.or(edge.is_over().then_some(bytes.len())) else {
            // The bytes just before a header decide whether it is a real one, so `MAX_HEADER` of them are kept.
            let surplus = block.search.searched.saturating_sub(most + MAX_HEADER);
            if surplus > 0 {
                self.buffer.drop_range(start + most, start + most + surplus);
                block.search.searched -= surplus;
            }
            self.state = State::Block(block);
            return false;
        };
        // The newlines before the next header are not part of the block.
        let kept = without_tail(&bytes[..length]);
        let last = length == bytes.len();
        let from = self.buffer.plain() + start as u64;
        self.credit
            .look(from, from + block.search.searched.min(most) as u64);
        let edge = if last { edge } else { Edge::Inside };
        self.deliver(start, kept, length - kept, edge, visit);
        true
    }

    /// Emits a record whose block has `length` bytes in the buffer, and moves to the bytes after it.
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
        // A checksum confirms the record only if it covers the last byte and all members before were
        // confirmed, too.
        let vouched = edge == Edge::End { checked: true } && self.checked;
        // The order matters: a digest says more than a checksum and is preferred, unless digests are
        // switched off.
        let integrity = match &self.digest {
            _ if vouched && !self.limits.all_digests => Integrity::Checksum,
            Some(digest) if dropped == 0 && digest.is_of(block) => Integrity::Digest,
            // Programs that copy captures may change the HTTP header after the block digest was computed.
            Some(_) if dropped == 0 && self.head.payload_is_of(block) => Integrity::Payload,
            Some(_) if dropped == 0 => Integrity::Wrong,
            _ if vouched => Integrity::Checksum,
            _ => Integrity::Unknown,
        };
        if matches!(integrity, Integrity::Wrong | Integrity::Payload) {
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
        // The record, its newlines and the dropped bytes are done.
        self.buffer.consume(start + length + tail);
        self.credit.settle(self.buffer.plain());
        self.state = BETWEEN;
        self.checked = true;
    }
}
