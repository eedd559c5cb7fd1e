//! Decodes zstd frames with the reference library.

use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

use super::Progress;
use super::zstd_frame::{Border, Header, Walk};
use crate::damage::Reason;
use crate::limits::Allowance;

/// Size of the output buffer in bytes: the largest block.
const BUFFER: usize = 128 << 10;

/// A zstd decoder, reusable for several frames.
pub(crate) struct Frame {
    context: DCtx<'static>,
    buffer: Vec<u8>,
    walk: Option<Walk>,
    /// Bytes of an incomplete block. Blocks are decoded whole, because the output of a block that fails
    /// depends on how its bytes arrive.
    pending: Vec<u8>,
    fed: u64,
    plain: u64,
    allowance: Allowance,
}

impl Frame {
    /// Creates a decoder for frames that may use a dictionary; an empty `dictionary` means no dictionary.
    /// Returns `None` if the library refuses the dictionary.
    pub(crate) fn new(window_log: u32, dictionary: &[u8]) -> Option<Self> {
        let mut context = DCtx::try_create()?;
        context.set_parameter(DParameter::WindowLogMax(window_log)).ok()?;
        if !dictionary.is_empty() {
            context.load_dictionary(dictionary).ok()?;
        }
        Some(Frame {
            context,
            buffer: Vec::new(),
            walk: None,
            pending: Vec::new(),
            fed: 0,
            plain: 0,
            allowance: Allowance::NONE,
        })
    }

    /// Sets the number of plain bytes beyond the ratio that frames may have.
    pub(crate) fn set_allowance(&mut self, allowance: Allowance) {
        self.allowance = allowance;
    }

    /// Begins a frame. Its whole header must be pushed next.
    pub(crate) fn reset(&mut self, header: Header) {
        // The dictionary stays loaded.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        self.walk = Some(Walk::new(header));
        self.pending.clear();
        self.allowance.spend(self.fed, self.plain);
        self.fed = 0;
        self.plain = 0;
    }

    /// Decodes the header of the frame.
    pub(crate) fn header(&mut self, bytes: &[u8]) -> Progress {
        match self.decode(bytes, &mut |_| {}) {
            Ok(()) => Progress::More,
            Err(reason) => Progress::Failed(bytes.len(), reason),
        }
    }

    /// Decodes bytes after the header. Plain bytes are passed to `out`.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) -> Progress {
        let mut at = 0;
        while at < bytes.len() {
            let Some(walk) = &mut self.walk else {
                return Progress::Failed(at, Reason::BadData);
            };
            let (taken, border) = walk.step(&bytes[at..]);
            let slice = &bytes[at..at + taken];
            at += taken;
            match border {
                Border::Bad => return Progress::Failed(at, Reason::BadData),
                Border::Inside => {
                    // The block goes on: its bytes wait until it is complete.
                    self.pending.extend_from_slice(slice);
                    continue;
                }
                Border::Block | Border::Frame => {}
            }
            // The buffer of pending bytes is taken out, because `decode` needs the decoder for itself.
            let mut pending = std::mem::take(&mut self.pending);
            let decoded = if pending.is_empty() {
                self.decode(slice, out)
            } else {
                pending.extend_from_slice(slice);
                self.decode(&pending, out)
            };
            pending.clear();
            self.pending = pending;
            if let Err(reason) = decoded {
                return Progress::Failed(at, reason);
            }
            if border == Border::Frame {
                return Progress::End(at);
            }
            // Checked at block borders only, which do not depend on how the bytes arrive.
            if border == Border::Block && self.allowance.is_exceeded(self.fed, self.plain) {
                return Progress::Failed(at, Reason::Ratio);
            }
        }
        Progress::More
    }

    /// Decodes all output of `bytes`.
    fn decode(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) -> Result<(), Reason> {
        self.fed += bytes.len() as u64;
        self.buffer.resize(BUFFER, 0);
        let mut input = InBuffer::around(bytes);
        loop {
            let mut output = OutBuffer::around(self.buffer.as_mut_slice());
            let before = input.pos();
            let result = self.context.decompress_stream(&mut output, &mut input);
            let written = output.pos();
            self.plain += written as u64;
            if let Some(plain) = self.buffer.get(..written).filter(|plain| !plain.is_empty()) {
                out(plain);
            }
            match result {
                Err(code) => return Err(reason(zstd_safe::get_error_name(code))),
                // The buffer is full: more output may be waiting.
                Ok(_) if written == self.buffer.len() => {}
                Ok(_) if input.pos() == bytes.len() => return Ok(()),
                // No progress with room for both input and output: the data are malformed.
                Ok(_) if input.pos() == before && written == 0 => return Err(Reason::BadData),
                Ok(_) => {}
            }
        }
    }
}

/// Maps an error name of the library to a reason.
fn reason(name: &str) -> Reason {
    if name.contains("checksum") {
        Reason::Checksum
    } else if name.contains("ictionary mismatch") {
        Reason::NoDictionary
    } else if name.contains("too much memory") {
        Reason::Window
    } else {
        Reason::BadData
    }
}
