//! Detection of bytes that are not text.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Whether the bytes are an image, an archive or another binary file.
pub(super) fn is_binary(bytes: &[u8], encoding: &'static Encoding) -> bool {
    const MAGIC: &[&[u8]] = &[
        b"\x89PNG\r\n",
        b"GIF87a",
        b"GIF89a",
        b"\xFF\xD8\xFF",
        b"PK\x03\x04",
        b"\x1F\x8B\x08",
        b"%PDF-",
        b"BZh",
        b"\x28\xB5\x2F\xFD",
        b"\xFD7zXZ\0",
        b"Rar!\x1A\x07",
        b"7z\xBC\xAF\x27\x1C",
        b"\x7FELF",
        b"OggS",
        b"ID3",
        b"wOFF",
        b"wOF2",
        b"\0asm",
        b"SQLite format 3\0",
    ];
    if MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return true;
    }
    // UTF-16 has NUL bytes, so the test below does not apply.
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return false;
    }
    // More than one control character in twenty bytes. Escape sequences of ISO-2022-JP contain U+001B.
    let head = &bytes[..bytes.len().min(4096)];
    let control = head
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
        .count();
    control * 20 > head.len()
}
