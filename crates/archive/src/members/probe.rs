//! Cheap tests whether a member or a record probably begins at some bytes.

use flate2::{Decompress, FlushDecompress};

use crate::inflate::gzip::{self, Header};
use crate::inflate::zstd_frame::{self, Kind};
use crate::narrow;

/// Number of bytes a probe examines. Fewer are used only at the end of the input, so that the result is
/// independent of how bytes arrive.
pub(crate) const PROBED: usize = 4 << 10;

/// Number of plain bytes a probe decodes.
const PLAIN: usize = 64;

/// First bytes of every WARC record.
pub(crate) const RECORD: &[u8] = b"WARC/";

/// Result of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Yes,
    No,
    /// More bytes are needed.
    More,
}

/// Decodes the first bytes of members.
pub(crate) struct Probe {
    inner: Decompress,
}

impl Probe {
    pub(crate) fn new() -> Self {
        Probe {
            inner: Decompress::new(false),
        }
    }

    /// Returns whether a member begins here. With `record`, the member must begin with a record. `whole` is
    /// set if no more bytes follow.
    pub(crate) fn member(&mut self, bytes: &[u8], record: bool, whole: bool) -> Found {
        match bytes.first() {
            None => more(whole),
            Some(0x1F) => self.gzip(bytes, record, whole),
            Some(_) => zstd(bytes, whole),
        }
    }

    fn gzip(&mut self, bytes: &[u8], record: bool, whole: bool) -> Found {
        let bytes = &bytes[..bytes.len().min(PROBED)];
        // The header is checked before the length, so that most candidates are refused without waiting for
        // more bytes.
        match gzip::header(bytes) {
            Header::Bad => Found::No,
            _ if bytes.len() < PROBED && !whole => Found::More,
            Header::More => Found::No,
            Header::Length(length) if self.inflates(&bytes[length..], record) => Found::Yes,
            Header::Length(_) => Found::No,
        }
    }

    /// Returns `true` if the bytes are deflated data, judged by their first plain bytes.
    fn inflates(&mut self, bytes: &[u8], record: bool) -> bool {
        let mut plain = [0; PLAIN];
        self.inner.reset(false);
        if self
            .inner
            .decompress(bytes, &mut plain, FlushDecompress::None)
            .is_err()
        {
            return false;
        }
        let written = narrow::to_usize(self.inner.total_out());
        // Any deflate data will do unless a record must follow.
        !record
            || plain
                .get(..written)
                .is_some_and(|plain| plain.starts_with(RECORD))
    }
}

fn more(whole: bool) -> Found {
    if whole { Found::No } else { Found::More }
}

/// Returns whether a zstd frame, data or skippable, begins here. A data frame is judged by its header and
/// that of its first block.
fn zstd(bytes: &[u8], whole: bool) -> Found {
    let Some(magic) = bytes.first_chunk::<4>() else {
        let begins = bytes
            .first()
            .is_some_and(|b| *b == zstd_frame::MAGIC[0] || b & 0xF0 == 0x50);
        return if begins { more(whole) } else { Found::No };
    };
    match zstd_frame::kind(*magic) {
        None => Found::No,
        // Finding the dictionary matters: later frames cannot be decoded without it.
        Some(Kind::Skippable(number)) if number == zstd_frame::DICTIONARY => Found::Yes,
        // Other magic numbers of skippable frames are too likely to occur by chance, and missing such a
        // frame loses no data.
        Some(Kind::Skippable(_)) => Found::No,
        Some(Kind::Data) => match zstd_frame::header(bytes) {
            Err(()) => Found::No,
            Ok(None) => more(whole),
            Ok(Some(header)) => match bytes.get(header.length..header.length + zstd_frame::BLOCK_HEADER) {
                None => more(whole),
                Some(block) => match zstd_frame::block([block[0], block[1], block[2]]) {
                    Some(_) => Found::Yes,
                    None => Found::No,
                },
            },
        },
    }
}

/// Whether the plain bytes of a member begin like a compressed member. `More`: the first bytes are a prefix
/// of its magic number.
pub(crate) fn packed_again(data: &[u8]) -> Found {
    const MARKS: [&[u8]; 2] = [b"\x1F\x8B\x08", b"\x28\xB5\x2F\xFD"];
    // `zip` stops at the shorter slice, so a prefix of the mark matches.
    let begins = |mark: &&[u8]| data.iter().zip(*mark).all(|(byte, own)| byte == own);
    match MARKS.iter().find(|mark| begins(mark)) {
        Some(mark) if data.len() >= mark.len() => Found::Yes,
        Some(_) => Found::More,
        None => Found::No,
    }
}

/// Returns whether a record header begins here: a line `WARC/d.d`, then `WARC-Type` and at least one of
/// `Content-Length` and `WARC-Record-ID`.
///
/// Pages that quote an archive have such lines too, but seldom all of them.
pub(crate) fn head(bytes: &[u8], whole: bool) -> Found {
    let prefix = bytes.len().min(RECORD.len());
    if bytes[..prefix] != RECORD[..prefix] {
        return Found::No;
    }
    let first = &bytes[..bytes.len().min(MAX_VERSION)];
    let Some(newline) = memchr::memchr(b'\n', first) else {
        return if first.len() < MAX_VERSION {
            more(whole)
        } else {
            Found::No
        };
    };
    if !is_version(first[..newline].trim_ascii_end()) {
        return Found::No;
    }
    let probed = &bytes[..bytes.len().min(PROBED)];
    // `WARC-Type` counts two and each of the other fields one, so three stand for the type and another
    // field.
    let mut fields = 0;
    for line in probed[newline + 1..].split_inclusive(|byte| *byte == b'\n') {
        let ended = line.ends_with(b"\n");
        let line = line.trim_ascii_end();
        // The empty line ends the header: the fields so far decide.
        if ended && line.is_empty() {
            return if fields >= 3 { Found::Yes } else { Found::No };
        }
        if ended && ends_with_version(line) {
            // Another header begins, so this one is invalid. Each byte is thus examined for one header only.
            return Found::No;
        }
        let is = |name: &[u8]| {
            line.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        if is(b"warc-type:") {
            fields += 2;
        } else if is(b"content-length:") || is(b"warc-record-id:") {
            fields += 1;
        }
    }
    if probed.len() < PROBED && !whole {
        return Found::More;
    }
    // The header goes on after the probed bytes, so those decide.
    if fields >= 3 { Found::Yes } else { Found::No }
}

/// Maximum number of bytes of the first line of a header, line end included.
const MAX_VERSION: usize = 32;

fn ends_with_version(line: &[u8]) -> bool {
    // The marker may end a line that begins with other bytes, as in the rest of a block without a line end.
    let end = &line[line.len().saturating_sub(MAX_VERSION)..];
    memchr::memmem::rfind(end, RECORD).is_some_and(|at| is_version(&end[at..]))
}

/// Returns `true` if a line is `WARC/` and a version.
fn is_version(line: &[u8]) -> bool {
    let Some(version) = line.strip_prefix(RECORD) else {
        return false;
    };
    let mut numbers = version.splitn(2, |byte| *byte == b'.');
    let is_number = |number: Option<&[u8]>| {
        number.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    is_number(numbers.next()) && is_number(numbers.next())
}

/// Offsets in `bytes` at which a member probably begins, or a record of an uncompressed file.
///
/// A piece of a file that begins at such an offset can be read independently. Its records are valid if the
/// reader of the preceding bytes ends [between members](crate::Reader::between_members) at that offset.
/// Some offsets may be false positives.
///
/// Gzip members count only if they inflate to `WARC/`. A start in the last 4 KiB may be missed, because its
/// probe sees too few bytes.
pub fn probable_starts(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut probe = Probe::new();
    memchr::memchr3_iter(0x1F, 0x28, RECORD[0], bytes).filter(move |at| {
        let rest = &bytes[*at..];
        if rest[0] == RECORD[0] {
            // A record of an uncompressed file follows the empty line that ends the record before.
            let begins = *at == 0 || bytes[..*at].ends_with(b"\n\r\n") || bytes[..*at].ends_with(b"\n\n");
            return begins && head(rest, true) == Found::Yes;
        }
        probe.member(rest, true, true) == Found::Yes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"WARC/1.0\r\nwarc-type: response\r\nContent-Length: 3\r\n\r\n";

    #[test]
    fn heads_need_a_version_and_two_fields() {
        assert_eq!(head(HEAD, false), Found::Yes);
        assert_eq!(head(&HEAD[..40], false), Found::More);
        assert_eq!(head(&HEAD[..40], true), Found::No);
        assert_eq!(head(b"WARC/1.0 is a format\n", false), Found::No);
        assert_eq!(head(b"WARC/1.0\nWARC-Type: response\n\n", false), Found::No);
        assert_eq!(head(b"WAR", false), Found::More);
        assert_eq!(head(b"WAX", false), Found::No);
    }

    #[test]
    fn records_in_plain_bytes_are_starts() {
        let bytes = [HEAD, b"abc\r\n\r\n", HEAD, b"see WARC/1.0\r\n"].concat();
        let starts: Vec<usize> = probable_starts(&bytes).collect();
        assert_eq!(starts, [0, HEAD.len() + 7]);
    }
}
