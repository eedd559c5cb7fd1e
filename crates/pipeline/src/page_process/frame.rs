//! Messages between processes: their length in eight bytes, the least significant first, and their bytes.

use std::io::{self, Read, Write};

/// Bytes that a pipe may hold, where the system lets us choose: a page of usual size goes through at once.
#[cfg(target_os = "linux")]
pub(super) const PIPE_BYTES: usize = 1 << 20;

/// Most bytes for which room is made because a message announces them.
const TRUSTED: u64 = 1 << 20;

/// Writes a message.
pub(super) fn write(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// Reads a message into `buffer`; tells whether there was one. Memory grows with the bytes that come, whatever length is announced.
///
/// # Errors
/// If the messages end within one.
pub(super) fn read(from: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<bool> {
    buffer.clear();
    let mut length = [0; 8];
    match from.read(&mut length[..1])? {
        0 => return Ok(false),
        _ => from.read_exact(&mut length[1..])?,
    }
    let length = u64::from_le_bytes(length);
    buffer.reserve(length.min(TRUSTED) as usize);
    match from.take(length).read_to_end(buffer)? as u64 == length {
        true => Ok(true),
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
        assert!(read(&mut u64::MAX.to_le_bytes().as_slice(), &mut buffer).is_err());
    }
}
