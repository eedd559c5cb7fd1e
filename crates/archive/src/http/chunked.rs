//! The transfer coding `chunked` (RFC 9112, section 7.1).

use super::problem::Problem;

/// Maximum number of bytes of the size line before a chunk.
const MAX_LINE: usize = 4 << 10;

/// Decodes a body. Returns `None` if it does not begin with a valid chunk size. Damage is added to `problems`.
pub(super) fn decode(body: &[u8], problems: &mut Vec<Problem>) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let mut rest = body;
    let mut first = true;
    loop {
        let Some((size, behind)) = size(rest) else {
            // A body without a valid first size was never chunked: it is returned unchanged by the caller.
            if first {
                return None;
            }
            problems.push(if rest.is_empty() {
                Problem::CutBody
            } else {
                Problem::BadChunks
            });
            return Some(plain);
        };
        // A chunk of size 0 ends the body. Trailer fields after it are ignored.
        if size == 0 {
            return Some(plain);
        }
        first = false;
        let length = usize::try_from(size).unwrap_or(usize::MAX);
        // The last chunk is cut: the bytes that are there are kept.
        let Some((chunk, behind)) = behind.split_at_checked(length) else {
            plain.extend_from_slice(behind);
            problems.push(Problem::CutBody);
            return Some(plain);
        };
        plain.extend_from_slice(chunk);
        // The line end after a chunk may be LF alone or missing.
        let behind = behind.strip_prefix(b"\r").unwrap_or(behind);
        rest = behind.strip_prefix(b"\n").unwrap_or(behind);
    }
}

/// Reads the size line of a chunk. Returns the size and the bytes after the line.
fn size(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(MAX_LINE)])?;
    // Extensions of a chunk follow a semicolon.
    let line = bytes[..end]
        .split(|byte| *byte == b';')
        .next()
        .unwrap_or_default();
    let digits = std::str::from_utf8(line.trim_ascii()).ok()?;
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    // A size beyond 64 bits exceeds any body, so the largest number serves.
    let size = u64::from_str_radix(digits, 16).unwrap_or(u64::MAX);
    Some((size, &bytes[end + 1..]))
}
