//! Borders of zstd frames and blocks (RFC 8878), found without decoding.

/// Magic bytes of data frames.
pub(crate) const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Magic number of the skippable frame that holds the dictionary of a WARC file.
pub(crate) const DICTIONARY: u32 = 0x184D_2A5D;

/// Maximum number of bytes of a block, compressed or not.
const MAX_BLOCK: usize = 128 << 10;

/// Kind of a frame, given by its first four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Data,
    /// A skippable frame with this magic number.
    Skippable(u32),
}

/// Returns the kind of a frame, or `None` if the bytes are not a magic number.
pub(crate) fn kind(magic: [u8; 4]) -> Option<Kind> {
    let number = u32::from_le_bytes(magic);
    if magic == MAGIC {
        return Some(Kind::Data);
    }
    (number & 0xFFFF_FFF0 == 0x184D_2A50).then_some(Kind::Skippable(number))
}

/// Header of a data frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// Length of the header in bytes, magic included.
    pub(crate) length: usize,
    /// Size of the window in bytes. For a single-segment frame, the size of its content.
    pub(crate) window: u64,
    /// ID of the required dictionary; 0 if the header names no dictionary.
    pub(crate) dictionary: u32,
    /// `true` if a checksum ends the frame.
    pub(crate) checksum: bool,
}

/// Returns a little-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Reads the header of a data frame. Returns `Ok(None)` if more bytes are needed, `Err` if the bytes are
/// not such a header.
pub(crate) fn header(bytes: &[u8]) -> Result<Option<Header>, ()> {
    let Some(descriptor) = bytes.get(MAGIC.len()).copied() else {
        return Ok(None);
    };
    // Bit 3 of the descriptor is reserved and must be 0.
    if descriptor & 8 != 0 || !bytes.starts_with(&MAGIC) {
        return Err(());
    }
    // RFC 8878, section 3.1.1.1: the descriptor fixes the lengths of the fields that follow.
    let single = descriptor & 0x20 != 0;
    let id_length = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size_length = match descriptor >> 6 {
        0 => usize::from(single),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let id_at = MAGIC.len() + 1 + usize::from(!single);
    let size_at = id_at + id_length;
    let length = size_at + size_length;
    let Some(bytes) = bytes.get(..length) else {
        return Ok(None);
    };
    let window = if single {
        // A size of two bytes is stored minus 256.
        let added = if size_length == 2 { 256 } else { 0 };
        number(&bytes[size_at..]).saturating_add(added)
    } else {
        let byte = u64::from(bytes[MAGIC.len() + 1]);
        // The window is a power of two from 2^10 on, plus eighths of it.
        let base = 1 << (10 + (byte >> 3));
        base + base / 8 * (byte & 7)
    };
    // The field has at most four bytes.
    let dictionary = u32::try_from(number(&bytes[id_at..size_at])).map_err(|_| ())?;
    Ok(Some(Header {
        length,
        window,
        dictionary,
        checksum: descriptor & 4 != 0,
    }))
}

/// Length of a block header in bytes.
pub(crate) const BLOCK_HEADER: usize = 3;

/// Reads a block header. Returns the number of bytes that follow it and whether this is the last block;
/// `None` if the header is invalid.
pub(crate) fn block([a, b, c]: [u8; BLOCK_HEADER]) -> Option<(usize, bool)> {
    let header = u32::from_le_bytes([a, b, c, 0]);
    let size = (header >> 3) as usize;
    let length = match header >> 1 & 3 {
        // An RLE block: one byte, repeated.
        1 => 1,
        0 | 2 => size,
        _ => return None,
    };
    // An RLE block has one byte in the file, but its decoded size is bounded as well.
    (size <= MAX_BLOCK).then_some((length, header & 1 != 0))
}

/// Tracks the block borders of a data frame as its bytes arrive.
#[derive(Debug)]
pub(crate) struct Walk {
    checksum: bool,
    /// Header of the current block, as far as it has arrived.
    header: [u8; BLOCK_HEADER],
    header_length: usize,
    /// Bytes left of the current block.
    left: usize,
    last: bool,
    in_checksum: bool,
}

/// Kind of border at the end of some bytes of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Border {
    /// No border: the block continues.
    Inside,
    /// End of a block.
    Block,
    /// End of the frame.
    Frame,
    /// An invalid block header.
    Bad,
}

impl Walk {
    /// Starts after the header of a frame.
    pub(crate) fn new(header: Header) -> Self {
        Walk {
            checksum: header.checksum,
            header: [0; BLOCK_HEADER],
            header_length: 0,
            left: 0,
            last: false,
            in_checksum: false,
        }
    }

    /// Advances to the next border. Returns the number of bytes consumed and the kind of border.
    pub(crate) fn step(&mut self, bytes: &[u8]) -> (usize, Border) {
        let mut at = 0;
        while !self.in_checksum && self.header_length < BLOCK_HEADER {
            let Some(byte) = bytes.get(at) else {
                return (at, Border::Inside);
            };
            self.header[self.header_length] = *byte;
            self.header_length += 1;
            at += 1;
            if self.header_length == BLOCK_HEADER {
                let Some((left, last)) = block(self.header) else {
                    return (at, Border::Bad);
                };
                (self.left, self.last) = (left, last);
            }
        }
        // A block without content ends right after its header.
        let taken = self.left.min(bytes.len() - at);
        self.left -= taken;
        at += taken;
        if self.left > 0 {
            return (at, Border::Inside);
        }
        self.header_length = 0;
        // The checksum of four bytes is passed on as a block of its own.
        if self.last && self.checksum && !self.in_checksum {
            (self.in_checksum, self.left) = (true, 4);
            return (at, Border::Block);
        }
        (at, if self.last { Border::Frame } else { Border::Block })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_all_kinds_are_read() {
        // Window descriptor 0x58 is 2 MiB. In a single-segment frame, a two-byte size is stored minus 256.
        let header = |bytes: &[u8]| header(&[&MAGIC, bytes].concat());
        let read = header(&[0x04, 0x58, 1, 2, 3]).unwrap().unwrap();
        assert_eq!(
            (read.length, read.window, read.checksum, read.dictionary),
            (6, 2 << 20, true, 0)
        );
        let read = header(&[0x62, 0x34, 0x12, 1, 0]).unwrap().unwrap();
        assert_eq!(
            (read.length, read.window, read.checksum, read.dictionary),
            (9, 257, false, 0x1234)
        );
        assert_eq!(header(&[0x62, 0x34, 0x12, 1]), Ok(None));
        assert_eq!(header(&[0x08]), Err(()));
    }

    #[test]
    fn blocks_of_reserved_type_or_size_are_none() {
        assert_eq!(block([0x06, 0, 0]), None);
        assert_eq!(block([0x01, 0, 0]), Some((0, true)));
        assert_eq!(block([0xFB, 0xFF, 0xFF]), None);
        assert_eq!(block([0x03, 0, 0x08]), Some((1, true)));
    }
}
