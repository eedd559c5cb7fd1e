//! Headers of entries: blocks of 512 bytes with a checksum.

use memchr::memmem;
use tar::{EntryType, Header, PaxExtensions};

/// Bytes of a header; contents are filled up to a multiple of it.
pub(super) const BLOCK: usize = 512;

/// Where `ustar` stands in headers of all but the oldest archives.
const MAGIC_AT: usize = 257;
const MAGIC: &[u8] = b"ustar";

/// Whether these bytes begin with a header whose checksum is right.
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

/// Whether content that begins with these bytes is an archive, as far as they tell.
pub(super) fn begins(first: &[u8]) -> bool {
    first.get(MAGIC_AT..).is_some_and(|rest| rest.starts_with(MAGIC))
        && (first.len() < BLOCK || is_header(first))
}

/// The first header: at a multiple of 512 from `aligned` on, if there is one, or wherever its magic stands.
pub(super) fn find_header(bytes: &[u8], aligned: Option<usize>) -> Option<usize> {
    let magic = memmem::find_iter(bytes, MAGIC).filter_map(|at| at.checked_sub(MAGIC_AT));
    let marked = magic.into_iter().find(|at| is_header(&bytes[*at..]));
    let old = aligned.and_then(|first| {
        (first..bytes.len())
            .step_by(BLOCK)
            .find(|at| is_header(&bytes[*at..]))
    });
    [marked, old].into_iter().flatten().min()
}

/// What stands before a header and is said of its entry.
#[derive(Default)]
pub(super) struct Ahead {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

impl Ahead {
    /// Reads the content of a header of this kind.
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
            _ => {}
        }
    }
}

/// Whether a header tells of the entry after it, or of all.
pub(super) fn is_ahead(kind: EntryType) -> bool {
    matches!(
        kind,
        EntryType::GNULongName | EntryType::GNULongLink | EntryType::XHeader | EntryType::XGlobalHeader
    )
}

/// An entry as its headers describe it.
pub(super) struct Described {
    /// Its path, without `./` before it.
    pub(super) name: String,
    pub(super) kind: EntryType,
    /// Bytes of its content, which nobody has counted.
    pub(super) size: u64,
    /// Whether the content has holes that are left out.
    pub(super) sparse: bool,
}

impl Described {
    /// Reads a header that [`is_header`] accepts.
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

/// Whether more headers of a file with holes follow this block: the first, or one of those.
pub(super) fn is_extended(block: &[u8], first: bool) -> bool {
    let at = if first { 482 } else { 504 };
    block.get(at).is_some_and(|flag| *flag != 0)
}
