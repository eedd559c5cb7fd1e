//! Members of gzip files (RFC 1952).

use super::Progress;
use super::deflate::Deflate;
use crate::damage::Reason;
use crate::limits::Allowance;

/// First bytes of a member: two magic bytes and the method.
pub(crate) const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];

/// Maximum number of bytes of the file name and of the comment, each.
const MAX_TEXT: usize = 64 << 10;

/// Result of reading the header of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Header {
    /// More bytes are needed.
    More,
    /// The header is complete and this many bytes long. Deflated data follow.
    Length(usize),
    /// The bytes are not a gzip header.
    Bad,
}

/// Reads the header of a member.
pub(crate) fn header(bytes: &[u8]) -> Header {
    let magic = bytes.len().min(MAGIC.len());
    if bytes[..magic] != MAGIC[..magic] {
        return Header::Bad;
    }
    let Some(flags) = bytes.get(3) else {
        return Header::More;
    };
    // The upper three flags are reserved.
    if flags & 0xE0 != 0 {
        return Header::Bad;
    }
    // The fixed part has 10 bytes. Flag 4 adds an extra field, 8 a file name, 16 a comment, and 2 a
    // checksum of the header.
    let mut at = 10;
    // The order of the optional parts is fixed by RFC 1952.
    if flags & 4 != 0 {
        let Some(length) = bytes.get(at..at + 2) else {
            return Header::More;
        };
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            // `at` may lie past the bytes that have arrived.
            let text = bytes.get(at..).unwrap_or_default();
            let text = &text[..text.len().min(MAX_TEXT)];
            match memchr::memchr(0, text) {
                Some(length) => at += length + 1,
                None if text.len() == MAX_TEXT => return Header::Bad,
                None => return Header::More,
            }
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    if bytes.len() < at {
        return Header::More;
    }
    Header::Length(at)
}

/// A decoder of deflated data and the trailer after them, reusable for several members.
pub(crate) struct Member {
    data: Deflate,
    crc: crc32fast::Hasher,
    trailer: Option<([u8; 8], usize)>,
}

impl Member {
    pub(crate) fn new() -> Self {
        Member {
            data: Deflate::new(),
            crc: crc32fast::Hasher::new(),
            trailer: None,
        }
    }

    /// Sets the number of plain bytes beyond the ratio that members may have.
    pub(crate) fn set_allowance(&mut self, allowance: Allowance) {
        self.data.set_allowance(allowance);
    }

    /// Resets the decoder for the next member.
    pub(crate) fn reset(&mut self) {
        self.data.reset();
        self.crc.reset();
        self.trailer = None;
    }

    /// Decodes bytes after the header. Plain bytes are passed to `out`.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut dyn FnMut(&[u8])) -> Progress {
        let mut at = 0;
        if self.trailer.is_none() {
            let crc = &mut self.crc;
            let progress = self.data.push(bytes, &mut |plain| {
                crc.update(plain);
                out(plain);
            });
            let Progress::End(end) = progress else {
                return progress;
            };
            at = end;
        }
        // The trailer may arrive in pieces, so it is collected.
        let (trailer, length) = self.trailer.get_or_insert(([0; 8], 0));
        let taken = bytes[at..].len().min(trailer.len() - *length);
        trailer[*length..*length + taken].copy_from_slice(&bytes[at..at + taken]);
        *length += taken;
        at += taken;
        if *length < trailer.len() {
            return Progress::More;
        }
        let [crc @ .., a, b, c, d] = *trailer;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the trailer stores the length modulo 2^32"
        )]
        let right = u32::from_le_bytes(crc) == self.crc.clone().finalize()
            && u32::from_le_bytes([a, b, c, d]) == self.data.plain() as u32;
        if right {
            Progress::End(at)
        } else {
            Progress::Failed(at, Reason::Checksum)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_with_every_field_have_a_length() {
        let mut bytes = vec![0x1F, 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3];
        bytes.extend(b"\x02\x00xyname\0comment\0cc");
        assert_eq!(header(&bytes), Header::Length(bytes.len()));
        for length in 0..bytes.len() {
            assert_eq!(header(&bytes[..length]), Header::More, "{length}");
        }
        bytes[3] |= 0x80;
        assert_eq!(header(&bytes), Header::Bad);
        assert_eq!(header(b"\x1F\x8B\x07"), Header::Bad);
    }
}
