//! Compressed files, which are told by their first bytes. None of them can be read yet, and none is ever taken for text.

use crate::record::{Reason, Rejection};

/// First bytes of compressed files. No line feed is among them, so that a first line tells as much as a whole file.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x1f\x8b\x08", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\xfd7zXZ\0", "xz"),
];

/// A bzip2 file begins with these letters, a digit, and the mark of its first block or of its end.
const BZIP2: &[u8] = b"BZh";
const BZIP2_MARKS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];

/// The compression of content that begins with these bytes.
fn compression(bytes: &[u8]) -> Option<&'static str> {
    let signature = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start));
    let bzip2 = || {
        let (level, mark) = bytes.strip_prefix(BZIP2)?.split_first()?;
        let marked = level.is_ascii_digit() && BZIP2_MARKS.iter().any(|known| mark.starts_with(known));
        marked.then_some("bzip2")
    };
    signature.map(|(_, name)| *name).or_else(bzip2)
}

/// The rejection of compressed content; `None` if it is not compressed.
pub(crate) fn rejection(bytes: &[u8]) -> Option<Rejection> {
    let name = compression(bytes)?;
    Some(Rejection::new(
        Reason::Compressed,
        format!("{name}-compressed; unpack it first"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        let cases: [(&[u8], Option<&str>); 12] = [
            (b"\x1f\x8b\x08\x00rest", Some("gzip")),
            (b"\x28\xb5\x2f\xfd\x24", Some("zstd")),
            (b"PK\x03\x04\x14", Some("zip")),
            (b"PK\x05\x06\0\0", Some("zip")),
            (b"\xfd7zXZ\0\0", Some("xz")),
            (b"BZh91AY&SY\x12", Some("bzip2")),
            (b"BZh9\x17rE8P\x90", Some("bzip2")),
            (b"BZh9 is how a page may begin", None),
            (b"PKWARE made zip", None),
            (b"\x1f\x8b", None),
            (b"<p>\x1f\x8b\x08", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(compression(bytes), expected, "{bytes:?}");
        }
        for (start, _) in SIGNATURES {
            assert!(!start.contains(&b'\n'));
        }
        let told = rejection(b"\x1f\x8b\x08").unwrap();
        assert_eq!(told.message, "gzip-compressed; unpack it first");
    }
}
