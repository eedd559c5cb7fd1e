//! Encodings of bytes that archives use.

use std::io::Write;

use dehusk_pipeline::Error;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use sha1::Digest;

/// Returns a gzip member.
pub(super) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    written(encoder.write_all(plain).and_then(|()| encoder.finish()))
}

/// Returns a raw deflate stream, without a header.
pub(super) fn deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    written(encoder.write_all(plain).and_then(|()| encoder.finish()))
}

/// The bytes of an encoder that writes to memory.
fn written(result: std::io::Result<Vec<u8>>) -> Vec<u8> {
    debug_assert!(result.is_ok(), "writing to memory does not fail");
    result.unwrap_or_default()
}

/// Returns a zstd frame, made with a dictionary if one is given.
pub(super) fn zstd(plain: &[u8], dictionary: &[u8]) -> Result<Vec<u8>, Error> {
    let failed = |code| Error::failed(format!("zstd: {}", zstd_safe::get_error_name(code)));
    let mut context = zstd_safe::CCtx::create();
    if !dictionary.is_empty() {
        context.load_dictionary(dictionary).map_err(failed)?;
    }
    let mut out = vec![0; zstd_safe::compress_bound(plain.len())];
    let length = context.compress2(out.as_mut_slice(), plain).map_err(failed)?;
    out.truncate(length);
    Ok(out)
}

/// Returns the skippable frame in which a zstd archive stores its dictionary, as its first frame.
pub(super) fn dictionary_frame(dictionary: &[u8]) -> Vec<u8> {
    // The magic number that WARC files with zstd reserve for dictionaries.
    const MAGIC: u32 = 0x184d_2a5d;
    let mut frame = MAGIC.to_le_bytes().to_vec();
    let length = u32::try_from(dictionary.len()).unwrap_or(u32::MAX);
    frame.extend(length.to_le_bytes());
    frame.extend(dictionary);
    frame
}

/// Returns a body in chunks of up to 1,000 bytes.
pub(super) fn chunked(plain: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in plain.chunks(1000) {
        out.extend(format!("{:x}\r\n", chunk.len()).as_bytes());
        out.extend(chunk);
        out.extend(b"\r\n");
    }
    // An empty chunk ends the body.
    out.extend(b"0\r\n\r\n");
    out
}

/// Returns the SHA-1 of bytes in Base32 (RFC 4648), as crawlers write it.
pub(super) fn sha1_base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let digest = sha1::Sha1::digest(bytes);
    let bits = |group: &[u8]| {
        group
            .iter()
            .fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte))
    };
    let digit = |bits: u64, place: u32| char::from(ALPHABET[(bits >> (35 - 5 * place) & 31) as usize]);
    // SHA-1 has 160 bits: four groups of 5 bytes. Each group gives 8 digits without padding.
    digest
        .chunks(5)
        .map(bits)
        .flat_map(|bits| (0..8).map(move |place| digit(bits, place)))
        .collect()
}

/// Returns the SHA-1 of bytes in hexadecimal digits.
pub(super) fn sha1_hex(bytes: &[u8]) -> String {
    hex(&sha1::Sha1::digest(bytes))
}

/// Returns the SHA-256 of bytes in hexadecimal digits.
pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&sha2::Sha256::digest(bytes))
}

/// Hexadecimal digits of a digest.
fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns bytes as quoted-printable text in lines of up to 76 characters (RFC 2045).
pub(super) fn quoted_printable(bytes: &[u8]) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for &byte in bytes {
        // A line feed of the text is a line end of the message.
        if byte == b'\n' {
            out.push_str("\r\n");
            column = 0;
            continue;
        }
        let is_plain = matches!(byte, b' '..=b'~') && byte != b'=';
        let width = if is_plain { 1 } else { 3 };
        // A soft line break takes the 76th column.
        if column + width > 75 {
            out.push_str("=\r\n");
            column = 0;
        }
        match is_plain {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("={byte:02X}")),
        }
        column += width;
    }
    out
}

/// Returns bytes in Base64, in lines of 76 characters.
pub(super) fn base64_lines(bytes: &[u8]) -> String {
    use base64::Engine;
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    let lines: Vec<&str> = (0..text.len())
        .step_by(76)
        .map(|at| &text[at..text.len().min(at + 76)])
        .collect();
    lines.join("\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standards() {
        assert_eq!(sha1_base32(b""), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(sha1_hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    }

    #[test]
    fn quoted_printable_lines_are_short_and_escaped() {
        assert_eq!(quoted_printable("a=é\n".as_bytes()), "a=3D=C3=A9\r\n");
        let long = quoted_printable(&[b'x'; 200]);
        assert!(long.lines().all(|line| line.len() <= 76));
    }
}
