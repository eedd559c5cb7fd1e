//! The bytes of a file that may still be read.

/// A window of bytes of a file, with the current position.
pub(crate) struct Window {
    bytes: Vec<u8>,
    base: u64,
    /// File offset of the next byte to read. It may lie beyond the bytes that have arrived.
    pub(crate) position: u64,
}

impl Window {
    pub(crate) fn new(at: u64) -> Self {
        Window {
            bytes: Vec::new(),
            base: at,
            position: at,
        }
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the file offset after the last byte.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    fn index(&self) -> usize {
        usize::try_from(self.position.saturating_sub(self.base))
            .unwrap_or(usize::MAX)
            .min(self.bytes.len())
    }

    /// Returns the bytes from the current position on.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.index()..]
    }

    /// Returns the bytes from a file offset on; if the first of them were dropped, all bytes that are kept.
    pub(crate) fn from(&self, offset: u64) -> &[u8] {
        let dead = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.bytes.get(dead..).unwrap_or_default()
    }

    /// Drops bytes before a file offset once they are more than half of the window. The cost per byte is
    /// thus amortized constant.
    pub(crate) fn keep_from(&mut self, offset: u64) {
        let dead = usize::try_from(offset.saturating_sub(self.base))
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        // Draining moves the remaining bytes, so it waits until the dropped bytes outnumber those that are
        // moved.
        if dead > self.bytes.len() / 2 {
            self.bytes.drain(..dead);
            self.base += dead as u64;
        }
    }

    /// Moves the position back by the length of `before`, the bytes just before it.
    pub(crate) fn give_back(&mut self, before: &[u8]) {
        let index = self.index();
        self.position -= before.len() as u64;
        // The bytes were dropped already, so they are put back in front.
        if self.position < self.base {
            self.bytes.splice(..index, before.iter().copied());
            self.base = self.position;
        }
    }
}
