//! Headers of tar entries: blocks of 512 bytes with a checksum.

use memchr::memmem;
use tar::{EntryType, Header, PaxExtensions};

/// Size of a header in bytes. Content is padded to a multiple of it.
pub(super) const BLOCK: usize = 512;

/// Offset of `ustar` in the headers of all but the oldest archives.
const MAGIC_AT: usize = 257;
const MAGIC: &[u8] = b"ustar";

/// Returns `true` if the bytes begin with a header whose checksum is correct.
pub(super) fn is_header(bytes: &[u8]) -> bool {
    let Some(block) = bytes.get(..BLOCK) else {
        return false;
    };
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    // The checksum counts its own field as spaces.
    let found = sum(&block[..148]) + 8 * u32::from(b' ') + sum(&block[156..]);
    let header = Header::from_byte_slice(block);
    header.cksum().is_ok_and(|stated| stated == found) && header.entry_size().is_ok()
}

/// Returns `true` if content with these first bytes is a tar archive. With fewer than 512 bytes, the checksum is not verified.
pub(super) fn begins(first: &[u8]) -> bool {
    first.get(MAGIC_AT..).is_some_and(|rest| rest.starts_with(MAGIC))
        && (first.len() < BLOCK || is_header(first))
}

/// Returns the offset of the first header: one with a magic anywhere, or any header at a multiple of 512 from `aligned` on.
pub(super) fn find_header(bytes: &[u8], aligned: Option<usize>) -> Option<usize> {
    let magic = memmem::find_iter(bytes, MAGIC).filter_map(|at| at.checked_sub(MAGIC_AT));
    let marked = magic.into_iter().find(|at| is_header(&bytes[*at..]));
    // Headers of the oldest archives have no magic, so they are tested only at borders of blocks.
    let old = aligned.and_then(|first| {
        (first..bytes.len())
            .step_by(BLOCK)
            .find(|at| is_header(&bytes[*at..]))
    });
    [marked, old].into_iter().flatten().min()
}

/// Metadata from headers that precede an entry.
#[derive(Default)]
pub(super) struct Ahead {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

impl Ahead {
    /// Reads the content of a metadata header of this kind.
    pub(super) fn read(&mut self, kind: EntryType, content: &[u8]) {
        match kind {
            EntryType::GNULongName => {
                let end = content.iter().position(|byte| *byte == 0);
                self.name = Some(content[..end.unwrap_or(content.len())].to_vec());
            }
            EntryType::XHeader => {
                for field in PaxExtensions::new(content).filter_map(Result::ok) {
                    match field.key_bytes() {
                        b"path" => self.name = Some(field.value_bytes().to_vec()),
                        b"size" => self.size = field.value().ok().and_then(|size| size.parse().ok()),
                        key => self.sparse |= key.starts_with(b"GNU.sparse."),
                    }
                }
            }
            // Targets of links and global headers are not used.
            _ => {}
        }
    }
}

/// Returns `true` if a header describes the entry after it, or all entries.
pub(super) fn is_ahead(kind: EntryType) -> bool {
    matches!(
        kind,
        EntryType::GNULongName | EntryType::GNULongLink | EntryType::XHeader | EntryType::XGlobalHeader
    )
}

/// An entry as described by its headers.
pub(super) struct Described {
    /// Path, without a leading `./`.
    pub(super) name: String,
    pub(super) kind: EntryType,
    /// Size of the content in bytes, as stated in the header and unverified.
    pub(super) size: u64,
    /// `true` for a sparse file, whose holes are not stored.
    pub(super) sparse: bool,
}

impl Described {
    /// Parses a header that [`is_header`] accepts.
    pub(super) fn new(block: &[u8], ahead: Ahead) -> Described {
        let header = Header::from_byte_slice(block);
        let name = ahead.name.unwrap_or_else(|| header.path_bytes().into_owned());
        let name = String::from_utf8_lossy(&name);
        let mut name = name.as_ref();
        while let Some(rest) = name.strip_prefix("./") {
            name = rest;
        }
        let kind = header.entry_type();
        Described {
            name: name.to_owned(),
            kind,
            size: ahead.size.unwrap_or_else(|| header.entry_size().unwrap_or(0)),
            sparse: ahead.sparse || kind == EntryType::GNUSparse,
        }
    }
}

/// Returns `true` if another extension header of a sparse file follows this block. `first` is set for the main header.
pub(super) fn is_extended(block: &[u8], first: bool) -> bool {
    // Offset of the flag `isextended` in a GNU header and in an extension header.
    let at = if first { 482 } else { 504 };
    block.get(at).is_some_and(|flag| *flag != 0)
}
