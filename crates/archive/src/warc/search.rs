//! Search for the next record where no valid length is known.

use memchr::memmem;

use super::digest::Named;
use crate::inflate::gzip::{self, Header};
use crate::members::probe::{self, Found, RECORD};

/// Searches for a record header from `from` on. With `Found::Yes` the offset is its start; with
/// `Found::More` or `Found::No` it is where the search resumes.
pub(super) fn next_head(data: &[u8], from: usize, whole: bool) -> (Found, usize) {
    let mut at = from;
    while let Some(next) = data.get(at..).and_then(|rest| memmem::find(rest, RECORD)) {
        at += next;
        match probe::head(&data[at..], whole) {
            // A header that is stored inside a gzip member is not a record of this file.
            Found::Yes if is_stored(&data[..at]) => at += RECORD.len(),
            Found::No => at += RECORD.len(),
            found => return (found, at),
        }
    }
    // The last bytes may be a prefix of `WARC/`.
    let safe = if whole {
        data.len()
    } else {
        data.len().saturating_sub(RECORD.len() - 1)
    };
    (Found::No, safe.max(at))
}

/// Returns `true` if the bytes end with a gzip header and the header of a stored block.
///
/// The record that follows then belongs to a compressed member stored as it is: either an archive offered
/// by a page, or the next member, into which a truncated one runs on. The latter is read from its own
/// start.
fn is_stored(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(MAX_HEADER)..];
    memmem::rfind(near, &gzip::MAGIC).is_some_and(|at| {
        let header = &near[at..];
        matches!(gzip::header(header), Header::Length(length) if length + STORED_HEADER == header.len())
    })
}

/// Number of bytes before a record header in which a gzip header is recognized.
pub(super) const MAX_HEADER: usize = 512;

/// Length of the header of a stored block that begins at a byte border.
const STORED_HEADER: usize = 5;

/// Kind of bytes between the end of a block and the next record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tail {
    /// This many bytes of newlines, and the block ends here.
    Right(usize),
    /// The block does not end here.
    Wrong,
    /// More bytes are needed.
    More,
}

/// Maximum number of bytes of newlines between two records.
pub(super) const MAX_TAIL: usize = 4;

/// Returns whether a block ends here: two newlines, a record header or the end of the input follow.
pub(super) fn tail(rest: &[u8], whole: bool) -> Tail {
    // The usual two newlines are enough: what follows is read as the next record or as damage.
    for newlines in [b"\r\n\r\n".as_slice(), b"\n\n"] {
        if rest.starts_with(newlines) {
            return Tail::Right(newlines.len());
        }
    }
    let newlines = rest
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    let next = &rest[newlines..];
    let prefix = next.len().min(RECORD.len());
    // Other numbers of newlines count only before a record header or the end.
    if next[..prefix] != RECORD[..prefix] || newlines > MAX_TAIL {
        return Tail::Wrong;
    }
    match next.get(RECORD.len()) {
        Some(digit) if digit.is_ascii_digit() => Tail::Right(newlines),
        Some(_) => Tail::Wrong,
        None if !whole => Tail::More,
        None if next.is_empty() => Tail::Right(newlines),
        None => Tail::Wrong,
    }
}

/// Returns `true` if the bytes begin with the two newlines that end a record.
pub(super) fn begins_with_tail(rest: &[u8]) -> bool {
    rest.starts_with(b"\r\n\r\n") || rest.starts_with(b"\n\n")
}

/// Returns the length of a block without the two newlines that end a record, if present.
pub(super) fn without_tail(block: &[u8]) -> usize {
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    let tail = ends.iter().find(|newlines| block.ends_with(newlines));
    block.len() - tail.map_or(0, |newlines| newlines.len())
}

/// Maximum number of headers at which a digest is tried. Each try hashes the whole block.
const TRIES: u8 = 4;

/// Search for the end of a block.
///
/// A block may quote an archive, so it may contain record headers. The block ends at a header if the digest
/// of the bytes before it is right. Only the first few headers are tried. If none matches, or there is no
/// digest, the block ends at the first header.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EndSearch {
    /// Number of bytes of the block already searched.
    pub(super) searched: usize,
    first: Option<usize>,
    tries: u8,
}

impl EndSearch {
    /// Continues the search. Returns the length of the block including the newlines after it, or `None` if
    /// the end is not found yet.
    ///
    /// `whole` is set if no more bytes follow; then `None` means that no header follows.
    pub(super) fn end(
        &mut self,
        block: &[u8],
        most: usize,
        digest: Option<&Named>,
        whole: bool,
    ) -> Option<usize> {
        loop {
            let (found, at) = next_head(block, self.searched, whole);
            self.searched = at;
            // No further header within `most` bytes: the first header ends the block, if there was one.
            if found != Found::Yes || at > most {
                let over = whole || at > most;
                let end = self.first.filter(|_| over);
                return end.or((found == Found::Yes).then_some(at));
            }
            let Some(digest) = digest else {
                return Some(at);
            };
            self.tries += 1;
            if digest.is_of(&block[..without_tail(&block[..at])]) {
                return Some(at);
            }
            let first = *self.first.get_or_insert(at);
            // Each try hashes the block up to the header, so their number is bounded.
            if self.tries == TRIES {
                return Some(first);
            }
            self.searched = at + RECORD.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"WARC/1.0\nWARC-Type: response\nContent-Length: 3\n\n";

    #[test]
    fn blocks_end_before_newlines_or_heads() {
        assert_eq!(tail(b"\r\n\r\nx", false), Tail::Right(4));
        assert_eq!(tail(b"\r\nWARC/1", false), Tail::Right(2));
        assert_eq!(tail(b"\r\n", false), Tail::More);
        assert_eq!(tail(b"\r\n", true), Tail::Right(2));
        assert_eq!(tail(b"\r\nWAR", true), Tail::Wrong);
        assert_eq!(tail(b"\r\nx", false), Tail::Wrong);
    }

    #[test]
    fn the_head_at_which_the_digest_is_right_ends_the_block() {
        let quote = [b"see ".as_slice(), HEAD, b"end"].concat();
        let block = [&quote, b"\r\n\r\n".as_slice(), HEAD].concat();
        let digest = Named::parse(b"md5:00000000000000000000000000000000").unwrap();
        let end = |digest: Option<&Named>| EndSearch::default().end(&block, 1 << 20, digest, true);
        assert_eq!(end(None), Some(4));
        assert_eq!(end(Some(&digest)), Some(4));
        let right = Named::parse(format!("md5:{}", hex(&quote)).as_bytes()).unwrap();
        assert_eq!(end(Some(&right)), Some(quote.len() + 4));
    }

    fn hex(bytes: &[u8]) -> String {
        use md5::{Digest, Md5};
        Md5::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}
