//! Reusable buffers for lines. The reader passes on the buffer itself, and it is returned after its lines
//! are processed. Allocations of this size are requested from the system and returned to it each time,
//! which costs more than copying the content.

use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memchr::memchr_iter;

/// Largest buffer kept for reuse, in bytes. Larger ones are freed.
const KEPT_BYTES: usize = 4 << 20;
/// Largest number of buffers kept.
const KEPT: usize = 64;

/// Pool of free buffers.
#[derive(Debug, Default)]
pub(crate) struct LineBuffers(Mutex<Vec<Vec<u8>>>);

impl LineBuffers {
    /// Returns a buffer of arbitrary length and content.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.waiting().pop().unwrap_or_default()
    }

    /// Keeps a buffer for reuse, unless it is too large or enough are kept.
    fn give_back(&self, buffer: Vec<u8>) {
        let mut waiting = self.waiting();
        if buffer.capacity() <= KEPT_BYTES && waiting.len() < KEPT {
            waiting.push(buffer);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lines in a part of a buffer, which returns to its pool when dropped.
#[derive(Debug)]
pub struct LineBytes {
    buffer: Vec<u8>,
    lines: Range<usize>,
    /// Positions of the line feeds, relative to the lines.
    feeds: Vec<usize>,
    from: Option<Arc<LineBuffers>>,
}

impl LineBytes {
    /// Creates lines from the range `lines` of a buffer, with the positions of their line feeds.
    pub(crate) fn part(
        buffer: Vec<u8>,
        lines: Range<usize>,
        feeds: Vec<usize>,
        from: &Arc<LineBuffers>,
    ) -> Self {
        LineBytes {
            buffer,
            lines,
            feeds,
            from: Some(Arc::clone(from)),
        }
    }

    /// Creates lines with a buffer of their own, with the positions of their line feeds.
    pub(crate) fn own(bytes: Vec<u8>, feeds: Vec<usize>) -> Self {
        LineBytes::first(bytes.len(), bytes, feeds)
    }

    /// Creates lines from the first `bytes` bytes of their own buffer, with the positions of their line feeds.
    pub(crate) fn first(bytes: usize, buffer: Vec<u8>, feeds: Vec<usize>) -> Self {
        LineBytes {
            buffer,
            lines: 0..bytes,
            feeds,
            from: None,
        }
    }

    /// Returns the buffer, without returning it to the pool.
    pub(crate) fn into_buffer(mut self) -> Vec<u8> {
        self.from = None;
        std::mem::take(&mut self.buffer)
    }

    /// Returns the positions of the line feeds.
    pub(crate) fn feeds(&self) -> &[usize] {
        &self.feeds
    }

    /// Returns the end of each line, without its line feed. The last line may lack a line feed.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> {
        let open = self.last().is_some_and(|byte| *byte != b'\n');
        self.feeds.iter().copied().chain(open.then_some(self.len()))
    }
}

impl From<Vec<u8>> for LineBytes {
    fn from(bytes: Vec<u8>) -> Self {
        let feeds = memchr_iter(b'\n', &bytes).collect();
        LineBytes::own(bytes, feeds)
    }
}

impl Deref for LineBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        debug_assert!(
            self.lines.end <= self.buffer.len(),
            "the lines lie in their buffer"
        );
        self.buffer.get(self.lines.clone()).unwrap_or_default()
    }
}

impl Drop for LineBytes {
    fn drop(&mut self) {
        if let Some(from) = &self.from {
            from.give_back(std::mem::take(&mut self.buffer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_goes_back_when_its_lines_are_done() {
        let buffers = Arc::new(LineBuffers::default());
        let lines = LineBytes::part(b"a\nb\nc".to_vec(), 2..4, vec![1], &buffers);
        assert_eq!(&lines[..], b"b\n");
        assert!(buffers.take().is_empty());
        drop(lines);
        assert_eq!(buffers.take(), b"a\nb\nc");
        drop(LineBytes::part(
            vec![0; KEPT_BYTES + 1],
            0..1,
            Vec::new(),
            &buffers,
        ));
        drop(LineBytes::from(b"x".to_vec()));
        assert!(buffers.take().is_empty());
    }

    #[test]
    fn the_last_line_ends_without_a_line_feed_too() {
        let ends = |bytes: &[u8]| LineBytes::from(bytes.to_vec()).ends().collect::<Vec<_>>();
        assert_eq!(ends(b"a\n\nb"), [1, 2, 4]);
        assert_eq!(ends(b"a\n\nb\n"), [1, 2, 4]);
        assert!(ends(b"").is_empty());
    }
}
