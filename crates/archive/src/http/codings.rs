//! Content codings: gzip, deflate, br and zstd.

use super::problem::Problem;
use crate::damage::Reason;
use crate::inflate::Progress;
use crate::inflate::deflate::Deflate;
use crate::inflate::gzip::{self, Header};
use crate::limits::Limits;

/// Result of decoding: `Err` if it ended before the end of the coded bytes.
type Ended = Result<(), Problem>;

/// Number of compressed bytes between checks of the decoded length.
const STEP: usize = 4 << 10;

/// A decoded body, at most `most + 1` bytes.
pub(super) struct Plain {
    bytes: Vec<u8>,
    most: usize,
}

impl Plain {
    fn add(&mut self, bytes: &[u8]) {
        // One byte beyond the limit shows that the body is longer.
        let left = (self.most + 1).saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(left)]);
    }

    fn is_full(&self) -> bool {
        self.bytes.len() > self.most
    }
}

/// Decodes a body, up to one byte more than [`Limits::block`]. Returns `None` if the coding is unknown or
/// the body is not in it.
pub(super) fn decode(
    name: &str,
    body: &[u8],
    limits: Limits,
    problems: &mut Vec<Problem>,
) -> Option<Vec<u8>> {
    let mut plain = Plain {
        bytes: Vec::new(),
        most: limits.block,
    };
    let ended = match name {
        "gzip" | "x-gzip" => members(body, &mut plain),
        "deflate" => zlib_or_raw(body, &mut plain),
        #[cfg(feature = "brotli")]
        "br" => brotli(body, &mut plain),
        #[cfg(feature = "zstd")]
        "zstd" => frames(body, limits, &mut plain),
        _ => {
            problems.push(Problem::UnknownCoding);
            return None;
        }
    };
    if let Err(problem) = ended {
        // Nothing was decoded: the body was probably never in this coding.
        if plain.bytes.is_empty() && problem != Problem::TooLarge {
            // An empty body needs no decoding.
            problems.extend((!body.is_empty()).then_some(Problem::FalseCoding));
            return None;
        }
        // The caller reports a body that is too long, by its length.
        problems.extend((problem != Problem::TooLarge).then_some(problem));
    }
    Some(plain.bytes)
}

/// Pushes bytes into a decoder step by step until the coding ends or the body is full. Returns the number
/// of bytes consumed.
fn pushed(
    bytes: &[u8],
    plain: &mut Plain,
    push: &mut dyn FnMut(&[u8], &mut Plain) -> Progress,
) -> Result<usize, Problem> {
    let mut at = 0;
    for step in bytes.chunks(STEP) {
        match push(step, plain) {
            Progress::End(taken) => return Ok(at + taken),
            Progress::Failed(_, Reason::Ratio) => return Err(Problem::Ratio),
            Progress::Failed(..) => return Err(Problem::BadCoding),
            Progress::More => at += step.len(),
        }
        if plain.is_full() {
            return Err(Problem::TooLarge);
        }
    }
    // The bytes end before the coding does.
    Err(Problem::CutBody)
}

/// Decodes consecutive gzip members. Bytes after the last member are ignored.
fn members(body: &[u8], plain: &mut Plain) -> Ended {
    let mut member = gzip::Member::new();
    let mut rest = body;
    loop {
        // A body is in this coding if its first member has a header. Other bytes after a member are
        // ignored.
        let Header::Length(length) = gzip::header(rest) else {
            return if rest.len() < body.len() {
                Ok(())
            } else {
                Err(Problem::FalseCoding)
            };
        };
        member.reset();
        let data = &rest[length..];
        let taken = pushed(data, plain, &mut |bytes, plain| {
            member.push(bytes, &mut |out| plain.add(out))
        })?;
        rest = &data[taken..];
    }
}

/// Decodes deflate data with the zlib header that the standard demands, or without it, as some servers send it.
fn zlib_or_raw(body: &[u8], plain: &mut Plain) -> Ended {
    let mut deflate = Deflate::new();
    let mut inflate = |bytes: &[u8], plain: &mut Plain| {
        deflate.reset();
        pushed(bytes, plain, &mut |bytes, plain| {
            deflate.push(bytes, &mut |out| plain.add(out))
        })
        .map(|_| ())
    };
    // A zlib header names method 8 and is a multiple of 31. Flag 0x20 announces a preset dictionary, which
    // is not supported.
    let is_zlib = body.first_chunk::<2>().is_some_and(|[method, flags]| {
        method & 0x0F == 8 && u16::from_be_bytes([*method, *flags]).is_multiple_of(31) && flags & 0x20 == 0
    });
    // Two bytes of raw data may look like a zlib header. If nothing can be decoded after them, they are
    // data.
    if is_zlib {
        let ended = inflate(&body[2..], plain);
        if ended.is_ok() || !plain.bytes.is_empty() {
            return ended;
        }
    }
    inflate(body, plain)
}

#[cfg(feature = "brotli")]
fn brotli(body: &[u8], plain: &mut Plain) -> Ended {
    use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

    use crate::limits::is_bomb;

    let alloc = StandardAlloc::default();
    let mut state = BrotliState::new(alloc, alloc, alloc);
    let mut buffer = vec![0; 64 << 10];
    let (mut left, mut at, mut total) = (body.len(), 0, 0);
    loop {
        let (mut room, mut written) = (buffer.len(), 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut at,
            body,
            &mut room,
            &mut written,
            &mut buffer,
            &mut total,
            &mut state,
        );
        plain.add(&buffer[..written]);
        match result {
            BrotliResult::ResultSuccess => return Ok(()),
            BrotliResult::NeedsMoreInput => return Err(Problem::CutBody),
            BrotliResult::ResultFailure => return Err(Problem::BadCoding),
            BrotliResult::NeedsMoreOutput => {}
        }
        if plain.is_full() {
            return Err(Problem::TooLarge);
        }
        // The decoder gets all bytes at once, so the ratio is that of the whole body.
        if is_bomb(body.len() as u64, plain.bytes.len() as u64) {
            return Err(Problem::Ratio);
        }
    }
}

/// Decodes consecutive zstd frames.
#[cfg(feature = "zstd")]
fn frames(body: &[u8], limits: Limits, plain: &mut Plain) -> Ended {
    use crate::inflate::{zstd, zstd_frame};

    let mut frame = zstd::Frame::new(limits.window_log, &[]).ok_or(Problem::BadCoding)?;
    let mut rest = body;
    loop {
        let header = match zstd_frame::header(rest) {
            // Frames with larger windows are refused before the library allocates memory.
            Ok(Some(header)) if header.window <= 1 << limits.window_log => header,
            _ if rest.len() < body.len() => return Ok(()),
            _ => return Err(Problem::FalseCoding),
        };
        frame.reset(header);
        let (head, data) = rest.split_at(header.length);
        if let Progress::Failed(..) = frame.header(head) {
            return Err(Problem::BadCoding);
        }
        let taken = pushed(data, plain, &mut |bytes, plain| {
            frame.push(bytes, &mut |out| plain.add(out))
        })?;
        rest = &data[taken..];
    }
}
