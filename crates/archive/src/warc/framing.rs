//! The interface of framers, which cut the plain bytes of members into records.

use super::record::Event;
use crate::damage::Reason;

/// Callback that receives events.
pub(crate) type Visit<'a> = dyn FnMut(Event<'_>) + 'a;

/// Continuation of the input after the bytes that have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    /// More bytes of this member or run.
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

/// Finds the records of one archive format among the plain bytes of members.
pub(crate) trait Framing: Send {
    /// A member begins at this offset of the file.
    fn begin(&mut self, at: u64);

    /// Receives plain bytes of the member.
    fn plain(&mut self, bytes: &[u8], visit: &mut Visit<'_>);

    /// Handles the end of the member or of the input.
    fn edge(&mut self, edge: Edge, visit: &mut Visit<'_>);

    /// Handles a broken member that began at offset `member`.
    fn broken(&mut self, member: u64, reason: Reason, visit: &mut Visit<'_>);

    /// Receives bytes of an uncompressed run. Returns trailing bytes that are not a record, to be parsed as members. `whole` is set if no more bytes
    /// follow.
    fn run(&mut self, at: u64, bytes: &[u8], whole: bool, visit: &mut Visit<'_>) -> Option<Vec<u8>>;

    /// Returns `true` if members begin inside records.
    fn in_blocks(&self) -> bool;

    /// Returns `true` if no record or search is unfinished.
    fn is_idle(&self) -> bool;

    /// Returns the number of plain bytes consumed, including skipped ones.
    fn plain_offset(&self) -> u64;
}
