//! What turns the plain bytes of members into records, for each form of archives.

use super::record::Event;
use crate::damage::Reason;

/// Takes events.
pub(crate) type Visit<'a> = dyn FnMut(Event<'_>) + 'a;

/// What follows the bytes that have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
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
    pub(crate) fn is_over(self) -> bool {
        matches!(self, Edge::Over | Edge::Broken(_))
    }
}

/// A form of archives: where its records begin and end among the plain bytes of members.
pub(crate) trait Framing: Send {
    /// A member begins at this byte of the file.
    fn begin(&mut self, at: u64);

    /// Plain bytes of the member.
    fn plain(&mut self, bytes: &[u8], visit: &mut Visit<'_>);

    /// The member ends, or the input.
    fn edge(&mut self, edge: Edge, visit: &mut Visit<'_>);

    /// The member is broken that began at that offset.
    fn broken(&mut self, member: u64, reason: Reason, visit: &mut Visit<'_>);

    /// Bytes of a run, which are not compressed; what is given back is no record. `whole`: no more bytes follow.
    fn run(&mut self, at: u64, bytes: &[u8], whole: bool, visit: &mut Visit<'_>) -> Option<Vec<u8>>;

    /// Whether members begin inside records.
    fn in_blocks(&self) -> bool;

    /// Whether nothing is pending.
    fn is_idle(&self) -> bool;

    /// Plain bytes that have become records or were skipped.
    fn plain_offset(&self) -> u64;
}
