//! Cuts the plain bytes of members into ARC records.

use super::line::{UrlLine, begins, next_line};
use crate::damage::{Damage, Place, Reason};
use crate::limits::{LINE, Limits};
use crate::members::probe::{Found, packed_again};
use crate::narrow;
use crate::warc::buffer::Buffer;
use crate::warc::framing::{Edge, Framing, Progress, Visit};
use crate::warc::{Event, Head, Integrity, Record};

/// Implausible record length, 2 GiB, the most that files of that time could have. For longer records the
/// next URL line is searched instead.
const ABSURD: u64 = 2 << 30;

/// Maximum number of bytes of line ends examined at once between two records.
const MAX_TAIL: usize = 16;

#[derive(Clone, Copy, Debug)]
enum State {
    /// Between records. `lost` is the start of the bytes being skipped, if any. `midline` is set if the
    /// skipped bytes end inside a line.
    Between {
        lost: Option<Place>,
        midline: bool,
    },
    Block(Block),
}

#[derive(Clone, Copy, Debug)]
struct Block {
    /// Start of the block in the buffer, after the URL line.
    start: usize,
    /// Length according to the URL line, in bytes.
    stated: u64,
    /// Search position in the block if its length is wrong and it ends at the next URL line; `None` if the
    /// length is trusted.
    search: Option<usize>,
}

const BETWEEN: State = State::Between {
    lost: None,
    midline: false,
};

/// Cuts ARC files into records.
pub(crate) struct ArcFramer {
    buffer: Buffer,
    limits: Limits,
    state: State,
    /// Why bytes between records are skipped.
    lost_by: Reason,
    progress: Progress,
    /// `true` if all members that ended inside the current record had a correct checksum.
    checked: bool,
    head: Head,
    damage: Vec<Damage>,
}

impl ArcFramer {
    pub(crate) fn new(limits: Limits) -> Self {
        ArcFramer {
            buffer: Buffer::default(),
            limits,
            state: BETWEEN,
            lost_by: Reason::NoRecord,
            progress: Progress::default(),
            checked: true,
            head: Head::default(),
            damage: Vec::new(),
        }
    }

    /// Processes the first `end` bytes by one step. Returns `true` if there is more to do.
    fn step(&mut self, end: usize, edge: Edge, visit: &mut Visit<'_>) -> bool {
        match self.state {
            State::Between { lost, midline } => self.between(end, edge, (lost, midline), visit),
            State::Block(block) => match block.search {
                None => self.bounded(end, edge, block, visit),
                Some(searched) => self.endless(end, edge, block, searched, visit),
            },
        }
    }

    /// Reads the URL line of the next record.
    fn between(
        &mut self,
        end: usize,
        edge: Edge,
        (lost, midline): (Option<Place>, bool),
        visit: &mut Visit<'_>,
    ) -> bool {
        let data = &self.buffer.data()[..end];
        if data.is_empty() {
            if let Some(place) = lost.filter(|_| edge.is_over()) {
                self.found(place, visit);
            }
            return false;
        }
        let ends = data.iter().take_while(|byte| is_line_end(**byte)).count();
        // Inside a line that is being skipped, the line end is skipped with it.
        if ends > 0 && !midline {
            self.buffer.consume(ends);
            return true;
        }
        // A line end of two bytes may follow the longest line.
        let near = &data[..data.len().min(LINE + 2)];
        let line_end = memchr::memchr(b'\n', near);
        if line_end.is_none() && near.len() < LINE + 2 && !edge.is_over() {
            return false;
        }
        let length = line_end.map_or(near.len(), |end| end + 1);
        // A URL line begins the next record and ends the skipped bytes.
        if !midline && let Some(line) = UrlLine::parse(&near[..line_end.unwrap_or(near.len())]) {
            let (stated, bytes) = (line.length, head_of(&line));
            if let Some(place) = lost {
                self.found(place, visit);
            }
            self.head.parse(&bytes);
            self.damage.clear();
            // An absurd length would swallow the rest of the file.
            let absurd = stated > ABSURD;
            if absurd {
                self.label(Reason::WrongLength, 0);
            }
            self.state = State::Block(Block {
                start: length,
                stated,
                search: absurd.then_some(0),
            });
            return true;
        }
        if lost.is_none() {
            self.lost_by = match packed_again(near) {
                Found::Yes => Reason::PackedTwice,
                Found::No | Found::More => Reason::NoRecord,
            };
        }
        let place = lost.unwrap_or_else(|| self.buffer.place());
        self.buffer.consume(length);
        self.state = State::Between {
            lost: Some(place),
            midline: line_end.is_none(),
        };
        true
    }

    /// Ends the skipping of bytes and reports them.
    fn found(&mut self, place: Place, visit: &mut Visit<'_>) {
        self.state = BETWEEN;
        let bytes = self.buffer.plain() - place.plain;
        visit(Event::Damage(&Damage::new(self.lost_by, place, bytes)));
    }

    /// Reads a block whose length is given by its line.
    fn bounded(&mut self, end: usize, edge: Edge, block: Block, visit: &mut Visit<'_>) -> bool {
        let (start, most) = (block.start, self.limits.block);
        let have = (end - start) as u64 + self.buffer.dropped;
        let kept = usize::try_from(block.stated).unwrap_or(usize::MAX).min(most);
        // `have` counts all bytes of the block that have arrived. Of these, `kept` stay in the buffer and
        // `surplus` are dropped now.
        let surplus = have
            .min(block.stated)
            .saturating_sub(self.buffer.dropped + kept as u64);
        let surplus = narrow::to_usize(surplus);
        if surplus > 0 {
            // After this, bytes are dropped and a wrong length can no longer be corrected. Files of this
            // age seldom hold records this long.
            let bytes = &self.buffer.data()[start..start + kept];
            if self.buffer.dropped == 0 && next_line(bytes, 0, true).0 == Found::Yes {
                self.wrong_length(block);
                return true;
            }
            self.buffer.drop_range(start + kept, start + kept + surplus);
        }
        let end = end - surplus;
        if have < block.stated {
            return edge.is_over() && self.short(end, edge, block, visit);
        }
        let rest = &self.buffer.data()[start + kept..end];
        let tail = rest
            .iter()
            .take(MAX_TAIL)
            .take_while(|byte| is_line_end(**byte))
            .count();
        let next = &rest[tail..];
        let ends = edge != Edge::Inside;
        // The next record may begin in the next push.
        if next.is_empty() && !ends {
            return false;
        }
        match begins(next, edge.is_over()) {
            _ if next.is_empty() => self.deliver(start, kept, tail, edge, visit),
            Found::More => return false,
            Found::Yes => self.deliver(start, kept, tail, Edge::Inside, visit),
            // Dropped bytes cannot be searched again.
            Found::No if self.buffer.dropped > 0 => {
                self.label(Reason::WrongLength, 0);
                self.deliver(start, kept, tail, Edge::Inside, visit);
            }
            Found::No => self.wrong_length(block),
        }
        true
    }

    /// Reports a wrong length and searches for the next URL line instead.
    fn wrong_length(&mut self, block: Block) {
        self.label(Reason::WrongLength, 0);
        self.state = State::Block(Block {
            search: Some(0),
            ..block
        });
    }

    /// Handles a block with fewer bytes than its length. The length may include the records that follow.
    fn short(&mut self, end: usize, edge: Edge, block: Block, visit: &mut Visit<'_>) -> bool {
        let start = block.start;
        let bytes = &self.buffer.data()[start..end];
        let (found, at) = next_line(bytes, 0, true);
        // A URL line inside the block shows that the length includes other records.
        if found == Found::Yes && self.buffer.dropped == 0 {
            let kept = without_line_end(&bytes[..at]);
            self.label(Reason::WrongLength, 0);
            self.deliver(start, kept, at - kept, Edge::Inside, visit);
            return true;
        }
        let missing = block.stated - bytes.len() as u64 - self.buffer.dropped;
        // Some writers count the line feed after a record, which the last record may lack.
        if missing > 1 || matches!(edge, Edge::Broken(_)) {
            self.label(Reason::CutRecord, missing);
        }
        self.deliver(start, end - start, 0, edge, visit);
        true
    }

    /// Reads a block whose length is wrong: it ends at the next URL line.
    fn endless(
        &mut self,
        end: usize,
        edge: Edge,
        block: Block,
        searched: usize,
        visit: &mut Visit<'_>,
    ) -> bool {
        let (start, most) = (block.start, self.limits.block);
        let bytes = &self.buffer.data()[start..end];
        let (found, at) = next_line(bytes, searched.min(bytes.len()), edge.is_over());
        // No URL line within the bytes kept of a block: the length that the block states is taken if it is
        // plausible. Bytes after it belong to no record and are skipped.
        let guess = usize::try_from(block.stated)
            .ok()
            .filter(|stated| *stated <= most);
        if found == Found::Yes && (at <= most || guess.is_none()) {
            let kept = without_line_end(&bytes[..at]);
            self.deliver(start, kept, at - kept, Edge::Inside, visit);
            return true;
        }
        if edge.is_over() || guess.is_some() && at >= most {
            let kept = guess.unwrap_or(usize::MAX).min(bytes.len());
            let edge = if kept == bytes.len() { edge } else { Edge::Inside };
            self.deliver(start, kept, 0, edge, visit);
            return true;
        }
        let surplus = if guess.is_none() {
            at.saturating_sub(most)
        } else {
            0
        };
        if surplus > 0 {
            self.buffer.drop_range(start + most, start + most + surplus);
        }
        self.state = State::Block(Block {
            search: Some(at - surplus),
            ..block
        });
        false
    }

    /// Emits a record whose block has `length` bytes in the buffer, and moves to the bytes after it.
    fn deliver(&mut self, start: usize, length: usize, tail: usize, edge: Edge, visit: &mut Visit<'_>) {
        let place = self.buffer.place();
        if let Edge::Broken(reason) = edge {
            self.progress.reported = true;
            self.label(reason, 0);
        }
        let kept = length.min(self.limits.block);
        let dropped = self.buffer.dropped + (length - kept) as u64;
        if dropped > 0 {
            self.label(Reason::TooLarge, dropped);
        }
        let vouched = edge == Edge::End { checked: true } && self.checked;
        let record = Record {
            head: &self.head,
            block: &self.buffer.data()[start..start + kept],
            dropped,
            place,
            integrity: if vouched {
                Integrity::Checksum
            } else {
                Integrity::Unknown
            },
            damage: &self.damage,
        };
        visit(Event::Record(record));
        self.damage.clear();
        self.buffer.consume(start + length + tail);
        self.state = BETWEEN;
        self.checked = true;
    }

    fn label(&mut self, reason: Reason, bytes: u64) {
        let mut damage = Damage::new(reason, self.buffer.place(), bytes);
        damage.uri = self.head.target_uri().map(|uri| uri.into_owned());
        self.damage.push(damage);
    }
}

impl Framing for ArcFramer {
    fn buffer(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn work(&mut self, edge: Edge, visit: &mut Visit<'_>) {
        // A member without a correct checksum leaves its record unconfirmed.
        self.checked &= edge != Edge::End { checked: false };
        if let Some(joint) = self.progress.joint {
            // Dropped bytes lie before the joint, and the buffer does not hold them.
            let joint = usize::try_from(joint.saturating_sub(self.buffer.dropped)).unwrap_or(usize::MAX);
            let next = self.buffer.data().get(joint..).unwrap_or_default();
            let ends = next.iter().take(MAX_TAIL).take_while(|byte| is_line_end(**byte));
            let next = &next[ends.count()..];
            match begins(next, edge.is_over()) {
                Found::More => return,
                Found::No => {}
                // A record begins with the member, so the bytes before it end here.
                Found::Yes => {
                    let behind = self.buffer.len().saturating_sub(joint);
                    while self.step(self.buffer.len() - behind, Edge::Over, visit) {}
                }
            }
            self.progress.joint = None;
        }
        while self.step(self.buffer.len(), edge, visit) {}
        if self.is_idle() && edge != Edge::Inside {
            self.checked = true;
        }
    }

    fn is_idle(&self) -> bool {
        self.buffer.is_empty() && matches!(self.state, State::Between { lost: None, .. })
    }

    fn plain_offset(&self) -> u64 {
        self.buffer.plain()
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Returns the length of a block without the line end that separates it from the next record.
fn without_line_end(block: &[u8]) -> usize {
    let block = block.strip_suffix(b"\n").unwrap_or(block);
    block.strip_suffix(b"\r").unwrap_or(block).len()
}

/// Returns the WARC header that corresponds to a URL line.
fn head_of(line: &UrlLine<'_>) -> Vec<u8> {
    let scheme = line.url.split(|byte| *byte == b':').next().unwrap_or_default();
    // The scheme stands for the type, which ARC does not store.
    let kind = match scheme.to_ascii_lowercase().as_slice() {
        b"filedesc" | b"warcinfo" => "warcinfo",
        b"http" | b"https" => "response",
        // Captures over other protocols have no protocol header.
        _ => "resource",
    };
    let (date, length) = (line.iso_date(), line.length.to_string());
    let fields: [(&str, &[u8]); 6] = [
        ("WARC-Type", kind.as_bytes()),
        ("WARC-Target-URI", line.url),
        ("WARC-IP-Address", line.ip),
        ("WARC-Date", date.as_bytes()),
        ("Content-Type", line.content_type),
        ("Content-Length", length.as_bytes()),
    ];
    // The first line stands for the version.
    let mut head = b"ARC\n".to_vec();
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        head.extend_from_slice(name.as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value);
        head.push(b'\n');
    }
    head
}
