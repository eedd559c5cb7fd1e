//! Deflate (RFC 1951): the data of gzip members and of the content coding `deflate`.

use flate2::{Decompress, FlushDecompress, Status};

use super::Progress;
use crate::damage::Reason;
use crate::limits::Allowance;
use crate::narrow;

/// Number of compressed bytes between checks of the ratio. Deflate makes at most 1,032 bytes of one, so at
/// most 4 MiB come from a slice.
const SLICE: u64 = 4 << 10;

/// Size of the output buffer in bytes.
const BUFFER: usize = 64 << 10;

/// A deflate decoder, reusable for several members.
pub(crate) struct Deflate {
    inner: Decompress,
    buffer: Vec<u8>,
    fed: u64,
    plain: u64,
    allowance: Allowance,
}

impl Deflate {
    pub(crate) fn new() -> Self {
        Deflate {
            inner: Decompress::new(false),
            buffer: Vec::new(),
            fed: 0,
            plain: 0,
            allowance: Allowance::NONE,
        }
    }

    /// Sets the number of plain bytes beyond the ratio that members may have.
    pub(crate) fn set_allowance(&mut self, allowance: Allowance) {
        self.allowance = allowance;
    }

    /// Resets the decoder for the next member.
    pub(crate) fn reset(&mut self) {
        self.inner.reset(false);
        // Charges the member before to the allowance.
        self.allowance.spend(self.fed, self.plain);
        self.fed = 0;
        self.plain = 0;
    }

    /// Returns the number of plain bytes of this member so far.
    pub(crate) fn plain(&self) -> u64 {
        self.plain
    }

    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) -> Progress {
        // The buffer is allocated on first use.
        self.buffer.resize(BUFFER, 0);
        let mut at = 0;
        while at < bytes.len() {
            // Slices end at fixed offsets of the member, so the ratio is checked at the same places however
            // the bytes arrive.
            let left = narrow::to_usize(SLICE - self.fed % SLICE);
            let slice = &bytes[at..bytes.len().min(at + left)];
            match self.slice(slice, out) {
                Progress::End(taken) => return Progress::End(at + taken),
                // The end of the slice is reported, not the byte: how far the decoder got depends on how
                // the bytes arrive.
                Progress::Failed(..) => return Progress::Failed(at + left, Reason::BadData),
                Progress::More => at += slice.len(),
            }
            if self.fed.is_multiple_of(SLICE) && self.allowance.is_exceeded(self.fed, self.plain) {
                return Progress::Failed(at, Reason::Ratio);
            }
        }
        Progress::More
    }

    /// Decodes all output of a slice.
    fn slice(&mut self, slice: &[u8], out: &mut dyn FnMut(&[u8])) -> Progress {
        let mut at = 0;
        loop {
            let (fed, plain) = (self.inner.total_in(), self.inner.total_out());
            let status = self
                .inner
                .decompress(&slice[at..], &mut self.buffer, FlushDecompress::None);
            let taken = narrow::to_usize(self.inner.total_in() - fed);
            let written = narrow::to_usize(self.inner.total_out() - plain);
            at += taken;
            self.fed += taken as u64;
            self.plain += written as u64;
            if let Some(bytes) = self.buffer.get(..written).filter(|bytes| !bytes.is_empty()) {
                out(bytes);
            }
            match status {
                Err(_) => return Progress::Failed(at, Reason::BadData),
                Ok(Status::StreamEnd) => return Progress::End(at),
                // The buffer is full: more output may be waiting.
                Ok(_) if written == self.buffer.len() => {}
                Ok(_) if at == slice.len() => return Progress::More,
                // No progress with room for both input and output: the data are malformed.
                Ok(_) if taken == 0 && written == 0 => return Progress::Failed(at, Reason::BadData),
                Ok(_) => {}
            }
        }
    }
}
