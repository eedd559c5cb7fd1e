//! Recording of source offsets while the output is written.

use crate::text::alignment::Alignment;

/// Receives the source offsets of the output; [`NoOffsets`] drops them.
pub(crate) trait OffsetSink {
    /// `len` bytes that map one to one to the source from `src_start` on.
    fn stepwise(&mut self, len: usize, src_start: usize);
    /// A space that replaces the source bytes between two words.
    fn gap(&mut self, src_start: usize, src_end: usize);
    /// `len` bytes that replace a character and do not correspond to its bytes.
    fn whole(&mut self, len: usize, src_start: usize, src_end: usize);
    /// The output of a chunk of the chain, whose source begins at `src_offset`.
    fn append(&mut self, part: &Alignment, src_offset: usize);
    /// Forgets all output after its first `len` bytes.
    fn truncate(&mut self, len: usize);
    /// Whether offsets are recorded. If not, the chain of passes builds no alignments either.
    const TRACKED: bool;
}

/// Records no offsets.
pub(crate) struct NoOffsets;

impl OffsetSink for NoOffsets {
    const TRACKED: bool = false;
    #[inline]
    fn stepwise(&mut self, _: usize, _: usize) {}
    #[inline]
    fn gap(&mut self, _: usize, _: usize) {}
    #[inline]
    fn whole(&mut self, _: usize, _: usize, _: usize) {}
    fn append(&mut self, _: &Alignment, _: usize) {}
    fn truncate(&mut self, _: usize) {}
}

impl OffsetSink for Alignment {
    const TRACKED: bool = true;
    #[inline]
    fn stepwise(&mut self, len: usize, src_start: usize) {
        self.push_stepwise(len, src_start);
    }
    #[inline]
    fn gap(&mut self, src_start: usize, src_end: usize) {
        // One byte for one byte is a one-to-one run, which joins its neighbors: ordinary text stays one run.
        if src_end - src_start == 1 {
            self.push_stepwise(1, src_start);
        } else {
            self.push_whole(1, src_start..src_end);
        }
    }
    #[inline]
    fn whole(&mut self, len: usize, src_start: usize, src_end: usize) {
        self.push_whole(len, src_start..src_end);
    }
    fn append(&mut self, part: &Alignment, src_offset: usize) {
        Alignment::append(self, part, src_offset);
    }
    fn truncate(&mut self, len: usize) {
        Alignment::truncate(self, len);
    }
}

/// Where the chain of passes takes over: a boundary in the source, the length of the output up to it, and the end of the last
/// word before it in the source.
#[derive(Clone, Copy, Default)]
pub(super) struct RestartPoint {
    pub(super) src: usize,
    pub(super) out: usize,
    pub(super) word_end: usize,
}
