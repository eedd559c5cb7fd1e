//! Messages between processes: their length in eight bytes, the least significant first, and their bytes.

use std::io::{self, Read, Write};

use serde::Serialize;

/// Bytes that a pipe may hold, where the system lets us choose: a page of usual size goes through at once.
#[cfg(target_os = "linux")]
pub(super) const PIPE_BYTES: usize = 1 << 20;

/// Most bytes for which room is made because a message announces them.
const TRUSTED: u64 = 1 << 20;

/// Mark of a length whose bytes lie in the shared memory.
const SHARED: u64 = 1 << 63;

/// What follows a length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// So many bytes.
    Here(u64),
    /// Nothing: so many bytes lie in the shared memory.
    Shared(u64),
}

impl Length {
    /// Its eight bytes.
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

/// The message that holds this value, with its length, to be written at once: each write wakes who waits for it.
pub(super) fn encode(value: &impl Serialize) -> postcard::Result<Vec<u8>> {
    append(value, Vec::new())
}

/// Appends the message that holds this value, with its length, to others.
pub(super) fn append(value: &impl Serialize, mut frames: Vec<u8>) -> postcard::Result<Vec<u8>> {
    let start = frames.len();
    frames.extend_from_slice(&[0; 8]);
    let mut frames = postcard::to_extend(value, frames)?;
    let length = Length::Here((frames.len() - start) as u64 - 8);
    frames[start..start + 8].copy_from_slice(&length.to_bytes());
    Ok(frames)
}

/// Writes a message that comes with its length, and another one that does not.
pub(super) fn write_both(to: &mut impl Write, first: &[u8], second: &[u8]) -> io::Result<()> {
    to.write_all(&[first, &Length::Here(second.len() as u64).to_bytes()].concat())?;
    to.write_all(second)?;
    to.flush()
}

/// Reads a message into `buffer`; tells whether there was one. Memory grows with the bytes that come, whatever length is announced.
///
/// # Errors
/// If the messages end within one.
pub(super) fn read(from: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<bool> {
    match length(from)? {
        None => Ok(false),
        Some(Length::Here(bytes)) => rest(from, bytes, buffer).map(|()| true),
        Some(Length::Shared(_)) => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// The length of the next message, if there is one.
pub(super) fn length(from: &mut impl Read) -> io::Result<Option<Length>> {
    let mut length = [0; 8];
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

/// Reads the bytes of a message whose length was read to the beginning of `buffer`, which keeps its length if that is enough: filling
/// memory with zeros that others overwrite costs as much as to read. Memory grows with the bytes that come.
///
/// # Errors
/// If there are fewer.
pub(super) fn rest_within(from: &mut impl Read, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let bytes = usize::try_from(bytes).map_err(|_| io::ErrorKind::InvalidData)?;
    let mut filled = 0;
    while filled < bytes {
        if buffer.len() == filled {
            buffer.resize(bytes.min(filled.saturating_mul(2).max(TRUSTED as usize)), 0);
        }
        let end = bytes.min(buffer.len());
        from.read_exact(&mut buffer[filled..end])?;
        filled = end;
    }
    Ok(bytes)
}

/// Reads the bytes of a message whose length was read.
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
        // What is announced and does not come takes no memory.
        let mut buffer = Vec::new();
        assert!(rest_within(&mut &bytes[..9], u64::MAX >> 1, &mut buffer).is_err());
        assert_eq!(buffer.len(), TRUSTED as usize);
    }
}
