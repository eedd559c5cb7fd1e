//! The interface of framers, which cut the plain bytes of members into records.

use super::buffer::Buffer;
use super::record::Event;
use crate::damage::{Damage, Place, Reason};

/// Callback that receives events.
pub(crate) type Visit<'a> = dyn FnMut(Event<'_>) + 'a;

/// Continuation of the input after the bytes that have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    /// More bytes of this member or run may follow.
    Inside,
    /// The end of a member. `checked` is set if its checksum is correct.
    End { checked: bool },
    /// The end of the current data: the next member begins with a record header, or the input ends.
    Over,
    /// The end of the current data because the member is broken.
    Broken(Reason),
}

impl Edge {
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Edge::Over | Edge::Broken(_))
    }
}

/// State of the input that the framers of all formats share.
#[derive(Default)]
pub(crate) struct Progress {
    /// Number of unfinished bytes when the current member began, until it is known whether the member continues them.
    pub(crate) joint: Option<u64>,
    /// `true` inside an uncompressed run.
    pub(crate) running: bool,
    /// `true` if the reason why the member is broken was reported with a record.
    pub(crate) reported: bool,
}

/// Finds the records of one archive format among the plain bytes of members.
///
/// A format implements the first part. The second part, which the reader calls, is the same for all formats.
pub(crate) trait Framing: Send {
    /// The unfinished bytes.
    fn buffer(&mut self) -> &mut Buffer;

    /// The state of the input.
    fn progress(&mut self) -> &mut Progress;

    /// Processes the bytes that have arrived.
    fn work(&mut self, edge: Edge, visit: &mut Visit<'_>);

    /// Returns the bytes of a run that are not a record, if the run ended with such bytes.
    fn refused(&mut self) -> Option<Vec<u8>> {
        None
    }

    /// Returns `true` if members begin inside records.
    fn in_blocks(&self) -> bool {
        false
    }

    /// Returns `true` if no record or search is unfinished.
    fn is_idle(&self) -> bool;

    /// Returns the number of plain bytes consumed, including skipped ones.
    fn plain_offset(&self) -> u64;

    /// Notes that a member, or with `run` an uncompressed run, begins at this offset of the file.
    fn begin_at(&mut self, at: u64, run: bool) {
        self.buffer().mark(at, run);
        // Only the first member that begins inside a record sets the joint. It stays until its first bytes
        // are known.
        if !self.is_idle() && self.progress().joint.is_none() {
            let buffer = self.buffer();
            let unfinished = buffer.len() as u64 + buffer.dropped;
            self.progress().joint = Some(unfinished);
        }
    }

    /// A member begins at this offset of the file.
    fn begin(&mut self, at: u64) {
        self.begin_at(at, false);
    }

    /// Receives plain bytes of the member.
    fn plain(&mut self, bytes: &[u8], visit: &mut Visit<'_>) {
        self.buffer().extend(bytes);
        self.work(Edge::Inside, visit);
    }

    /// Handles the end of the member or of the input.
    fn edge(&mut self, edge: Edge, visit: &mut Visit<'_>) {
        self.work(edge, visit);
    }

    /// Handles a broken member that began at offset `member`.
    fn broken(&mut self, member: u64, reason: Reason, visit: &mut Visit<'_>) {
        // `work` may return the record that the member breaks. The damage is then reported with it and not
        // again.
        self.progress().reported = false;
        self.work(Edge::Broken(reason), visit);
        if !self.progress().reported {
            let place = Place::of_member(member, self.plain_offset());
            visit(Event::Damage(&Damage::new(reason, place, 0)));
        }
    }

    /// Receives bytes of an uncompressed run. Returns trailing bytes that are not a record, to be parsed as
    /// members. `whole` is set if no more bytes follow.
    fn run(&mut self, at: u64, bytes: &[u8], whole: bool, visit: &mut Visit<'_>) -> Option<Vec<u8>> {
        if !std::mem::replace(&mut self.progress().running, true) {
            self.begin_at(at, true);
        }
        self.buffer().extend(bytes);
        self.work(if whole { Edge::Over } else { Edge::Inside }, visit);
        let rest = self.refused();
        // A run that gave bytes back is over.
        self.progress().running = rest.is_none();
        rest
    }
}
