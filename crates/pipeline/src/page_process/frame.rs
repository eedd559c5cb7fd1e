//! Messages between processes: the length in eight bytes (little-endian), then the bytes.

use std::io::{self, Read, Write};

use dehusk_html::narrow;
use serde::Serialize;

/// Requested capacity of a pipe in bytes, where the system allows a choice: a page of usual size is written in one step.
#[cfg(target_os = "linux")]
pub(super) const PIPE_BYTES: usize = 1 << 20;

/// Maximum bytes that are allocated before any byte of an announced message arrives.
const TRUSTED: u64 = 1 << 20;

/// Bit of a length that marks content in shared memory.
const SHARED: u64 = 1 << 63;

/// Length of a message, and the location of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// This number of bytes follows.
    Here(u64),
    /// No bytes follow; this number of bytes is in shared memory.
    Shared(u64),
}

impl Length {
    /// Encodes the length in eight bytes.
    pub(super) fn to_bytes(self) -> [u8; 8] {
        match self {
            Length::Here(bytes) => bytes,
            Length::Shared(bytes) => bytes | SHARED,
        }
        .to_le_bytes()
    }
}

/// Writes a message.
pub(super) fn write(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    to.write_all(&Length::Here(message.len() as u64).to_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// Encodes the message of a value with its length. Both go into one write, because each write wakes the
/// reader.
pub(super) fn encode(value: &impl Serialize) -> postcard::Result<Vec<u8>> {
    append(value, Vec::new())
}

/// Appends the message of a value, with its length, to other messages.
pub(super) fn append(value: &impl Serialize, mut frames: Vec<u8>) -> postcard::Result<Vec<u8>> {
    let start = frames.len();
    // Room for the length, which is known after encoding.
    frames.extend_from_slice(&[0; 8]);
    let mut frames = postcard::to_extend(value, frames)?;
    let length = Length::Here((frames.len() - start) as u64 - 8);
    frames[start..start + 8].copy_from_slice(&length.to_bytes());
    Ok(frames)
}

/// Writes `first`, which already has its length, and `second`, whose length is added.
pub(super) fn write_both(to: &mut impl Write, first: &[u8], second: &[u8]) -> io::Result<()> {
    to.write_all(&[first, &Length::Here(second.len() as u64).to_bytes()].concat())?;
    to.write_all(second)?;
    to.flush()
}

/// Reads a message into `buffer`; returns `false` at the end of the input. Memory grows with the bytes that arrive, whatever length was
/// announced.
///
/// # Errors
/// If the input ends within a message.
pub(super) fn read(from: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<bool> {
    match length(from)? {
        None => Ok(false),
        Some(Length::Here(bytes)) => rest(from, bytes, buffer).map(|()| true),
        Some(Length::Shared(_)) => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Returns the length of the next message, or `None` at the end of the input.
pub(super) fn length(from: &mut impl Read) -> io::Result<Option<Length>> {
    let mut length = [0; 8];
    // The input may end before a message, but not within it.
    match from.read(&mut length[..1])? {
        0 => return Ok(None),
        _ => from.read_exact(&mut length[1..])?,
    }
    let length = u64::from_le_bytes(length);
    Ok(Some(match length & SHARED {
        0 => Length::Here(length),
        _ => Length::Shared(length ^ SHARED),
    }))
}

/// Reads `bytes` bytes of a message into the beginning of `buffer`, and returns their number.
///
/// A buffer that is long enough keeps its length: zeroing memory that is overwritten at once costs as much as reading. Memory grows with
/// the bytes that arrive.
///
/// # Errors
/// If the input has fewer bytes.
pub(super) fn rest_within(from: &mut impl Read, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let bytes = usize::try_from(bytes).map_err(|_| io::ErrorKind::InvalidData)?;
    let mut filled = 0;
    while filled < bytes {
        if buffer.len() == filled {
            // Memory at most doubles with the bytes that have arrived, whatever length was announced.
            buffer.resize(
                bytes.min(filled.saturating_mul(2).max(narrow::to_usize(TRUSTED))),
                0,
            );
        }
        let end = bytes.min(buffer.len());
        from.read_exact(&mut buffer[filled..end])?;
        filled = end;
    }
    Ok(bytes)
}

/// Reads `bytes` bytes of a message into `buffer`, whose content is replaced.
pub(super) fn rest(from: &mut impl Read, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    buffer.reserve(bytes.min(TRUSTED) as usize);
    match from.take(bytes).read_to_end(buffer)? as u64 == bytes {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_and_cut_ones_are_errors() {
        let (mut bytes, mut buffer) = (Vec::new(), Vec::new());
        for message in ["one", "", "three"] {
            write(&mut bytes, message.as_bytes()).unwrap();
        }
        let mut from = bytes.as_slice();
        for message in ["one", "", "three"] {
            assert!(read(&mut from, &mut buffer).unwrap());
            assert_eq!(buffer, message.as_bytes());
        }
        assert!(!read(&mut from, &mut buffer).unwrap());
        for cut in [1, 7, 8, 10] {
            assert!(read(&mut &bytes[..cut], &mut buffer).is_err(), "{cut} bytes");
        }
        for length in [u64::MAX, u64::MAX >> 1] {
            assert!(read(&mut length.to_le_bytes().as_slice(), &mut buffer).is_err());
        }
        for known in [Length::Shared(7), Length::Here(7)] {
            assert_eq!(length(&mut known.to_bytes().as_slice()).unwrap(), Some(known));
        }
        let mut encoded = Vec::new();
        write(&mut encoded, &postcard::to_stdvec("one").unwrap()).unwrap();
        assert_eq!(encode(&"one").unwrap(), encoded);
        assert_eq!(append(&"one", encoded.clone()).unwrap(), encoded.repeat(2));
    }

    #[test]
    fn a_buffer_keeps_its_length_where_it_is_long_enough() {
        let bytes: Vec<u8> = (0..5_000_000_u32).map(|number| (number >> 3) as u8).collect();
        let mut buffer = Vec::new();
        for (length, left) in [(10, 10), (3_000_000, 3_000_000), (20, 3_000_000), (0, 3_000_000)] {
            let read = rest_within(&mut bytes.as_slice(), length as u64, &mut buffer).unwrap();
            assert!(read == length && buffer[..read] == bytes[..read]);
            assert_eq!(buffer.len(), left);
        }
        assert!(rest_within(&mut bytes.as_slice(), 5_000_001, &mut buffer).is_err());
        // Announced bytes that do not arrive take no memory.
        let mut buffer = Vec::new();
        assert!(rest_within(&mut &bytes[..9], u64::MAX >> 1, &mut buffer).is_err());
        assert_eq!(buffer.len(), TRUSTED as usize);
    }
}
