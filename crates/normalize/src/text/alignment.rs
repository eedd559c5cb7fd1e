//! Offsets: maps the bytes of a rewritten text to bytes of the original.

use std::ops::Range;

/// A run of the rewritten text and the source bytes it comes from.
///
/// A run begins where the preceding run ends; the first begins at 0. Source bytes between two runs were
/// deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    out_end: usize,
    src_start: usize,
    src_end: usize,
    /// Whether positions inside the run map one to one: run and source are equally long, and their k-th characters have
    /// equal lengths. Otherwise the whole run maps to its whole source.
    stepwise: bool,
}

/// Maps byte offsets of a rewritten text to byte offsets of its source.
///
/// Both ends of a mapped range grow monotonically with the requested offsets. They lie inside the source, and on character boundaries
/// if the requested offsets do. Inserted or composed characters map to all the characters that they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    spans: Vec<Span>,
}

impl Alignment {
    /// Creates the map of an empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Source bytes of `range` of the rewritten text. An empty range maps to an empty range; offsets past
    /// the end are treated as the end. `O(log n)` in the number of changes.
    #[must_use]
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        let start = self.start(range.start);
        if range.start >= range.end {
            start..start
        } else {
            start..self.end(range.end).max(start)
        }
    }

    /// Number of stored runs; one for an unchanged text.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.spans.len()
    }

    pub(crate) fn clear(&mut self) {
        self.spans.clear();
    }

    /// Length in bytes of the rewritten text so far.
    pub(crate) fn out_len(&self) -> usize {
        self.spans.last().map_or(0, |span| span.out_end)
    }

    /// Appends `len` bytes that map one to one to the `len` source bytes from `src_start` on.
    #[inline]
    pub(crate) fn push_stepwise(&mut self, len: usize, src_start: usize) {
        if len == 0 {
            return;
        }
        // One-to-one runs that are adjacent in the source merge, so an unchanged text has a single run.
        if let Some(last) = self.spans.last_mut()
            && last.stepwise
            && last.src_end == src_start
        {
            last.out_end += len;
            last.src_end += len;
            return;
        }
        let out_end = self.out_len() + len;
        self.spans.push(Span {
            out_end,
            src_start,
            src_end: src_start + len,
            stepwise: true,
        });
    }

    /// Appends `len` bytes that map as a whole to the source bytes `src`.
    #[inline]
    pub(crate) fn push_whole(&mut self, len: usize, src: Range<usize>) {
        if len > 0 {
            let out_end = self.out_len() + len;
            self.spans.push(Span {
                out_end,
                src_start: src.start,
                src_end: src.end,
                stepwise: false,
            });
        }
    }

    /// Cuts the map at byte `len` of the rewritten text.
    pub(crate) fn truncate(&mut self, len: usize) {
        // Removes runs that begin at `len` or later. The first run begins at 0 and goes only if nothing is
        // left.
        while self.spans.len() > 1 && self.begin(self.spans.len() - 1) >= len
            || len == 0 && !self.spans.is_empty()
        {
            self.spans.pop();
        }
        if let Some(last) = self.spans.last_mut()
            && last.out_end > len
        {
            // The rest of a run that maps as a whole still comes from all of its source.
            if last.stepwise {
                last.src_end -= last.out_end - len;
            }
            last.out_end = len;
        }
    }

    /// Appends all runs of `part`, whose source begins at `src_offset` of this map's source.
    pub(crate) fn append(&mut self, part: &Self, src_offset: usize) {
        let mut out_start = 0;
        for span in &part.spans {
            let len = span.out_end - out_start;
            if span.stepwise {
                self.push_stepwise(len, span.src_start + src_offset);
            } else {
                self.push_whole(len, span.src_start + src_offset..span.src_end + src_offset);
            }
            out_start = span.out_end;
        }
    }

    /// Sets `self` to the composition of `outer` and `inner`, where the source of `outer` is the rewritten
    /// text of `inner`. The result maps the rewritten text of `outer` to the source of `inner`.
    ///
    /// Linear in the number of runs of both.
    pub(crate) fn compose(&mut self, outer: &Self, inner: &Self) {
        self.spans.clear();
        let mut out_start = 0;
        let mut k = 0;
        for span in &outer.spans {
            let len = span.out_end - out_start;
            out_start = span.out_end;
            // The sources of `outer`'s runs are ascending, so the search in `inner` goes back by at most one run.
            while k > 0 && inner.begin(k) > span.src_start {
                k -= 1;
            }
            while k < inner.spans.len() && inner.spans[k].out_end <= span.src_start {
                k += 1;
            }
            // From here on `inner.spans[k]` contains `span.src_start`, unless the source is past the end of
            // `inner`.
            if !span.stepwise {
                self.push_whole(len, inner.source(span.src_start..span.src_end));
                continue;
            }
            let mut at = span.src_start;
            while at < span.src_end && k < inner.spans.len() {
                let under = inner.spans[k];
                let begin = inner.begin(k);
                let end = under.out_end.min(span.src_end);
                // A position maps one to one only if both maps do so.
                if under.stepwise {
                    self.push_stepwise(end - at, under.src_start + (at - begin));
                } else {
                    self.push_whole(end - at, under.src_start..under.src_end);
                }
                at = end;
                if under.out_end <= at {
                    k += 1;
                }
            }
        }
    }

    /// Offset in the rewritten text where the run with this index begins.
    fn begin(&self, index: usize) -> usize {
        index
            .checked_sub(1)
            .map_or(0, |before| self.spans[before].out_end)
    }

    /// Start of the source of the character at `at`.
    fn start(&self, at: usize) -> usize {
        let index = self.spans.partition_point(|span| span.out_end <= at);
        match self.spans.get(index) {
            Some(span) if span.stepwise => span.src_start + (at - self.begin(index)),
            Some(span) => span.src_start,
            None => self.spans.last().map_or(0, |span| span.src_end),
        }
    }

    /// End of the source of the character before `at`.
    fn end(&self, at: usize) -> usize {
        let index = self.spans.partition_point(|span| span.out_end < at);
        match self.spans.get(index) {
            Some(span) if span.stepwise => span.src_start + (at - self.begin(index)),
            Some(span) => span.src_end,
            None => self.spans.last().map_or(0, |span| span.src_end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Alignment {
        let mut alignment = Alignment::new();
        alignment.push_stepwise(3, 2);
        alignment.push_whole(1, 5..9);
        alignment.push_stepwise(2, 10);
        alignment
    }

    #[test]
    fn ranges_map_to_what_stands_behind_them() {
        let alignment = sample();
        assert_eq!(alignment.source(0..3), 2..5);
        assert_eq!(alignment.source(1..2), 3..4);
        assert_eq!(alignment.source(2..4), 4..9);
        assert_eq!(alignment.source(3..5), 5..11);
        assert_eq!(alignment.source(4..4), 10..10);
        assert_eq!(alignment.source(6..99), 12..12);
        assert_eq!(Alignment::new().source(0..5), 0..0);
    }

    #[test]
    fn stepwise_neighbors_become_one_run() {
        let mut alignment = Alignment::new();
        alignment.push_stepwise(3, 0);
        alignment.push_stepwise(4, 3);
        assert_eq!(alignment.runs(), 1);
        assert_eq!(alignment.source(2..5), 2..5);
    }

    #[test]
    fn composition_goes_through_both_maps() {
        let inner = sample();
        let mut outer = Alignment::new();
        outer.push_stepwise(1, 0);
        outer.push_whole(2, 1..4);
        outer.push_stepwise(2, 4);
        let mut both = Alignment::new();
        both.compose(&outer, &inner);
        assert_eq!(both.source(0..1), 2..3);
        assert_eq!(both.source(1..2), 3..9);
        assert_eq!(both.source(3..5), 10..12);
    }
}
